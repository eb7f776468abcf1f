/**
 * Powers of a caller over reviews now: the actions by their names, for `objectPermissions.extra`. The rules that carry them out refuse by
 * themselves; this says beforehand what they would say, as far as the caller, the state and the clock decide it.
 */
import type { Context } from '../../../context.ts';
import { holds, seesEverything } from '../../../foundation/authority/index.ts';
import { listAcknowledgeable, listAcknowledged } from '../evidence/index.ts';
import { type ReviewRow, isPossible, mayManageReview, changeStage } from '../record/index.ts';
import { findNextReminder } from './remind.ts';

/** Actions possible on one review; every action has its entry. */
export type Possible = Readonly<
  Record<'prepare' | 'start' | 'close' | 'reset' | 'remind' | 'acknowledge' | 'report' | 'duplicateFrom', boolean>
>;

/** Lists what the caller can do to each of these reviews now, all of which it reads. Two statements at most, however many there are. */
export async function listPossible(context: Context, reviews: readonly ReviewRow[]): Promise<ReadonlyMap<string, Possible>> {
  const { actor, now } = context;
  const closable = reviews.filter((review) => review.acknowledgement.required === true && mayManageReview(actor, review));
  const acknowledged = await listAcknowledged(context, closable);
  const acknowledgeable = await listAcknowledgeable(context, reviews);
  const mayCreate = holds(actor, 'reviews.create');
  return new Map(
    reviews.map((review) => {
      const stage = changeStage(review);
      const manages = mayManageReview(actor, review);
      const can = (move: Parameters<typeof isPossible>[0]): boolean => manages && isPossible(move, stage);
      const mayReport = seesEverything(actor) || review.ownerIds.includes(actor.userId);
      return [
        review.id,
        {
          prepare: can('prepare'),
          start: can('start'),
          close: can('close') && (review.acknowledgement.required !== true || acknowledged.has(review.id)),
          reset: can('reset'),
          remind: can('remind') && findNextReminder(review, now) === undefined,
          acknowledge: acknowledgeable.has(review.id),
          report: mayReport && stage !== 'DRAFT' && stage !== 'PREPARING',
          duplicateFrom: mayCreate,
        },
      ];
    }),
  );
}
