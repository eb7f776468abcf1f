/**
 * Writing down what came of an attempt, in one transaction with the rules that follow from it, and only while the lease is ours. What the
 * outcome is was decided in decide-outcome.ts.
 */
import { randomBytes } from 'node:crypto';
import { type Context, type Logger, type React, systemActor } from '../../context.ts';
import type { Database, Db } from '../../db/types.ts';
import { AppError, isAppError } from '../../errors.ts';
import { recordEvent } from '../audit/index.ts';
import type { Outcome } from './decide-outcome.ts';
import { stateAfter } from './states.ts';
import { updateDead, updateDelivered, updateFailed } from './store.ts';
import { type Lease, lockLease, removeQueued, updateReleased, updateRunners } from './store-queue.ts';
import type { Delivery, DeliveryData, DeliveryKind } from './types.ts';

/** How long a delivery waits whose outcome could not be written down, because a rule that belongs to it failed. */
const unrecordedPauseMs = 60_000;
const maxReceiptLength = 4096;

/** What making deliveries needs. */
export interface RunnerParts {
  readonly database: Database;
  readonly kinds: ReadonlyMap<string, DeliveryKind>;
  readonly log: Logger;
  readonly react: React;
  readonly clock: () => Date;
  /** Numbers from 0 to 1, for the pauses. */
  readonly random: () => number;
  readonly leaseMs: number;
}

/** The context of a delivery's work; its id ties log lines and events together. */
export function openContext(parts: RunnerParts, lease: Lease, db: Db = parts.database.tenant(lease.tenantId)): Context {
  const { tenantId, deliveryId, kind } = lease;
  const log = parts.log.child({ delivery: deliveryId, kind, tenant: tenantId });
  return { db, tenantId, actor: systemActor(`delivery-${deliveryId}`), now: parts.clock(), log, react: parts.react };
}

/** An error as it is shown and decided by. What nobody meant to show becomes INTERNAL, with a reference to the line in the log. */
export function explainError(context: Context, thrown: unknown): AppError {
  if (isAppError(thrown) && thrown.code !== 'INTERNAL') {
    context.log.warn({ err: thrown, detail: thrown.detail }, 'an attempt of a delivery failed');
    return thrown;
  }
  const reference = randomBytes(6).toString('hex');
  context.log.error({ err: thrown, reference }, 'an attempt of a delivery failed on our side');
  return new AppError('INTERNAL', `Something went wrong on our side (reference ${reference}).`, { cause: thrown });
}

/**
 * Writes an outcome down; false, and nothing changed, where the lease is somebody else's by now. Where a rule of the kind fails, the delivery
 * is tried again in a minute. Throws UNAVAILABLE where the database is away.
 */
export async function recordOutcome(parts: RunnerParts, lease: Lease, delivery: Delivery, outcome: Outcome): Promise<boolean> {
  try {
    return await write(parts, lease, delivery, outcome);
  } catch (error) {
    if (isAppError(error, 'UNAVAILABLE')) {
      throw error;
    }
    const context = openContext(parts, lease);
    const { message } = explainError(context, error);
    const runAt = new Date(context.now.getTime() + unrecordedPauseMs);
    return write(parts, lease, delivery, { action: 'fail', attempts: delivery.attempts, error: message, runAt });
  }
}

function write(parts: RunnerParts, lease: Lease, delivery: Delivery, outcome: Outcome): Promise<boolean> {
  return parts.database.tenant(lease.tenantId).transaction(async (db) => {
    if (stateAfter(delivery.state, outcome.action) === undefined || !(await lockLease(db, lease))) {
      return false;
    }
    const context = openContext(parts, lease, db);
    const kind = parts.kinds.get(lease.kind) as DeliveryKind;
    switch (outcome.action) {
      case 'succeed': {
        const receipt = storable(context, outcome.receipt);
        await updateDelivered(context, delivery.id, receipt);
        await removeQueued(db, lease.tenantId, delivery.id);
        await kind.onDelivered?.(context, delivery, receipt);
        return true;
      }
      case 'fail':
        await updateFailed(context, delivery.id, outcome.attempts, printable(outcome.error));
        await updateReleased(db, lease, outcome.runAt);
        if (outcome.runAt <= context.now) {
          await updateRunners(db);
        }
        return true;
      case 'give-up': {
        const error = printable(outcome.error.message);
        await updateDead(context, delivery.id, error);
        await updateReleased(db, lease, null);
        const { id, subjectId, attempts } = delivery;
        await recordEvent(context, {
          kind: 'delivery.dead',
          targetType: 'delivery',
          targetId: id,
          data: { kind: lease.kind, subjectId, attempts, error },
        });
        await kind.onDead?.(context, delivery, outcome.error);
        return true;
      }
    }
  });
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
