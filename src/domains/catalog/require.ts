/**
 * What must be there for a request to make sense: the app in its path, the people it names.
 */
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { listUsersByIds } from '../directory/index.ts';
import { type AccountRow, findAccount } from './store-accounts.ts';
import { type AppRow, findApp, lockApp, updateLockWait } from './store-apps.ts';
import { type EntitlementRow, findEntitlement, lockEntitlement } from './store-entitlements.ts';
import { findResource, findResourceType, type ResourceRow, type ResourceTypeRow } from './store-resources.ts';

/** The app with this id; NOT_FOUND for none and for a deleted one. */
export async function requireApp(scope: Scope, id: string): Promise<AppRow> {
  return (await findApp(scope, id)) ?? refuse('There is no such app.');
}

/** The same, locked until the transaction ends; where somebody else has it, the transaction gives way and is begun again. */
export async function requireLockedApp(scope: Scope, id: string): Promise<AppRow> {
  await updateLockWait(scope);
  return (await lockApp(scope, id)) ?? refuse('There is no such app.');
}

function refuse(message: string): never {
  throw new AppError('NOT_FOUND', message);
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

/** The resource type with this id in this app; NOT_FOUND for none, and where the app is deleted. */
export async function requireResourceType(scope: Scope, appId: string, id: string): Promise<ResourceTypeRow> {
  await requireApp(scope, appId);
  return (await findResourceType(scope, appId, id)) ?? refuse('There is no such resource type in this app.');
}

/** The resource with this id and type in this app; NOT_FOUND for none, and where the app is deleted. */
export async function requireResource(scope: Scope, appId: string, resourceTypeId: string, id: string): Promise<ResourceRow> {
  await requireApp(scope, appId);
  return (await findResource(scope, appId, resourceTypeId, id)) ?? refuse('There is no such resource of this type in this app.');
}

/** The entitlement with this id in this app; NOT_FOUND for none, and where the app is deleted. */
export async function requireEntitlement(scope: Scope, appId: string, id: string): Promise<EntitlementRow> {
  await requireApp(scope, appId);
  return (await findEntitlement(scope, appId, id)) ?? refuse('There is no such entitlement in this app.');
}

/** The entitlement with this id in this app, locked until the transaction ends; NOT_FOUND for none. Whether the app is there is not asked. */
export async function requireLockedEntitlement(scope: Scope, appId: string, id: string): Promise<EntitlementRow> {
  return (await lockEntitlement(scope, appId, id)) ?? refuse('There is no such entitlement in this app.');
}

/** The account with this id in this app, deleted or not; NOT_FOUND for none, and where the app is deleted. */
export async function requireAccount(scope: Scope, appId: string, id: string): Promise<AccountRow> {
  await requireApp(scope, appId);
  return (await findAccount(scope, appId, id)) ?? refuse('There is no such account in this app.');
}
