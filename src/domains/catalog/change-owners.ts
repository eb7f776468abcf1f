/**
 * Who owns something: adding, taking away, replacing, for whatever has owners. Every change is one event that names who came and who went.
 */
import { AppError, invalidField } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { findUser } from '../directory/index.ts';
import { requireLockedApp, requireUsers } from './require.ts';
import { insertOwners, removeOwners } from './store-apps.ts';

/** How many owners anything has at most: each reply that shows an app shows its owners with it, and people have to oversee them. */
export const maxOwners = 1000;

/** Something that has owners, locked until the transaction ends. */
export interface Owned {
  /** As events name its kind: app, resource. */
  readonly targetType: string;
  readonly targetId: string;
  /** What its events say beside who came and who went. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly ownerIds: readonly string[];
  insert(context: Context, userIds: readonly string[]): Promise<unknown>;
  remove(context: Context, userIds: readonly string[]): Promise<unknown>;
}

/** Who the owners are afterwards. */
export type DecideOwners = (context: Context, before: readonly string[]) => Promise<readonly string[]>;

/** Changes who owns what `lock` finds and locks; nothing is written where nothing changes. */
export async function changeOwners(context: Context, lock: (context: Context) => Promise<Owned>, decide: DecideOwners): Promise<void> {
  await inTransaction(context, async (inside) => {
    const owned = await lock(inside);
    const after = await decide(inside, owned.ownerIds);
    const added = [...new Set(after.filter((id) => !owned.ownerIds.includes(id)))];
    const removed = owned.ownerIds.filter((id) => !after.includes(id));
    if (added.length + removed.length === 0) {
      return;
    }
    await owned.insert(inside, added);
    await owned.remove(inside, removed);
    const { targetType, targetId, data } = owned;
    await recordEvent(inside, { kind: `${targetType}.owners_changed`, targetType, targetId, data: { ...data, added, removed } });
  });
}

/** INVALID_ARGUMENT where there are more owners than anything may have, or unknown ids; `field` is the list's path in the request. */
export async function requireOwners(context: Context, userIds: readonly string[], field: string): Promise<void> {
  requireFewOwners(userIds, field);
  await requireUsers(context, userIds, field);
}

function requireFewOwners(userIds: readonly string[], field: string): void {
  const count = new Set(userIds).size;
  if (count > maxOwners) {
    throw invalidField(field, `makes ${count} owners; there can be ${maxOwners}. Make an entitlement for a larger group instead`);
  }
}

/** Exactly these people; none is allowed. INVALID_ARGUMENT for unknown ids, and too many. */
export const exactly =
  (userIds: readonly string[]): DecideOwners =>
  async (context) => {
    await requireOwners(context, userIds, 'userIds');
    return userIds;
  };

/** One more, fine where they are one already. `refuse` says that there is no such person, or no longer. */
export const oneMore =
  (userId: string, refuse: () => Error): DecideOwners =>
  async (context, before) => {
    const user = await findUser(context, userId);
    if (user === undefined || user.status === 'DELETED') {
      throw refuse();
    }
    const after = [...before, userId];
    requireFewOwners(after, 'userId');
    return after;
  };

/** One fewer, fine where they are none. `refuse` says that there never was such a person. */
export const oneFewer =
  (userId: string, refuse: () => Error): DecideOwners =>
  async (context, before) => {
    if (!before.includes(userId) && (await findUser(context, userId)) === undefined) {
      throw refuse();
    }
    return before.filter((id) => id !== userId);
  };

/** Without these people; those who are none are passed over, and an empty list takes nobody away. */
export const without =
  (userIds: readonly string[]): DecideOwners =>
  async (_context, before) =>
    before.filter((id) => !userIds.includes(id));

/** NOT_FOUND for a person in the path. */
export const noSuchUser = (): Error => new AppError('NOT_FOUND', 'There is no such user.');

/** Changes the owners of an app. NOT_FOUND for no such app. */
export function changeAppOwners(context: Context, appId: string, decide: DecideOwners): Promise<void> {
  const lock = async (inside: Context): Promise<Owned> => ({
    targetType: 'app',
    targetId: appId,
    data: {},
    ownerIds: (await requireLockedApp(inside, appId)).ownerIds,
    insert: (within, userIds) => insertOwners(within, appId, userIds),
    remove: (within, userIds) => removeOwners(within, appId, userIds),
  });
  return changeOwners(context, lock, decide);
}
