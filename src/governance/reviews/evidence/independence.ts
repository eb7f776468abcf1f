/** Relations of a reviewer to what is reviewed that block a decision, and decisions people with a relation made. */
import { AppError } from '../../../errors.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { asTexts } from '../../../lib/json.ts';
import { asReadBy, recordEvent, refuseStale } from '../../../foundation/audit/index.ts';
import { countRelations, listRelatedDecisions, type Relation, type RelatedDecision, type RelationCount } from '../../tasks/index.ts';
import { type ReviewRow, nameStage, requireEvidence, requireLockedReview, changeStage, updateReview } from '../record/index.ts';

/** Relations a review blocks, and what was decided in spite of those that it does not. */
export interface IndependenceView {
  readonly blocked: readonly Relation[];
  readonly counts: readonly RelationCount[];
}

async function viewOf(context: Context, review: ReviewRow): Promise<IndependenceView> {
  return { blocked: review.independence.blocked ?? [], counts: await countRelations(context, review.id) };
}

/** For the owners of a review, and for those who read everything. */
export async function readIndependence(context: Context, id: string): Promise<IndependenceView> {
  return viewOf(context, await requireEvidence(context, id, 'read this'));
}

/** Sets what is blocked; FAILED_PRECONDITION once close was accepted. Decisions that were made stay. */
export function setIndependence(context: Context, id: string, relations: readonly Relation[]): Promise<IndependenceView> {
  return inTransaction(context, async (inside) => {
    const review = await requireLockedReview(inside, id);
    const stage = changeStage(review);
    if (stage === 'CLOSING' || stage === 'CLOSED') {
      throw new AppError('FAILED_PRECONDITION', `The review is ${nameStage(stage)}: nothing is decided in it any more.`);
    }
    const blocked = [...new Set(relations)].sort();
    const before = { blocked: review.independence.blocked ?? [] };
    if (blocked.join() !== before.blocked.join()) {
      const read = asReadBy(inside, (asRead) => ({
        blocked: asTexts(asRead.blocked).map((name) => name.replace('REVIEWER_RELATION_', '')),
      }));
      await refuseStale(inside, { targetId: id, kinds: ['review.independence_set'], read, before, isSet: true });
      await updateReview(inside, id, { independence: { blocked } });
      await recordEvent(inside, {
        kind: 'review.independence_set',
        targetId: id,
        data: { blocked, before: before.blocked },
      });
    }
    return viewOf(inside, { ...review, independence: { blocked } });
  });
}

/** A page of the decisions that people with one of these relations made, with any for none. */
export async function readRelatedDecisions(
  context: Context,
  id: string,
  relations: readonly Relation[],
  after: string,
  limit: number,
): Promise<RelatedDecision[]> {
  const review = await requireEvidence(context, id, 'read this');
  return listRelatedDecisions(context, review.id, relations, after, limit);
}
