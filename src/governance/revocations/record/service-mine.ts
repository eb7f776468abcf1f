/** The contract's methods about what came of the caller's decisions: each calls one store function or two and shapes the reply. */
import { type MyCertifiedUntil, MyOutcomeService, type MyRemoval, MyRemovalOutcome } from '../../../gen/countersign/v1/my_outcomes_pb.js';
import type { Context } from '../../../context.ts';
import { wantedText } from '../../../lib/where.ts';
import { pageByKey } from '../../../wire/page.ts';
import type { Row } from '../../../wire/row.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
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

/** Number of next dates that stand beside the outcomes. */
const nextDates = 3;

function shapeRemoval(row: RevocationRow, now: Date): Row<MyRemoval> {
  const { id, outcome, unknown, accessReviewId, certifyTaskId, createdAt, residualAccess: _residual, ...rest } = shapeRevocation(row, now);
  return {
    ...rest,
    revocationId: id,
    outcome: getOutcome(row.state),
    sentence: outcome,
    unknown,
    accessReviewId,
    taskId: certifyTaskId,
    deniedAt: createdAt,
  };
}

function shapeCertified(row: CertifiedUntilRow): Row<MyCertifiedUntil> {
  return {
    ...row,
    accessReviewId: row.reviewId,
    appDisplayName: row.appName,
    appEntitlementId: row.entitlementId,
    entitlementDisplayName: row.entitlement,
    resourceDisplayName: row.resource,
    userDisplayName: row.person,
  };
}

async function shapeOutcomes(context: Context, rows: readonly OutcomeRow[]) {
  const latest = await listDeniedByIds(
    context,
    rows.flatMap(({ latestIds }) => latestIds),
  );
  const byId = new Map(latest.map((row) => [row.id, row]));
  return rows.map((row) => ({
    ...row,
    accessReviewId: row.reviewId,
    latest: row.latestIds.flatMap((id) => {
      const found = byId.get(id);
      return found === undefined ? [] : [shapeRemoval(found, context.now)];
    }),
  }));
}

const nothing: OutcomeCounts = { total: 0, held: 0, open: 0, stillThere: 0, gone: 0, kept: 0, withdrawn: 0 };

/** Serves what came of the caller's decisions. */
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
    return {
      list: await shapeOutcomes(context, rows),
      nextPageToken,
      totals: isFirst ? (rows[0]?.all ?? nothing) : undefined,
      certifiedUntilTotal: total,
      certifiedUntil: next.map(shapeCertified),
    };
  },
  listRemovals: async (context, request, call) => {
    const outcome = request.outcome === MyRemovalOutcome.UNSPECIFIED ? undefined : (MyRemovalOutcome[request.outcome] as MyOutcome);
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listDenied(context, { reviewId: wantedText(request.accessReviewId), outcome }, after, limit),
      (row) => [row.stateAt.toISOString(), row.id],
    );
    return { list: rows.map((row) => shapeRemoval(row, context.now)), nextPageToken };
  },
  listCertifiedUntil: async (context, _request, call) => {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listCertifiedUntil(context, after, limit),
      (row) => [row.certifyUntil.toISOString(), row.taskId],
    );
    return { list: rows.map(shapeCertified), nextPageToken };
  },
});
