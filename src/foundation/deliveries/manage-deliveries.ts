/**
 * Acts of an administrator on dead deliveries: look at them, repeat them, discard them. A repeated delivery keeps its idempotency key, and the
 * events keep what happened to it before.
 */
import { type Context, inTransaction } from '../../context.ts';
import { AppError, invalidField } from '../../errors.ts';
import { recordEvent } from '../audit/index.ts';
import { enqueueEffects, listEffectPlaces, removeEffect } from '../../jobs/index.ts';
import { type DeliveryAction, refuseAction, stateAfter } from './states.ts';
import {
  type DeliveryFilter,
  findDelivery,
  listDeliveries,
  lockDelivery,
  updateDeadRepeated,
  updateDiscarded,
  updateRepeated,
} from './store.ts';
import type { Delivery } from './types.ts';

const maxReasonLength = 1000;
/** The most that one request repeats. */
export const maxRepeatedAtOnce = 1000;

/** A delivery with where it stands in the queue. */
export interface ListedDelivery extends Delivery {
  /** Time of the next try; while somebody works on it, when their lease ends. Null where it is not tried any more. */
  readonly runAt: Date | null;
  readonly isRunning: boolean;
}

async function placeAll(context: Context, deliveries: readonly Delivery[]): Promise<ListedDelivery[]> {
  const waiting = deliveries.filter(({ state }) => state === 'WAITING').map(({ id }) => id);
  const places = waiting.length === 0 ? undefined : await listEffectPlaces(context.db, context.tenantId, waiting, context.now);
  return deliveries.map((delivery) => {
    const place = places?.get(delivery.id);
    return {
      ...delivery,
      attempts: place?.attempts ?? delivery.attempts,
      runAt: place?.runAt ?? null,
      isRunning: place?.isRunning ?? false,
    };
  });
}

/** A page of deliveries, the newest first; `before` is the last id of the page before, '' at the start. */
export async function listPlacedDeliveries(
  context: Context,
  filter: DeliveryFilter,
  before: string,
  limit: number,
): Promise<ListedDelivery[]> {
  return placeAll(context, await listDeliveries(context, filter, before, limit));
}

/** The delivery with this id; NOT_FOUND where there is none. */
export async function requireDelivery(context: Context, id: string): Promise<ListedDelivery> {
  const [listed] = await placeAll(context, [(await findDelivery(context, id)) ?? refuseUnknown()]);
  return listed ?? refuseUnknown();
}

function refuseUnknown(): never {
  throw new AppError('NOT_FOUND', 'There is no delivery with this id.');
}

async function lockFor(context: Context, id: string, action: DeliveryAction): Promise<Delivery> {
  const delivery = (await lockDelivery(context, id)) ?? refuseUnknown();
  if (stateAfter(delivery.state, action) === undefined) {
    throw refuseAction(delivery.state, action);
  }
  return delivery;
}

/** Lets a dead delivery be tried again at once, with all its attempts. FAILED_PRECONDITION for one that is not dead. */
export function repeatDelivery(context: Context, id: string): Promise<ListedDelivery> {
  return inTransaction(context, async (inside) => {
    const { kind, subjectId, attempts, error } = await lockFor(inside, id, 'repeat');
    await updateRepeated(inside, id);
    await enqueueEffects(inside.db, { tenantId: inside.tenantId, ids: [id], kind, runAt: inside.now }, inside.now);
    await recordEvent(inside, {
      kind: 'delivery.repeated',
      targetType: 'delivery',
      targetId: id,
      data: { kind, subjectId, attempts, error },
    });
    return requireDelivery(inside, id);
  });
}

/** Repeats the oldest dead deliveries of a kind, at most 1,000; returns how many. One event names the first and the last. */
export async function repeatDeadDeliveries(context: Context, kind: string): Promise<number> {
  if (kind === '') {
    throw invalidField('kind', 'is the kind whose dead deliveries are repeated');
  }
  return inTransaction(context, async (inside) => {
    const ids = await updateDeadRepeated(inside, kind, maxRepeatedAtOnce);
    if (ids.length > 0) {
      await enqueueEffects(inside.db, { tenantId: inside.tenantId, ids, kind, runAt: inside.now }, inside.now);
      const data = { kind, count: ids.length, firstId: ids.at(0), lastId: ids.at(-1) };
      await recordEvent(inside, { kind: 'delivery.repeated', targetType: 'delivery_kind', targetId: kind, data });
    }
    return ids.length;
  });
}

/** Gives a dead delivery up for good, for a reason that is kept with it. FAILED_PRECONDITION for one that is not dead. */
export function discardDelivery(context: Context, id: string, reason: string): Promise<ListedDelivery> {
  const kept = reason.trim();
  return inTransaction(context, async (inside) => {
    const { kind, subjectId, attempts, error } = await lockFor(inside, id, 'discard');
    if (kept === '' || kept.length > maxReasonLength) {
      throw invalidField('reason', `says why nobody needs this delivery any more, in 1 to ${maxReasonLength} characters`);
    }
    await updateDiscarded(inside, id, kept);
    await removeEffect(inside.db, inside.tenantId, id);
    await recordEvent(inside, {
      kind: 'delivery.discarded',
      targetId: id,
      data: { kind, subjectId, attempts, error, reason: kept },
    });
    return requireDelivery(inside, id);
  });
}
