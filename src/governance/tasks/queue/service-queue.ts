/**
 * The contract's method about a reviewer's queue.
 */
import {
  ReviewQueueGrouping,
  ReviewQueueOrder,
  type ReviewQueueRow,
  ReviewQueueService,
  ReviewQueueShow,
} from '../../../gen/countersign/v1/review_queue_pb.js';
import type { Row } from '../../../wire/row.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
import { changesCursor } from './changes.ts';
import { adviseOn } from '../views/index.ts';
import { type QueueItem, readQueue } from './queue.ts';
import { listTerms } from '../task/index.ts';

function shapeRow(row: QueueItem): Row<ReviewQueueRow> {
  const staged = row.staged === null ? 'UNSPECIFIED' : row.staged === 'APPROVE' ? 'CERTIFY' : 'DENY';
  return {
    ...row,
    numericId: String(row.numericId),
    taskId: row.id,
    appDisplayName: row.appName,
    appUserId: row.accountId,
    identityUserId: row.userId,
    appEntitlementId: row.entitlementId,
    entitlementDescription: row.description,
    appResourceId: row.resourceId,
    terms: listTerms(row.flags).map(({ term }) => term),
    recommendation: adviseOn({ found: row }),
    decidedByUserId: row.decidedById,
    decidedBy: row.decidedByName,
    decidedIssuer: row.decidedIssuerName,
    decidedAt: row.endedAt,
    stagedDecision: staged,
  };
}

const shows = {
  [ReviewQueueShow.UNSPECIFIED]: 'ALL',
  [ReviewQueueShow.OPEN]: 'OPEN',
  [ReviewQueueShow.CLOSER]: 'CLOSER',
  [ReviewQueueShow.NEW]: 'NEW',
  [ReviewQueueShow.CHANGED]: 'CHANGED',
  [ReviewQueueShow.MINE]: 'MINE',
  [ReviewQueueShow.ALL]: 'ALL',
  [ReviewQueueShow.DECIDED]: 'DECIDED',
} as const;

const groupings = {
  [ReviewQueueGrouping.UNSPECIFIED]: 'APP',
  [ReviewQueueGrouping.APP]: 'APP',
  [ReviewQueueGrouping.PERSON]: 'PERSON',
  [ReviewQueueGrouping.RESOURCE]: 'RESOURCE',
} as const;

const orders = {
  [ReviewQueueOrder.UNSPECIFIED]: 'ATTENTION',
  [ReviewQueueOrder.ATTENTION]: 'ATTENTION',
  [ReviewQueueOrder.PERSON]: 'PERSON',
  [ReviewQueueOrder.ENTITLEMENT]: 'ENTITLEMENT',
  [ReviewQueueOrder.UNUSED]: 'UNUSED',
  [ReviewQueueOrder.NEWEST]: 'NEWEST',
} as const;

/** A reviewer's queue as the contract offers it. */
export const queueService: BoundService = implement(ReviewQueueService, {
  async readQueue(context, request, call) {
    const { accessReviewId, limit } = request;
    const filter = {
      show: shows[request.show],
      by: groupings[request.by],
      group: request.group || undefined,
      query: request.query.trim() || undefined,
      order: orders[request.order],
    };
    const { items, nextKey, counts, sections, groups } = await readQueue(context, accessReviewId, filter, {
      limit,
      after: call.page.after,
    });
    return {
      rows: items.map(shapeRow),
      nextPageToken: call.nextPageToken(nextKey),
      counts,
      sections: sections.map((row) => ({ section: row.section, counts: row })),
      changesCursor: changesCursor(context.now),
      groups: groups.map((row) => ({ id: row.id, displayName: row.name, counts: row })),
    };
  },
});
