/** Filters of searches of the catalog: apps, resource types, resources, entitlements, accounts, what access profiles offer. */
import { oneOf, type Search, tells } from './search.ts';

const apps: Search = {
  operation: 'AppService.search',
  keyOf: ({ id }) => id,
  filters: ({ filingId, archiveId, policies }) => {
    const has = tells(filingId);
    const list = oneOf(filingId);
    return {
      appIds: list('appIds', filingId, archiveId),
      displayName: has({ displayName: 'filing' }, { displayName: 'archive' }),
      excludeAppIds: list('excludeAppIds', archiveId, filingId),
      onlyDirectories: [{ send: { onlyDirectories: true }, shows: [filingId], hides: [archiveId] }],
      policyRefs: list('policyRefs', { id: policies.wide }, { id: policies.narrow }),
      query: has({ query: 'FILI' }, { query: 'archive' }),
    };
  },
};

const resourceTypes: Search = {
  operation: 'AppResourceService.searchAppResourceTypes',
  keyOf: ({ id }) => id,
  filters: ({ filingId, archiveId, types: { role, group }, accounts }) => {
    const has = tells(role);
    const list = oneOf(role);
    return {
      appIds: list('appIds', filingId, archiveId),
      appUserIds: list('appUserIds', accounts.alpha, accounts.beta),
      // Public clients know it as an exact match.
      displayName: has({ displayName: 'role' }, { displayName: 'rol' }),
      excludeResourceTypeIds: list('excludeResourceTypeIds', group, role),
      excludeResourceTypeTraitIds: list('excludeResourceTypeTraitIds', 'group', 'role'),
      query: has({ query: 'role' }, { query: 'group' }),
      resourceTypeIds: list('resourceTypeIds', role, group),
      resourceTypeTraitIds: list('resourceTypeTraitIds', 'role', 'group'),
    };
  },
};

const deletedNever = 'what is deleted is never found';
const unsorted = 'it sorts by times that are not known of any resource';

const resources: Search = {
  operation: 'AppResourceService.searchAppResources',
  keyOf: ({ appResource }) => appResource.id,
  filters: ({ filingId, archiveId, types: { role, group }, resources: { vault, room }, accounts, anne, bertId }) => {
    const has = tells(vault);
    const list = oneOf(vault);
    return {
      agentStatuses: list('agentStatuses', 'AGENT_STATUS_UNSPECIFIED', 'AGENT_STATUS_READY'),
      appId: has({ appId: filingId }, { appId: archiveId }),
      appIds: list('appIds', filingId, archiveId),
      appUserIds: list('appUserIds', accounts.alpha, accounts.beta),
      credentialTypes: list('credentialTypes', 'CREDENTIAL_TYPE_UNSPECIFIED', 'CREDENTIAL_TYPE_CERTIFICATE'),
      direction: { idle: 'it turns the order round; which rows there are stays', send: { direction: 'SORT_DIRECTION_DESC' } },
      excludeDeletedApps: { idle: deletedNever, send: { excludeDeletedApps: true } },
      excludeDeletedResourceBindings: { idle: deletedNever, send: { excludeDeletedResourceBindings: true } },
      excludeResourceIds: list('excludeResourceIds', room, vault),
      excludeResourceTypeTraitIds: list('excludeResourceTypeTraitIds', 'group', 'role'),
      nhiTypes: list('nhiTypes', 'NHI_TYPE_UNSPECIFIED', 'NHI_TYPE_MANAGED_IDENTITY'),
      ownerUserIds: list('ownerUserIds', anne.id, bertId),
      query: has({ query: 'VAUL' }, { query: 'room' }),
      refs: list('refs', { appId: filingId, appResourceTypeId: role, id: vault }, { appId: filingId, appResourceTypeId: group, id: vault }),
      resourceIds: list('resourceIds', vault, room),
      resourceTypeIds: list('resourceTypeIds', role, group),
      resourceTypeTraitIds: list('resourceTypeTraitIds', 'role', 'group'),
      secretAging: has({ secretAging: {} }, { secretAging: { lastUsedBefore: '2999-01-01T00:00:00Z' } }),
      sortField: { idle: unsorted, send: { sortField: 'APP_RESOURCE_SORT_FIELD_LAST_USED_AT' } },
      unownedOnly: [{ send: { unownedOnly: true }, shows: [room], hides: [vault] }],
      withOpenFindings: has({ withOpenFindings: false }, { withOpenFindings: true }),
    };
  },
};

