/**
 * Acknowledging the decisions of a review: somebody who decided nothing in it confirms all of them, as they stand, before it closes. Any decision,
 * restart or amendment after that makes it void, since its digest is then another.
 */
import { AppError, invalidField } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { countOutcomes, listDecidedReviews, listDecisionDigests, lockTaskChanges } from '../tasks/index.ts';
import { nameStage, stageOf } from './changeable.ts';
import { judgeMove } from './moves.ts';
import { isAcknowledger, requireLockedReview, requireReview, requireSight } from './permit.ts';
import { type Acknowledgement, findReview, freshSchedule, lockReview, type ReviewRow, updateReview } from './store.ts';
import { listOwnerViolations } from './validate-owners.ts';
import { refuseViolations } from './validate-review.ts';

const maxCommentLength = 10_000;

/** The acknowledgement of a review as it is set, and whether it holds for the decisions as they are. */
export interface AcknowledgementView {
  readonly acknowledgement: Acknowledgement;
  readonly isValid: boolean;
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

/** Whether a review may close as far as its acknowledgement goes: it is not required, or there, and holds. */
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

async function viewOf(context: Context, review: ReviewRow): Promise<AcknowledgementView> {
  return { acknowledgement: review.acknowledgement, isValid: (await listAcknowledged(context, [review])).has(review.id) };
}

/** The acknowledgement of a review, for who reads all of it and for the people it names; refuses others as `requireReview` does. */
export async function readAcknowledgement(context: Context, id: string): Promise<AcknowledgementView> {
  const review = await findReview(context, id);
  const isNamed = review !== undefined && isAcknowledger(context.actor, review);
  return viewOf(context, isNamed ? review : await requireReview(context, id, 'read'));
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
    const stage = stageOf(review);
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
      await updateReview(inside, id, { ...freshSchedule, acknowledgement });
      await recordEvent(inside, {
        kind: 'review.acknowledgement_set',
        targetType: 'access_review',
        targetId: id,
        data: { required: wanted.required, userIds },
      });
    }
    return viewOf(inside, { ...review, acknowledgement });
  });
}

/**
 * Acknowledges the decisions of an open review as they stand. NOT_FOUND for callers who may not know of the review; PERMISSION_DENIED for who is
 * not named, and for who decided in it; FAILED_PRECONDITION in other states, unless it is closed and was acknowledged.
 */
export function acknowledgeReview(context: Context, id: string, comment: string): Promise<AcknowledgementView> {
  return inTransaction(context, async (inside) => {
    const found = await lockReview(inside, id);
    const isNamed = found !== undefined && isAcknowledger(inside.actor, found);
    const review = isNamed ? found : (await requireSight(inside, id)).review;
    if (!isNamed) {
      throw new AppError(
        'PERMISSION_DENIED',
        'Only the people whom the acknowledgement of this review names may acknowledge its decisions.',
      );
    }
    const verdict = judgeMove('acknowledge', stageOf(review));
    const current = await viewOf(inside, review);
    if (verdict === 'already' && !current.isValid) {
      throw new AppError(
        'FAILED_PRECONDITION',
        'The review is closed, and its decisions were not acknowledged: that is no longer possible.',
      );
    }
    if (verdict === 'already' || (current.isValid && review.acknowledgement.signature?.userId === inside.actor.userId)) {
      return current;
    }
    if ((await listDecidedReviews(inside, [id], inside.actor.userId)).has(id)) {
      throw new AppError('PERMISSION_DENIED', 'You decided in this review. Somebody who decided nothing in it acknowledges its decisions.');
    }
    if (comment.length > maxCommentLength) {
      throw invalidField('comment', `must have at most ${maxCommentLength} characters`);
    }
    return sign(inside, review, comment);
  });
}

async function sign(context: Context, review: ReviewRow, comment: string): Promise<AcknowledgementView> {
  const { actor, now } = context;
  await lockTaskChanges(context, review.id);
  const counts = await countOutcomes(context, review.id);
  const digest = (await listDecisionDigests(context, [review.id])).get(review.id) ?? '';
  const signature = { userId: actor.userId, issuerId: actor.issuerId, at: now.toISOString(), comment, counts: { ...counts }, digest };
  const acknowledgement: Acknowledgement = { ...review.acknowledgement, signature };
  await updateReview(context, review.id, { ...freshSchedule, acknowledgement });
  await recordEvent(context, {
    kind: 'review.acknowledged',
    targetType: 'access_review',
    targetId: review.id,
    data: { userId: actor.userId, counts, digest, comment },
  });
  return { acknowledgement, isValid: true };
}

/** Whether this caller could acknowledge these reviews now: those it is named in, that are open, and in which it decided nothing. */
export async function listAcknowledgeable(context: Context, reviews: readonly ReviewRow[]): Promise<ReadonlySet<string>> {
  const open = reviews.filter((review) => isAcknowledger(context.actor, review) && stageOf(review) === 'OPEN').map((review) => review.id);
  const decided = await listDecidedReviews(context, open, context.actor.userId);
  return new Set(open.filter((id) => !decided.has(id)));
}
