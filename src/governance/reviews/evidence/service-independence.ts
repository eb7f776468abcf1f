/** The contract's methods about how reviewers stand to what they review: each calls one rule and shapes the reply. */
import { ReviewerRelation, ReviewIndependenceService } from '../../../gen/countersign/v1/independence_pb.js';
import { pageByKey } from '../../../wire/page.ts';
import { implement } from '../../../wire/service.ts';
import type { Relation } from '../../tasks/index.ts';
import { readIndependence, readRelatedDecisions, setIndependence } from './independence.ts';

/** Relations as they are kept; the unspecified one says nothing. */
function relationsOf(values: readonly ReviewerRelation[]): Relation[] {
  return values.filter((value) => value !== ReviewerRelation.UNSPECIFIED).map((value) => ReviewerRelation[value] as Relation);
}

/** Relations of reviewers to what they review. */
export const independenceService = implement(ReviewIndependenceService, {
  getIndependence: async (context, request) => ({
    independence: await readIndependence(context, request.accessReviewId),
  }),
  setIndependence: async (context, request) => ({
    independence: await setIndependence(context, request.accessReviewId, relationsOf(request.blocked)),
  }),
  listRelatedDecisions: async (context, request, call) => {
    const relations = relationsOf(request.relations);
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => readRelatedDecisions(context, request.accessReviewId, relations, after?.[0] ?? '', limit),
      (row) => [row.actionId],
    );
    const list = rows.map((row) => ({
      ...row,
      personReviewedId: row.personId,
      approved: row.isApproved,
      userDisplayName: row.userName,
      issuerDisplayName: row.issuerName,
      appDisplayName: row.appName,
      appEntitlementId: row.entitlementId,
      entitlementDisplayName: row.entitlement,
      subjectDisplayName: row.subject,
    }));
    return { list, nextPageToken };
  },
});
