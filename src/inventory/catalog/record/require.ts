/** Requirements of a request: the app in its path, the people it names. */
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { listUsersByIds } from '../../../foundation/directory/index.ts';
import { type AccountRow, findAccount } from './store-accounts.ts';
import { type AppRow, findApp, lockApp, setLockWait } from './store-apps.ts';
import { type EntitlementRow, findEntitlement, findEntitlementOrDeleted, lockEntitlement } from './store-entitlements.ts';
import { findResource, findResourceType, type ResourceRow, type ResourceTypeRow } from './store-resources.ts';

/** The app with this id; NOT_FOUND for none and for a deleted one. */
export async function requireApp(context: Context, id: string): Promise<AppRow> {
  return (await findApp(context, id)) ?? refuse('There is no such app.');
}

/** The same, locked until the transaction ends; where somebody else has it, the transaction gives way and is begun again. */
export async function requireLockedApp(context: Context, id: string): Promise<AppRow> {
  await setLockWait(context);
  return (await lockApp(context, id)) ?? refuse('There is no such app.');
}

function refuse(message: string): never {
  throw new AppError('NOT_FOUND', message);
}

/** INVALID_ARGUMENT unless each of these ids is a person who is not deleted; `field` is the list's path in the request. */
export async function requireUsers(context: Context, ids: readonly string[], field: string): Promise<void> {
  const users = await listUsersByIds(context, ids);
  const violations = ids.flatMap((id, index) => {
    const user = users.get(id);
    const isThere = user !== undefined && user.status !== 'DELETED';
    return isThere ? [] : [{ field: `${field}[${index}]`, description: `no user has the id ${JSON.stringify(id.slice(0, 64))}` }];
  });
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', `${field} names a person who does not exist.`, { violations });
  }
}

/** The resource type with this id in this app; NOT_FOUND for none, and where the app is deleted. */
export async function requireResourceType(context: Context, appId: string, id: string): Promise<ResourceTypeRow> {
  await requireApp(context, appId);
  return (await findResourceType(context, appId, id)) ?? refuse('There is no such resource type in this app.');
}

/** The resource with this id and type in this app; NOT_FOUND for none, and where the app is deleted. */
export async function requireResource(context: Context, appId: string, resourceTypeId: string, id: string): Promise<ResourceRow> {
  await requireApp(context, appId);
  return (await findResource(context, appId, resourceTypeId, id)) ?? refuse('There is no such resource of this type in this app.');
}

/** The entitlement with this id in this app; NOT_FOUND for none, and where the app is deleted. */
export async function requireEntitlement(context: Context, appId: string, id: string): Promise<EntitlementRow> {
  await requireApp(context, appId);
  return (await findEntitlement(context, appId, id)) ?? refuse('There is no such entitlement in this app.');
}

/**
 * The entitlement with this id in this app, deleted or not, alone or with its app: clients that manage objects see by `deletedAt` that one is
 * gone, and take 404 for a failure. NOT_FOUND for one that never was.
 */
export async function requireEntitlementOrDeleted(context: Context, appId: string, id: string): Promise<EntitlementRow> {
  return (await findEntitlementOrDeleted(context, appId, id)) ?? refuse('There is no such entitlement in this app.');
}

/** The entitlement with this id in this app, locked until the transaction ends; NOT_FOUND for none. Whether the app is there is not asked. */
export async function requireLockedEntitlement(context: Context, appId: string, id: string): Promise<EntitlementRow> {
  return (await lockEntitlement(context, appId, id)) ?? refuse('There is no such entitlement in this app.');
}

/** Answer to a request for an account which is not there, or which is not its to know of. */
export const noSuchAccount = 'There is no such account in this app.';

/** The account with this id in this app, deleted or not; NOT_FOUND for none, and where the app is deleted. */
export async function requireAccount(context: Context, appId: string, id: string): Promise<AccountRow> {
  await requireApp(context, appId);
  return (await findAccount(context, appId, id)) ?? refuse(noSuchAccount);
}

/** The account with this id in this app; NOT_FOUND for none, for a deleted one, and where the app is deleted. */
export async function requireLiveAccount(context: Context, appId: string, id: string): Promise<AccountRow> {
  const account = await requireAccount(context, appId, id);
  if (account.status === 'DELETED') {
    refuse(noSuchAccount);
  }
  return account;
}
