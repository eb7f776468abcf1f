/**
 * Acknowledging the decisions of a review: somebody who decided nothing in it confirms all of them, as they stand, before it closes. Any decision,
 * restart or amendment after that makes it void, since its digest is then another.
 */
import { AppError, invalidField } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { recordEvent, refuseStale } from '../../../foundation/audit/index.ts';
import { holds, peopleBehind, refuseAnswer } from '../../../foundation/authority/index.ts';
import { findOrigin } from '../../../foundation/log-proofs/index.ts';
import type { SignatureRow } from '../../../foundation/signatures/index.ts';
import { listDecidedReviews, listDecisionDigests } from '../../tasks/index.ts';
import {
  type Acknowledgement,
  type ReviewRow,
  findReview,
  findSignatureTerms,
  freshSchedule,
  isAcknowledger,
  judgeMove,
  listOwnerViolations,
  lockReview,
  nameStage,
  refuseViolations,
  requireLockedReview,
  requireReview,
  requireSight,
  changeStage,
  updateReview,
} from '../record/index.ts';
import { prepareAcknowledgement, readStand, writeAcknowledgement } from './write-acknowledgement.ts';

const maxCommentLength = 10_000;

/** The acknowledgement of a review as it is set, and whether it holds for the decisions as they are. */
export interface AcknowledgementView {
  readonly acknowledgement: Acknowledgement;
  readonly isValid: boolean;
}

/** An acknowledgement, or the signature that it waits for. */
export interface Acknowledged extends AcknowledgementView {
  readonly signature?: SignatureRow;
}

/** Of these reviews, those whose acknowledgement holds for the decisions as they are. One statement for all of them. */
export async function listAcknowledged(context: Context, reviews: readonly ReviewRow[]): Promise<ReadonlySet<string>> {
  const signed = reviews.filter(
    ({ acknowledgement: { signature, userIds = [] } }) => signature !== undefined && userIds.includes(signature.userId),
  );
  const digests = await listDecisionDigests(
    context,
    signed.map((review) => review.id),
  );
  return new Set(signed.filter((review) => digests.get(review.id) === review.acknowledgement.signature?.digest).map((review) => review.id));
}

/** True if a review may close as far as its acknowledgement goes: it is not required, or there, and holds. */
export async function isAcknowledged(context: Context, review: ReviewRow): Promise<boolean> {
  return review.acknowledgement.required !== true || (await listAcknowledged(context, [review])).has(review.id);
}

/** FAILED_PRECONDITION where a review has to be acknowledged first. */
export async function requireAcknowledged(context: Context, review: ReviewRow): Promise<void> {
  if (!(await isAcknowledged(context, review))) {
    const lost = review.acknowledgement.signature === undefined ? 'nobody did' : 'decisions changed after somebody did';
    throw new AppError(
      'FAILED_PRECONDITION',
      `The decisions of this review have to be acknowledged before it closes, and ${lost}. One of the people of its acknowledgement does that.`,
    );
  }
}

/** The acknowledgement of a review, whoever asks. */
export async function findAcknowledgement(context: Context, review: ReviewRow): Promise<AcknowledgementView> {
  return { acknowledgement: review.acknowledgement, isValid: (await listAcknowledged(context, [review])).has(review.id) };
}

/** The acknowledgement of a review, for who reads all of it and for the people it names; refuses others as `requireReview` does. */
export async function readAcknowledgement(context: Context, id: string): Promise<AcknowledgementView> {
  const review = await findReview(context, id);
  const isNamed = review !== undefined && isAcknowledger(context.actor, review);
  return findAcknowledgement(context, isNamed ? review : await requireReview(context, id, 'read'));
}

/**
 * Sets who may acknowledge and whether that is required. INVALID_ARGUMENT for nobody where it is required, too many, and whoever is not an
 * enabled person; FAILED_PRECONDITION once close was accepted.
 */
