/** Filters of searches about people, what they own, credentials, policies, attributes, files and profiles. */
import { COMPLIANCE_FRAMEWORK, RISK_LEVEL } from '../../../src/inventory/classifications/index.ts';
import { ROLES } from '../../../src/foundation/directory/index.ts';
import { oneOf, type Search, tells } from './search.ts';

const users: Search = {
  operation: 'UserService.search',
  keyOf: ({ user }) => user.id,
  filters: ({ anne, bertId, bossId, programId, filingId, archiveId }) => {
    const has = tells(anne.id);
    const list = oneOf(anne.id);
    return {
      delegateStatus: has({ delegateStatus: 'DELEGATE_STATUS_HAS_DELEGATE' }, { delegateStatus: 'DELEGATE_STATUS_NO_DELEGATE' }),
      delegatedUserIds: list('delegatedUserIds', bossId, bertId),
      departments: list('departments', 'Sales', 'Ops'),
      email: has({ email: 'ANNE@corp.example' }, { email: 'boss@corp.example' }),
      excludeIds: list('excludeIds', bertId, anne.id),
      excludeOrigins: list('excludeOrigins', 'USER_ORIGIN_LOCAL', 'USER_ORIGIN_DIRECTORY'),
      excludeTypes: list('excludeTypes', 'USER_TYPE_SERVICE', 'USER_TYPE_HUMAN'),
      ids: list('ids', anne.id, bertId),
      isDelegate: [{ send: { isDelegate: true }, shows: [bossId], hides: [anne.id] }],
      jobTitles: list('jobTitles', 'Clerk', 'Cook'),
      managerIds: list('managerIds', bossId, bertId),
      origins: [
        ...list('origins', 'USER_ORIGIN_DIRECTORY', 'USER_ORIGIN_LOCAL'),
        { send: { origins: ['USER_ORIGIN_SYSTEM'] }, shows: [programId], hides: [anne.id] },
      ],
      query: has({ query: 'ANNE alph' }, { query: 'bert' }),
      refs: list('refs', { id: anne.id }, { id: bertId }),
      roleIds: list('roleIds', ROLES.READ_ONLY_ADMINISTRATOR.id, ROLES.SUPER_ADMINISTRATOR.id),
      sourceAppIds: list('sourceAppIds', filingId, archiveId),
      sort: { idle: 'it is an order; which rows there are stays', send: { sort: 'USER_SORT_NAME' } },
      userStatuses: [...list('userStatuses', 'ENABLED', 'DISABLED'), { send: { userStatuses: ['DISABLED'] }, shows: [bertId] }],
    };
  },
};

const ownership: Search = {
  operation: 'AppService.searchUserOwnership',
  keyOf: (row) => `${row.appId}/${row.resourceId}`,
  base: ({ anne }) => ({ userId: anne.id }),
  filters: ({ anne, bossId, filingId, resources }) => {
    const has = tells(`${filingId}/${resources.vault}`);
    return {
      userId: has({ userId: anne.id }, { userId: bossId }),
      ownershipTypes: has({ ownershipTypes: ['USER_OWNERSHIP_TYPE_RESOURCE'] }, { ownershipTypes: ['USER_OWNERSHIP_TYPE_APP'] }),
    };
  },
};

const credentials: Search = {
  operation: 'PersonalClientSearchService.search',
  keyOf: ({ id }) => id,
  filters: ({ clientIds, serverAdminId, anne }) => ({
    query: tells(clientIds.key)({ query: 'GREEN' }, { query: 'blue' }),
    users: [...oneOf(clientIds.key)('users', { id: serverAdminId }, { id: anne.id }), { send: {}, shows: [clientIds.lock] }],
  }),
};

