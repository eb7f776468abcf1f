/** Reading the rows of a queue: an infinite query of pages of 1,000, and what one of its replies says. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call, type ReplyOf } from '~/data/query.ts';

export type QueueReply = ReplyOf<'ReviewQueueService.ReadQueue'>;
export type QueueRow = NonNullable<QueueReply['rows']>[number] & { readonly taskId: string };
/** A list is not grouped; its counts are those by app. */
export type Grouping = 'app' | 'person' | 'resource' | 'list';

/** Order of rows: what deserves a look, or by name of who holds it or of the right, what was unused for longest, or what was granted last. */
export type Order = 'closer' | 'person' | 'right' | 'unused' | 'newest';

/** Tasks that are there, to do, closed, and staged when they were read. */
export interface Totals {
  readonly total: number;
  readonly todo: number;
  readonly decided: number;
  readonly staged: number;
}

/** The sections in the order they are shown. */
export const sections = ['CLOSER', 'NEW', 'CHANGED', 'UNCHANGED', 'OTHER'] as const;
export type Section = (typeof sections)[number];

/** The section of a row. */
export function sectionOf(row: QueueRow): Section {
  const name = (row.section ?? '').replace('REVIEW_QUEUE_SECTION_', '');
  return (sections as readonly string[]).includes(name) ? (name as Section) : 'OTHER';
}

export const pageSize = 1000;
const orders = { closer: 'ATTENTION', person: 'PERSON', right: 'ENTITLEMENT', unused: 'UNUSED', newest: 'NEWEST' } as const;
const groupings = { app: 'APP', person: 'PERSON', resource: 'RESOURCE', list: 'APP' } as const;

/** Counts of a reply as numbers. */
export function readTotals(counts: QueueReply['counts'] | undefined): Totals {
  const of = (value: string | undefined): number => Number(value ?? 0);
  return { total: of(counts?.total), todo: of(counts?.todo), decided: of(counts?.decided), staged: of(counts?.staged) };
}

/** The groups of a reply. */
export function readGroups({ groups }: QueueReply) {
  return (groups ?? []).map(({ id, displayName, counts }) => ({ id: id ?? '', name: displayName ?? '', ...readTotals(counts) }));
}

/** The name of all readings of a review's queue in the cache. */
export const queueKey = (reviewId: string) => ['queue', reviewId] as const;

/** One reading of the rows, page by page. What came is never read again by itself: rows under somebody's hands stay what they are. */
export function rowsQuery(
  reviewId: string,
  { by, order, round }: { readonly by: Grouping; readonly order: Order; readonly round: number },
) {
  return infiniteQueryOptions({
    queryKey: [...queueKey(reviewId), by, order, round] as const,
    queryFn: ({ pageParam, signal }): Promise<QueueReply> =>
      call(
        'ReviewQueueService.ReadQueue',
        {
          accessReviewId: reviewId,
          by: `REVIEW_QUEUE_GROUPING_${groupings[by]}`,
          // The same for all pages: a page token belongs to one request.
          limit: pageSize,
          pageToken: pageParam,
          order: `REVIEW_QUEUE_ORDER_${orders[order]}`,
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
    staleTime: 'static',
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  });
}

/** The groups of a grouping that the rows were not read by. */
export async function listGroups(reviewId: string, by: Grouping, signal: AbortSignal) {
  return readGroups(
    await call(
      'ReviewQueueService.ReadQueue',
      { accessReviewId: reviewId, by: `REVIEW_QUEUE_GROUPING_${groupings[by]}`, limit: 1 },
      { signal },
    ),
  );
}
