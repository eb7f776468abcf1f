/**
 * The contract's method about a reviewer's queue.
 */
import {
  type ReviewQueueCountsJson,
  ReviewQueueCountsSchema,
  ReviewQueueGroupSchema,
  ReviewQueueGrouping,
  ReviewQueueOrder,
  type ReviewQueueRowJson,
  ReviewQueueRowSchema,
  ReviewQueueSectionCountsSchema,
  ReviewQueueService,
  ReviewQueueServiceReadQueueResponseSchema,
  ReviewQueueShow,
} from '../../gen/countersign/v1/review_queue_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { cursorOf } from './changes.ts';
import { adviseOn } from './insights.ts';
import { type QueueItem, type QueueTotals, readQueue } from './queue.ts';
import { listTerms } from './store-terms.ts';

function shapeRow(row: QueueItem): ReviewQueueRowJson {
  const staged = row.staged === null ? 'UNSPECIFIED' : row.staged === 'APPROVE' ? 'CERTIFY' : 'DENY';
  return shape(ReviewQueueRowSchema, {
    taskId: row.id,
    numericId: String(row.numericId),
    appId: row.appId,
    appDisplayName: row.appName,
    appUserId: row.accountId,
    account: row.account,
    accountType: row.accountType,
    accountStatus: row.accountStatus,
    identityUserId: row.userId ?? '',
    person: row.person,
    department: row.department,
    jobTitle: row.jobTitle,
    appEntitlementId: row.entitlementId,
    entitlement: row.entitlement,
    entitlementDescription: row.description,
    appResourceId: row.resourceId,
    resource: row.resource,
    riskLevel: row.riskLevel,
    section: `REVIEW_QUEUE_SECTION_${row.section}`,
    score: row.score,
    terms: listTerms(row.flags).map(({ term }) => term),
    recommendation: adviseOn({ found: row }),
    grantedAt: timestamp(row.grantedAt),
    lastUsedAt: timestamp(row.lastUsedAt),
    state: row.state,
    outcome: row.outcome,
    decidedByUserId: row.decidedById ?? '',
    decidedBy: row.decidedByName ?? '',
    decidedAt: timestamp(row.endedAt),
    actions: [...row.actions],
    requiresApprovalReason: row.requiresApprovalReason,
    requiresDenialReason: row.requiresDenialReason,
    stagedDecision: `REVIEW_DECISION_${staged}`,
    stagedComment: row.stagedComment ?? '',
  });
}

function shapeCounts({ total, todo, decided, staged }: QueueTotals): ReviewQueueCountsJson {
  return shape(ReviewQueueCountsSchema, { total: String(total), todo: String(todo), decided: String(decided), staged: String(staged) });
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
    return shape(ReviewQueueServiceReadQueueResponseSchema, {
      rows: items.map(shapeRow),
      nextPageToken: call.nextPageToken(nextKey),
      ...(counts === undefined ? {} : { counts: shapeCounts(counts) }),
      sections: sections.map(({ section, ...rest }) =>
        shape(ReviewQueueSectionCountsSchema, { section: `REVIEW_QUEUE_SECTION_${section}`, counts: shapeCounts(rest) }),
      ),
      changesCursor: cursorOf(context.now),
      groups: groups.map(({ id, name, ...rest }) => shape(ReviewQueueGroupSchema, { id, displayName: name, counts: shapeCounts(rest) })),
    });
  },
});
