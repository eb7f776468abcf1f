/** Filters of searches for grants: those there are, those that ended, what came and went, and accounts that fit nobody. */
import { oneOf, type Search, tells } from './search.ts';

const pair = (entitlementId: string, accountId: string): string => `${entitlementId}/${accountId}`;

const grants: Search = {
  operation: 'AppEntitlementSearchService.searchGrants',
  keyOf: ({ entitlement, appEntitlementUserBinding: binding }) => pair(entitlement.appEntitlement.id, binding.appUser.appUser.id),
  filters: ({ filingId, archiveId, entitlements: { open, enter }, accounts: { alpha, beta }, resources, types, anne, bertId }) => {
    const key = pair(open, alpha);
    const list = oneOf(key);
    return {
      appIds: list('appIds', filingId, archiveId),
      appUserIds: list('appUserIds', alpha, beta),
      entitlementRefs: list('entitlementRefs', { appId: filingId, id: open }, { appId: filingId, id: enter }),
      entitlementSlugs: list('entitlementSlugs', 'opener', 'enter'),
      purpose: list('purpose', 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP', 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT'),
      resourceIds: list('resourceIds', resources.vault, resources.room),
      resourceTypeIds: list('resourceTypeIds', types.role, types.group),
      userId: tells(key)({ userId: anne.id }, { userId: bertId }),
    };
  },
};

const feed: Search = {
  operation: 'AppEntitlementUserBindingFeedService.searchGrantFeed',
  keyOf: ({ feed: event }) => `${pair(event.appEntitlementId, event.appUserId)} ${event.eventType}`,
  filters: ({ filingId, archiveId, entitlements: { open, enter }, accounts: { alpha, beta }, anne, bertId, betweenSyncs }) => {
    const key = `${pair(open, alpha)} GRANT_EVENT_TYPE_ADDED`;
    const list = oneOf(key);
    return {
      after: tells(key)({ after: '2020-01-01T00:00:00Z' }, { after: betweenSyncs }),
      appEntitlementRefs: list('appEntitlementRefs', { appId: filingId, id: open }, { appId: filingId, id: enter }),
      appRefs: list('appRefs', { id: filingId }, { id: archiveId }),
      appUserRefs: list('appUserRefs', { appId: filingId, id: alpha }, { appId: filingId, id: beta }),
      before: tells(key)({ before: betweenSyncs }, { before: '2020-01-01T00:00:00Z' }),
      userRefs: list('userRefs', { id: anne.id }, { id: bertId }),
    };
  },
};

const past: Search = {
  operation: 'AppEntitlementUserBindingHistoryService.searchPastGrants',
  keyOf: ({ history }) => history.appEntitlementId,
  filters: ({ filingId, archiveId, entitlements: { open, enter }, accounts: { alpha }, epsilonId }) => {
    const list = oneOf(open);
    return {
      appEntitlementRefs: list('appEntitlementRefs', { appId: filingId, id: open }, { appId: filingId, id: enter }),
      appIds: list('appIds', filingId, archiveId),
      appUserRefs: list('appUserRefs', { appId: filingId, id: epsilonId }, { appId: filingId, id: alpha }),
    };
  },
};

const ofApp: Search = {
  operation: 'GrantService.list',
  path: ({ filingId }) => ({ app_id: filingId }),
  // App access goes by the account alone: its entitlement is no part of the stage.
  keyOf: ({ grant }) => (grant.isDerived ? `access ${grant.account.id}` : pair(grant.entitlement.id, grant.account.id)),
  filters: ({ entitlements: { open, enter }, accounts: { alpha, beta, delta }, anne, bertId, epsilonId, betweenSyncs }) => {
    const has = tells(pair(open, alpha));
    return {
      accountId: has({ account_id: alpha }, { account_id: beta }),
      accountType: has({ account_type: 'APP_USER_TYPE_USER' }, { account_type: 'APP_USER_TYPE_SERVICE_ACCOUNT' }),
      asOf: tells(pair(open, epsilonId))({ as_of: betweenSyncs }, { as_of: '2999-01-01T00:00:00Z' }),
      excludeDerived: tells(`access ${delta}`)({ exclude_derived: false }, { exclude_derived: true }),
      query: has({ query: 'änne' }, { query: 'robot' }),
      entitlementId: has({ entitlement_id: open }, { entitlement_id: enter }),
      includeEnded: tells(pair(open, epsilonId))({ include_ended: true }, { include_ended: false }),
      pastEnd: has({ past_end: false }, { past_end: true }),
      userId: has({ user_id: anne.id }, { user_id: bertId }),
    };
  },
};

const leavers: Search = {
  operation: 'IdentityService.listLeaversWithAccounts',
  keyOf: ({ user }) => user.id,
  filters: ({ bertId, filingId, archiveId }) => ({ appId: tells(bertId)({ app_id: filingId }, { app_id: archiveId }) }),
};

const unowned: Search = {
  operation: 'IdentityService.listUnownedAccounts',
  keyOf: ({ id }) => id,
  filters: ({ accounts: { beta }, filingId, archiveId }) => ({ appId: tells(beta)({ app_id: filingId }, { app_id: archiveId }) }),
};

const ambiguous: Search = {
  operation: 'IdentityService.listAmbiguousAccounts',
  keyOf: ({ appUser }) => appUser.id,
  filters: ({ twinsId, filingId, archiveId }) => ({ appId: tells(twinsId)({ app_id: archiveId }, { app_id: filingId }) }),
};

const undescribed: Search = {
  operation: 'IdentityService.listUndescribedEntitlements',
  keyOf: ({ appEntitlementId }) => appEntitlementId,
  filters: ({ entitlements: { read }, filingId, archiveId }) => ({ appId: tells(read)({ app_id: archiveId }, { app_id: filingId }) }),
};

/** All of them. */
export const grantSearches: readonly Search[] = [grants, feed, past, ofApp, leavers, unowned, ambiguous, undescribed];
