/**
 * Writing an event: who did what to which object, in the transaction of the change itself.
 * How events are listed is in list-events.ts; what they look like outside is in view.ts.
 */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { insertEvent } from './store.ts';

/** What an event says beyond who, when and from where, which come from the context. */
export interface NewEvent {
  /** Object and verb, such as `review.prepared`. */
  readonly kind: string;
  /** The table-like name of what it happened to, such as `access_review`. */
  readonly targetType?: string;
  readonly targetId?: string;
  /** Anything JSON; never a secret, since the system log shows it. */
  readonly data?: object;
}

/**
 * Writes the event of a change and returns its id. Only inside the transaction of that change, so that neither is ever there
 * without the other; INTERNAL outside of one. For something that changed nothing there is `recordOccurrence`.
 */
export async function recordEvent(context: Context, event: NewEvent): Promise<string> {
  if (!context.db.inTransaction) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: `event ${event.kind} outside a transaction` });
  }
  return recordOccurrence(context, event);
}

/**
 * Writes an event that belongs to no change, such as a refused sign-in, and returns its id. INTERNAL where it calls for a job and there is no
 * transaction to hold both.
 */
export async function recordOccurrence(context: Context, event: NewEvent): Promise<string> {
  const id = newId(context.now);
  await context.react(context, event);
  await insertEvent(context, {
    id,
    occurredAt: context.now,
    kind: event.kind,
    actorKind: context.actor.kind,
    actorId: context.actor.userId,
    credentialId: context.actor.credentialId,
    issuerId: context.actor.issuerId,
    sourceIp: context.actor.sourceIp,
    requestId: context.actor.requestId,
    targetType: event.targetType ?? '',
    targetId: event.targetId ?? '',
    data: (event.data ?? {}) as Record<string, unknown>,
  });
  return id;
}
