/**
 * The kinds of the catalog: apps, resource types, resources, entitlements, sources, directories.
 */
import type { Stage } from '../stage.ts';
import type { Kind } from './kind.ts';

const byTheServer = 'computed, although the public API does not say so';
const atCreation = 'set when it is made, and never again';
const bySources = 'reported by sources alone';
const policies = ({ policyId }: Stage) => ({
  certifyPolicyId: policyId,
  emergencyGrantPolicyId: policyId,
  grantPolicyId: policyId,
  revokePolicyId: policyId,
});

const app: Kind = {
  name: 'app',
  at: 'app',
  create: 'AppService.create',
  make: (stage, label) => ({
    fields: { displayName: `App ${label}`, description: 'Made', owners: [stage.people[0]?.id], monthlyCostUsd: 3, annotations: { a: 'b' } },
  }),
  path: (_stage, { id }) => ({ id }),
  get: 'AppService.get',
  lists: ['AppService.list'],
  searches: { 'AppService.search': ({ id }) => ({ appIds: [id] }) },
  change: {
    operation: 'AppService.update',
    member: 'app',
    values: policies,
    required: (_stage, label) => ({ displayName: `App again ${label}` }),
    follows: { iconUrl: ['logoUri'] },
  },
  remove: 'AppService.delete',
};

const resourceType: Kind = {
  name: 'resource type',
  at: 'appResourceTypeView.appResourceType',
  row: 'appResourceType',
  found: '',
  create: 'AppResourceTypeService.createManuallyManagedResourceType',
  make: (stage, label) => ({ path: { app_id: stage.appId }, fields: { displayName: `Type ${label}`, resourceType: 'ROLE' } }),
  path: (stage, { id }) => ({ app_id: stage.appId, id }),
  get: 'AppResourceTypeService.get',
  lists: ['AppResourceTypeService.list'],
  searches: { 'AppResourceService.searchAppResourceTypes': ({ id }) => ({ resourceTypeIds: [id] }) },
  change: {
    operation: 'AppResourceTypeService.updateManuallyManagedResourceType',
    member: 'appResourceType',
    values: () => ({ traitIds: ['group', 'vault'] }),
    required: (_stage, label) => ({ displayName: `Type again ${label}` }),
  },
  remove: 'AppResourceTypeService.deleteManuallyManagedResourceType',
};

const resource: Kind = {
  name: 'resource',
  at: 'appResourceView.appResource',
  row: 'appResource',
  create: 'AppResourceService.createManuallyManagedAppResource',
  make: (stage, label) => ({
    path: { app_id: stage.appId, app_resource_type_id: stage.resourceTypeId },
    fields: { displayName: `Resource ${label}`, description: 'Made', resourceOwnerUserIds: [stage.people[0]?.id], matchBatonId: 'b' },
  }),
  path: (stage, { id }) => ({ app_id: stage.appId, app_resource_type_id: stage.resourceTypeId, id }),
  get: 'AppResourceService.get',
  lists: ['AppResourceService.list'],
  searches: { 'AppResourceService.searchAppResources': ({ id }) => ({ resourceIds: [id] }) },
  change: {
    operation: 'AppResourceService.update',
    member: 'appResource',
    values: ({ resourceId, resourceTypeId }) => ({ parentAppResourceId: resourceId, parentAppResourceTypeId: resourceTypeId }),
    refused: {
      agentTrait: bySources,
      appId: byTheServer,
      appResourceTypeId: byTheServer,
      grantCount: byTheServer,
      id: byTheServer,
      secretTrait: bySources,
    },
    required: (_stage, label) => ({ displayName: `Resource again ${label}` }),
    // The type is that of the parent.
    follows: { parentAppResourceId: ['parentAppResourceTypeId'] },
  },
  remove: 'AppResourceService.deleteManuallyManagedAppResource',
};

