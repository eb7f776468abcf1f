/** The contract's methods about how reviewers stand to what they review: each calls one rule and shapes the reply. */
import {
  RelatedDecisionSchema,
  ReviewerRelationCountSchema,
  ReviewerRelation,
  type ReviewerRelationJson,
  ReviewIndependenceSchema,
  ReviewIndependenceService,
  ReviewIndependenceServiceGetIndependenceResponseSchema,
  ReviewIndependenceServiceListRelatedDecisionsResponseSchema,
  ReviewIndependenceServiceSetIndependenceResponseSchema,
} from '../../gen/countersign/v1/independence_pb.js';
import { pageByKey } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import type { Relation } from '../tasks/index.ts';
import { type IndependenceView, readIndependence, readRelatedDecisions, setIndependence } from './independence.ts';

const wireOf = (relation: Relation): ReviewerRelationJson => `REVIEWER_RELATION_${relation}`;

/** Relations as they are kept; the unspecified one says nothing. */
function relationsOf(values: readonly ReviewerRelation[]): Relation[] {
  return values.filter((value) => value !== ReviewerRelation.UNSPECIFIED).map((value) => ReviewerRelation[value] as Relation);
}

function shapeIndependence({ blocked, counts }: IndependenceView) {
  return shape(ReviewIndependenceSchema, {
    blocked: blocked.map(wireOf),
    counts: counts.map(({ relation, decisions, approvals }) =>
      shape(ReviewerRelationCountSchema, { relation: wireOf(relation), decisions: String(decisions), approvals: String(approvals) }),
    ),
  });
}

/** How reviewers stand to what they review. */
export const independenceService = implement(ReviewIndependenceService, {
  getIndependence: async (context, request) =>
    shape(ReviewIndependenceServiceGetIndependenceResponseSchema, {
      independence: shapeIndependence(await readIndependence(context, request.accessReviewId)),
    }),
  setIndependence: async (context, request) =>
    shape(ReviewIndependenceServiceSetIndependenceResponseSchema, {
      independence: shapeIndependence(await setIndependence(context, request.accessReviewId, relationsOf(request.blocked))),
    }),
  listRelatedDecisions: async (context, request, call) => {
    const relations = relationsOf(request.relations);
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => readRelatedDecisions(context, request.accessReviewId, relations, after?.[0] ?? '', limit),
      (row) => [row.actionId],
    );
    const list = rows.map((row) =>
      shape(RelatedDecisionSchema, {
        taskId: row.taskId,
        actionId: row.actionId,
        decidedAt: timestamp(row.decidedAt),
        userId: row.userId,
        personReviewedId: row.personId,
        issuerId: row.issuerId,
        approved: row.isApproved,
        relations: row.relations.map(wireOf),
        comment: row.comment,
        userDisplayName: row.userName,
        issuerDisplayName: row.issuerName,
        appId: row.appId,
        appDisplayName: row.appName,
        appEntitlementId: row.entitlementId,
        entitlementDisplayName: row.entitlement,
        subjectDisplayName: row.subject,
      }),
    );
    return shape(ReviewIndependenceServiceListRelatedDecisionsResponseSchema, { list, nextPageToken });
  },
});