const entitlements: Search = {
  operation: 'AppEntitlementSearchService.search',
  keyOf: ({ appEntitlement }) => appEntitlement.id,
  filters: (filled) => {
    const {
      filingId,
      archiveId,
      types,
      resources: places,
      entitlements: { open, enter, gone, lost },
      accounts,
      values,
      policies,
      reviews,
    } = filled;
    const has = tells(open);
    const list = oneOf(open);
    return {
      accessReviewId: has({ accessReviewId: reviews.chosen }, { accessReviewId: reviews.empty }),
      alias: has({ alias: 'open-vault' }, { alias: 'open' }),
      appIds: list('appIds', filingId, archiveId),
      appUserIds: list('appUserIds', accounts.alpha, accounts.beta),
      complianceFrameworkIds: list('complianceFrameworkIds', values.sox, values.iso),
      displayName: has({ displayName: 'Öffnet the vault' }, { displayName: 'öffnet the vault' }),
      excludeAppIds: list('excludeAppIds', archiveId, filingId),
      excludeAppUserIds: list('excludeAppUserIds', accounts.beta, accounts.alpha),
      excludeImmutable: { idle: 'there is nothing that cannot be changed', send: { excludeImmutable: true } },
      excludeResourceTypeIds: list('excludeResourceTypeIds', types.group, types.role),
      excludedEntitlementRefs: list('excludedEntitlementRefs', { appId: filingId, id: enter }, { appId: filingId, id: open }),
      includeDeleted: [
        ...tells(gone)({ includeDeleted: true }, { includeDeleted: false }),
        ...tells(lost)({ includeDeleted: true }, { includeDeleted: false }),
        { send: { includeDeleted: true, query: 'lost' }, shows: [lost] },
        { send: { includeDeleted: true, query: 'gone' }, shows: [gone] },
      ],
      isAutomated: has({ isAutomated: false }, { isAutomated: true }),
      membershipType: list('membershipType', 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_OWNER', 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_MEMBER'),
      onlyGetExpiring: [
        { send: { onlyGetExpiring: true }, shows: [open], hides: [enter] },
        { send: { onlyGetExpiring: true, appUserIds: [accounts.alpha] }, shows: [open] },
        { send: { onlyGetExpiring: true, appUserIds: [accounts.beta] }, hides: [open, enter] },
      ],
      policyRefs: list('policyRefs', { id: policies.wide }, { id: policies.narrow }),
      query: has({ query: 'OFFNET vaul' }, { query: 'enter' }),
      refs: list('refs', { appId: filingId, id: open }, { appId: archiveId, id: open }),
      requestSchemaIds: list('requestSchemaIds', 'form', 'other'),
      resourceIds: list('resourceIds', places.vault, places.room),
      resourceTraitIds: list('resourceTraitIds', 'role', 'group'),
      // Public clients name types, too.
      resourceTypeIds: [...list('resourceTypeIds', types.role, types.group), ...list('resourceTypeIds', 'ROLE', 'group')],
      riskLevelIds: list('riskLevelIds', values.high, values.low),
      sourceConnectorId: has({ sourceConnectorId: filled.connectorId }, { sourceConnectorId: filled.archiveConnectorId }),
    };
  },
};

const accounts: Search = {
  operation: 'AppUserService.search',
  keyOf: ({ appUser }) => appUser.id,
  filters: ({ filingId, archiveId, accounts: { alpha, beta, gamma }, anne, bertId }) => {
    const has = tells(alpha);
    const list = oneOf(alpha);
    return {
      agentStatuses: list('agentStatuses', 'APP_USER_AGENT_STATUS_UNSPECIFIED', 'APP_USER_AGENT_STATUS_READY'),
      appId: has({ appId: filingId }, { appId: archiveId }),
      appIds: list('appIds', filingId, archiveId),
      appUserDomains: [
        ...list('appUserDomains', 'APP_USER_DOMAIN_TRUSTED', 'APP_USER_DOMAIN_EXTERNAL'),
        { send: { appUserDomains: ['APP_USER_DOMAIN_EXTERNAL'] }, shows: [gamma] },
      ],
      appUserIds: list('appUserIds', alpha, beta),
      appUserStatusDetails: list('appUserStatusDetails', '', 'locked'),
      appUserStatuses: [
        ...list('appUserStatuses', 'STATUS_ENABLED', 'STATUS_DISABLED'),
        { send: { appUserStatuses: ['STATUS_DISABLED'] }, shows: [beta] },
      ],
      appUserTypes: [
        ...list('appUserTypes', 'APP_USER_TYPE_USER', 'APP_USER_TYPE_SYSTEM_ACCOUNT'),
        { send: { appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'] }, shows: [beta], hides: [alpha] },
      ],
      excludeAppUserIds: list('excludeAppUserIds', beta, alpha),
      excludeDeletedApps: { idle: 'accounts of deleted apps are never found', send: { excludeDeletedApps: true } },
      nhiTypes: list('nhiTypes', 'APP_USER_NHI_TYPE_UNSPECIFIED', 'APP_USER_NHI_TYPE_MANAGED_IDENTITY'),
      query: has({ query: 'ÄNNE' }, { query: 'robot' }),
      refs: list('refs', { appId: filingId, id: alpha }, { appId: archiveId, id: alpha }),
      sortBy: { idle: 'it is an order; which rows there are stays', send: { sortBy: 'APP_USER_SEARCH_SORT_BY_APP' } },
      userIds: list('userIds', anne.id, bertId),
      withOpenFindings: has({ withOpenFindings: false }, { withOpenFindings: true }),
      withoutResponsibleParty: [{ send: { withoutResponsibleParty: true }, shows: [beta, gamma], hides: [alpha] }],
    };
  },
};

/** Asked by the administrator, who has no accounts; what somebody else is shown is tested in profiles.test.ts. */
const offers: Search = {
  operation: 'RequestCatalogSearchService.searchEntitlements',
  keyOf: ({ entitlement }) => entitlement.appEntitlement.id,
  filters: ({ entitlements: { open, gone } }) => {
    const has = tells(open);
    return {
      appDisplayName: has({ appDisplayName: 'FILING' }, { appDisplayName: 'filin' }),
      entitlementAlias: has({ entitlementAlias: 'open-vault' }, { entitlementAlias: 'vault' }),
      grantedStatus: has({ grantedStatus: 'NOT_GRANTED' }, { grantedStatus: 'GRANTED' }),
      includeDeleted: tells(gone)({ includeDeleted: true }, { includeDeleted: false }),
      query: has({ query: 'offnet' }, { query: 'shelf' }),
    };
  },
};

/** All of them. */
export const catalogSearches: readonly Search[] = [apps, resourceTypes, resources, entitlements, accounts, offers];
