/** Writing an acknowledgement: how the items of a review stand, and that somebody confirmed it; or keeping that to be signed. */
import type { Context } from '../../../context.ts';
import { digestLines } from '../../../lib/log/row-digest.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import {
  hashComponents,
  keepSignature,
  lineOfSigned,
  prepareSignature,
  requireSigner,
  type SignatureRow,
  type SignatureTerms,
  type Signed,
} from '../../../foundation/signatures/index.ts';
import { countOutcomes, listDecisionDigests, lockTaskChanges } from '../../tasks/index.ts';
import { type Acknowledgement, type ReviewRow, freshSchedule, updateReview } from '../record/index.ts';

/** Standing of the items of a review: counts, and the digest of every decision. */
export interface Stand {
  readonly counts: Readonly<Record<string, number>>;
  readonly digest: string;
}

/** Reads how the items of a locked review stand, and keeps decisions out until the transaction ends. */
export async function readStand(context: Context, reviewId: string): Promise<Stand> {
  await lockTaskChanges(context, reviewId);
  const counts = await countOutcomes(context, reviewId);
  return { counts: { ...counts }, digest: (await listDecisionDigests(context, [reviewId])).get(reviewId) ?? '' };
}

/** Writes that the actor acknowledges a locked review as it stands, by `signed` where it asks for signatures. */
export async function writeAcknowledgement(
  context: Context,
  review: ReviewRow,
  { counts, digest, comment }: Stand & { readonly comment: string },
  signed?: Signed,
): Promise<{ readonly acknowledgement: Acknowledgement; readonly isValid: true }> {
  const { actor } = context;
  const at = signed?.signedAt ?? context.now;
  const given = signed === undefined ? {} : { signatureId: signed.signature.id };
  const signature = { userId: actor.userId, issuerId: actor.issuerId, at: at.toISOString(), comment, counts, digest, ...given };
  const acknowledgement: Acknowledgement = { ...review.acknowledgement, signature };
  await updateReview(context, review.id, { ...freshSchedule, acknowledgement });
  const eventId = newId(context.now);
  await recordEvent(context, {
    id: eventId,
    kind: 'review.acknowledged',
    targetId: review.id,
    ...(signed === undefined ? {} : { evidence: { signatures: digestLines([lineOfSigned(signed)]) } }),
    data: {
      ...{ userId: actor.userId, counts, digest, comment },
      ...(signed === undefined ? {} : { submissionId: signed.signature.submissionId, ...hashComponents(signed) }),
    },
  });
  if (signed !== undefined) {
    await keepSignature(context, signed, eventId);
  }
  return { acknowledgement, isValid: true };
}

/** Keeps the acknowledgement of a locked review for the actor to sign. PERMISSION_DENIED for whoever never signs. */
export async function prepareAcknowledgement(
  context: Context,
  review: ReviewRow,
  acknowledgement: Stand & { readonly comment: string },
  terms: SignatureTerms,
  origin: string,
): Promise<SignatureRow> {
  requireSigner(context.actor);
  const reviewName = review.document.displayName ?? '';
  return prepareSignature(context, {
    review: { id: review.id, name: reviewName },
    ...{ origin, terms },
    submissionId: newId(context.now),
    subject: { acknowledgement },
    request: { reviewName, ...acknowledgement },
    idempotencyKey: '',
    requestDigest: '',
  });
}
