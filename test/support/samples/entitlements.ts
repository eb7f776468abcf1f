/**
 * Sample requests of the operations about entitlements.
 */
import type { World } from '../world.ts';
import type { MakeSample, Sample } from './sample.ts';

/** An entitlement of the app that was made manually, to be changed or deleted. */
async function makeEntitlement(world: World): Promise<{ app_id: string; id: string }> {
  const path = `/api/v1/apps/${world.appId}/entitlements`;
  const { body } = await world.call(world.tenant.admin, 'POST', path, { displayName: 'By hand' });
  return { app_id: world.appId, id: body.appEntitlementView.appEntitlement.id };
}

const listed: MakeSample = (world) => ({ path: { app_id: world.appId, entitlement_id: world.entitlementId } });
const owned =
  (makeFields: (world: World) => Sample['fields'], more: (world: World) => Record<string, string> = () => ({})): MakeSample =>
  async (world) => {
    const fields = makeFields(world);
    const { app_id, id } = await makeEntitlement(world);
    return { path: { app_id, entitlement_id: id, ...more(world) }, ...(fields === undefined ? {} : { fields }) };
  };

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'AppEntitlementService.create': (world) => ({ path: { app_id: world.appId }, fields: { displayName: 'Made' } }),
  'AppEntitlementService.delete': async (world) => ({ path: await makeEntitlement(world) }),
  'AppEntitlementService.searchAppEntitlementsForAppUser': (world) => ({
    path: { app_id: world.appId, app_user_id: world.accountId },
  }),
  'AppEntitlementService.update': async (world) => ({
    path: await makeEntitlement(world),
    fields: { entitlement: { description: 'Changed' } },
  }),
  'AppEntitlementOwnerService.add': owned((world) => ({ userId: world.userId })),
  'AppEntitlementOwnerService.delete': owned(() => undefined),
  'AppEntitlementOwnerService.list': listed,
  'AppEntitlementOwnerService.listOwnerIDs': listed,
  'AppEntitlementOwnerService.remove': owned(
    () => undefined,
    (world) => ({ user_id: world.userId }),
  ),
  'AppEntitlementOwnerService.set': owned((world) => ({ userIds: [world.userId] })),
};
