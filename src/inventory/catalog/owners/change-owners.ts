/** Changes of owners: adding, taking away, replacing, for whatever has owners. Every change is one event that names who came and who went. */
import { isDeepStrictEqual } from 'node:util';
import { invalidField } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import type { EventKind } from '../../../events/index.ts';
import { recordEvent, refuseStale } from '../../../foundation/audit/index.ts';
import { findUser } from '../../../foundation/directory/index.ts';
import type { OwnedThing } from './ownables.ts';
import {
  type Ownable,
  type OwnableKind,
  type OwnerSort,
  countOtherOwners,
  defaultRole,
  insertOwners,
  listOwnerRefs,
  removeOwners,
  requireUsers,
  updateOwnerPlaces,
} from '../record/index.ts';

/** Most people who own anything, in all roles together: each reply that shows an app shows its owners, and people have to oversee them. */
export const maxOwners = 1000;

/** Most entitlements that own anything, in all roles together: reviews look up the holders of each. */
const maxOwnerEntitlements = 100;

/** Owners of a thing in one role, each sort in its order; entitlements as 'app id/entitlement id'. */
export interface Owners {
  readonly people: readonly string[];
  readonly entitlements: readonly string[];
}

/** Decides the owners afterwards. */
export type DecideOwners = (context: Context, before: Owners) => Promise<Owners>;

/** Events of what is owned. */
const eventKinds = {
  app: 'app.owners_changed',
  entitlement: 'entitlement.owners_changed',
  resource: 'resource.owners_changed',
  account: 'account.owners_changed',
  source: 'connector.owners_changed',
  user: 'user.owners_changed',
} as const satisfies Record<OwnableKind, EventKind>;

/** Changes who owns something in a role, or the order in which they stand; nothing is written where nothing changes. */
export async function changeOwners(
  context: Context,
  { of, lock, data }: OwnedThing,
  decide: DecideOwners,
  role: string = defaultRole,
): Promise<void> {
  await inTransaction(context, async (inside) => {
    await lock(inside);
    const before: Owners = {
      people: await listOwnerRefs(inside, of, 'people', role),
      entitlements: await listOwnerRefs(inside, of, 'entitlements', role),
    };
    const kind = eventKinds[of.kind];
    const after = await decide(inside, before);
    if (!isDeepStrictEqual(after.people, before.people)) {
      await refuseStale(inside, { targetId: of.id, kinds: [kind], before: { userIds: before.people }, isSet: true });
    }
    const people = await changeSort(inside, of, 'people', role, before.people, after.people);
    const entitlements = await changeSort(inside, of, 'entitlements', role, before.entitlements, after.entitlements);
    if (people === undefined && entitlements === undefined) {
      return;
    }
    await recordEvent(inside, {
      kind,
      targetId: of.id,
      data: {
        ...data,
        ...(role === defaultRole ? {} : { roleSlug: role }),
        ...(people ?? { added: [], removed: [] }),
        ...(entitlements === undefined ? {} : { entitlements }),
      },
    });
  });
}

/**
 * Makes exactly these people the owners in the default role, in this order. Whoever calls it has locked what is owned, knows that they are
 * there, and writes the event.
 */
export async function replaceOwners(context: Context, of: Ownable, userIds: readonly string[]): Promise<void> {
  await changeSort(context, of, 'people', defaultRole, await listOwnerRefs(context, of, 'people', defaultRole), userIds);
}

/** Changes among the owners of one sort; undefined where nothing did. */
interface ChangedOwners {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** All of them, where their order is another. */
  readonly order?: readonly string[];
}

async function changeSort(
  context: Context,
  of: Ownable,
  sort: OwnerSort,
  role: string,
  before: readonly string[],
  wanted: readonly string[],
): Promise<ChangedOwners | undefined> {
  const after = [...new Set(wanted)];
  const [was, is] = [new Set(before), new Set(after)];
  const added = after.filter((owner) => !was.has(owner));
  const removed = before.filter((owner) => !is.has(owner));
  const stayed = before.filter((owner) => is.has(owner));
  // Whoever is new comes last, so they are in their order already unless those who stay, or where the new ones stand, say otherwise.
  const isReordered = [...stayed, ...added].some((owner, index) => owner !== after[index]);
  if (added.length + removed.length === 0 && !isReordered) {
    return undefined;
  }
  if (added.length > 0) {
    const count = after.length + (await countOtherOwners(context, of, sort, role));
    requireFewOwners(count, sort === 'people' ? 'userIds' : 'appEntitlementRefs', sort);
  }
  await removeOwners(context, of, removed, sort, role);
  await insertOwners(context, of, added, sort, role);
  if (isReordered) {
    await updateOwnerPlaces(context, of, after, sort, role);
  }
  return { added, removed, ...(isReordered ? { order: after } : {}) };
}

/** INVALID_ARGUMENT where there are more owners than anything may have, or unknown ids; `field` is the list's path in the request. */
export async function requireOwners(context: Context, userIds: readonly string[], field: string): Promise<void> {
  requireFewOwners(new Set(userIds).size, field, 'people');
  await requireUsers(context, userIds, field);
}

function requireFewOwners(count: number, field: string, sort: OwnerSort): void {
  if (sort === 'people' && count > maxOwners) {
    throw invalidField(field, `makes ${count} owners; there can be ${maxOwners}. Make an entitlement for a larger group instead`);
  }
  if (sort === 'entitlements' && count > maxOwnerEntitlements) {
    throw invalidField(field, `makes ${count} entitlements owners; there can be ${maxOwnerEntitlements}`);
  }
}

/** Exactly these people, in this order; none is allowed. INVALID_ARGUMENT for unknown ids, and too many. */
export const exactly =
  (userIds: readonly string[]): DecideOwners =>
  async (context, before) => {
    await requireOwners(context, userIds, 'userIds');
    return { ...before, people: userIds };
  };

/** One more, fine where they are one already. `refuse` says that there is no such person, or no longer. */
export const oneMore =
  (userId: string, refuse: () => Error): DecideOwners =>
  async (context, before) => {
    const user = await findUser(context, userId);
    if (user === undefined || user.status === 'DELETED') {
      throw refuse();
    }
    const people = [...new Set([...before.people, userId])];
    requireFewOwners(people.length, 'userId', 'people');
    return { ...before, people };
  };

/** One fewer, fine where they are none. `refuse` says that there never was such a person. */
export const oneFewer =
  (userId: string, refuse: () => Error): DecideOwners =>
  async (context, before) => {
    if (!before.people.includes(userId) && (await findUser(context, userId)) === undefined) {
      throw refuse();
    }
    return { ...before, people: before.people.filter((id) => id !== userId) };
  };

/** Without these people; those who are none are passed over, and an empty list takes nobody away. */
export const without =
  (userIds: readonly string[]): DecideOwners =>
  async (_context, before) => ({ ...before, people: before.people.filter((id) => !userIds.includes(id)) });
