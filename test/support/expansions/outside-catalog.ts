/** Expansions of the operations beside the catalog: sources, directories, access profiles, people, reviews. */
import { ROLES } from '../../../src/foundation/directory/index.ts';
import type { Filled } from '../filters/filled.ts';
import { app, entitlement, type Expansion, policy, type Target, user } from './expansion.ts';

const ofConnector = ({ archiveId, anne }: Filled): Readonly<Record<string, Target>> => ({
  app_id: app(archiveId),
  user_ids: user(anne.id, 'usersPath'),
});
const noCapabilities = { capabilitiesPath: 'files have no capabilities' };
const inArchive = ({ archiveId }: Filled) => ({ app_id: archiveId });
const makeConnector = async (filled: Filled): Promise<string> => {
  const body = await filled.stage.ok('ConnectorService.create', { path: inArchive(filled), fields: { userIds: [filled.anne.id] } });
  return body.connectorView.connector.id;
};

const connectors: readonly Expansion[] = [
  {
    operation: 'ConnectorService.create',
    make: (filled, label) => ({ path: inArchive(filled), fields: { description: label, userIds: [filled.anne.id] } }),
    view: 'connectorView',
    targets: ofConnector,
    never: noCapabilities,
  },
  {
    operation: 'ConnectorService.createDelegated',
    make: (filled, label) => ({ path: inArchive(filled), fields: { displayName: label, userIds: [filled.anne.id] } }),
    view: 'connectorView',
    targets: ofConnector,
    never: noCapabilities,
  },
  {
    operation: 'ConnectorService.update',
    make: async (filled, label) => ({
      path: { ...inArchive(filled), id: await makeConnector(filled) },
      fields: { connector: { description: label } },
    }),
    view: 'connectorView',
    targets: ofConnector,
    never: noCapabilities,
  },
  {
    operation: 'ConnectorService.updateDelegated',
    make: async (filled, label) => ({
      path: { connector_app_id: filled.archiveId, connector_id: await makeConnector(filled) },
      fields: { connector: { description: label } },
    }),
    view: 'connectorView',
    targets: ofConnector,
    never: noCapabilities,
  },
];

const directories: readonly Expansion[] = [
  {
    operation: 'DirectoryService.create',
    make: async (filled) => {
      await filled.stage.ask('DirectoryService.delete', { path: { app_id: filled.archiveId } });
      return { fields: { appId: filled.archiveId } };
    },
    view: 'directoryView',
    targets: ({ archiveId }) => ({ app_id: app(archiveId) }),
  },
  {
    operation: 'DirectoryService.update',
    make: ({ filingId }) => ({ path: { app_id: filingId }, fields: { all: {} } }),
    view: 'directoryView',
    targets: ({ filingId }) => ({ app_id: app(filingId) }),
  },
];

const profiles: readonly Expansion[] = [
  {
    operation: 'RequestCatalogManagementService.create',
    make: (_filled, label) => ({ fields: { displayName: label } }),
    view: 'requestCatalogView',
    targets: ({ serverAdminId }) => ({
      created_by_user_id: user(serverAdminId, 'createdByUserPath'),
      // It gives nothing yet.
      app_ids: { type: 'app.v1.App', ids: [] },
      access_entitlements: { type: 'app.v1.AppEntitlement', ids: [] },
    }),
    never: { accessEntitlementsPath: 'who sees it is said afterwards' },
  },
  {
    operation: 'RequestCatalogManagementService.update',
    make: async ({ stage, filingId, archiveId, entitlements: { open, read } }, label) => {
      const made = await stage.ok('RequestCatalogManagementService.create', { fields: { displayName: label } });
      const { id } = made.requestCatalogView.requestCatalog;
      const path = { catalog_id: id };
      await stage.ok('RequestCatalogManagementService.addAccessEntitlements', {
        path,
        fields: { accessEntitlements: [{ appId: filingId, id: open }] },
      });
      await stage.ok('RequestCatalogManagementService.addAppEntitlements', {
        path,
        fields: { appEntitlements: [{ appId: archiveId, id: read }] },
      });
      return { path: { id }, fields: { catalog: { description: label } } };
    },
    view: 'requestCatalogView',
    targets: ({ serverAdminId, archiveId, entitlements: { open } }) => ({
      created_by_user_id: user(serverAdminId, 'createdByUserPath'),
      app_ids: { type: 'app.v1.App', ids: [archiveId] },
      access_entitlements: entitlement(open, 'accessEntitlementsPath'),
    }),
  },
];

