/**
 * Changing an entitlement, wherever it comes from: imports touch none of what can be changed here, so it survives them.
 */
import { type FieldViolation, refuseInvalid } from '../../../errors.ts';
import { type AppEntitlementJson, AppEntitlementSchema } from '../../../gen/c1/api/app/v1/app_pb.js';
import { compareDocuments } from '../../../lib/compare-documents.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import { recordEvent, refuseStale, withoutFractions } from '../../../foundation/audit/index.ts';
import { keepValues } from '../../classifications/index.ts';
import {
  computedMembers,
  contentJson,
  entitlementContent,
  fixedMembers,
  requireContent,
  tidy,
  withoutDoubles,
} from './entitlement-content.ts';
import {
  type EntitlementRow,
  requireApp,
  requireEntitlement,
  requireLockedEntitlement,
  shownSlug,
  updateEntitlement,
} from '../record/index.ts';

/** Request of a client. */
export interface EntitlementChange {
  /** The entitlement as it was sent. */
  readonly sent: AppEntitlementJson;
  readonly mask: readonly string[] | undefined;
  /** The request's member of this name, which says the same as the entitlement's; undefined where it was not sent. */
  readonly overrideAccessRequestsDefaults: boolean | undefined;
}

/**
 * Changes the members the mask names, or those that were sent where there is none, and returns the entitlement. `userEditedMask` gains
 * what changed. NOT_FOUND for none; INVALID_ARGUMENT for a bad mask or member.
 */
export function changeEntitlement(context: Context, appId: string, id: string, change: EntitlementChange): Promise<EntitlementRow> {
  return inTransaction(context, async (inside) => {
    await keepValues(inside);
    await requireApp(inside, appId);
    const row = await requireLockedEntitlement(inside, appId, id);
    const before = contentJson(row);
    const asked = tidy(apply(row, before, change));
    // Without a slug of its own, an imported entitlement shows the name its source has for it.
    const shown = shownSlug({ ...row, slug: '' });
    const after = { ...withoutDoubles(asked), slug: asked.slug === '' ? shown : (asked.slug ?? '') };
    const { fields, from, to } = compareDocuments(before, after);
    if (fields.length === 0) {
      return row;
    }
    await refuseStale(inside, { member: 'entitlement', targetId: id, kinds: ['entitlement.updated'], before, fields });
    await requireContent(
      inside,
      { ...after, complianceFrameworkValueIds: asked.complianceFrameworkValueIds ?? [] },
      new Set(fields),
      'entitlement.',
    );
    const content = entitlementContent(after, shown);
    const edited = new Set([...(row.document.userEditedMask ?? '').split(','), ...fields].filter((name) => name !== ''));
    await updateEntitlement(inside, row, {
      ...content,
      document: { ...content.document, userEditedMask: [...edited].sort().join(',') },
    });
    await recordEvent(inside, {
      kind: 'entitlement.updated',
      targetId: id,
      data: { appId, fields, from: withoutFractions(from), to: withoutFractions(to) },
    });
    return requireEntitlement(inside, appId, id);
  });
}

function apply(
  row: EntitlementRow,
  before: AppEntitlementJson,
  { sent, mask, overrideAccessRequestsDefaults }: EntitlementChange,
): AppEntitlementJson {
  refuseFixed(row, sent, mask ?? []);
  const members = Object.fromEntries(Object.entries(sent).filter(([name]) => !isOurs(name)));
  const paths = mask?.filter((path) => !isOurs(path));
  const isNothing = mask !== undefined && mask.length > 0 && paths?.length === 0;
  const after = isNothing ? before : applyUpdate(AppEntitlementSchema, before, members, paths);
  return overrideAccessRequestsDefaults === undefined ? after : { ...after, overrideAccessRequestsDefaults };
}

const isOurs = (name: string): boolean => ([...computedMembers, ...fixedMembers] as string[]).includes(name);

/** INVALID_ARGUMENT for a mask that names what is computed, and for asking that what is fixed be otherwise. What is merely echoed passes. */
function refuseFixed(row: EntitlementRow, sent: AppEntitlementJson, mask: readonly string[]): void {
  const violations: FieldViolation[] = computedMembers
    .filter((name) => mask.includes(name))
    .map((name) => ({ field: 'updateMask', description: `${JSON.stringify(name)} is set by the server alone` }));
  const fixed = {
    appId: row.appId,
    appResourceTypeId: row.resourceTypeId,
    appResourceId: row.resourceId,
    isManuallyManaged: row.isManual,
  };
  for (const name of fixedMembers) {
    const value = sent[name];
    const isNamed = mask.includes(name);
    const isAmongAll = mask.length === 0 || mask.includes('*');
    // Many clients send '' and false for what they know nothing about, and beside a mask what it does not name.
    const isAsked = value !== undefined && (isNamed || (isAmongAll && value !== '' && value !== false));
    if (isAsked && value !== fixed[name]) {
      violations.push({ field: `entitlement.${name}`, description: 'is set when the entitlement is made, and cannot be changed' });
    }
  }
  refuseInvalid(violations);
}
