/**
 * The searches that bench/search.ts times: each text in each search that takes one, each filter alone and beside a text, at the start and deep
 * inside. Every one has a name by which the slow ones are reported.
 */

/** One search. */
export interface SearchRequest {
  readonly name: string;
  /** With its slash. */
  readonly path: string;
  /** A GET where absent. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The administrator's where absent. */
  readonly token?: string;
}

/** Ids of things in the middle of the tables. */
export interface Examples {
  readonly app: string;
  /** An app of a hundred times fewer accounts, and one of a thousand times fewer. */
  readonly branch: string;
  readonly small: string;
  readonly entitlement: string;
  readonly account: string;
  readonly type: string;
  readonly resource: string;
  readonly user: string;
  readonly manager: string;
  /** Somebody who owns resources and entitlements. */
  readonly owner: string;
  readonly risk: string;
  readonly framework: string;
  /** The connector of the identity provider, and its token. */
  readonly connector: string;
  readonly scimToken: string;
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

type Bodies = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Every filter of each search message, by the path of the search: what has much to find, what has little, and what has nothing. */
function filters(of: Examples): Record<string, Bodies> {
  const ref = { appId: of.app, id: of.entitlement };
  const account = { appId: of.app, id: of.account };
  return {
    users: {
      everybody: {},
      departments: { departments: ['Legal'] },
      'a department nobody is in': { departments: ['Nowhere'] },
      jobTitles: { jobTitles: ['Specialist 7'] },
      managerIds: { managerIds: [of.manager] },
      roleIds: { roleIds: ['SuperAdministrator'] },
      'userStatuses: enabled': { userStatuses: ['ENABLED'] },
      'userStatuses: disabled': { userStatuses: ['DISABLED'] },
      'userStatuses: deleted': { userStatuses: ['DELETED'] },
      email: { email: 'PERSON777@company.example' },
      ids: { ids: [of.user, of.manager] },
      refs: { refs: [{ id: of.user }] },
      excludeIds: { excludeIds: [of.user] },
      'origins: directory': { origins: ['USER_ORIGIN_DIRECTORY'] },
      'origins: local': { origins: ['USER_ORIGIN_LOCAL'] },
      'origins: system': { origins: ['USER_ORIGIN_SYSTEM'] },
      'excludeOrigins: local': { excludeOrigins: ['USER_ORIGIN_LOCAL'] },
      'excludeOrigins: directory': { excludeOrigins: ['USER_ORIGIN_DIRECTORY'] },
      'excludeTypes: service': { excludeTypes: ['USER_TYPE_SERVICE'] },
      'excludeTypes: human': { excludeTypes: ['USER_TYPE_HUMAN'] },
      isDelegate: { isDelegate: true },
      'delegateStatus: has': { delegateStatus: 'DELEGATE_STATUS_HAS_DELEGATE' },
      'delegateStatus: has not': { delegateStatus: 'DELEGATE_STATUS_NO_DELEGATE' },
      delegatedUserIds: { delegatedUserIds: [of.manager] },
      'sourceAppIds: the large app': { sourceAppIds: [of.app] },
      'sourceAppIds: a small app': { sourceAppIds: [of.small] },
      'departments and managerIds': { departments: ['Legal'], managerIds: [of.manager] },
    },
    app_users: {
      everything: {},
      'appId: large': { appId: of.app },
      'appId: small': { appId: of.small },
      'appIds: large and small': { appIds: [of.app, of.small] },
      'appIds: small': { appIds: [of.small] },
      'appIds, by app': { appIds: [of.app], sortBy: 'APP_USER_SEARCH_SORT_BY_APP' },
      appUserIds: { appUserIds: [of.account] },
      excludeAppUserIds: { excludeAppUserIds: [of.account] },
      refs: { refs: [account] },
      userIds: { userIds: [of.user, of.manager] },
      'appUserTypes: user': { appUserTypes: ['APP_USER_TYPE_USER'] },
      'appUserTypes: service': { appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'] },
      'appUserTypes: system': { appUserTypes: ['APP_USER_TYPE_SYSTEM_ACCOUNT'] },
      'appUserStatuses: enabled': { appUserStatuses: ['STATUS_ENABLED'] },
      'appUserStatuses: disabled': { appUserStatuses: ['STATUS_DISABLED'] },
      'appUserStatuses: deleted': { appUserStatuses: ['STATUS_DELETED'] },
      'disabled service accounts': { appUserStatuses: ['STATUS_DISABLED'], appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'] },
      withoutResponsibleParty: { withoutResponsibleParty: true },
      'withoutResponsibleParty in a small app': { withoutResponsibleParty: true, appIds: [of.small] },
      'disabled without an owner': { withoutResponsibleParty: true, appUserStatuses: ['STATUS_DISABLED'] },
      'appUserDomains: external': { appUserDomains: ['APP_USER_DOMAIN_EXTERNAL'] },
      'appUserDomains: trusted': { appUserDomains: ['APP_USER_DOMAIN_TRUSTED'] },
      'external and disabled': { appUserDomains: ['APP_USER_DOMAIN_EXTERNAL'], appUserStatuses: ['STATUS_DISABLED'] },
      'external in a small app': { appUserDomains: ['APP_USER_DOMAIN_EXTERNAL'], appIds: [of.small] },
      appUserStatusDetails: { appUserStatusDetails: ['x', ''] },
      excludeDeletedApps: { excludeDeletedApps: true },
      'agentStatuses, nhiTypes, withOpenFindings': { agentStatuses: [0], nhiTypes: [0], withOpenFindings: true },
    },
    entitlements: {
      everything: {},
      'appIds: large': { appIds: [of.app] },
      'appIds: small': { appIds: [of.small] },
      excludeAppIds: { excludeAppIds: [of.app] },
      refs: { refs: [ref] },
      excludedEntitlementRefs: { excludedEntitlementRefs: [ref] },
      resourceTypeIds: { resourceTypeIds: [of.type] },
      excludeResourceTypeIds: { excludeResourceTypeIds: [of.type] },
      resourceIds: { resourceIds: [of.resource] },
      resourceTraitIds: { resourceTraitIds: ['group'] },
      'resourceTraitIds: none': { resourceTraitIds: ['vault'] },
      appUserIds: { appUserIds: [of.account] },
      excludeAppUserIds: { excludeAppUserIds: [of.account] },
      displayName: { displayName: 'App access' },
      'displayName: nothing': { displayName: 'xyzzyq' },
      riskLevelIds: { riskLevelIds: [of.risk] },
      'riskLevelIds: none': { riskLevelIds: [of.user] },
      complianceFrameworkIds: { complianceFrameworkIds: [of.framework] },
      'complianceFrameworkIds: none': { complianceFrameworkIds: [of.user] },
      onlyGetExpiring: { onlyGetExpiring: true },
      'onlyGetExpiring of an account': { onlyGetExpiring: true, appUserIds: [of.account] },
      alias: { alias: 'alias-99' },
      'alias: none': { alias: 'none' },
      includeDeleted: { includeDeleted: true },
      'membershipType: member': { membershipType: ['APP_ENTITLEMENT_MEMBERSHIP_TYPE_MEMBER'] },
      'membershipType: owner': { membershipType: ['APP_ENTITLEMENT_MEMBERSHIP_TYPE_OWNER'] },
      sourceConnectorId: { sourceConnectorId: of.connector },
      policyRefs: { policyRefs: [{ id: of.user }] },
      requestSchemaIds: { requestSchemaIds: ['none'] },
      accessReviewId: { accessReviewId: of.user },
      'isAutomated, excludeImmutable': { isAutomated: true, excludeImmutable: true },
    },
    app_resources: {
      everything: {},
      'appId: large': { appId: of.app },
      'appId: small': { appId: of.small },
      'appIds: small': { appIds: [of.small] },
      resourceIds: { resourceIds: [of.resource] },
      excludeResourceIds: { excludeResourceIds: [of.resource] },
      refs: { refs: [{ appId: of.app, appResourceTypeId: of.type, id: of.resource }] },
      resourceTypeIds: { resourceTypeIds: [of.type] },
      resourceTypeTraitIds: { resourceTypeTraitIds: ['group'] },
      'resourceTypeTraitIds: none': { resourceTypeTraitIds: ['vault'] },
      excludeResourceTypeTraitIds: { excludeResourceTypeTraitIds: ['group'] },
      appUserIds: { appUserIds: [of.account] },
      ownerUserIds: { ownerUserIds: [of.owner] },
      'ownerUserIds: none': { ownerUserIds: [of.user] },
      unownedOnly: { unownedOnly: true },
      'unownedOnly in a small app': { unownedOnly: true, appIds: [of.small] },
      'direction: down': { direction: 'SORT_DIRECTION_DESC' },
      'agentStatuses, nhiTypes, credentialTypes': { agentStatuses: [0], nhiTypes: [0], credentialTypes: [0] },
    },
    app_resource_types: {
      everything: {},
      appIds: { appIds: [of.app] },
      resourceTypeIds: { resourceTypeIds: [of.type] },
      excludeResourceTypeIds: { excludeResourceTypeIds: [of.type] },
      resourceTypeTraitIds: { resourceTypeTraitIds: ['group'] },
      excludeResourceTypeTraitIds: { excludeResourceTypeTraitIds: ['group'] },
      displayName: { displayName: 'group' },
      query: { query: 'GROUP' },
      appUserIds: { appUserIds: [of.account] },
    },
    apps: {
      everything: {},
      query: { query: 'comp' },
      displayName: { displayName: 'COMPANY' },
      'no such name': { query: 'xyzzyq' },
      appIds: { appIds: [of.app] },
      excludeAppIds: { excludeAppIds: [of.app] },
      policyRefs: { policyRefs: [{ id: of.user }] },
      onlyDirectories: { onlyDirectories: true },
    },
    grants: {
      everything: {},
      'appIds: large': { appIds: [of.app] },
      'appIds: small': { appIds: [of.small] },
      appUserIds: { appUserIds: [of.account] },
      userId: { userId: of.user },
      entitlementRefs: { entitlementRefs: [ref] },
      entitlementSlugs: { entitlementSlugs: ['admin'] },
      'a slug nothing has': { entitlementSlugs: ['xyzzyq'] },
      resourceIds: { resourceIds: [of.resource] },
      resourceTypeIds: { resourceTypeIds: [of.type] },
      'purpose: ownership': { purpose: ['APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP'] },
      'purpose: assignment': { purpose: ['APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT'] },
      'an account on an entitlement': { appUserIds: [of.account], entitlementRefs: [ref] },
      'a person on a slug': { userId: of.user, entitlementSlugs: ['admin'] },
    },
    'past-grants': {
      everything: {},
      'appIds: large, nothing ended': { appIds: [of.app] },
      'appIds: of the branch': { appIds: [of.branch] },
      appEntitlementRefs: { appEntitlementRefs: [ref] },
      appUserRefs: { appUserRefs: [account] },
    },
    'user-ownership': {
      userId: { userId: of.owner },
      'userId: owns nothing': { userId: of.user },
      ownershipTypes: { userId: of.owner, ownershipTypes: ['USER_OWNERSHIP_TYPE_ENTITLEMENT'] },
    },
    'request_catalog/entitlements': {
      everything: {},
      query: { query: 'resource' },
      'query: nothing': { query: 'xyzzyq' },
      appDisplayName: { appDisplayName: 'comp' },
      entitlementAlias: { entitlementAlias: 'alias-99' },
      'grantedStatus: granted': { grantedStatus: 'GRANTED' },
      'grantedStatus: not granted': { grantedStatus: 'NOT_GRANTED' },
    },
    profile_attributes: {
      'one of fifty': { subject: 'PROFILE_SUBJECT_USER', name: 'site', equals: 'site 7' },
      'a range of numbers': { subject: 'PROFILE_SUBJECT_USER', name: 'grade', from: '3', to: '9' },
      nothing: { subject: 'PROFILE_SUBJECT_USER', name: 'site', equals: 'nowhere' },
    },
    attributes: { query: { query: 'hig' }, value: { value: 'SOX' } },
    policies: { everything: {}, query: { query: 'review' } },
    'iam/personal_clients': { everything: {}, query: { query: 'a' }, users: { users: [{ id: of.user }] } },
  };
}

/** The feed of grants, which is no search by its path. */
function feeds(of: Examples): Bodies {
  return {
    everything: {},
    'appRefs: the branch': { appRefs: [{ id: of.branch }] },
    'appRefs: large': { appRefs: [{ id: of.app }] },
    appEntitlementRefs: { appEntitlementRefs: [{ appId: of.app, id: of.entitlement }] },
    appUserRefs: { appUserRefs: [{ appId: of.app, id: of.account }] },
    userRefs: { userRefs: [{ id: of.user }] },
    'after: long ago': { after: '2000-01-01T00:00:00Z' },
    'before: long ago': { before: '2000-01-01T00:00:00Z' },
  };
}

/** Filters of SCIM over ten thousand users, by index and by reading them all. */
const scimFilters: Readonly<Record<string, string>> = {
  userName: 'userName eq "PUSHED777"',
  externalId: 'externalId eq "ext-777"',
  'part of a name': 'userName co "777"',
  'start of a name': 'displayName sw "Pushed 77"',
  nothing: 'nickName eq "nobody"',
  'not active': 'active eq false',
  emails: 'emails[type eq "work" and value co "@"]',
  'changed since': 'meta.lastModified gt "2000-01-01T00:00:00Z"',
  'several together': '(active eq true and userName sw "pushed1") or not (title pr)',
};

/** Texts that are tried beside every filter: what all have, what a thousand have, what one has, what nothing has, and what the index of texts cannot decide. */
const besides: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: { 'what everybody has': 'company', 'a frequent name': 'person 7', nothing: 'xyzzyq', 'two characters': '9q' },
  app_users: { 'what everything has': 'company', 'a frequent name': 'person 7', nothing: 'xyzzyq', 'two characters': '9q' },
  entitlements: { 'what everything has': 'resource', 'what a fifth has': 'admin', nothing: 'xyzzyq' },
  app_resources: { 'what everything has': 'resource', 'a tenth': 'source-1', nothing: 'xyzzyq' },
};

const search = (path: string, name: string, body: Record<string, unknown>): SearchRequest => ({
  name: `${path}, ${name}`,
  path: `/api/v1/search/${path}`,
  body: { pageSize: 50, ...body },
});

/** All searches of the mix, their first pages; `number` names a person and an account that is there. */
export function listSearches(of: Examples, number: number): SearchRequest[] {
  const found: SearchRequest[] = [];
  for (const [path, ofPath] of Object.entries(filters(of))) {
    found.push(...Object.entries(ofPath).map(([name, body]) => search(path, name, body)));
    for (const [text, query] of Object.entries(besides[path] ?? {})) {
      found.push(...Object.entries(ofPath).map(([name, body]) => search(path, `${text}; ${name}`, { ...body, query })));
    }
  }
  for (const path of ['users', 'app_users']) {
    found.push(...Object.entries(texts(number)).map(([name, query]) => search(path, name, { query })));
  }
  for (const path of ['entitlements', 'app_resources']) {
    found.push(...Object.entries(catalogTexts(number)).map(([name, query]) => search(path, name, { query })));
  }
  for (const [name, body] of Object.entries(feeds(of))) {
    found.push({ name: `feed, ${name}`, path: '/api/v1/grants/feed', body: { pageSize: 50, ...body } });
  }
  for (const list of ['leavers_with_accounts', 'unowned_accounts', 'ambiguous_accounts', 'people_without_manager']) {
    found.push({ name: list, path: `/api/v1/identity/${list}?page_size=50` });
  }
  const scim = { path: '/scim/v2/Users', token: of.scimToken };
  for (const [name, filter] of Object.entries(scimFilters)) {
    found.push({ ...scim, name: `SCIM, ${name}`, path: `${scim.path}?count=50&filter=${encodeURIComponent(filter)}` });
  }
  found.push({ ...scim, name: 'SCIM, the last of 10,000', path: `${scim.path}?count=50&startIndex=9951` });
  return found;
}

/** Searches with so many rows that their pages can be followed deep. */
export function listDeepSearches(of: Examples): SearchRequest[] {
  const deep = (path: string, name: string, body: Record<string, unknown>) => search(path, `${name}, deep`, { ...body, pageSize: 100 });
  return [
    deep('users', 'everybody', {}),
    deep('users', 'a family', { query: 'muller' }),
    deep('users', 'departments', { departments: ['Legal'] }),
    deep('users', 'what everybody has and excludeTypes', { query: 'company', excludeTypes: ['USER_TYPE_SERVICE'] }),
    deep('app_users', 'everything', {}),
    deep('app_users', 'a text', { query: 'person4' }),
    deep('app_users', 'by app', { appIds: [of.app], sortBy: 'APP_USER_SEARCH_SORT_BY_APP' }),
    deep('app_users', 'trusted', { appUserDomains: ['APP_USER_DOMAIN_TRUSTED'] }),
    deep('app_users', 'external', { appUserDomains: ['APP_USER_DOMAIN_EXTERNAL'] }),
    deep('app_users', 'disabled', { appUserStatuses: ['STATUS_DISABLED'] }),
    deep('entitlements', 'everything', {}),
    deep('app_resources', 'everything', {}),
    deep('grants', 'everything', {}),
    deep('grants', 'purpose: assignment', { purpose: ['APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT'] }),
    deep('past-grants', 'everything', {}),
    { name: 'feed, everything, deep', path: '/api/v1/grants/feed', body: { pageSize: 100 } },
    { name: 'feed, of an app, deep', path: '/api/v1/grants/feed', body: { pageSize: 100, appRefs: [{ id: of.app }] } },
  ];
}