const roles = (ids: readonly string[]): Target => ({ type: 'iam.v1.Role', ids, points: 'rolesPath' });

const people: readonly Expansion[] = [
  {
    operation: 'UserService.search',
    make: ({ anne }) => ({ fields: { ids: [anne.id] } }),
    view: 'list',
    targets: ({ bossId, filingId }) => ({
      role_ids: roles([ROLES.BASIC_USER.id, ROLES.READ_ONLY_ADMINISTRATOR.id]),
      manager_ids: user(bossId, 'managersPath'),
      delegated_user_id: user(bossId, 'delegatedUserPath'),
      directory_ids: app(filingId, 'directoriesPath'),
    }),
  },
  {
    operation: 'UserService.introspect',
    make: () => ({}),
    view: 'userView',
    targets: ({ filingId }) => ({
      role_ids: roles([ROLES.BASIC_USER.id, ROLES.SUPER_ADMINISTRATOR.id]),
      directory_ids: app(filingId, 'directoriesPath'),
    }),
    never: { managersPath: 'the first administrator has no manager', delegatedUserPath: 'and nobody decides in their place' },
  },
];

const ofReview = ({ serverAdminId, policies: { wide } }: Filled, templateIds: readonly string[]): Readonly<Record<string, Target>> => ({
  policy_id: policy(wide, 'policyPath'),
  created_by_id: user(serverAdminId, 'createdByUserPath'),
  access_review_template_id: { type: 'accessreview.v1.AccessReviewTemplate', ids: templateIds },
});

const reviews: readonly Expansion[] = [
  {
    operation: 'AccessReviewService.create',
    make: ({ policies: { wide } }, label) => ({ fields: { displayName: label, policyId: wide } }),
    view: 'accessReview',
    targets: (filled) => ({ ...ofReview(filled, []), app_ids: { type: 'app.v1.App', ids: [] } }),
  },
  {
    operation: 'AccessReviewService.update',
    make: ({ reviews: { chosen }, policies: { wide } }, label) => ({
      path: { id: chosen },
      fields: { accessReview: { description: label, policyId: wide } },
    }),
    view: 'accessReview',
    targets: (filled) => ({ ...ofReview(filled, [filled.templateId]), app_ids: { type: 'app.v1.App', ids: [filled.filingId] } }),
  },
  {
    operation: 'AccessReviewSetupEntitlementAndScopeService.setCampaignScopeAndEntitlements',
    make: ({ reviews: { chosen }, filingId, entitlements: { open }, policies: { wide } }) => ({
      path: { access_review_id: chosen },
      fields: { entitlements: [{ appId: filingId, appEntitlementId: open, policyId: wide }] },
    }),
    view: 'list',
    targets: ({ filingId, entitlements: { open }, policies: { wide } }) => ({
      app_id: app(filingId),
      app_entitlement_id: entitlement(open, 'entitlementPath'),
      policy_id: policy(wide, 'policyPath'),
    }),
  },
  {
    operation: 'AccessReviewTemplateSetupEntitlementService.setScopeAndEntitlements',
    make: ({ templateId, filingId, entitlements: { open } }) => ({
      path: { access_review_template_id: templateId },
      fields: { entitlements: [{ appId: filingId, appEntitlementId: open }] },
    }),
    view: 'list',
    targets: ({ filingId, entitlements: { open }, policies: { wide } }) => ({
      app_id: app(filingId),
      app_entitlement_id: entitlement(open, 'entitlementPath'),
      policy_id: policy(wide, 'policyPath'),
    }),
  },
];

/** All of them. */
export const expansionsOutsideCatalog: readonly Expansion[] = [...connectors, ...directories, ...profiles, ...people, ...reviews];
