/**
 * What must be there for a request to make sense: the app in its path, the people it names.
 */
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { listUsersByIds } from '../directory/index.ts';
import { type AppRow, findApp, lockApp } from './store-apps.ts';

/** The app with this id; NOT_FOUND for none and for a deleted one. */
export async function requireApp(scope: Scope, id: string): Promise<AppRow> {
  return (await findApp(scope, id)) ?? refuseApp();
}

/** The same, locked until the transaction ends. */
export async function requireLockedApp(scope: Scope, id: string): Promise<AppRow> {
  return (await lockApp(scope, id)) ?? refuseApp();
}

function refuseApp(): never {
  throw new AppError('NOT_FOUND', 'There is no such app.');
}

/** INVALID_ARGUMENT unless each of these ids is a person who is not deleted; `field` is the list's path in the request. */
export async function requireUsers(scope: Scope, ids: readonly string[], field: string): Promise<void> {
  const users = await listUsersByIds(scope, ids);
  const violations = ids.flatMap((id, index) => {
    const user = users.get(id);
    const isThere = user !== undefined && user.status !== 'DELETED';
    return isThere ? [] : [{ field: `${field}[${index}]`, description: `no user has the id ${JSON.stringify(id.slice(0, 64))}` }];
  });
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', `${field} names somebody who is not there.`, { violations });
  }
}
