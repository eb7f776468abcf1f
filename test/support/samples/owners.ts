/**
 * Sample requests of the operations about owners of the second version: people and entitlements that own whatever has owners, in roles.
 */
import type { Loose } from '../api.ts';
import type { World } from '../world.ts';
import type { MakeSample, Sample } from './sample.ts';

/** Thing owned: its service, whether one owner can be read, where its owners are, and the parameters of that path. */
interface Owned {
  readonly service: string;
  readonly isRead: boolean;
  readonly template: string;
  readonly path: (world: World) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

const inApp = '/api/v2/apps/{app_id}';
const kinds: readonly Owned[] = [
  { service: 'AppOwnerV2Service', isRead: true, template: inApp, path: (world) => ({ app_id: world.otherAppId }) },
  {
    service: 'AppEntitlementOwnerV2Service',
    isRead: true,
    template: `${inApp}/entitlements/{entitlement_id}`,
    path: (world) => ({ app_id: world.appId, entitlement_id: world.entitlementId }),
  },
  {
    service: 'AppResourceOwnerV2Service',
    isRead: true,
    template: `${inApp}/resource_types/{resource_type_id}/resources/{resource_id}`,
    path: (world) => ({ app_id: world.appId, resource_type_id: world.resourceTypeId, resource_id: world.resourceId }),
  },
  {
    service: 'AppUserOwnerV2Service',
    isRead: false,
    template: `${inApp}/users/{user_id}`,
    path: (world) => ({ app_id: world.appId, user_id: world.accountId }),
  },
  {
    service: 'ConnectorOwnerV2Service',
    isRead: true,
    template: `${inApp}/connectors/{connector_id}`,
    path: async (world) => {
      const made = await world.call(world.tenant.admin, 'POST', `/api/v1/apps/${world.otherAppId}/connectors`, {
        displayName: `Owned ${Math.random()}`,
      });
      return { app_id: world.otherAppId, connector_id: made.body.connectorView.connector.id };
    },
  },
  { service: 'UserOwnerV2Service', isRead: false, template: '/api/v2/users/{user_id}', path: (world) => ({ user_id: world.userId }) },
];

/** Twelve people and twelve entitlements, so that each list has more than one page. */
async function listTwelve(world: World): Promise<{ userRefs: Loose[]; appEntitlementRefs: Loose[] }> {
  const found = async (what: string, body: object): Promise<Loose[]> =>
    (await world.call(world.tenant.admin, 'POST', `/api/v1/search/${what}`, { ...body, pageSize: 12 })).body.list;
  return {
    userRefs: (await found('users', {})).map((view) => ({ id: view.user.id })),
    appEntitlementRefs: (await found('entitlements', { appIds: [world.appId] })).map(({ appEntitlement }) => ({
      appId: appEntitlement.appId,
      id: appEntitlement.id,
    })),
  };
}

/** The path of what is owned, with twelve owners of each sort in the role "steward", and the first of them. */
async function owned(world: World, { template, path }: Owned): Promise<Sample> {
  const parameters = await path(world);
  const at = template.replace(/\{(\w+)\}/g, (_all, name: string) => parameters[name] ?? '');
  const twelve = await listTwelve(world);
  await world.call(world.tenant.admin, 'PUT', `${at}/owners`, { ...twelve, roleSlug: 'steward' });
  const { appId = '', id = '' } = twelve.appEntitlementRefs[0] ?? {};
  return {
    path: {
      ...parameters,
      role_slug: 'steward',
      user_ref_id: twelve.userRefs[0]?.id ?? '',
      app_entitlement_ref_app_id: appId,
      app_entitlement_ref_id: id,
    },
  };
}

function samplesOf(kind: Owned): Readonly<Record<string, MakeSample>> {
  const { service, isRead, path } = kind;
  const listed: MakeSample = (world) => owned(world, kind);
  const changed: MakeSample = async (world) => ({
    path: {
      ...(await path(world)),
      role_slug: 'other',
      user_ref_id: world.userId,
      app_entitlement_ref_app_id: world.appId,
      app_entitlement_ref_id: world.entitlementId,
    },
    fields: {},
  });
  return {
    [`${service}.createEntitlementOwner`]: changed,
    [`${service}.createUserOwner`]: changed,
    [`${service}.deleteEntitlementOwner`]: changed,
    [`${service}.deleteUserOwner`]: changed,
    ...(isRead ? { [`${service}.getEntitlementOwner`]: listed, [`${service}.getUserOwner`]: listed } : {}),
    [`${service}.searchEntitlementOwners`]: listed,
    [`${service}.searchUserOwners`]: listed,
    [`${service}.set`]: async (world) => ({
      path: await path(world),
      fields: { roleSlug: 'set', userRefs: [{ id: world.userId }], appEntitlementRefs: [{ appId: world.appId, id: world.entitlementId }] },
    }),
  };
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = Object.assign({}, ...kinds.map(samplesOf));
