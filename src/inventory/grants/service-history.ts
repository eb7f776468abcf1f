/**
 * The feed of grants and the grants that ended.
 */
import { AppEntitlementUserBindingFeedService } from '../../gen/c1/api/app/v1/app_entitlement_user_binding_feed_service_pb.js';
import { AppEntitlementUserBindingHistoryService } from '../../gen/c1/api/app/v1/app_entitlement_user_binding_history_service_pb.js';
import { parseDate } from '../../wire/timestamps.ts';
import { type Call, implement } from '../../wire/service.ts';
import { pageByKey } from '../catalog/index.ts';
import { type FeedPlace, type FeedRow, feedStart, listFeed, listPastGrants, type Ref } from './store-feed.ts';
import { shapeFeedView, shapeHistoryView } from './view.ts';

function pageOfEvents(call: Call, list: (after: FeedPlace, limit: number) => Promise<FeedRow[]>) {
  return pageByKey(
    call,
    (after, limit) => {
      const [revision = '', entitlementId = '', accountId = '', type = ''] = after ?? [];
      return list(
        after === undefined ? feedStart : { revision: Number(revision), entitlementId, accountId, type: type === 'A' ? 'A' : 'R' },
        limit,
      );
    },
    (row) => [String(row.revision), row.entitlementId, row.accountId, row.type],
  );
}

/** Expands what events are about. Both spellings of a path are known, that of the messages' fields and that of the other masks. */
function expandEvents(call: Call, rows: readonly FeedRow[], requested: readonly string[] | undefined) {
  const about = [
    { path: 'app', type: 'c1.api.app.v1.App', ids: rows.map((row) => row.appId) },
    { path: 'app_user', type: 'c1.api.app.v1.AppUser', ids: rows.map((row) => row.accountId) },
    { path: 'entitlement', type: 'c1.api.app.v1.AppEntitlement', ids: rows.map((row) => row.entitlementId) },
  ];
  return call.expand(
    about,
    requested?.map((path) => spellings[path] ?? path),
  );
}

const spellings: Readonly<Record<string, string>> = {
  app_id: 'app',
  appId: 'app',
  app_user_id: 'app_user',
  appUserId: 'app_user',
  app_entitlement: 'entitlement',
  appEntitlement: 'entitlement',
  app_entitlement_id: 'entitlement',
  appEntitlementId: 'entitlement',
  entitlement_id: 'entitlement',
  entitlementId: 'entitlement',
};

const refsOf = (refs: readonly { readonly appId: string; readonly id: string }[]): readonly Ref[] | undefined =>
  refs.length === 0 ? undefined : refs.map(({ appId, id }) => ({ appId, id }));
const idsOf = (ids: readonly string[]): readonly string[] | undefined => (ids.length === 0 ? undefined : ids);

/** Each addition and each removal, newest first. */
export const feedService = implement(AppEntitlementUserBindingFeedService, {
  searchGrantFeed: async (context, request, call) => {
    const { after, before } = call.sent;
    const filter = {
      appIds: idsOf(request.appRefs.map((ref) => ref.id)),
      entitlements: refsOf(request.appEntitlementRefs),
      accounts: refsOf(request.appUserRefs),
      userIds: idsOf(request.userRefs.map((ref) => ref.id)),
      after: parseDate(typeof after === 'string' ? after : undefined),
      before: parseDate(typeof before === 'string' ? before : undefined),
    };
    const { rows, nextPageToken } = await pageOfEvents(call, (place, limit) => listFeed(context, filter, place, limit));
    const { expanded, pathOf } = await expandEvents(call, rows, request.expandMask?.paths);
    return { list: rows.map((row) => shapeFeedView(row, pathOf)), expanded, nextPageToken };
  },
});

/** Grants that ended, the last to end first. */
export const historyService = implement(AppEntitlementUserBindingHistoryService, {
  searchPastGrants: async (context, request, call) => {
    const filter = {
      appIds: idsOf(request.appIds),
      entitlements: refsOf(request.appEntitlementRefs),
      accounts: refsOf(request.appUserRefs),
    };
    const { rows, nextPageToken } = await pageOfEvents(call, (place, limit) => listPastGrants(context, filter, place, limit));
    const { expanded, pathOf } = await expandEvents(call, rows, request.expandMask?.paths);
    return { list: rows.map((row) => shapeHistoryView(row, pathOf)), expanded, nextPageToken };
  },
});
