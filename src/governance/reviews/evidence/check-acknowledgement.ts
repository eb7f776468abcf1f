/** Holds the acknowledgement of a review to the last event that recorded one, and to its signature. */
import type { Context } from '../../../context.ts';
import { canonicalJson } from '../../../lib/log/canonical-json.ts';
import { type EntryRow, listChanges } from '../../../foundation/audit/index.ts';
import type { EvidenceSource } from '../../../foundation/log-proofs/index.ts';
import { findSignature } from '../../../foundation/signatures/index.ts';
import { findReview } from '../record/index.ts';

const kind = 'review.acknowledged';

/** True if no later event recorded an acknowledgement of the review. */
async function isLast(context: Context, { eventId, targetId: reviewId }: EntryRow): Promise<boolean> {
  const of = { reviewId, reviewKinds: [kind] as const, targetIds: [], targetKinds: [], until: context.now };
  return (await listChanges(context, of, 1)).every(({ id }) => id <= eventId);
}

async function isAsRecorded(context: Context, entry: EntryRow): Promise<boolean> {
  const review = await findReview(context, entry.targetId);
  if (review === undefined || review.emptiedAt !== null) {
    return true;
  }
  const { signature } = review.acknowledgement;
  if (signature === undefined) {
    return false;
  }
  const { userId, counts, digest, comment, signatureId = '' } = JSON.parse(entry.data) as Record<string, string>;
  const signedAt = signatureId === '' ? entry.occurredAt : (await findSignature(context, signatureId))?.signedAt;
  return (
    canonicalJson({ ...signature, counts: { ...signature.counts } }) ===
    canonicalJson({
      ...{ userId, counts, digest, comment, issuerId: entry.issuerId },
      at: signedAt?.toISOString() ?? '',
      ...(signatureId === '' ? {} : { signatureId }),
    })
  );
}

async function listWrong(context: Context, entries: readonly EntryRow[]): Promise<string[]> {
  const sentences: string[] = [];
  for (const entry of entries) {
    const isHeld = entry.kind === kind && entry.contentHash === null && entry.targetId !== '';
    if (isHeld && !(await isAsRecorded(context, entry)) && (await isLast(context, entry))) {
      sentences.push(`reviews ${entry.targetId}: its acknowledgement is not what event ${entry.eventId} recorded.`);
    }
  }
  return sentences;
}

/** Evidence of acknowledgements, which are part of the row of their review: no row is recorded for them alone. */
export const acknowledgementEvidence: EvidenceSource = {
  table: 'reviews',
  list: async () => [],
  listWrong,
  listStray: async () => [],
  listEventIds: async () => [],
};
