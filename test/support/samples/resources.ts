/**
 * Sample requests of the operations about resource types, resources, their owners, and what somebody owns.
 */
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

async function makeType(world: World): Promise<string> {
  const path = `/api/v1/apps/${world.appId}/resource_types`;
  const { body } = await world.call(world.tenant.admin, 'POST', path, { displayName: `Made ${Math.random()}`, resourceType: 'GROUP' });
  return body.appResourceType.id;
}

async function makeResource(world: World): Promise<string> {
  const path = `/api/v1/apps/${world.appId}/resource_types/${world.resourceTypeId}/resources`;
  const { body } = await world.call(world.tenant.admin, 'POST', path, { displayName: `Made ${Math.random()}` });
  return body.appResource.id;
}

const type =
  (fields: object = {}): MakeSample =>
  async (world) => ({ path: { app_id: world.appId, id: await makeType(world) }, fields: { ...fields } });
const resource =
  (fields: object = {}): MakeSample =>
  async (world) => ({
    path: { app_id: world.appId, app_resource_type_id: world.resourceTypeId, id: await makeResource(world) },
    fields: { ...fields },
  });
const owned: MakeSample = (world) => ({
  path: { app_id: world.appId, resource_type_id: world.resourceTypeId, resource_id: world.resourceId },
});
const owners =
  (fields: (world: World) => object): MakeSample =>
  async (world) => ({
    path: { app_id: world.appId, resource_type_id: world.resourceTypeId, resource_id: await makeResource(world) },
    fields: { ...fields(world) },
  });

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'AppResourceOwnerService.add': owners(({ userId }) => ({ userId })),
  'AppResourceOwnerService.delete': owners(() => ({})),
  'AppResourceOwnerService.list': owned,
  'AppResourceOwnerService.listOwnerIDs': owned,
  'AppResourceOwnerService.remove': owners(({ userId }) => ({ userId })),
  'AppResourceOwnerService.set': owners(({ userId }) => ({ userIds: [userId] })),
  'AppResourceService.createManuallyManagedAppResource': (world) => ({
    path: { app_id: world.appId, app_resource_type_id: world.resourceTypeId },
    fields: { displayName: 'Made', resourceOwnerUserIds: [world.userId] },
  }),
  'AppResourceService.deleteManuallyManagedAppResource': resource(),
  'AppResourceService.searchAppResourceTypes': (world) => ({ fields: { appIds: [world.appId] } }),
  'AppResourceService.searchAppResources': (world) => ({ fields: { appIds: [world.appId] } }),
  'AppResourceService.update': resource({ appResource: { customDescription: 'Changed' } }),
  'AppResourceTypeService.createManuallyManagedResourceType': (world) => ({
    path: { app_id: world.appId },
    fields: { displayName: `Made ${Math.random()}`, resourceType: 'LICENSE' },
  }),
  'AppResourceTypeService.deleteManuallyManagedResourceType': type(),
  'AppResourceTypeService.updateManuallyManagedResourceType': type({ appResourceType: { traitIds: ['vault'] } }),
  'AppService.searchUserOwnership': (world) => ({ fields: { userId: world.userId } }),
};
