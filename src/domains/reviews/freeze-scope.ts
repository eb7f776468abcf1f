/**
 * Checking what a review chooses against the inventory, and freezing the entitlements it chooses. Everything that can be wrong with a choice is
 * refused here, with all reasons at once.
 */
import type { JsonValue } from '@bufbuild/protobuf';
import { AppError, type FieldViolation } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { getActiveConflictGrants, getDetectedGrants, listEnabledMonitors } from '../conflicts/index.ts';
import { ensureBuiltinPolicy } from '../policies/index.ts';
import { type ListCounts, readScope, type ReviewScope } from './check-scope.ts';
import { listPrepareViolations } from './check-record.ts';
import { textOf } from './document.ts';
import type { ReviewRow } from './store.ts';
import { insertSnapshotConflicts, insertSnapshotEntitlements, listDoublePolicies } from './store-freeze.ts';
import { listRolesElsewhere } from './store-inherit.ts';
import { hasTemplate } from './store-predecessor.ts';
import { listScopeEntries, type ScopeEntry } from './store-scope-lists.ts';
import { countSetup } from './store-setup.ts';
import { type IdKind, listUnknownIds, listUnknownObjects, type ObjectRef } from './store-unknown.ts';

/** Refuses, where there is anything, what keeps a snapshot from being taken: FAILED_PRECONDITION with every reason. */
export function refuseSnapshot(violations: readonly FieldViolation[]): void {
  if (violations.length > 0) {
    const message = violations
      .map((violation) => `${violation.field}: ${violation.description}`)
      .slice(0, 5)
      .join('; ');
    throw new AppError('FAILED_PRECONDITION', `No snapshot can be taken of this review: ${message}.`, { violations });
  }
}

/** What a review chooses, with the lists beside its document. */
export interface ChosenScope extends ReviewScope {
  readonly entries: readonly ScopeEntry[];
}

