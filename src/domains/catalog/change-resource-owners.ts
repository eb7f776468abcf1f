/**
 * Who owns a resource; what can be done to owners is in change-owners.ts.
 */
import type { Context } from '../../context.ts';
import { changeOwners, type DecideOwners, type Owned } from './change-owners.ts';
import { requireLockedApp, requireResource } from './require.ts';
import { insertResourceOwners, listResourceOwnerIds, removeResourceOwners } from './store-resource-owners.ts';

/** Changes the owners of a resource. NOT_FOUND for no such app, type or resource. */
export function changeResourceOwners(context: Context, appId: string, typeId: string, id: string, decide: DecideOwners): Promise<void> {
  const lock = async (inside: Context): Promise<Owned> => {
    await requireLockedApp(inside, appId);
    await requireResource(inside, appId, typeId, id);
    return {
      targetType: 'resource',
      targetId: id,
      data: { appId, resourceTypeId: typeId },
      ownerIds: await listResourceOwnerIds(inside, appId, id),
      insert: (within, userIds) => insertResourceOwners(within, appId, id, userIds),
      remove: (within, userIds) => removeResourceOwners(within, appId, id, userIds),
    };
  };
  return changeOwners(context, lock, decide);
}