export function setAcknowledgement(
  context: Context,
  id: string,
  wanted: { readonly required: boolean; readonly userIds: readonly string[] },
): Promise<AcknowledgementView> {
  return inTransaction(context, async (inside) => {
    const review = await requireLockedReview(inside, id);
    const stage = changeStage(review);
    if (stage === 'CLOSING' || stage === 'CLOSED') {
      throw new AppError('FAILED_PRECONDITION', `The review is ${nameStage(stage)}: its acknowledgement cannot be changed any more.`);
    }
    const userIds = [...new Set(wanted.userIds)].sort();
    refuseViolations([
      ...(wanted.required && userIds.length === 0
        ? [{ field: 'userIds', description: 'must name at least one person, as it is required' }]
        : []),
      ...(await listOwnerViolations(inside, userIds, 'userIds')),
    ]);
    const before = review.acknowledgement;
    const acknowledgement: Acknowledgement = { ...before, required: wanted.required, userIds };
    if (before.required !== wanted.required || (before.userIds ?? []).join() !== userIds.join()) {
      const stands = { required: before.required, userIds: before.userIds };
      await refuseStale(inside, { targetId: id, kinds: ['review.acknowledgement_set'], before: stands, isSet: true });
      await updateReview(inside, id, { ...freshSchedule, acknowledgement });
      await recordEvent(inside, {
        kind: 'review.acknowledgement_set',
        targetId: id,
        data: { required: wanted.required, userIds },
      });
    }
    return findAcknowledgement(inside, { ...review, acknowledgement });
  });
}

/**
 * Locks a review that the actor may acknowledge now, and returns it. NOT_FOUND for callers who may not know of it; PERMISSION_DENIED for who is not
 * named, and for who decided in it; FAILED_PRECONDITION in other states, unless it is closed and was acknowledged: `current` then is all there is to
 * say, as where the actor acknowledged it already.
 */
export async function lockToAcknowledge(
  context: Context,
  id: string,
): Promise<{ readonly review: ReviewRow; readonly current: AcknowledgementView | undefined }> {
  const found = await lockReview(context, id);
  const isNamed = found !== undefined && isAcknowledger(context.actor, found);
  const review = isNamed ? found : (await requireSight(context, id)).review;
  if (!isNamed) {
    throw new AppError('PERMISSION_DENIED', 'Only the people whom the acknowledgement of this review names may acknowledge its decisions.');
  }
  const verdict = judgeMove('acknowledge', changeStage(review));
  const current = await findAcknowledgement(context, review);
  if (verdict === 'already' && !current.isValid) {
    throw new AppError('FAILED_PRECONDITION', 'The review is closed, and its decisions were not acknowledged: that is no longer possible.');
  }
  if (verdict === 'already' || (current.isValid && review.acknowledgement.signature?.userId === context.actor.userId)) {
    return { review, current };
  }
  if ((await listDecidedReviews(context, [id], peopleBehind(context.actor))).has(id)) {
    throw new AppError(
      'PERMISSION_DENIED',
      'You, or whoever issued what you act through, decided in this review. Somebody who decided nothing in it acknowledges its decisions.',
    );
  }
  return { review, current: undefined };
}

/** Acknowledges the decisions of an open review as they stand, or prepares what is to be signed where it asks for signatures. As `lockToAcknowledge` throws. */
export async function acknowledgeReview(context: Context, id: string, comment: string): Promise<Acknowledged> {
  const found = await findReview(context, id);
  const isAsked = found !== undefined && isAcknowledger(context.actor, found) && findSignatureTerms(found.document) !== undefined;
  const origin = isAsked ? await findOrigin(context) : '';
  return inTransaction(context, async (inside) => {
    const { review, current } = await lockToAcknowledge(inside, id);
    if (current !== undefined) {
      return current;
    }
    if (comment.length > maxCommentLength) {
      throw invalidField('comment', `must have at most ${maxCommentLength} characters`);
    }
    const stand = await readStand(inside, review.id);
    const terms = findSignatureTerms(review.document);
    if (terms === undefined) {
      return writeAcknowledgement(inside, review, { ...stand, comment });
    }
    const signature = await prepareAcknowledgement(inside, review, { ...stand, comment }, terms, origin);
    return { ...(await findAcknowledgement(inside, review)), signature };
  });
}

/** Lists the reviews that this caller could acknowledge now: those it is named in, that are open, and in which it decided nothing. */
export async function listAcknowledgeable(context: Context, reviews: readonly ReviewRow[]): Promise<ReadonlySet<string>> {
  if (refuseAnswer(context.actor) !== undefined || !holds(context.actor, 'tasks.decide')) {
    return new Set();
  }
  const open = reviews
    .filter((review) => isAcknowledger(context.actor, review) && changeStage(review) === 'OPEN')
    .map((review) => review.id);
  const decided = await listDecidedReviews(context, open, peopleBehind(context.actor));
  return new Set(open.filter((id) => !decided.has(id)));
}