/** The path of the field of the review that holds this id; the review itself where it was chosen elsewhere. */
function placeOf(value: JsonValue | undefined, id: string, path = 'accessReview'): string {
  if (typeof value !== 'object' || value === null) {
    return value === id ? path : 'accessReview';
  }
  for (const [key, inner] of Object.entries(value)) {
    const place = placeOf(inner, id, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
    if (place !== 'accessReview') {
      return place;
    }
  }
  return 'accessReview';
}

function countEntries(entries: readonly ScopeEntry[]): Omit<ListCounts, 'entitlements' | 'resourceTypes'> {
  const count = (list: ScopeEntry['list'], ...kinds: ScopeEntry['kind'][]) =>
    entries.filter((entry) => entry.list === list && kinds.includes(entry.kind)).length;
  return {
    resources: count('RESOURCE', ''),
    scopeRoles: count('SCOPE_ROLE', ''),
    monitors: count('MONITOR', ''),
    excludedResources: count('EXCLUSION', 'ENTITLEMENT', 'RESOURCE'),
    excludedResourceTypes: count('EXCLUSION', 'RESOURCE_TYPE'),
  };
}

const nouns: Readonly<Record<IdKind, string>> = {
  app: 'app',
  person: 'person',
  riskLevel: 'risk level',
  framework: 'compliance framework',
  accessProfile: 'access profile',
};

/** The ids that a scope names by themselves. */
function listIds({ what, filters, entries }: ChosenScope): [IdKind, readonly string[]][] {
  const { people, legacy, profiles } = filters;
  return [
    ['app', [...what.wholeAppIds, ...(what.appAccess ? what.namedAppIds : [])]],
    ['person', [people, legacy.people].flatMap((filter) => [...(filter.userIds ?? []), ...(filter.managerIds ?? [])])],
    ['person', entries.filter((entry) => entry.kind === 'USER').map((entry) => entry.objectId)],
    ['riskLevel', what.criteria?.riskLevelIds ?? []],
    ['framework', what.criteria?.frameworkIds ?? []],
    ['accessProfile', [...(profiles.included ?? []), ...(typeof profiles.excluded === 'object' ? profiles.excluded : [])]],
  ];
}

/** What a scope names that is of an app. */
function listObjects({ what, filters, entries }: ChosenScope): ObjectRef[] {
  return [
    ...what.entitlements.map((one) => ({ kind: 'entitlement' as const, appId: one.appId, id: one.entitlementId })),
    ...(filters.people.notHolding ?? []).map((ref) => ({ kind: 'entitlement' as const, ...ref })),
    ...entries.flatMap(({ list, kind, appId, objectId, entitlementId, accountId, roleResourceId }): ObjectRef[] => {
      if (list === 'GRANT') {
        // Its account may be a resource that passes it on.
        return [{ kind: 'entitlement', appId, id: entitlementId }];
      }
      switch (list === 'EXCLUSION' ? kind : list) {
        case 'ENTITLEMENT':
          return [{ kind: 'entitlement', appId, id: entitlementId }];
        case 'RESOURCE':
          return [{ kind: 'resource', appId, id: objectId }];
        case 'RESOURCE_TYPE':
          return [{ kind: 'resource type', appId, id: objectId }];
        case 'ACCOUNT':
          return [{ kind: 'account', appId, id: accountId }];
        case 'GRANT':
          return [
            { kind: 'account', appId, id: accountId },
            { kind: 'entitlement', appId, id: entitlementId },
          ];
        case 'SCOPE_ROLE':
          return [
            { kind: 'resource', appId, id: objectId },
            { kind: 'resource', appId, id: roleResourceId },
          ];
        default:
          return [];
      }
    }),
  ];
}

/** What the review chooses; FAILED_PRECONDITION with everything that keeps a snapshot from being taken of it. */
export async function checkScope(context: Context, review: ReviewRow): Promise<ChosenScope> {
  const entries = await listScopeEntries(context, review.id);
  const read = readScope(review.document, { ...(await countSetup(context, review.id)), ...countEntries(entries) });
  const scope: ChosenScope = { ...read.scope, entries };
  const found = [...listPrepareViolations(review.document), ...read.violations];
  const templateId = textOf(review.document, 'accessReviewTemplateId');
  if (templateId !== '' && !(await hasTemplate(context, templateId))) {
    found.push({ field: 'accessReview.accessReviewTemplateId', description: `there is no template ${templateId}` });
  }
  for (const [kind, ids] of listIds(scope)) {
    for (const id of await listUnknownIds(context, kind, [...new Set(ids)])) {
      found.push({ field: placeOf(review.document, id), description: `there is no ${nouns[kind]} ${id}` });
    }
  }
  for (const one of await listUnknownObjects(context, review.id, listObjects(scope))) {
    found.push({ field: placeOf(review.document, one.id), description: `app ${one.appId} has no ${one.kind} ${one.id}` });
  }
  for (const one of await listDoublePolicies(context, review.id, scope.what)) {
    const names = one.policyIds.join(' and ');
    found.push({
      field: placeOf(review.document, one.entitlementId),
      description: `entitlement ${one.entitlementId} of app ${one.appId} has two policies, ${names}: name one`,
    });
  }
  for (const { index, scopeResourceId, roleResourceId } of scope.what.byRoles ? await listRolesElsewhere(context, review.id) : []) {
    const description = `resource ${roleResourceId} is not resource ${scopeResourceId} or below it: name a role at or below its scope`;
    found.push({ field: `scopeRoles[${index}]`, description });
  }
  refuseSnapshot([...found, ...(await listIdleMonitors(context, scope))]);
  return scope;
}

/** What a review chose, without looking anything up: only for one whose scope was checked and has not changed since. */
export async function readChosen(context: Context, review: ReviewRow): Promise<ChosenScope> {
  const entries = await listScopeEntries(context, review.id);
  return { ...readScope(review.document, { ...(await countSetup(context, review.id)), ...countEntries(entries) }).scope, entries };
}

/** The monitors whose conflicts a review is about: those listed, or all that are enabled now. */
async function listMonitors(context: Context, { what, entries }: ChosenScope): Promise<string[]> {
  const listed = entries.filter(({ list }) => list === 'MONITOR').map(({ objectId }) => objectId);
  return listEnabledMonitors(context, what.allMonitors ? undefined : listed);
}

/** Which listed monitors find nothing: those that are not there, and those that are disabled. */
async function listIdleMonitors(context: Context, scope: ChosenScope): Promise<FieldViolation[]> {
  if (scope.what.scopeType !== 'BY_ACCESS_CONFLICTS' || scope.what.allMonitors) {
    return [];
  }
  const enabled = new Set(await listMonitors(context, scope));
  return scope.entries
    .filter(({ list }) => list === 'MONITOR')
    .flatMap(({ objectId }, index) =>
      enabled.has(objectId)
        ? []
        : [{ field: `monitorIds[${index}]`, description: `no monitor ${objectId} is enabled: enable it, or remove it from the list` }],
    );
}

/** Freezes which grants are in conflict: of a review about conflicts as they are found now, of others as alerts say. */
export async function freezeConflicts(context: Context, snapshotId: string, chosen: ChosenScope): Promise<void> {
  const isDetected = chosen.what.scopeType === 'BY_ACCESS_CONFLICTS';
  const rows = isDetected ? getDetectedGrants(context, await listMonitors(context, chosen)) : getActiveConflictGrants(context.tenantId);
  await insertSnapshotConflicts(context, snapshotId, rows, isDetected);
}

/** Freezes the entitlements that a review chooses, each with the policy that decides it. */
export async function freezeEntitlements(context: Context, snapshotId: string, review: ReviewRow, chosen: ChosenScope): Promise<void> {
  const policyId = textOf(review.document, 'policyId') || (await ensureBuiltinPolicy(context)).id;
  const policy = { policyId, usePolicyOverride: review.document.usePolicyOverride === true };
  await insertSnapshotEntitlements(context, snapshotId, review.id, chosen, policy);
}
