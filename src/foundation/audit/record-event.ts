/**
 * Writing an event: who did what to which object, in the transaction of the change itself.
 * How events get positions is in seal.ts, how they are listed in list-events.ts; what they look like outside is in view.ts.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { type EventKind, findEventType, type NewEvent, type OccurredEvent, type OccurrenceKind } from '../../events/index.ts';
import { CanonicalJsonError, canonicalJson } from '../../lib/log/canonical-json.ts';
import { commitmentOfText } from '../../lib/log/commitment.ts';
import { eventMac } from '../../lib/log/event-mac.ts';
import type { RowDigest } from '../../lib/log/row-digest.ts';
import type { Sql } from '../../lib/sql.ts';
import { newId } from '../../wire/ids.ts';
import { eventActorKind } from '../authority/index.ts';
import { findMacKey, type MacKey } from './keys/index.ts';
import { insertEventSql, insertEvents, listEventTargets, type NewEventRow } from './store.ts';

/** An event of whatever kind. */
interface AnyEvent extends OccurredEvent {
  readonly targetType?: string | undefined;
  readonly reviewId?: string;
  /** Drawn before, where what it recorded names it; else a new one. */
  readonly id?: string | undefined;
  readonly evidence?: Readonly<Record<string, RowDigest>> | undefined;
}

/** Events of one statement. */
const maxAtOnce = 2_000;

/** The table-like name of what an event happened to: that of the catalogue, or the one of several that its writer named. */
function targetOf({ kind, targetType }: Pick<AnyEvent, 'kind' | 'targetType'>): string {
  const target = findEventType(kind)?.target;
  return targetType ?? (typeof target === 'string' ? target : '');
}

/** The statement that writes the event; with a condition (`WHERE EXISTS (...)`) only where that holds. */
export type EventInsert = (condition?: Sql) => Sql;

/**
 * Writes the event of a change and returns its id. Only inside the transaction of that change, so that neither is ever there
 * without the other; INTERNAL outside of one, and for data that has no canonical JSON. For something that changed nothing there is
 * `recordOccurrence`.
 */
export async function recordEvent<K extends EventKind>(context: Context, event: NewEvent<K>): Promise<string> {
  requireTransaction(context, event.kind);
  return writeAlone(context, event);
}

/**
 * Writes an event that belongs to no change, such as a refused sign-in, and returns its id. INTERNAL where it calls for a job and there is no
 * transaction to hold both.
 */
export async function recordOccurrence<K extends OccurrenceKind>(context: Context, event: NewEvent<K>): Promise<string> {
  return writeAlone(context, event);
}

/**
 * Writes an event and the change it is of in one statement, which saves a round trip where many wait: `work` puts the insert into its own
 * statement, as a CTE, and runs that. INTERNAL outside of a transaction, but for a kind that may be written there.
 */
export async function recordEventWith<K extends EventKind, T>(
  context: Context,
  event: NewEvent<K>,
  work: (insert: EventInsert) => Promise<T>,
): Promise<T> {
  if (findEventType(event.kind)?.transaction !== false) {
    requireTransaction(context, event.kind);
  }
  return write(context, event, work);
}

/**
 * Writes an event for each row of `rows`, which has `target_id` and `data`, and returns how many: for a statement that changes very many things.
 * Reactions hear of the kind once, without a target. Only inside the transaction of the change.
 */
export async function recordEventsOfRows(context: Context, kind: EventKind, rows: Sql): Promise<number> {
  requireTransaction(context, kind);
  const targets = await listEventTargets(context, rows);
  const key = targets.length === 0 ? undefined : await findMacKey(context);
  for (let from = 0; key !== undefined && from < targets.length; from += maxAtOnce) {
    await insertEvents(
      context,
      targets.slice(from, from + maxAtOnce).map((target) => rowOf(context, key, { kind, ...target })),
    );
  }
  if (targets.length > 0) {
    await context.react(context, { kind });
  }
  return targets.length;
}

/** Writes many events in one statement, in the transaction of their changes, where each would be a round trip of its own. */
export async function recordEvents<K extends EventKind>(context: Context, events: readonly NewEvent<K>[]): Promise<void> {
  if (events[0] !== undefined) {
    requireTransaction(context, events[0].kind);
  }
  for (const event of events) {
    await context.react(context, event);
  }
  if (events.length > 0) {
    const key = await findMacKey(context);
    await insertEvents(
      context,
      events.map((event) => rowOf(context, key, event)),
    );
  }
}

function requireTransaction(context: Context, kind: string): void {
  if (!context.db.inTransaction) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: `event ${kind} outside a transaction` });
  }
}

function writeAlone(context: Context, event: AnyEvent): Promise<string> {
  return write(context, event, async (insert, id) => {
    await context.db.run(insert());
    return id;
  });
}

/** Every event of a statement of its own passes through here. */
async function write<T>(context: Context, event: AnyEvent, work: (insert: EventInsert, id: string) => Promise<T>): Promise<T> {
  await context.react(context, event);
  const row = rowOf(context, await findMacKey(context), event);
  return work((condition) => insertEventSql(context, row, condition), row.id);
}

/** An event as it is kept, with the code that says it is ours. */
function rowOf(context: Context, { key, generation }: MacKey, event: AnyEvent): NewEventRow {
  const targetType = targetOf(event);
  const { targetId = '' } = event;
  const row = {
    id: event.id ?? newId(context.now),
    occurredAt: context.now,
    kind: event.kind,
    actorKind: eventActorKind(context.actor),
    actorId: context.actor.userId,
    credentialId: context.actor.credentialId,
    issuerId: context.actor.issuerId,
    sourceIp: context.actor.sourceIp,
    requestId: context.actor.requestId,
    targetType,
    targetId,
    reviewId: event.reviewId ?? (targetType === 'access_review' ? targetId : ''),
    data: dataText(event),
    salt: randomUUID(),
  };
  const content = commitmentOfText(saltBytes(row.salt), `{"data":${row.data},"ip":${JSON.stringify(row.sourceIp)}}`);
  const mac = eventMac(key, { ...row, tenantId: context.tenantId }, content);
  return { ...row, mac: mac.toString('hex'), macGeneration: generation };
}

function saltBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

/** The data as canonical JSON, since a hash of it goes into the log: what another language would write otherwise is refused here. */
function dataText({ kind, data, evidence }: AnyEvent): string {
  try {
    return canonicalJson(asJson(evidence === undefined ? (data ?? {}) : { ...data, evidence }));
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
