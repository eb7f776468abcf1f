/** Expansions of the catalog's operations: entitlements, grants, resources, accounts. */
import type { Filled } from '../filters/filled.ts';
import { account, app, entitlement, type Expansion, resource, type Target, type, user } from './expansion.ts';

const ofEntitlement = ({ filingId, types, resources }: Filled, at = ''): Readonly<Record<string, Target>> => ({
  app_id: app(filingId, `${at}appPath`),
  app_resource_type_id: type(types.role, `${at}appResourceTypePath`),
  app_resource_id: resource(resources.vault, `${at}appResourcePath`),
});

const noUsage = { lastUsagePath: 'no message of when an account was used last is published' };

const entitlements: readonly Expansion[] = [
  {
    operation: 'AppEntitlementService.create',
    make: ({ filingId, types, resources }, label) => ({
      path: { app_id: filingId },
      fields: { displayName: label, appResourceTypeId: types.role, appResourceId: resources.vault },
    }),
    view: 'appEntitlementView',
    targets: ofEntitlement,
  },
  {
    operation: 'AppEntitlementService.update',
    make: ({ filingId, entitlements: { open } }, label) => ({
      path: { app_id: filingId, id: open },
      fields: { entitlement: { description: label } },
    }),
    view: 'appEntitlementView',
    targets: ofEntitlement,
  },
  {
    operation: 'AppEntitlementSearchService.search',
    make: ({ filingId, entitlements: { open } }) => ({ fields: { refs: [{ appId: filingId, id: open }] } }),
    view: 'list',
    targets: ofEntitlement,
  },
  {
    operation: 'RequestCatalogSearchService.searchEntitlements',
    make: () => ({ fields: { entitlementAlias: 'open-vault' } }),
    view: 'list',
    targets: (filled) => ofEntitlement(filled, 'entitlement.'),
  },
];

const event = (view: 'list'): Pick<Expansion, 'view' | 'targets'> => ({
  view,
  targets: ({ filingId, accounts: { alpha }, entitlements: { open } }) => ({
    app_id: app(filingId),
    app_user_id: account(alpha, 'appUserPath'),
    app_entitlement_id: entitlement(open, 'entitlementPath'),
  }),
});

const grants: readonly Expansion[] = [
  {
    operation: 'AppEntitlementSearchService.searchGrants',
    make: ({ filingId, entitlements: { open }, accounts: { alpha } }) => ({
      fields: { entitlementRefs: [{ appId: filingId, id: open }], appUserIds: [alpha] },
    }),
    view: 'list',
    targets: (filled) => ({
      ...ofEntitlement(filled, 'entitlement.'),
      identity_user_id: user(filled.anne.id, 'appEntitlementUserBinding.appUser.identityUserPath'),
    }),
    never: { 'appEntitlementUserBinding.appUser.lastUsagePath': noUsage.lastUsagePath },
  },
  {
    operation: 'AppEntitlementUserBindingFeedService.searchGrantFeed',
    make: ({ filingId, entitlements: { open }, accounts: { alpha } }) => ({
      fields: { appEntitlementRefs: [{ appId: filingId, id: open }], appUserRefs: [{ appId: filingId, id: alpha }] },
    }),
    ...event('list'),
    never: { ticketPath: 'no grant comes from a task here' },
  },
  {
    operation: 'AppEntitlementUserBindingHistoryService.searchPastGrants',
    make: ({ filingId, entitlements: { open } }) => ({ fields: { appEntitlementRefs: [{ appId: filingId, id: open }] } }),
    view: 'list',
    targets: ({ filingId, epsilonId, entitlements: { open } }) => ({
      app: app(filingId),
      app_user: account(epsilonId, 'appUserPath'),
      entitlement: entitlement(open, 'entitlementPath'),
    }),
  },
];

const things: readonly Expansion[] = [
  {
    operation: 'AppResourceService.update',
    make: ({ filingId, types, resources: { vault, room } }, label) => ({
      path: { app_id: filingId, app_resource_type_id: types.role, id: vault },
      fields: { appResource: { customDescription: label, parentAppResourceId: room } },
    }),
    view: 'appResourceView',
    targets: ({ filingId, types, resources: { room } }) => ({
      app_id: app(filingId),
      app_resource_type_id: type(types.role, 'resourceTypePath'),
      parent_app_resource_id: resource(room, 'parentResourcePath'),
      parent_app_resource_type_id: type(types.group, 'parentResourceTypePath'),
    }),
  },
  {
    operation: 'AppUserService.search',
    make: ({ accounts: { alpha } }) => ({ fields: { appUserIds: [alpha] } }),
    view: 'list',
    targets: ({ filingId, anne }) => ({ app_id: app(filingId), identity_user_id: user(anne.id, 'identityUserPath') }),
    never: noUsage,
  },
  {
    operation: 'AppUserService.update',
    make: ({ filingId, accounts: { alpha } }) => ({
      path: { app_user_app_id: filingId, app_user_id: alpha },
      fields: { appUser: { appUserType: 'APP_USER_TYPE_USER' } },
    }),
    view: 'appUserView',
    targets: ({ filingId, anne }) => ({ app_id: app(filingId), identity_user_id: user(anne.id, 'identityUserPath') }),
    never: noUsage,
  },
  {
    operation: 'AppUserService.listOwnedServiceAccounts',
    make: () => ({}),
    view: 'list',
    targets: ({ filingId, serverAdminId }) => ({ app_id: app(filingId), identity_user_id: user(serverAdminId, 'identityUserPath') }),
    never: noUsage,
  },
];

/** All of them. */
export const catalogExpansions: readonly Expansion[] = [...entitlements, ...grants, ...things];
