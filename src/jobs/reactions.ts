/**
 * Reactions: which event calls for which job. Modules write events and offer jobs, and know nothing of each other; src/reactions.ts says what
 * belongs together. A reaction looks at the event alone and does nothing but call.
 */
import { AppError } from '../errors.ts';
import type { Context, React } from '../context.ts';
import type { EventKind, OccurredEvent } from '../events/index.ts';
import { callJobs, settleAt } from './calls.ts';

/** A job that an event calls for. */
export interface CalledJob {
  readonly kind: string;
  readonly subjectId: string;
  /** True if it can wait a moment, so that a burst of events becomes one job; at once unless given. */
  readonly settles?: boolean;
}

/** Job an event calls for; undefined for nothing. */
export type Decide<K extends EventKind = EventKind> = (
  event: OccurredEvent<K>,
  context: Pick<Context, 'tenantId'>,
) => CalledJob | undefined;

/** The events of these kinds, and what they call for. */
export interface Reaction {
  readonly kinds: readonly EventKind[];
  readonly decide: Decide;
}

/** A reaction to events of these kinds. */
export function on<K extends EventKind>(kinds: readonly K[], decide: Decide<K>): Reaction {
  // It is asked about these kinds alone.
  return { kinds, decide: decide as Decide };
}

/** One job of this kind for the tenant, however many of the events there are. */
export function forTenant(kind: string): Decide {
  return (_event, { tenantId }) => ({ kind, subjectId: tenantId, settles: true });
}

/** A job of this kind about what the event is about, at once. */
export function forTarget(kind: string): Decide {
  return ({ targetId = '' }) => ({ kind, subjectId: targetId });
}

/**
 * Creates what contexts carry. INTERNAL for an event that calls for something outside a transaction: the job would be there without the event, or
 * the event without the job.
 */
export function createReactions(reactions: readonly Reaction[]): React {
  const byKind = new Map<string, Decide[]>();
  for (const { kinds, decide } of reactions) {
    for (const kind of kinds) {
      byKind.set(kind, [...(byKind.get(kind) ?? []), decide]);
    }
  }
  return async (context, event) => {
    const called = (byKind.get(event.kind) ?? []).flatMap((decide) => decide(event, context) ?? []);
    if (called.length === 0) {
      return;
    }
    const { db, tenantId, now } = context;
    if (!db.inTransaction) {
      throw new AppError('INTERNAL', 'Something went wrong on our side.', {
        detail: `event ${event.kind} calls for a job outside a transaction`,
      });
    }
    await callJobs(
      db,
      called.map(({ kind, subjectId, settles }) => ({ tenantId, kind, subjectId, runAt: settles === true ? settleAt(now) : now })),
    );
  };
}