const entitlement: Kind = {
  name: 'entitlement',
  at: 'appEntitlementView.appEntitlement',
  row: 'appEntitlement',
  create: 'AppEntitlementService.create',
  make: (stage, label) => ({
    path: { app_id: stage.appId },
    fields: {
      displayName: `Entitlement ${label}`,
      description: 'Made',
      alias: `alias-${label}`,
      slug: 'member',
      appResourceTypeId: stage.resourceTypeId,
      appResourceId: stage.resourceId,
      durationGrant: '3600s',
      purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP',
      appEntitlementOwnerIds: [stage.people[0]?.id],
    },
  }),
  path: (stage, { id }) => ({
    app_id: stage.appId,
    id,
    app_resource_type_id: stage.resourceTypeId,
    app_resource_id: stage.resourceId,
  }),
  get: 'AppEntitlementService.get',
  isTombstoneRead: true,
  lists: ['AppEntitlementService.list', 'AppEntitlementService.listForAppResource'],
  searches: { 'AppEntitlementSearchService.search': ({ appId, id }) => ({ refs: [{ appId, id }] }) },
  change: {
    operation: 'AppEntitlementService.update',
    member: 'entitlement',
    values: (stage) => ({
      ...policies(stage),
      riskLevelValueId: stage.riskLevelId,
      complianceFrameworkValueIds: [stage.frameworkId],
      isManuallyManaged: false,
      purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION',
    }),
    refused: {
      appId: atCreation,
      appResourceId: atCreation,
      appResourceTypeId: atCreation,
      defaultValuesApplied: byTheServer,
      isManuallyManaged: atCreation,
      sourceConnectorIds: byTheServer,
      userEditedMask: byTheServer,
    },
    required: (_stage, label) => ({ displayName: 'Entitlement again', alias: `again-${label}` }),
    always: ['userEditedMask'],
    defaults: { purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT' },
  },
  remove: 'AppEntitlementService.delete',
  tombstone: ['AppEntitlementSearchService.search', 'includeDeleted'],
};

const connector: Kind = {
  name: 'connector',
  at: 'connectorView.connector',
  row: 'connector',
  create: 'ConnectorService.create',
  make: (stage, label) => ({
    path: { app_id: stage.appId },
    fields: { description: `Made ${label}`, userIds: [stage.people[0]?.id], catalogId: 'c' },
  }),
  path: (stage, { id }) => ({ app_id: stage.appId, id, connector_id: id, connector_app_id: stage.appId }),
  get: 'ConnectorService.get',
  isTombstoneRead: true,
  lists: ['ConnectorService.list'],
  change: {
    operation: 'ConnectorService.update',
    member: 'connector',
    values: ({ people }) => ({
      userIds: [people[1]?.id ?? ''],
      config: { '@type': 'type.googleapis.com/google.protobuf.Struct', value: { region: 'here' } },
    }),
    required: (_stage, label) => ({ displayName: `Source again ${label}` }),
    always: ['configUpdatedAt', 'status'],
  },
  remove: 'ConnectorService.delete',
};

const delegatedConnector: Kind = {
  ...connector,
  name: 'connector set up by somebody else',
  create: 'ConnectorService.createDelegated',
  make: (stage, label) => ({
    path: { app_id: stage.appId },
    fields: { displayName: `Source ${label}`, description: 'Made', userIds: [stage.people[0]?.id] },
  }),
  change: { ...connector.change, operation: 'ConnectorService.updateDelegated', member: 'connector' },
};

const directory: Kind = {
  name: 'directory',
  at: 'directoryView.directory',
  row: 'directory',
  key: 'appId',
  create: 'DirectoryService.create',
  make: async (stage, label) => {
    const { app } = await stage.ok('AppService.create', { fields: { displayName: `Directory ${label}` } });
    return { fields: { appId: app.id, all: {} } };
  },
  path: (_stage, { appId }) => ({ app_id: appId }),
  get: 'DirectoryService.get',
  lists: ['DirectoryService.list'],
  remove: 'DirectoryService.delete',
};

/** All of them. */
export const catalogKinds: readonly Kind[] = [app, resourceType, resource, entitlement, connector, delegatedConnector, directory];
