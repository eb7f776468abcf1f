/** The contract's method that lists reviews as rows: it reads those that the caller may see, and shapes the reply. */
import { AccessReviewState } from '../../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { ReviewSearchService, ReviewSort } from '../../../gen/countersign/v1/search_reviews_pb.js';
import { invalidField } from '../../../errors.ts';
import { some, wantedText as trimmed } from '../../../lib/where.ts';
import { pageByKey } from '../../../wire/page.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
import { visibleReviews } from '../record/index.ts';
import { shapeCounts } from '../evidence/index.ts';
import { countReviewStates, listReviewLines, type ReviewLineRow, type ReviewOrder } from './store-search-reviews.ts';

const longestQuery = 1_000;

const orders: Readonly<Record<ReviewSort, ReviewOrder>> = {
  [ReviewSort.UNSPECIFIED]: 'NEWEST',
  [ReviewSort.NEWEST]: 'NEWEST',
  [ReviewSort.DUE]: 'DUE',
  [ReviewSort.NAME]: 'NAME',
  [ReviewSort.CLOSED]: 'CLOSED',
};

function shapeLine(row: ReviewLineRow, now: Date) {
  const start = row.document.scheduledStartDate ?? '';
  return {
    ...row,
    accessReviewId: row.id,
    displayName: row.document.displayName,
    description: row.document.description,
    counts: shapeCounts(row),
    isOverdue: row.state === 'OPEN' && row.dueAt !== null && row.dueAt <= now,
    scheduledStartAt: start === '' ? undefined : new Date(start),
  };
}

/** Reviews as rows of a list. */
export const reviewSearchService: BoundService = implement(ReviewSearchService, {
  async search(context, request, call) {
    if (request.query.length > longestQuery) {
      throw invalidField('query', `must have at most ${longestQuery} characters`);
    }
    const filter = {
      states: some(
        request.states.filter((state) => state !== AccessReviewState.UNSPECIFIED).map((state) => AccessReviewState[state] ?? ''),
      ),
      ownerIds: some(request.ownerIds),
      appIds: some(request.appIds),
      templateIds: some(request.templateIds),
      query: trimmed(request.query),
    };
    const visible = visibleReviews(context.actor);
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listReviewLines(context, visible, filter, orders[request.sort], after, limit),
      (row) => [row.place, row.id],
    );
    const states = call.page.after === undefined ? await countReviewStates(context, visible, filter) : [];
    return {
      list: rows.map((row) => shapeLine(row, context.now)),
      nextPageToken,
      states: states.map(({ state, count }) => ({ state, count })),
    };
  },
});
