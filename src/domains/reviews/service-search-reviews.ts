/** The contract's method that lists reviews as rows: it reads those that the caller may see, and shapes the reply. */
import { AccessReviewState } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { MyReviewOwnerSchema } from '../../gen/countersign/v1/my_reviews_pb.js';
import {
  ReviewRowSchema,
  ReviewSearchService,
  ReviewSearchServiceSearchResponseSchema,
  ReviewSort,
  ReviewStateCountSchema,
} from '../../gen/countersign/v1/search_reviews_pb.js';
import { invalidField } from '../../errors.ts';
import { some, textOf as trimmed } from '../../lib/where.ts';
import { pageByKey } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { textOf } from './document.ts';
import { visibleReviews } from './permit.ts';
import { shapeCounts } from './service-progress.ts';
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
  const start = textOf(row.document, 'scheduledStartDate');
  return shape(ReviewRowSchema, {
    accessReviewId: row.id,
    displayName: textOf(row.document, 'displayName'),
    description: textOf(row.document, 'description'),
    state: `ACCESS_REVIEW_STATE_${row.state}`,
    counts: shapeCounts(row),
    waitingPeople: String(row.waitingPeople),
    askedPeople: String(row.askedPeople),
    unassigned: String(row.unassigned),
    dueAt: timestamp(row.dueAt),
    isOverdue: row.state === 'OPEN' && row.dueAt !== null && row.dueAt <= now,
    scheduledStartAt: start === '' ? undefined : timestamp(new Date(start)),
    startedAt: timestamp(row.startedAt),
    closedAt: timestamp(row.closedAt),
    updatedAt: timestamp(row.updatedAt),
    owners: row.owners.map((owner) => shape(MyReviewOwnerSchema, owner)),
    removals: String(row.removals),
    removalsProven: String(row.removalsProven),
  });
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
    return shape(ReviewSearchServiceSearchResponseSchema, {
      list: rows.map((row) => shapeLine(row, context.now)),
      nextPageToken,
      states: states.map(({ state, count }) =>
        shape(ReviewStateCountSchema, { state: `ACCESS_REVIEW_STATE_${state}`, count: String(count) }),
      ),
    });
  },
});
