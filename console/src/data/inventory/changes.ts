/** Changes of access, newest first, each with the sync that brought it where one did. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { expandedAt } from '~/data/expanded.ts';
import type { Account, Entitlement, Sync } from './inventory.ts';
import { read, readPages } from '~/data/query.ts';

/** One thing that was granted or ended. */
export interface Change {
  readonly key: string;
  readonly isAdded: boolean;
  readonly at: string;
  readonly account: Account | undefined;
  readonly right: Entitlement | undefined;
  /** The sync of that moment. */
  readonly sync: Sync | undefined;
}

/** The changes of an app. */
export function useChanges(appId: string, pageSize: number) {
  const query = useInfiniteQuery(
    readPages('AppEntitlementUserBindingFeedService.SearchGrantFeed', {
      appRefs: [{ id: appId }],
      expandMask: { paths: ['app_user_id', 'app_entitlement_id'] },
      pageSize,
    }),
  );
  const { data: syncs } = useQuery(read('ImportService.List', { appId, pageSize: 100 }));
  const changes = (query.data?.pages ?? []).flatMap((page) =>
    (page.list ?? []).map(
      ({ feed, appUserPath, entitlementPath }): Change => ({
        key: `${feed?.appEntitlementId} ${feed?.appUserId} ${feed?.date} ${feed?.eventType}`,
        isAdded: feed?.eventType === 'GRANT_EVENT_TYPE_ADDED',
        at: feed?.date ?? '',
        account: expandedAt<Account>(page.expanded, appUserPath),
        right: expandedAt<Entitlement>(page.expanded, entitlementPath),
        sync: syncs?.list?.find((view) => view.import?.createdAt === feed?.date)?.import,
      }),
    ),
  );
  return { query, changes };
}
