/**
 * The searches that bench/search.ts times: each text in each search that takes one, each filter alone and beside a text, at the start and deep
 * inside. Every one has a name by which the slow ones are told.
 */

/** One search. */
export interface SearchRequest {
  readonly name: string;
  /** Below /api/v1/search/. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Ids of things in the middle of the tables. */
export interface Examples {
  readonly app: string;
  readonly entitlement: string;
  readonly account: string;
  readonly type: string;
  readonly resource: string;
  readonly user: string;
  readonly manager: string;
}

/** Texts by what is special about them; `number` is the number of a person or an account. */
function texts(number: number): Record<string, string> {
  return {
    'a whole address': `person${number}@company.example`,
    'the start of an address': `person${number}@`,
    'the middle of an address': `${number}@comp`,
    'a whole name': `josé núñez`,
    'a name without its accents': 'jurgen muller',
    'a name in capitals': 'ŁUKASZ DVOŘÁK',
    'the start of a name': 'kowal',
    'the middle of a name': 'ndstr',
    'two words apart': `nguyen zoe`,
    'a name and a number': `smith ${number}`,
    'what everything has': 'company',
    'two characters': 'wi',
    'two characters that few have': '9q',
    'one character': 'z',
    'a number': String(number),
    'a word in the source': `acct-${number}`,
    'part of a word in the source': `cct-${number % 1000}`,
    'a frequent word with an end nothing has': 'company.examplez',
    nothing: 'xyzzyq',
    wildcards: '%_\\',
    'another script': '東京',
  };
}

/** Texts of entitlements and resources. */
function catalogTexts(number: number): Record<string, string> {
  return {
    'a whole name': `resource-${number % 1000}`,
    'the middle of a name': `source-${number % 100}`,
    'what a fifth has': 'admin',
    'two words': 'audit a',
    'two characters': 'wr',
    nothing: 'xyzzyq',
    wildcards: '100%',
  };
}

/** The filters of each search, all that can find something in the company. */
function filters(of: Examples): Record<string, Record<string, Record<string, unknown>>> {
  const ref = { appId: of.app, id: of.entitlement };
  return {
    users: {
      departments: { departments: ['Legal'] },
      'a department nobody is in': { departments: ['Nowhere'] },
      jobTitles: { jobTitles: ['Specialist 7'] },
      managerIds: { managerIds: [of.manager] },
      roleIds: { roleIds: ['SuperAdministrator'] },
      'userStatuses: disabled': { userStatuses: ['DISABLED'] },
      'userStatuses: deleted': { userStatuses: ['DELETED'] },
      email: { email: 'PERSON777@company.example' },
      ids: { ids: [of.user, of.manager] },
      excludeIds: { excludeIds: [of.user] },
      origins: { origins: ['USER_ORIGIN_DIRECTORY'] },
      'origins: local': { origins: ['USER_ORIGIN_LOCAL'] },
      excludeTypes: { excludeTypes: ['USER_TYPE_SERVICE'] },
      'excludeTypes: human': { excludeTypes: ['USER_TYPE_HUMAN'] },
      isDelegate: { isDelegate: true },
      delegateStatus: { delegateStatus: 'DELEGATE_STATUS_HAS_DELEGATE' },
      delegatedUserIds: { delegatedUserIds: [of.manager] },
      sourceAppIds: { sourceAppIds: [of.app] },
    },
    app_users: {
      appId: { appId: of.app },
      'appIds, by app': { appIds: [of.app], sortBy: 'APP_USER_SEARCH_SORT_BY_APP' },
      appUserIds: { appUserIds: [of.account] },
      excludeAppUserIds: { excludeAppUserIds: [of.account] },
      refs: { refs: [{ appId: of.app, id: of.account }] },
      userIds: { userIds: [of.user, of.manager] },
      'appUserTypes: service': { appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'] },
      'appUserTypes: system': { appUserTypes: ['APP_USER_TYPE_SYSTEM_ACCOUNT'] },
      'appUserStatuses: disabled': { appUserStatuses: ['STATUS_DISABLED'] },
      'appUserStatuses: deleted': { appUserStatuses: ['STATUS_DELETED'] },
      withoutResponsibleParty: { withoutResponsibleParty: true },
      'appUserDomains: external': { appUserDomains: ['APP_USER_DOMAIN_EXTERNAL'] },
      'appUserDomains: trusted': { appUserDomains: ['APP_USER_DOMAIN_TRUSTED'] },
    },
    entitlements: {
      appIds: { appIds: [of.app] },
      excludeAppIds: { excludeAppIds: [of.app] },
      refs: { refs: [ref] },
      excludedEntitlementRefs: { excludedEntitlementRefs: [ref] },
      resourceTypeIds: { resourceTypeIds: [of.type] },
      excludeResourceTypeIds: { excludeResourceTypeIds: [of.type] },
      resourceIds: { resourceIds: [of.resource] },
      resourceTraitIds: { resourceTraitIds: ['group'] },
      appUserIds: { appUserIds: [of.account] },
      excludeAppUserIds: { excludeAppUserIds: [of.account] },
      displayName: { displayName: 'admin' },
      riskLevelIds: { riskLevelIds: [of.user] },
      complianceFrameworkIds: { complianceFrameworkIds: [of.user] },
      onlyGetExpiring: { onlyGetExpiring: true },
      alias: { alias: 'none' },
      includeDeleted: { includeDeleted: true },
      sourceConnectorId: { sourceConnectorId: of.user },
      policyRefs: { policyRefs: [{ id: of.user }] },
    },
    app_resources: {
      appId: { appId: of.app },
      appIds: { appIds: [of.app] },
      resourceIds: { resourceIds: [of.resource] },
      excludeResourceIds: { excludeResourceIds: [of.resource] },
      refs: { refs: [{ appId: of.app, appResourceTypeId: of.type, id: of.resource }] },
      resourceTypeIds: { resourceTypeIds: [of.type] },
      resourceTypeTraitIds: { resourceTypeTraitIds: ['group'] },
      excludeResourceTypeTraitIds: { excludeResourceTypeTraitIds: ['group'] },
      appUserIds: { appUserIds: [of.account] },
      ownerUserIds: { ownerUserIds: [of.user] },
      unownedOnly: { unownedOnly: true },
      'direction: down': { direction: 'SORT_DIRECTION_DESC' },
    },
    app_resource_types: {
      appIds: { appIds: [of.app] },
      displayName: { displayName: 'gro' },
      query: { query: 'GROUP' },
      appUserIds: { appUserIds: [of.account] },
    },
    apps: {
      query: { query: 'comp' },
      displayName: { displayName: 'PANY' },
      'no such name': { query: 'xyzzyq' },
      onlyDirectories: { onlyDirectories: true },
    },
    grants: {
      everything: {},
      appIds: { appIds: [of.app] },
      appUserIds: { appUserIds: [of.account] },
      userId: { userId: of.user },
      entitlementRefs: { entitlementRefs: [ref] },
      entitlementSlugs: { entitlementSlugs: ['admin'] },
      'a slug nothing has': { entitlementSlugs: ['xyzzyq'] },
      resourceIds: { resourceIds: [of.resource] },
      resourceTypeIds: { resourceTypeIds: [of.type] },
      purpose: { purpose: ['APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP'] },
      'an account on an entitlement': { appUserIds: [of.account], entitlementRefs: [ref] },
    },
    'past-grants': {
      everything: {},
      appIds: { appIds: [of.app] },
      appEntitlementRefs: { appEntitlementRefs: [ref] },
      appUserRefs: { appUserRefs: [{ appId: of.app, id: of.account }] },
    },
  };
}

/** All searches of the mix, their first pages; `number` names a person and an account that is there. */
export function listSearches(of: Examples, number: number): SearchRequest[] {
  const found: SearchRequest[] = [];
  const add = (path: string, name: string, body: Record<string, unknown>): void => {
    found.push({ name: `${path}, ${name}`, path, body });
  };
  for (const [path, ofPath] of Object.entries(filters(of))) {
    for (const [name, body] of Object.entries(ofPath)) {
      add(path, name, { ...body, pageSize: 50 });
    }
  }
  for (const path of ['users', 'app_users']) {
    for (const [name, query] of Object.entries(texts(number))) {
      add(path, name, { query, pageSize: 50 });
    }
    for (const [name, body] of Object.entries(filters(of)[path] ?? {})) {
      add(path, `what everything has, ${name}`, { ...body, query: 'company', pageSize: 50 });
      add(path, `a frequent name, ${name}`, { ...body, query: 'person 7', pageSize: 50 });
    }
  }
  for (const path of ['entitlements', 'app_resources']) {
    for (const [name, query] of Object.entries(catalogTexts(number))) {
      add(path, name, { query, pageSize: 50 });
    }
  }
  return found;
}

/** Searches with so many rows that their pages can be followed deep. */
export function listDeepSearches(of: Examples): SearchRequest[] {
  return [
    { name: 'users, everybody, deep', path: 'users', body: { pageSize: 100 } },
    { name: 'users, a family, deep', path: 'users', body: { query: 'muller', pageSize: 100 } },
    { name: 'app_users, everything, deep', path: 'app_users', body: { pageSize: 100 } },
    { name: 'app_users, a text, deep', path: 'app_users', body: { query: 'person4', pageSize: 100 } },
    {
      name: 'app_users, by app, deep',
      path: 'app_users',
      body: { appIds: [of.app], sortBy: 'APP_USER_SEARCH_SORT_BY_APP', pageSize: 100 },
    },
    { name: 'entitlements, everything, deep', path: 'entitlements', body: { pageSize: 100 } },
    { name: 'app_resources, everything, deep', path: 'app_resources', body: { pageSize: 100 } },
    { name: 'grants, everything, deep', path: 'grants', body: { pageSize: 100 } },
  ];
}
