/**
 * Who owns an entitlement; what can be done to owners is in change-owners.ts.
 */
import type { Context } from '../../context.ts';
import { changeOwners, type DecideOwners, type Owned } from './change-owners.ts';
import { requireApp, requireLockedEntitlement } from './require.ts';
import { insertEntitlementOwners, listEntitlementOwnerIds, removeEntitlementOwners } from './store-entitlement-owners.ts';

/** Changes the owners of an entitlement. NOT_FOUND for no such app or entitlement. */
export function changeEntitlementOwners(context: Context, appId: string, id: string, decide: DecideOwners): Promise<void> {
  const lock = async (inside: Context): Promise<Owned> => {
    await requireApp(inside, appId);
    await requireLockedEntitlement(inside, appId, id);
    return {
      targetType: 'entitlement',
      targetId: id,
      data: { appId },
      ownerIds: await listEntitlementOwnerIds(inside, appId, id),
      insert: (within, userIds) => insertEntitlementOwners(within, appId, id, userIds),
      remove: (within, userIds) => removeEntitlementOwners(within, appId, id, userIds),
    };
  };
  return changeOwners(context, lock, decide);
}
