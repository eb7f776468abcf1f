/** Last use of the rights of a list, and what came and went since the last review: one request for each page of the list. */
import { useQueries } from '@tanstack/react-query';
import { count } from '~/data/inventory/inventory.ts';
import { useReviewsByApp } from '~/data/reviews/last-reviews.ts';
import { read } from '~/data/query.ts';
import { dayStart, toDay } from '~/text/local-time.ts';
import { addDays } from '~/text/whole-date.ts';

/** Facts known of a right; undefined until it is read. */
export interface Activity {
  readonly lastUsedAt: string | undefined;
  /** Undefined where so much changed that nobody counted. */
  readonly changes: { readonly added: number; readonly ended: number } | undefined;
}

const days = 90;

/** Since when changes are shown: since the last review of the app began, or for some days where there was none. */
export function useSince(appId: string): { readonly at: string; readonly isReview: boolean } {
  const { byApp } = useReviewsByApp();
  const last = byApp.get(appId)?.find(({ review }) => review.closedAt !== undefined)?.review.startedAt;
  return last === undefined ? { at: dayStart(addDays(toDay(new Date()), -days)), isReview: false } : { at: last, isReview: true };
}

/** The activity of rights by their ids. */
export function useActivity(appId: string, pages: readonly (readonly string[])[], since: string): ReadonlyMap<string, Activity> {
  const replies = useQueries({
    queries: pages
      .filter((ids) => ids.length > 0)
      .map((ids) => ({
        ...read('EntitlementActivityService.List', { appId, entitlementIds: [...ids], since, pageSize: 100 }),
        staleTime: 60_000,
      })),
  });
  return new Map(
    replies.flatMap(({ data }) =>
      (data?.list ?? []).map((one): [string, Activity] => [
        one.appEntitlementId ?? '',
        {
          lastUsedAt: one.lastUsedAt,
          changes: data?.tooManyChanges === true ? undefined : { added: count(one.added), ended: count(one.ended) },
        },
      ]),
    ),
  );
}
