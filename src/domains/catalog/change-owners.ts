/**
 * Who owns an app: adding, taking away, replacing. Every change is one event that names who came and who went.
 */
import { AppError } from '../../errors.ts';
import { inTransaction, type Scope } from '../../scope.ts';
import { recordEvent } from '../audit/index.ts';
import { findUser } from '../directory/index.ts';
import { requireLockedApp, requireUsers } from './require.ts';
import { insertOwners, removeOwners } from './store-apps.ts';

async function change(
  scope: Scope,
  appId: string,
  decide: (before: readonly string[], scope: Scope) => Promise<readonly string[]>,
): Promise<void> {
  await inTransaction(scope, async (inside) => {
    const { ownerIds: before } = await requireLockedApp(inside, appId);
    const after = await decide(before, inside);
    const added = [...new Set(after.filter((id) => !before.includes(id)))];
    const removed = before.filter((id) => !after.includes(id));
    if (added.length + removed.length === 0) {
      return;
    }
    await insertOwners(inside, appId, added);
    await removeOwners(inside, appId, removed);
    await recordEvent(inside, { kind: 'app.owners_changed', targetType: 'app', targetId: appId, data: { added, removed } });
  });
}

/** Makes a person an owner; fine where they are one already. NOT_FOUND for no such app or person. */
export function addOwner(scope: Scope, appId: string, userId: string): Promise<void> {
  return change(scope, appId, async (before, inside) => {
    const user = await findUser(inside, userId);
    if (user === undefined || user.status === 'DELETED') {
      throw new AppError('NOT_FOUND', 'There is no such user.');
    }
    return [...before, userId];
  });
}

/** Makes exactly these people the owners; none is fine. INVALID_ARGUMENT for ids of nobody. */
export function setOwners(scope: Scope, appId: string, userIds: readonly string[]): Promise<void> {
  return change(scope, appId, async (_before, inside) => {
    await requireUsers(inside, userIds, 'userIds');
    return userIds;
  });
}

/** Takes one person away from the owners; fine where they are none. NOT_FOUND for no such app or person. */
export function removeOwner(scope: Scope, appId: string, userId: string): Promise<void> {
  return change(scope, appId, async (before, inside) => {
    if (!before.includes(userId) && (await findUser(inside, userId)) === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such user.');
    }
    return before.filter((id) => id !== userId);
  });
}

/** Takes these people away from the owners; those who are none are passed over, and an empty list takes nobody away. */
export function dropOwners(scope: Scope, appId: string, userIds: readonly string[]): Promise<void> {
  return change(scope, appId, async (before) => before.filter((id) => !userIds.includes(id)));
}
