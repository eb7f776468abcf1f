/** The contract's methods about roll-forwards: each calls one rule and shapes the reply. */
import {
  RollForwardCause as WireCause,
  RollForwardKind as WireKind,
  RollForwardService,
} from '../../gen/countersign/v1/roll_forward_pb.js';
import { pageByKey } from '../../wire/page.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { differenceOf, readLines, readRollForward, requestRollForward } from './roll-forward.ts';
import type { LineCause, LineKind, RollForwardRow } from './store.ts';
import type { LineRow } from './store-lines.ts';

/** A roll-forward as it looks outside. */
function shapeRollForward(row: RollForwardRow) {
  const count = (name: string): number | undefined => row.counts[name];
  return {
    ...row,
    accessReviewId: row.reviewId,
    firstAccessReviewId: row.firstId,
    firstPopulation: row.firstCount,
    additions: count('ADDED'),
    enteredScope: count('ENTERED_SCOPE'),
    removalsByDecision: count('REMOVED_DECISION'),
    removalsByExpiry: count('REMOVED_EXPIRY'),
    removalsByLeaver: count('REMOVED_LEAVER'),
    removalsUnexplained: count('REMOVED_UNEXPLAINED'),
    leftScope: count('LEFT_SCOPE'),
    secondPopulation: row.secondCount,
    difference: differenceOf(row),
  };
}

function shapeLine(row: LineRow) {
  return {
    ...row,
    cause: row.cause || ('UNSPECIFIED' as const),
    appUserId: row.accountId,
    appEntitlementId: row.entitlementId,
    appDisplayName: row.appName,
    appUserDisplayName: row.accountName,
    appEntitlementDisplayName: row.entitlementName,
    decidedInAccessReviewId: row.decidedInId,
    syncConnectorId: row.syncSourceId,
    syncConnectorDisplayName: row.syncSourceName,
    actorDisplayName: row.actorName,
    decidedInAccessReviewDisplayName: row.decidedInName,
  };
}

const rollForwards = implement(RollForwardService, {
  create: async (context, request) => {
    const row = await requestRollForward(context, request.accessReviewId, request.firstAccessReviewId);
    return { rollForward: shapeRollForward(row) };
  },
  get: async (context, request) => ({ rollForward: shapeRollForward(await readRollForward(context, request.accessReviewId)) }),
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
    return { list: rows.map(shapeLine), nextPageToken };
  },
});

/** Services of this module. */
export const services: readonly BoundService[] = [rollForwards];
