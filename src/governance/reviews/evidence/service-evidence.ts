/**
 * The contract's methods about what a review rests on: how old its data is, and who acknowledges its decisions. Each calls one rule and shapes
 * the reply.
 */
import {
  type ReviewAccuracy,
  ReviewAccuracyService,
  type ReviewAcknowledgement,
  ReviewAcknowledgementService,
} from '../../../gen/countersign/v1/review_pb.js';
import type { Row } from '../../../wire/row.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
import { readAccuracy } from './accuracy.ts';
import { type AcknowledgementView, readAcknowledgement, setAcknowledgement } from './acknowledge.ts';
import type { Accuracy, ReviewRow, SourceAccuracy } from '../record/index.ts';

/** A time that is kept as text, undefined where there is none. */
const timeOf = (text: string | undefined): Date | undefined => (text ? new Date(text) : undefined);

/** An acknowledgement as it looks outside. */
export function shapeAcknowledgement({ acknowledgement, isValid }: AcknowledgementView): Row<ReviewAcknowledgement> {
  const { required = false, userIds = [], signature } = acknowledgement;
  return {
    required,
    userIds,
    comment: signature?.comment,
    counts: signature?.counts as Row<ReviewAcknowledgement>['counts'],
    digest: signature?.digest,
    signatureId: signature?.signatureId,
    issuerId: signature?.issuerId,
    acknowledgedById: signature?.userId,
    acknowledgedAt: timeOf(signature?.at),
    valid: isValid,
  };
}

/** A source with its last sync and what is wrong with it. */
export function shapeSource(source: SourceAccuracy) {
  return {
    ...source,
    appDisplayName: source.appDisplayName,
    lastSyncAt: timeOf(source.lastSyncAt),
    lastResult: source.lastResult || ('UNSPECIFIED' as const),
    lastDoneAt: timeOf(source.lastDoneAt),
    observedFrom: timeOf(source.observedFrom ?? source.lastDoneAt),
  };
}

function shapeAccuracy(accuracy: Accuracy, review?: ReviewRow): Row<ReviewAccuracy> {
  return {
    checkedAt: timeOf(accuracy.checkedAt),
    supported: accuracy.supported,
    sources: accuracy.sources.map(shapeSource),
    heldSince: review?.state === 'DRAFT' ? review.heldAt : undefined,
  };
}

const accuracyService = implement(ReviewAccuracyService, {
  async getAccuracy(context, request) {
    const { review, now, atSnapshot } = await readAccuracy(context, request.accessReviewId);
    return { accuracy: shapeAccuracy(now, review), atSnapshot: atSnapshot && shapeAccuracy(atSnapshot) };
  },
});

const acknowledgementService = implement(ReviewAcknowledgementService, {
  async getAcknowledgement(context, request) {
    const view = await readAcknowledgement(context, request.accessReviewId);
    return { acknowledgement: shapeAcknowledgement(view) };
  },
  async setAcknowledgement(context, { accessReviewId, required, userIds }) {
    const view = await setAcknowledgement(context, accessReviewId, { required, userIds });
    return { acknowledgement: shapeAcknowledgement(view) };
  },
});

/** Services of a review's evidence. */
export const evidenceServices: readonly BoundService[] = [accuracyService, acknowledgementService];
