/**
 * Sample requests of the operations about grants.
 */
import type { Loose } from '../api.ts';
import { sendFile, type World } from '../world.ts';
import type { MakeSample } from './sample.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';
const line = (number: number): string => `past${number},,USER,ENABLED,role,Past,member,,`;

/** An app of which twelve grants have ended. */
async function makePast(world: World): Promise<string> {
  const upload = async (count: number): Promise<string> => {
    const lines = Array.from({ length: count }, (_, number) => line(number));
    const path = '/api/v1/imports/grants?app=Past&allow_removals=true';
    return (await sendFile(world.tenant, world.tenant.admin, path, [header, ...lines].join('\n'))).body.import.appId;
  };
  await upload(13);
  return upload(1);
}

/** The app access of the app that has no accounts of a source. */
async function findAppAccess(world: World): Promise<string> {
  const { body } = await world.call(world.tenant.admin, 'GET', `/api/v1/apps/${world.otherAppId}/entitlements`);
  return body.list.find(({ appEntitlement }: Loose) => appEntitlement.systemBuiltin).appEntitlement.id;
}

const grant =
  (fields: object = {}): MakeSample =>
  (world) => ({
    path: { app_id: world.appId, app_entitlement_id: world.entitlementId, app_user_id: world.accountId, identity_user_id: world.userId },
    fields: { ...fields },
  });

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'AppEntitlementSearchService.searchGrants': (world) => ({ fields: { appIds: [world.appId] } }),
  'AppEntitlementService.addManuallyManagedMembers': async (world) => ({
    path: { app_id: world.otherAppId, app_entitlement_id: await findAppAccess(world) },
    fields: { userIds: [world.userId] },
  }),
  'AppEntitlementService.removeEntitlementMembership': async (world) => {
    const entitlementId = await findAppAccess(world);
    const path = `/api/v1/apps/${world.otherAppId}/entitlements/${entitlementId}`;
    const give = async (id: string): Promise<string[]> => {
      await world.call(world.tenant.admin, 'POST', `${path}/add-manual-user`, { userIds: [id] });
      const { body } = await world.call(world.tenant.admin, 'GET', `${path}/users/${id}/grants`);
      return (body.bindings ?? []).map(({ appUserId }: Loose) => appUserId);
    };
    const held = [...(await give(world.basic.id)), ...(await give(world.userId))];
    // Neither may hold any more, where other operations were asked before.
    if (held.length === 0) {
      held.push(...(await give((await world.tenant.makePerson(`member-${Math.random()}@world.example`)).id)));
    }
    return { path: { app_id: world.otherAppId, app_entitlement_id: entitlementId }, fields: { appUserId: held[0] ?? '' } };
  },
  'AppEntitlementUserBindingFeedService.searchGrantFeed': (world) => ({ fields: { appRefs: [{ id: world.appId }] } }),
  'AppEntitlementUserBindingHistoryService.searchPastGrants': async (world) => ({ fields: { appIds: [await makePast(world)] } }),
  'AppEntitlementUserBindingService.listAppUsersForIdentityWithGrant': grant(),
  'AppEntitlementUserBindingService.removeGrantDuration': grant(),
  'AppEntitlementUserBindingService.updateGrantDuration': grant({ newDeprovisionAt: '2999-01-01T00:00:00Z' }),
  'GrantService.list': grant(),
  'EntitlementActivityService.list': grant(),
};
