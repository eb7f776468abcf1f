/**
 * The contract's methods about what a review rests on: how old its data is, and who acknowledges its decisions. Each calls one rule and shapes
 * the reply.
 */
import {
  type AccuracyFlagJson,
  type AccuracySyncResultJson,
  type ReviewAccuracyJson,
  ReviewAccuracySchema,
  ReviewAccuracyService,
  ReviewAccuracyServiceGetAccuracyResponseSchema,
  type ReviewAcknowledgementJson,
  ReviewAcknowledgementSchema,
  ReviewAcknowledgementService,
  ReviewAcknowledgementServiceGetAcknowledgementResponseSchema,
  ReviewAcknowledgementServiceSetAcknowledgementResponseSchema,
  ReviewCountsSchema,
  SourceAccuracySchema,
} from '../../gen/countersign/v1/review_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { readAccuracy } from './accuracy.ts';
import { type AcknowledgementView, readAcknowledgement, setAcknowledgement } from './acknowledge.ts';
import type { Accuracy, ReviewRow, SourceAccuracy } from './store.ts';

/** A time that is kept as text, undefined where there is none. */
const timeOf = (text: string): string | undefined => (text === '' ? undefined : timestamp(new Date(text)));

/** An acknowledgement as it looks outside. */
export function shapeAcknowledgement({ acknowledgement, isValid }: AcknowledgementView): ReviewAcknowledgementJson {
  const { required = false, userIds = [], signature } = acknowledgement;
  const counts = Object.entries(signature?.counts ?? {}).map(([name, count]) => [name, String(count)]);
  return shape(ReviewAcknowledgementSchema, {
    required,
    userIds: [...userIds],
    ...(signature === undefined
      ? {}
      : {
          acknowledgedById: signature.userId,
          issuerId: signature.issuerId,
          acknowledgedAt: timeOf(signature.at),
          comment: signature.comment,
          counts: shape(ReviewCountsSchema, Object.fromEntries(counts)),
          digest: signature.digest,
        }),
    valid: isValid,
  });
}

/** A source with its last sync and what is wrong with it. */
export function shapeSource(source: SourceAccuracy) {
  return shape(SourceAccuracySchema, {
    connectorId: source.connectorId,
    appId: source.appId,
    displayName: source.displayName,
    appDisplayName: source.appDisplayName ?? '',
    lastSyncAt: timeOf(source.lastSyncAt),
    lastResult: `ACCURACY_SYNC_RESULT_${source.lastResult || 'UNSPECIFIED'}` as AccuracySyncResultJson,
    lastDoneAt: timeOf(source.lastDoneAt),
    rows: String(source.rows),
    flags: source.flags.map((flag) => `ACCURACY_FLAG_${flag}` as AccuracyFlagJson),
  });
}

function shapeAccuracy(accuracy: Accuracy, review?: ReviewRow): ReviewAccuracyJson {
  return shape(ReviewAccuracySchema, {
    checkedAt: timeOf(accuracy.checkedAt),
    supported: accuracy.supported,
    sources: accuracy.sources.map(shapeSource),
    heldSince: review?.state === 'DRAFT' ? timestamp(review.heldAt) : undefined,
  });
}

const accuracyService = implement(ReviewAccuracyService, {
  async getAccuracy(context, request) {
    const { review, now, atSnapshot } = await readAccuracy(context, request.accessReviewId);
    return shape(ReviewAccuracyServiceGetAccuracyResponseSchema, {
      accuracy: shapeAccuracy(now, review),
      ...(atSnapshot === null ? {} : { atSnapshot: shapeAccuracy(atSnapshot) }),
    });
  },
});

const acknowledgementService = implement(ReviewAcknowledgementService, {
  async getAcknowledgement(context, request) {
    const view = await readAcknowledgement(context, request.accessReviewId);
    return shape(ReviewAcknowledgementServiceGetAcknowledgementResponseSchema, { acknowledgement: shapeAcknowledgement(view) });
  },
  async setAcknowledgement(context, { accessReviewId, required, userIds }) {
    const view = await setAcknowledgement(context, accessReviewId, { required, userIds });
    return shape(ReviewAcknowledgementServiceSetAcknowledgementResponseSchema, { acknowledgement: shapeAcknowledgement(view) });
  },
});

/** What a review rests on. */
export const evidenceServices: readonly BoundService[] = [accuracyService, acknowledgementService];
