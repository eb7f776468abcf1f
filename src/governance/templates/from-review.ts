/**
 * Making a template of a review: its members, its lists and its owners. What belongs to one review alone, such as its dates, stays behind.
 */
import { type Context, inTransaction } from '../../context.ts';
import type { AccessReviewInclusionScopeJson } from '../../gen/c1/api/accessreview/v1/scope_pb.js';
import type { MultiAppSetupJson } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { nameStanding } from '../../inventory/catalog/index.ts';
import { listOwnerViolations, mayExempt, requireReview, type ReviewRow, type ReviewSettings, withoutExemption } from '../reviews/index.ts';
import { listScopeEntries, listSetupRows, updateScopeEntries } from '../snapshots/index.ts';
import { createTemplate } from './create.ts';
import { type TemplateRow, type TemplateSettings, setupMembers, updateEntitlements, updateResourceTypes } from './record/index.ts';

/** An entitlement that a review chose one by one; the policy that decides it, where it has one of its own. */
interface ChosenRow {
  readonly appId: string;
  readonly entitlementId: string;
  readonly customPolicyId: string;
}

/** Values that both lists keep; an empty list keeps all. */
function both<T>(one: readonly T[] = [], other: readonly T[] = []): T[] {
  return one.length === 0 || other.length === 0 ? [...one, ...other] : one.filter((value) => other.includes(value));
}

/** The inclusion scope with what the oldest member of scopes keeps, which templates do not have. */
function includedBy({ scope, inclusionScope }: ReviewSettings): AccessReviewInclusionScopeJson | undefined {
  const merged = {
    ...inclusionScope,
    appUserStatuses: both(scope?.appUserStatuses, inclusionScope?.appUserStatuses),
    appUserTypes: both(scope?.appUserTypes, inclusionScope?.appUserTypes),
  };
  const said = Object.entries(merged).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

/** The apps and entitlements of a review in the one member that templates have for them, with those that have a policy of their own. */
function appsOf({ singleApp, multiApp }: ReviewSettings, withPolicies: readonly ChosenRow[]): MultiAppSetupJson | undefined {
  const single = singleApp?.appId ?? '';
  const apps = { ...multiApp?.appEntitlements, ...(single === '' ? {} : { [single]: { appId: single, entitlementIds: [] } }) };
  const details = { ...multiApp?.appEntitlementDetails };
  for (const { appId, entitlementId, customPolicyId } of withPolicies) {
    const before = details[appId]?.entitlementDetails;
    details[appId] = { entitlementDetails: { ...before, [entitlementId]: { appId, entitlementId, policyId: customPolicyId } } };
  }
  return Object.keys(apps).length + Object.keys(details).length === 0
    ? undefined
    : { appEntitlements: apps, appEntitlementDetails: details };
}

/** Time of a review from its start to its due date, as a template says it; undefined where it lacks one of them. */
export function readDuration({ document, startedAt }: Pick<ReviewRow, 'document' | 'startedAt'>): string | undefined {
  const start = startedAt?.getTime() ?? Date.parse(document.scheduledStartDate ?? '');
  const seconds = Math.round((Date.parse(document.completionDate ?? '') - start) / 1000);
  return seconds > 0 ? `${seconds}s` : undefined;
}

/** The request that makes a template of a review. Entitlements with a policy of their own stand among its apps, the others in a list. */
export function describeTemplate(
  review: Pick<ReviewRow, 'document' | 'startedAt'>,
  chosen: readonly ChosenRow[],
  displayName: string,
): TemplateSettings {
  const { document } = review;
  const said: TemplateSettings = {
    ...setupMembers(document),
    displayName: displayName.trim() || (document.displayName ?? ''),
    inclusionScope: includedBy(document),
    multiApp: appsOf(
      document,
      chosen.filter(({ customPolicyId }) => customPolicyId !== ''),
    ),
    accessReviewDuration: readDuration(review),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** Those of the review's owners who can own something now. */
async function listOwners(context: Context, ownerIds: readonly string[]): Promise<string[]> {
  const wrong = new Set((await listOwnerViolations(context, ownerIds, 'ownerIds')).map(({ field }) => field));
  return ownerIds.filter((_, index) => !wrong.has(`ownerIds[${index}]`));
}

/**
 * Makes a template of a review that the caller may read, and returns it. INVALID_ARGUMENT for a name that a template cannot have, NOT_FOUND for
 * whoever may not know of the review.
 */
export function createTemplateFromReview(context: Context, reviewId: string, displayName: string): Promise<TemplateRow> {
  return inTransaction(context, async (inside) => {
    const review = await requireReview(inside, reviewId, 'read');
    const { document, entries, entitlements, resourceTypes } = await nameStanding(inside, {
      document: review.document,
      entries: await listScopeEntries(inside, reviewId),
      ...(await listSetupRows(inside, reviewId)),
    });
    const described = describeTemplate({ ...review, document }, entitlements, displayName);
    const template = await createTemplate(
      inside,
      mayExempt(inside.actor) ? described : withoutExemption(described),
      await listOwners(inside, review.ownerIds),
    );
    await updateEntitlements(
      inside,
      template.id,
      entitlements.filter(({ customPolicyId }) => customPolicyId === ''),
    );
    await updateResourceTypes(inside, template.id, resourceTypes);
    await updateScopeEntries(inside, template.id, entries);
    return template;
  });
}
