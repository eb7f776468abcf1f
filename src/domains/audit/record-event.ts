/**
 * Writing an event: who did what to which object, in the transaction of the change itself.
 * How events are listed is in list-events.ts; what they look like outside is in view.ts.
 */
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { newId } from '../../wire/ids.ts';
import { insertEvent } from './store.ts';

/** What an event says beyond who, when and from where, which come from the scope. */
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
export async function recordEvent(scope: Scope, event: NewEvent): Promise<string> {
  if (!scope.db.inTransaction) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: `event ${event.kind} outside a transaction` });
  }
  return recordOccurrence(scope, event);
}

/** Writes an event that belongs to no change, such as a refused sign-in, and returns its id. */
export async function recordOccurrence(scope: Scope, event: NewEvent): Promise<string> {
  const id = newId(scope.now);
  await insertEvent(scope, {
    id,
    occurredAt: scope.now,
    kind: event.kind,
    actorKind: scope.actor.kind,
    actorId: scope.actor.userId,
    credentialId: scope.actor.credentialId,
    issuerId: scope.actor.issuerId,
    sourceIp: scope.actor.sourceIp,
    requestId: scope.actor.requestId,
    targetType: event.targetType ?? '',
    targetId: event.targetId ?? '',
    data: (event.data ?? {}) as Record<string, unknown>,
  });
  return id;
}
