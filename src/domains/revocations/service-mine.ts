/** The contract's methods about what came of the caller's decisions: each calls one store function or two and shapes the reply. */
import {
  type MyCertifiedUntilJson,
  MyCertifiedUntilSchema,
  MyOutcomeService,
  MyOutcomeServiceListCertifiedUntilResponseSchema,
  MyOutcomeServiceListRemovalsResponseSchema,
  MyOutcomeServiceListResponseSchema,
  type MyRemovalJson,
  MyRemovalCountsSchema,
  MyRemovalOutcome,
  MyRemovalSchema,
  MyReviewOutcomeSchema,
} from '../../gen/countersign/v1/my_outcomes_pb.js';
import type { Context } from '../../context.ts';
import { textOf } from '../../lib/where.ts';
import { pageByKey } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import {
  type CertifiedUntilRow,
  countCertifiedUntil,
  listCertifiedUntil,
  listDenied,
  listDeniedByIds,
  listOutcomes,
  type OutcomeCounts,
  type OutcomeRow,
} from './store-mine.ts';
import { type MyOutcome, getOutcome } from './store-states.ts';
import type { RevocationRow } from './store.ts';
import { shapeRevocation } from './view.ts';

/** How many of the next dates stand beside the outcomes. */
const nextDates = 3;

function shapeRemoval(row: RevocationRow, now: Date): MyRemovalJson {
  const { id, outcome, unknown, accessReviewId, certifyTaskId, createdAt, residualAccess: _residual, ...rest } = shapeRevocation(row, now);
  return shape(MyRemovalSchema, {
    revocationId: id,
    outcome: `MY_REMOVAL_OUTCOME_${getOutcome(row.state)}`,
    state: rest.state,
    sentence: outcome,
    unknown,
    accessReviewId,
    taskId: certifyTaskId,
    appId: rest.appId,
    appDisplayName: rest.appDisplayName,
    appEntitlementId: rest.appEntitlementId,
    entitlementDisplayName: rest.entitlementDisplayName,
    resourceDisplayName: rest.resourceDisplayName,
    account: rest.account,
    userId: rest.userId,
    userDisplayName: rest.userDisplayName,
    deniedAt: createdAt,
    requestedAt: rest.requestedAt,
    claimedAt: rest.claimedAt,
    stateChangedAt: rest.stateChangedAt,
    dueAt: rest.dueAt,
    isOverdue: rest.isOverdue,
    lastSeenAt: rest.lastSeenAt,
  });
}

function shapeCounts(counts: OutcomeCounts) {
  return shape(MyRemovalCountsSchema, Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)])));
}

function shapeCertified(row: CertifiedUntilRow): MyCertifiedUntilJson {
  return shape(MyCertifiedUntilSchema, {
    taskId: row.taskId,
    accessReviewId: row.reviewId,
    certifyUntil: timestamp(row.certifyUntil),
    appId: row.appId,
    appDisplayName: row.appName,
    appEntitlementId: row.entitlementId,
    entitlementDisplayName: row.entitlement,
    resourceDisplayName: row.resource,
    account: row.account,
    userId: row.userId ?? '',
    userDisplayName: row.person,
  });
}

async function shapeOutcomes(context: Context, rows: readonly OutcomeRow[]) {
  const latest = await listDeniedByIds(
    context,
    rows.flatMap(({ latestIds }) => latestIds),
  );
  const byId = new Map(latest.map((row) => [row.id, row]));
  return rows.map((row) =>
    shape(MyReviewOutcomeSchema, {
      accessReviewId: row.reviewId,
      displayName: row.displayName,
      closedAt: timestamp(row.closedAt),
      counts: shapeCounts(row.counts),
      firstGoneAt: timestamp(row.firstGoneAt),
      lastGoneAt: timestamp(row.lastGoneAt),
      lastChangedAt: timestamp(row.lastChangedAt),
      latest: row.latestIds.flatMap((id) => {
        const found = byId.get(id);
        return found === undefined ? [] : [shapeRemoval(found, context.now)];
      }),
    }),
  );
}

const nothing: OutcomeCounts = { total: 0, held: 0, open: 0, stillThere: 0, gone: 0, kept: 0, withdrawn: 0 };

/** What came of the caller's decisions. */
export const myOutcomeService: BoundService = implement(MyOutcomeService, {
  list: async (context, _request, call) => {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listOutcomes(context, after, limit),
      (row) => [row.lastChangedAt.toISOString(), row.reviewId],
    );
    const isFirst = call.page.after === undefined;
    const total = isFirst ? await countCertifiedUntil(context) : 0;
    const next = total === 0 ? [] : await listCertifiedUntil(context, undefined, nextDates);
    return shape(MyOutcomeServiceListResponseSchema, {
      list: await shapeOutcomes(context, rows),
      nextPageToken,
      ...(isFirst ? { totals: shapeCounts(rows[0]?.all ?? nothing) } : {}),
      certifiedUntilTotal: String(total),
      certifiedUntil: next.map(shapeCertified),
    });
  },
  listRemovals: async (context, request, call) => {
    const outcome = request.outcome === MyRemovalOutcome.UNSPECIFIED ? undefined : (MyRemovalOutcome[request.outcome] as MyOutcome);
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listDenied(context, { reviewId: textOf(request.accessReviewId), outcome }, after, limit),
      (row) => [row.stateAt.toISOString(), row.id],
    );
    return shape(MyOutcomeServiceListRemovalsResponseSchema, {
      list: rows.map((row) => shapeRemoval(row, context.now)),
      nextPageToken,
    });
  },
  listCertifiedUntil: async (context, _request, call) => {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listCertifiedUntil(context, after, limit),
      (row) => [row.certifyUntil.toISOString(), row.taskId],
    );
    return shape(MyOutcomeServiceListCertifiedUntilResponseSchema, { list: rows.map(shapeCertified), nextPageToken });
  },
});
