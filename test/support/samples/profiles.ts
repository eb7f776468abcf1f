/**
 * Sample requests of the operations about access profiles.
 */
import type { Loose } from '../api.ts';
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

/** A new profile that gives, and is seen by the holders of, the first twelve entitlements of the world's app. */
async function makeProfile(world: World): Promise<{ id: string; refs: { appId: string; id: string }[] }> {
  const call = async (method: string, path: string, body?: unknown): Promise<Loose> =>
    (await world.call(world.tenant.admin, method, path, body)).body;
  const made = await call('POST', '/api/v1/catalogs', { displayName: 'Sales starter', published: true, visibleToEveryone: true });
  const id: string = made.requestCatalogView.requestCatalog.id;
  const entitlements: Loose[] = (await call('GET', `/api/v1/apps/${world.appId}/entitlements?page_size=12`)).list;
  const refs = entitlements.map(({ appEntitlement }: Loose) => ({ appId: world.appId, id: appEntitlement.id }));
  await call('POST', `/api/v1/catalogs/${id}/requestable_entries`, { appEntitlements: refs });
  await call('POST', `/api/v1/catalogs/${id}/visibility_bindings`, { accessEntitlements: refs });
  return { id, refs };
}

const ofProfile =
  (fields: object = {}): MakeSample =>
  async (world) => {
    const { id } = await makeProfile(world);
    return { path: { id, catalog_id: id }, fields: { ...fields } };
  };
const entry: MakeSample = async (world) => {
  const { id, refs } = await makeProfile(world);
  return { path: { catalog_id: id, app_id: world.appId, entitlement_id: refs[0]?.id ?? '' } };
};
const withRefs =
  (field: string): MakeSample =>
  async (world) => {
    const { id, refs } = await makeProfile(world);
    return { path: { catalog_id: id }, fields: { [field]: refs } };
  };

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'RequestCatalogManagementService.addAccessEntitlements': withRefs('accessEntitlements'),
  'RequestCatalogManagementService.addAppEntitlements': withRefs('appEntitlements'),
  'RequestCatalogManagementService.create': () => ({ fields: { displayName: 'Made' } }),
  'RequestCatalogManagementService.createRequestableEntry': entry,
  'RequestCatalogManagementService.delete': ofProfile(),
  'RequestCatalogManagementService.deleteRequestableEntry': entry,
  'RequestCatalogManagementService.get': ofProfile(),
  'RequestCatalogManagementService.getRequestableEntry': entry,
  'RequestCatalogManagementService.list': async (world) => {
    for (let count = 0; count < 12; count++) {
      await world.call(world.tenant.admin, 'POST', '/api/v1/catalogs', { displayName: `Starter ${count}` });
    }
    return {};
  },
  'RequestCatalogManagementService.listAllEntitlementIdsPerApp': ofProfile(),
  'RequestCatalogManagementService.listEntitlementsForAccess': ofProfile(),
  'RequestCatalogManagementService.listEntitlementsPerCatalog': ofProfile(),
  'RequestCatalogManagementService.removeAccessEntitlements': withRefs('accessEntitlements'),
  'RequestCatalogManagementService.removeAppEntitlements': withRefs('appEntitlements'),
  'RequestCatalogManagementService.update': ofProfile({ catalog: { description: 'Changed' } }),
  'RequestCatalogManagementService.updateAppEntitlements': withRefs('appEntitlements'),
  'RequestCatalogSearchService.searchEntitlements': async (world) => {
    await makeProfile(world);
    return {};
  },
};
