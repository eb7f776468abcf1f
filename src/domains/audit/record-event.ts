/**
 * Writing an event: who did what to which object, in the transaction of the change itself.
 * How events get positions is in seal.ts, how they are listed in list-events.ts; what they look like outside is in view.ts.
 */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { CanonicalJsonError, canonicalJson } from '../../lib/canonical-json.ts';
import type { Sql } from '../../lib/sql.ts';
import { newId, newIdPrefix } from '../../wire/ids.ts';
import { insertEvent, insertEvents, insertEventsOfRows, type NewEventRow } from './store.ts';

/** What an event says beyond who, when and from where, which come from the context. */
export interface NewEvent {
  /** Object and verb, such as `review.prepared`. */
  readonly kind: string;
  /** The table-like name of what it happened to, such as `access_review`. */
  readonly targetType?: string;
  readonly targetId?: string;
  /** The review it belongs to, where that is not the target itself. */
  readonly reviewId?: string;
  /** Texts, truth values, whole numbers, lists and objects of them; never a secret, since the system log shows it. */
  readonly data?: object;
}

/** The statement that writes the event; with a condition (`WHERE EXISTS (...)`) only where that holds. */
export type EventInsert = (condition?: Sql) => Sql;

/**
 * Writes the event of a change and returns its id. Only inside the transaction of that change, so that neither is ever there
 * without the other; INTERNAL outside of one, and for data that has no canonical JSON. For something that changed nothing there is
 * `recordOccurrence`.
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
  return write(context, event, async (insert, id) => {
    await context.db.run(insert());
    return id;
  });
}

/**
 * Writes an event and the change it is of in one statement, which saves a round trip where many wait: `work` puts the insert into its own
 * statement, as a CTE, and runs that.
 */
export async function recordEventWith<T>(context: Context, event: NewEvent, work: (insert: EventInsert) => Promise<T>): Promise<T> {
  return write(context, event, work);
}

/**
 * Writes an event for each row of `rows`, which has `target_id` and `data`, and returns how many: for a statement that changes very many things.
 * Reactions hear of the kind once, without a target. Only inside the transaction of the change.
 */
export async function recordEventsOfRows(context: Context, kind: string, targetType: string, rows: Sql): Promise<number> {
  if (!context.db.inTransaction) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: `events ${kind} outside a transaction` });
  }
  const written = await insertEventsOfRows(context, kind, targetType, newIdPrefix(context.now), rows);
  if (written > 0) {
    await context.react(context, { kind, targetType });
  }
  return written;
}

/** Writes many events in one statement, in the transaction of their changes, where each would be a round trip of its own. */
export async function recordEvents(context: Context, events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0 && !context.db.inTransaction) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: `event ${events[0]?.kind} outside a transaction` });
  }
  for (const event of events) {
    await context.react(context, event);
  }
  if (events.length > 0) {
    await insertEvents(
      context,
      events.map((event) => rowOf(context, event)),
    );
  }
}

/** Every event of a statement of its own passes through here. */
async function write<T>(context: Context, event: NewEvent, work: (insert: EventInsert, id: string) => Promise<T>): Promise<T> {
  await context.react(context, event);
  const row = rowOf(context, event);
  return work((condition) => insertEvent(context, row, condition), row.id);
}

/** An event as it is kept. */
function rowOf(context: Context, event: NewEvent): NewEventRow {
  const { targetType = '', targetId = '' } = event;
  return {
    id: newId(context.now),
    occurredAt: context.now,
    kind: event.kind,
    actorKind: context.actor.kind,
    actorId: context.actor.userId,
    credentialId: context.actor.credentialId,
    issuerId: context.actor.issuerId,
    sourceIp: context.actor.sourceIp,
    requestId: context.actor.requestId,
    targetType,
    targetId,
    reviewId: event.reviewId ?? (targetType === 'access_review' ? targetId : ''),
    data: dataText(event),
  };
}

/** The data as canonical JSON, since a hash of it goes into the log: what another language would write otherwise is refused here. */
function dataText({ kind, data }: NewEvent): string {
  try {
    return canonicalJson(asJson(data ?? {}));
  } catch (error) {
    const detail = `event ${kind}: its data has no canonical JSON: ${error instanceof CanonicalJsonError ? error.message : String(error)}`;
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail, cause: error });
  }
}

/** As JSON.stringify has it: members that are undefined are not there, and minus zero is zero. */
function asJson(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(asJson);
  }
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(members.map(([name, member]) => [name, asJson(member)]));
  }
  return Object.is(value, -0) ? 0 : value;
}
