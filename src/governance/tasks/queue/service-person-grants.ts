/** The contract's method about what one person holds: it calls one rule and shapes the reply. */
import { PersonGrantService } from '../../../gen/countersign/v1/person_grants_pb.js';
import { pageByKey } from '../../../wire/page.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
import { countHeld, listHeld, type PersonGrant, requirePersonGrants, withDecisions } from './person-grants.ts';

function shapeGrant(row: PersonGrant) {
  return {
    ...row,
    appDisplayName: row.appName,
    appEntitlementId: row.entitlementId,
    entitlementDescription: row.description,
    appUserId: row.accountId,
    isDirect: row.paths === null || row.paths.some((path) => path.length === 0),
    appearedAt: row.createdAt,
    decisions: row.decisions.map((decision) => ({
      ...decision,
      accessReviewId: decision.reviewId,
      reviewDisplayName: decision.reviewName,
      decidedByUserId: decision.decidedById,
    })),
    openTaskId: row.open?.taskId,
    openAccessReviewId: row.open?.reviewId,
  };
}

/** Access a person holds and held. */
export const personGrantService: BoundService = implement(PersonGrantService, {
  async list(context, { userId, includeEnded }, call) {
    await requirePersonGrants(context, userId);
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listHeld(context, { userId, includeEnded }, after, limit),
      (row) => [row.appId, row.entitlementId, row.accountId, String(row.addedRevision)],
    );
    const totals = call.page.after === undefined ? await countHeld(context, userId) : undefined;
    return {
      list: (await withDecisions(context, rows)).map(shapeGrant),
      nextPageToken,
      totals,
    };
  },
});
