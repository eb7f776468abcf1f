/** Entitlements an access profile gives, and whose holders see it: adding, taking out, replacing. Every change is one event. */
import { AppError, invalidField } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { requireLockedProfile, requireRefs } from './require.ts';
import { insertEntries, listAllEntries, listLiveRefs, type Part, type Ref, removeEntries, updateEntryPlaces } from './store-entries.ts';
import { updateUncounted } from './store-members.ts';

/** Most entitlements of one part of one profile: replies that list them whole stay small. */
export const maxEntries = { REQUESTABLE: 1000, VISIBLE: 100 } as const;

const keyOf = (ref: Ref): string => `${ref.appId}/${ref.id}`;

async function change(
  context: Context,
  profileId: string,
  part: Part,
  decide: (before: readonly Ref[], context: Context) => Promise<readonly Ref[]>,
): Promise<void> {
  await inTransaction(context, async (inside) => {
    await requireLockedProfile(inside, profileId);
    const before = await listAllEntries(inside, profileId, part);
    const after = new Map((await decide(before, inside)).map((ref) => [keyOf(ref), ref]));
    const present = new Set(before.map(keyOf));
    const added = [...after.values()].filter((ref) => !present.has(keyOf(ref)));
    const removed = before.filter((ref) => !after.has(keyOf(ref)));
    const places = [...after.keys()];
    // What is new comes last, so they are in their order already unless the others, or where the new ones stand, say otherwise.
    const isReordered = [...before.filter((ref) => after.has(keyOf(ref))), ...added].some((ref, index) => keyOf(ref) !== places[index]);
    if (added.length + removed.length === 0 && !isReordered) {
      return;
    }
    if (added.length > 0 && after.size > maxEntries[part]) {
      throw invalidField(
        part === 'VISIBLE' ? 'accessEntitlements' : 'appEntitlements',
        `an access profile has at most ${maxEntries[part]} of them; this request would make ${after.size}`,
      );
    }
    await removeEntries(inside, profileId, part, removed);
    await insertEntries(inside, profileId, part, added);
    if (isReordered) {
      await updateEntryPlaces(inside, profileId, part, [...after.values()]);
    }
    if (part === 'REQUESTABLE' && added.length + removed.length > 0) {
      await updateUncounted(inside, profileId);
    }
    await recordEvent(inside, {
      kind: part === 'VISIBLE' ? 'access_profile.visibility_changed' : 'access_profile.entitlements_changed',
      targetId: profileId,
      data: { added, removed, ...(isReordered ? { order: [...after.values()] } : {}) },
    });
  });
}

/** Adds entitlements; those in it already are allowed. NOT_FOUND for no such profile, INVALID_ARGUMENT for entitlements that are not there. */
export function addEntries(context: Context, profileId: string, part: Part, refs: readonly Ref[], field: string): Promise<void> {
  return change(context, profileId, part, async (before, inside) => {
    await requireRefs(inside, refs, field);
    return [...before, ...refs];
  });
}

/** Adds one entitlement that a path names; fine where it is in it already. NOT_FOUND for no such profile or entitlement. */
export function addEntry(context: Context, profileId: string, ref: Ref): Promise<void> {
  return change(context, profileId, 'REQUESTABLE', async (before, inside) => {
    if (!(await listLiveRefs(inside, [ref])).has(keyOf(ref))) {
      throw new AppError('NOT_FOUND', 'There is no such entitlement in this app.');
    }
    return [...before, ref];
  });
}

/** Makes exactly these the entitlements of the part, in this order. */
export function setEntries(context: Context, profileId: string, part: Part, refs: readonly Ref[], field: string): Promise<void> {
  return change(context, profileId, part, async (_before, inside) => {
    await requireRefs(inside, refs, field);
    return refs;
  });
}

/** Takes entitlements out; those not in it are passed over. */
export function dropEntries(context: Context, profileId: string, part: Part, refs: readonly Ref[]): Promise<void> {
  const gone = new Set(refs.map(keyOf));
  return change(context, profileId, part, async (before) => before.filter((ref) => !gone.has(keyOf(ref))));
}

/** Takes one entitlement out. NOT_FOUND where the profile does not give it. */
export function dropEntry(context: Context, profileId: string, ref: Ref): Promise<void> {
  return change(context, profileId, 'REQUESTABLE', async (before) => {
    const rest = before.filter((one) => keyOf(one) !== keyOf(ref));
    if (rest.length === before.length) {
      throw new AppError('NOT_FOUND', 'This entitlement is not in the access profile.');
    }
    return rest;
  });
}
