/**
 * Deliveries as effects of the queue: each is read when an attempt begins, and what comes of it is written down with the outcome, in one transaction.
 * Leases, attempts and pauses are the queue's (src/jobs).
 */
import type { Context } from '../../context.ts';
import type { Effect, EffectKind, Lease, Outcome } from '../../jobs/index.ts';
import { recordEvent } from '../audit/index.ts';
import { findDelivery, updateDead, updateDelivered, updateFailed } from './store.ts';
import type { Delivery, DeliveryData, DeliveryKind } from './types.ts';

const maxReceiptLength = 4096;

/** Kinds of effects that make deliveries of these kinds. */
export function createDeliveryEffects(kinds: ReadonlyMap<string, DeliveryKind>): ReadonlyMap<string, EffectKind> {
  return new Map([...kinds].map(([name, kind]) => [name, createEffectKind(kind)]));
}

function createEffectKind(kind: DeliveryKind): EffectKind {
  return {
    ...kind,
    async open(context, lease) {
      const found = await findDelivery(context, lease.id);
      return found?.state === 'WAITING' ? openDelivery(kind, { ...found, attempts: lease.attempts }, lease) : undefined;
    },
  };
}

function openDelivery(kind: DeliveryKind, delivery: Delivery, lease: Lease): Effect<DeliveryData> {
  return {
    lastError: delivery.error,
    attempt: (context, signal) => kind.deliver(context, delivery, signal),
    record: (context, outcome) => recordOutcome(context, kind, delivery, lease, outcome),
  };
}

async function recordOutcome(
  context: Context,
  kind: DeliveryKind,
  delivery: Delivery,
  lease: Lease,
  outcome: Outcome<DeliveryData>,
): Promise<void> {
  const { id, subjectId } = delivery;
  switch (outcome.action) {
    case 'succeed': {
      const receipt = storable(context, outcome.receipt);
      await updateDelivered(context, id, lease.attempts, receipt);
      await kind.onDelivered?.(context, delivery, receipt);
      return;
    }
    case 'fail':
      await updateFailed(context, id, outcome.attempts, printable(outcome.error));
      return;
    case 'give-up': {
      const { attempts } = outcome;
      const error = printable(outcome.error.message);
      await updateDead(context, id, attempts, error);
      await recordEvent(context, { kind: 'delivery.dead', targetId: id, data: { kind: lease.kind, subjectId, attempts, error } });
      await kind.onDead?.(context, delivery, outcome.error);
    }
  }
}

/** The text without what PostgreSQL cannot store: it may quote a receiver. */
function printable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** A receipt as it can be stored. One that is too long is left out: the delivery was made all the same. */
function storable(context: Context, receipt: DeliveryData): DeliveryData {
  const text = JSON.stringify(receipt, (_key, value: unknown) => (typeof value === 'string' ? printable(value) : value));
  if (text.length > maxReceiptLength) {
    context.log.warn({ length: text.length }, 'the receipt of a delivery is too long to be kept');
    return {};
  }
  return JSON.parse(text) as DeliveryData;
}