const policySearch: Search = {
  operation: 'PolicyService.search',
  keyOf: ({ id }) => id,
  filters: ({ policies: { wide, narrow, emergency, deleted }, filingId, archiveId, entitlements }) => {
    const has = tells(wide);
    const scoped = { scopeView: 'POLICY_SCOPE_VIEW_SCOPED' };
    return {
      displayName: has({ displayName: 'wide PATH' }, { displayName: 'wide' }),
      excludePolicyIds: oneOf(wide)('excludePolicyIds', narrow, wide),
      includeDeleted: tells(deleted)({ includeDeleted: true }, { includeDeleted: false }),
      policyTypes: oneOf(wide)('policyTypes', 'POLICY_TYPE_CERTIFY', 'POLICY_TYPE_GRANT'),
      query: has({ query: 'FOR all' }, { query: 'narrow' }),
      refs: oneOf(wide)('refs', { id: wide }, { id: narrow }),
      scopeAppEntitlementId: tells(narrow)(
        { ...scoped, scopeAppEntitlementId: entitlements.open },
        { ...scoped, scopeAppEntitlementId: entitlements.enter },
      ),
      scopeAppId: tells(narrow)({ ...scoped, scopeAppId: filingId }, { ...scoped, scopeAppId: archiveId }),
      // That an app is meant, not its entitlement: then the entitlement's id says nothing.
      scopeObjectType: tells(narrow)(
        { ...scoped, scopeObjectType: 'POLICY_SCOPE_OBJECT_TYPE_APP', scopeAppEntitlementId: entitlements.enter },
        { ...scoped, scopeObjectType: 'POLICY_SCOPE_OBJECT_TYPE_ENTITLEMENT', scopeAppEntitlementId: entitlements.enter },
      ),
      scopeSlot: [{ send: { scopeSlot: 'POLICY_SCOPE_SLOT_EMERGENCY' }, shows: [emergency], hides: [wide, narrow] }],
      scopeView: [
        { send: { scopeView: 'POLICY_SCOPE_VIEW_GLOBAL' }, shows: [wide], hides: [narrow] },
        { send: scoped, shows: [narrow, emergency], hides: [wide] },
        { send: { scopeView: 'POLICY_SCOPE_VIEW_ALL' }, shows: [wide, narrow] },
        { send: { scopeView: 'POLICY_SCOPE_VIEW_GLOBAL_AND_OBJECT', scopeAppId: filingId }, shows: [wide, narrow] },
        { send: { scopeView: 'POLICY_SCOPE_VIEW_GLOBAL_AND_OBJECT', scopeAppId: archiveId }, shows: [wide], hides: [narrow] },
      ],
    };
  },
};

const attributeValues: Search = {
  operation: 'AttributeService.searchAttributeValues',
  keyOf: ({ id }) => id,
  filters: ({ values: { high, low } }) => ({
    attributeTypeIds: oneOf(high)('attributeTypeIds', RISK_LEVEL.id, COMPLIANCE_FRAMEWORK.id),
    excludeIds: oneOf(high)('excludeIds', low, high),
    ids: oneOf(high)('ids', high, low),
    query: tells(high)({ query: 'HIGH' }, { query: 'low' }),
    value: tells(high)({ value: 'very HIGH' }, { value: 'high' }),
  }),
};

const imports: Search = {
  operation: 'ImportService.list',
  keyOf: (row) => row.import.id,
  filters: ({ syncs: { second, failed }, connectorId, archiveConnectorId, filingId, archiveId }) => ({
    appId: tells(second)({ app_id: filingId }, { app_id: archiveId }),
    connectorId: tells(second)({ connector_id: connectorId }, { connector_id: archiveConnectorId }),
    state: [
      ...tells(second)({ state: 'IMPORT_STATE_DONE' }, { state: 'IMPORT_STATE_FAILED' }),
      { send: { state: 'IMPORT_STATE_FAILED' }, shows: [failed] },
    ],
  }),
};

const difference: Search = {
  operation: 'ImportService.diff',
  path: ({ syncs }) => ({ id: syncs.second }),
  keyOf: (row) => `${row.change} ${(row.before ?? row.after).account}`,
  filters: ({ syncs }) => ({ from: tells('SYNC_CHANGE_REMOVED epsilon')({ from: syncs.first }, { from: syncs.second }) }),
};

const attributes: Search = {
  operation: 'ProfileAttributeService.list',
  keyOf: ({ name }) => name,
  filters: () => ({ subject: tells('joined')({ subject: 'PROFILE_SUBJECT_USER' }, { subject: 'PROFILE_SUBJECT_ACCOUNT' }) }),
};

const profiles: Search = {
  operation: 'ProfileAttributeService.search',
  keyOf: ({ id }) => id,
  base: () => ({ subject: 'PROFILE_SUBJECT_USER', name: 'joined' }),
  filters: ({ anne, accounts }) => {
    const has = tells(anne.id);
    return {
      equals: has({ equals: '2024-05-01' }, { equals: '2020-01-01' }),
      from: has({ from: '2024-01-01' }, { from: '2025-01-01' }),
      name: has({ name: 'site', equals: 'Berlin' }, { name: 'site', equals: 'Paris' }),
      oneOf: oneOf(anne.id)('oneOf', '2024-05-01', '2019-01-01'),
      subject: [
        {
          send: { subject: 'PROFILE_SUBJECT_ACCOUNT', name: 'seat', equals: '5' },
          shows: [accounts.alpha],
          hides: [accounts.beta, anne.id],
        },
      ],
      to: has({ to: '2025-01-01' }, { to: '2024-01-01' }),
    };
  },
};

/** All of them. */
export const peopleSearches: readonly Search[] = [
  users,
  ownership,
  credentials,
  policySearch,
  attributeValues,
  imports,
  difference,
  attributes,
  profiles,
];
