/** The contract's methods about roll-forwards: each calls one rule and shapes the reply. */
import {
  RollForwardCause as WireCause,
  RollForwardKind as WireKind,
  RollForwardLineSchema,
  RollForwardSchema,
  RollForwardService,
  RollForwardServiceCreateResponseSchema,
  RollForwardServiceGetResponseSchema,
  RollForwardServiceListLinesResponseSchema,
} from '../../gen/countersign/v1/roll_forward_pb.js';
import { pageByKey } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { differenceOf, readLines, readRollForward, requestRollForward } from './roll-forward.ts';
import type { LineCause, LineKind, RollForwardRow } from './store.ts';
import type { LineRow } from './store-lines.ts';

/** A roll-forward as it looks outside. */
function shapeRollForward(row: RollForwardRow) {
  const count = (name: string): string => String(row.counts[name] ?? 0);
  return shape(RollForwardSchema, {
    accessReviewId: row.reviewId,
    firstAccessReviewId: row.firstId,
    state: `ROLL_FORWARD_STATE_${row.state}`,
    error: row.error,
    madeAt: timestamp(row.madeAt),
    firstRevision: String(row.firstRevision),
    secondRevision: String(row.secondRevision),
    firstPopulation: String(row.firstCount),
    additions: count('ADDED'),
    enteredScope: count('ENTERED_SCOPE'),
    removalsByDecision: count('REMOVED_DECISION'),
    removalsByExpiry: count('REMOVED_EXPIRY'),
    removalsByLeaver: count('REMOVED_LEAVER'),
    removalsUnexplained: count('REMOVED_UNEXPLAINED'),
    leftScope: count('LEFT_SCOPE'),
    secondPopulation: String(row.secondCount),
    difference: String(differenceOf(row)),
  });
}

function shapeLine(row: LineRow) {
  return shape(RollForwardLineSchema, {
    number: String(row.number),
    kind: `ROLL_FORWARD_KIND_${row.kind}`,
    cause: `ROLL_FORWARD_CAUSE_${row.cause || 'UNSPECIFIED'}`,
    appId: row.appId,
    appUserId: row.accountId,
    appEntitlementId: row.entitlementId,
    appDisplayName: row.appName,
    appUserDisplayName: row.accountName,
    appEntitlementDisplayName: row.entitlementName,
    userId: row.userId,
    revision: String(row.revision),
    occurredAt: timestamp(row.occurredAt),
    syncId: row.syncId,
    actorId: row.actorId,
    decidedInAccessReviewId: row.decidedInId,
    leftOutBy: row.leftOutBy,
    syncConnectorId: row.syncSourceId,
    syncConnectorDisplayName: row.syncSourceName,
    syncStartedAt: timestamp(row.syncStartedAt),
    actorDisplayName: row.actorName,
    decidedInAccessReviewDisplayName: row.decidedInName,
  });
}

const rollForwards = implement(RollForwardService, {
  create: async (context, request) => {
    const row = await requestRollForward(context, request.accessReviewId, request.firstAccessReviewId);
    return shape(RollForwardServiceCreateResponseSchema, { rollForward: shapeRollForward(row) });
  },
  get: async (context, request) =>
    shape(RollForwardServiceGetResponseSchema, { rollForward: shapeRollForward(await readRollForward(context, request.accessReviewId)) }),
  listLines: async (context, request, call) => {
    const filter = {
      kinds: request.kinds.filter((kind) => kind !== WireKind.UNSPECIFIED).map((kind) => WireKind[kind] as LineKind),
      causes: request.causes.filter((cause) => cause !== WireCause.UNSPECIFIED).map((cause) => WireCause[cause] as LineCause),
    };
    const { rows, nextPageToken } = await pageByKey(
      call,
      async (after, limit) => [...(await readLines(context, request.accessReviewId, filter, Number(after?.[0] ?? 0), limit))],
      (row) => [String(row.number)],
    );
    return shape(RollForwardServiceListLinesResponseSchema, { list: rows.map(shapeLine), nextPageToken });
  },
});

/** What this module serves. */
export const services: readonly BoundService[] = [rollForwards];
