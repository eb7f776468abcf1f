/** Deliveries, and what a module gives the queue so that those of its kind are made. Nothing here runs. */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import type { AppError } from '../../errors.ts';
import type { EffectKind } from '../../jobs/index.ts';

/** Waiting (also while somebody works on it), or how it ended. DEAD waits for an administrator, who repeats or discards it. (`deliveries.state`) */
export type DeliveryState = 'WAITING' | 'DONE' | 'DEAD' | 'DISCARDED';

/** A small JSON object: what a delivery refers to, or what its receiver answered. Never a secret, since administrators see it. */
export type DeliveryData = JsonObject;

/** One effect outside the database. */
export interface Delivery {
  readonly id: string;
  readonly kind: string;
  /** Its subject: a task, a webhook. */
  readonly subjectId: string;
  /** The same in every attempt, so that the receiver can recognise one that comes twice. Unique for each tenant and kind. */
  readonly idempotencyKey: string;
  readonly payload: DeliveryData;
  readonly state: DeliveryState;
  /** Attempts begun since it was added or repeated. */
  readonly attempts: number;
  /** Times an administrator repeated it. */
  readonly repeats: number;
  /** A public sentence about the last failure; '' where there was none. */
  readonly error: string;
  /** Data the kind returned; empty until it is DONE. */
  readonly receipt: DeliveryData;
  readonly discardReason: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly endedAt: Date | null;
}

/** Way to make deliveries of one kind; attempts, pauses and limits are those of the queue unless given. */
export interface DeliveryKind<R extends DeliveryData = DeliveryData> extends Omit<EffectKind, 'open'> {
  /**
   * Has the effect, and returns what the receiver answered. Runs outside a transaction: `context.db` is for short reads of its own. It may
   * run more than once for one delivery, so it passes on the idempotency key. It ends soon after `signal` is aborted.
   *
   * An AppError says what failed: CONFLICT, RATE_LIMITED, INTERNAL and UNAVAILABLE are tried again, not before `retryAfterSeconds`; any
   * other code is final. Any other error is tried again, and only the log shows its text.
   */
  deliver(context: Context, delivery: Delivery, signal: AbortSignal): Promise<R>;
  /** Runs in the transaction that marks the delivery DONE. If it throws, the attempt has failed. A receipt too long to be kept is empty. */
  onDelivered?(context: Context, delivery: Delivery, receipt: Partial<R>): Promise<void>;
  /** Runs in the transaction that marks the delivery DEAD. */
  onDead?(context: Context, delivery: Delivery, error: AppError): Promise<void>;
}
