/** The contract's method about what one person holds: it calls one rule and shapes the reply. */
import {
  GrantDecisionSchema,
  PersonGrantSchema,
  PersonGrantService,
  PersonGrantServiceListResponseSchema,
  PersonGrantTotalsSchema,
} from '../../gen/countersign/v1/person_grants_pb.js';
import { pageByKey } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { countHeld, listHeld, type PersonGrant, requirePersonGrants, withDecisions } from './person-grants.ts';

function shapeGrant(row: PersonGrant) {
  return shape(PersonGrantSchema, {
    appId: row.appId,
    appDisplayName: row.appName,
    appEntitlementId: row.entitlementId,
    entitlement: row.entitlement,
    entitlementDescription: row.description,
    resource: row.resource ?? '',
    riskLevel: row.riskLevel ?? '',
    appUserId: row.accountId,
    account: row.account,
    accountStatus: row.accountStatus,
    isDerived: row.isDerived,
    isDirect: row.paths === null || row.paths.some((path) => path.length === 0),
    grantedAt: timestamp(row.grantedAt),
    lastUsedAt: timestamp(row.lastUsedAt),
    deprovisionAt: timestamp(row.deprovisionAt),
    appearedAt: timestamp(row.createdAt),
    endedAt: timestamp(row.endedAt),
    decisions: row.decisions.map((decision) =>
      shape(GrantDecisionSchema, {
        accessReviewId: decision.reviewId,
        reviewDisplayName: decision.reviewName,
        taskId: decision.taskId,
        outcome: decision.outcome,
        decidedAt: timestamp(decision.decidedAt),
        certifyUntil: timestamp(decision.certifyUntil),
        decidedByUserId: decision.decidedById ?? '',
        decidedBy: decision.decidedBy ?? '',
      }),
    ),
    openTaskId: row.open?.taskId ?? '',
    openAccessReviewId: row.open?.reviewId ?? '',
    inConflict: row.inConflict,
  });
}

/** What one person holds and held. */
export const personGrantService: BoundService = implement(PersonGrantService, {
  async list(context, { userId, includeEnded }, call) {
    await requirePersonGrants(context, userId);
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listHeld(context, { userId, includeEnded }, after, limit),
      (row) => [row.appId, row.entitlementId, row.accountId, String(row.addedRevision)],
    );
    const totals = call.page.after === undefined ? await countHeld(context, userId) : undefined;
    return shape(PersonGrantServiceListResponseSchema, {
      list: (await withDecisions(context, rows)).map(shapeGrant),
      nextPageToken,
      ...(totals === undefined
        ? {}
        : {
            totals: shape(PersonGrantTotalsSchema, {
              current: String(totals.current),
              apps: String(totals.apps),
              ended: String(totals.ended),
              accounts: String(totals.accounts),
              lastDecidedAt: timestamp(totals.lastDecidedAt),
            }),
          }),
    });
  },
});
