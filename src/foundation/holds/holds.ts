/**
 * Legal holds: one Super Administrator sets them, two lift them. While one stands on a review or on the tenant, whoever removes something refuses by
 * `refuseHeld`.
 */
import { type Context, inTransaction } from '../../context.ts';
import { AppError, invalidField, orThrow } from '../../errors.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { askSecondPerson, readReason, type RequestRow, type SecondPersonAct } from '../second-persons/index.ts';
import type { TenantHook } from '../tenants/index.ts';
import { holdSlot } from './slots.ts';
import { findHold, findStanding, type HoldRow, insertHold, listHeldIds, lockHoldTable, updateLifted } from './store.ts';

/** Keeps others from setting holds until the transaction ends: taken before `refuseHeld` by whoever removes something. */
export function lockHolds(context: Context): Promise<void> {
  return lockHoldTable(context, false);
}

/** Holds that stand: on the whole tenant, or on reviews. */
export interface Held {
  readonly isTenant: boolean;
  readonly reviewIds: readonly string[];
}

/** Returns what is held. */
export async function listHeld(context: Context): Promise<Held> {
  const ids = await listHeldIds(context);
  return { isTenant: ids.includes(''), reviewIds: ids.filter((id) => id !== '') };
}

/** FAILED_PRECONDITION where a hold stands on the tenant or on one of these reviews; `refused` says what cannot be done. */
export async function refuseHeld(context: Context, reviewIds: readonly string[], refused: string): Promise<void> {
  const hold = await findStanding(context, reviewIds);
  if (hold !== undefined) {
    const place = hold.reviewId === '' ? 'the company' : 'a review';
    throw new AppError('FAILED_PRECONDITION', `${refused}: a legal hold stands on ${place}. Two Super Administrators can lift it.`);
  }
}

/** Sets a hold on a review, or on the tenant where `reviewId` is ''. INVALID_ARGUMENT without a reason, or for an unknown review. */
export function setHold(context: Context, reviewId: string, sent: string): Promise<HoldRow> {
  const reason = readReason(sent);
  return inTransaction(context, async (inside) => {
    if (reviewId !== '' && !(await holdSlot.get().listReviewNames(inside, [reviewId])).has(reviewId)) {
      throw invalidField('accessReviewId', 'names no review');
    }
    await lockHoldTable(inside, true);
    const id = newId(inside.now);
    await insertHold(inside, { id, reviewId, reason });
    await recordEvent(inside, { kind: 'legal_hold.set', targetId: id, reviewId, data: { reviewId, reason } });
    return requireHold(inside, id);
  });
}

async function requireHold(context: Context, id: string): Promise<HoldRow> {
  return orThrow(await findHold(context, id), 'NOT_FOUND', 'There is no legal hold with this id.');
}

/** Asks for a hold to be lifted. FAILED_PRECONDITION where it is lifted, CONFLICT where that is asked already. */
export function askLift(context: Context, id: string, reason: string): Promise<RequestRow> {
  return inTransaction(context, async (inside) => {
    const { reviewId, liftedAt } = await requireHold(inside, id);
    if (liftedAt !== null) {
      throw new AppError('FAILED_PRECONDITION', 'The legal hold is lifted already.');
    }
    return askSecondPerson(inside, { kind: 'LIFT_HOLD', subjectId: id, reviewId, reason });
  });
}

/** Lifting of a hold, once it is confirmed. */
export const liftAct: SecondPersonAct = {
  async apply(context, { subjectId, reviewId, reason, askedById, answeredById }) {
    if (!(await updateLifted(context, subjectId, { liftReason: reason, liftAskedById: askedById, liftedById: answeredById }))) {
      throw new AppError('FAILED_PRECONDITION', 'The legal hold is lifted already.');
    }
    await recordEvent(context, { kind: 'legal_hold.lifted', targetId: subjectId, reviewId, data: { reviewId, reason, askedById } });
  },
  async nameSubject(context, { reviewId }) {
    return (await holdSlot.get().listReviewNames(context, [reviewId])).get(reviewId) ?? '';
  },
};

/** Refuses to delete a tenant on which a hold stands, or on a review of it: nobody could lift it any more. */
export const refuseHeldTenant: TenantHook = async (context) => {
  await lockHolds(context);
  const { isTenant, reviewIds } = await listHeld(context);
  if (isTenant || reviewIds.length > 0) {
    throw new AppError(
      'FAILED_PRECONDITION',
      'The tenant cannot be deleted: a legal hold stands. Two of its Super Administrators can lift it.',
    );
  }
};
