/**
 * Events a request to the system log asks for. Pages of the whole log go by position: what a reader has passed never gets anything inserted before
 * it. Those of one person or review go by the ids of events, which an index has in order.
 */
import { invalidField } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { isId } from '../../wire/ids.ts';
import { sealLog } from './seal.ts';
import {
  type EventFilter,
  type EventSubject,
  findPositionBefore,
  listEvents as listRows,
  listEventsOf,
  listPositions,
  type SealedEvent,
} from './store.ts';
import { findLog } from './store-log.ts';

/** Events asked for; the bounds of a missing member are open. */
export interface EventQuery {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  /** Events after this one. */
  readonly sinceEventUid: string;
  /** Events before this one. */
  readonly untilEventUid: string;
  readonly descending: boolean;
  /** Only events of this person, of this review; the empty text is anybody's, and of any. */
  readonly actorId?: string;
  readonly reviewId?: string;
  /** Only events of these kinds; one that ends in a dot stands for all that begin with it. None is any. */
  readonly kinds?: readonly string[];
  /** Only events that happened to this object; the empty text is any. */
  readonly targetId?: string;
}

/** A page of events, and what the log they are in is known by. */
export interface EventPage {
  readonly events: SealedEvent[];
  readonly origin: string;
}

/** Time a reader waits for others who seal. */
const longestWaitMs = 2_000;
/** Most that clocks of processes may differ: no event is sealed longer before it happened. */
const clockToleranceMs = 300_000;

/**
 * A page of events; `after` is the last position of the page before, or the last id where they are of one person or review. Everything that was committed before the call is in its
 * place, unless sealing it takes longer than two seconds: then it comes later, behind what is listed now. INVALID_ARGUMENT for an event that
 * is not in the log.
 */
export async function listEvents(context: Context, query: EventQuery, after: string | undefined, limit: number): Promise<EventPage> {
  await sealBefore(context);
  const log = await findLog(context);
  const filter = await filterOf(context, query);
  const events = isOfSubject(query)
    ? await listEventsOf(context, subjectOf(query), filter, after, limit)
    : await listRows(context, filter, await readAfter(context, after), limit);
  return { events, origin: log?.origin ?? '' };
}

type SubjectQuery = Pick<EventQuery, 'actorId' | 'reviewId' | 'kinds' | 'targetId'>;

/** True if a query is of one person, review or object, or of some kinds: its pages go by the ids of events. */
export function isOfSubject({ actorId = '', reviewId = '', kinds = [], targetId = '' }: SubjectQuery): boolean {
  return actorId !== '' || reviewId !== '' || kinds.length > 0 || targetId !== '';
}

/** Most kinds that one query names. */
const maxKinds = 50;

function subjectOf({ actorId = '', reviewId = '', kinds = [], targetId = '' }: SubjectQuery): EventSubject {
  if (kinds.length > maxKinds) {
    throw invalidField('eventKinds', `must not have more than ${maxKinds} entries`);
  }
  const wrong = kinds.findIndex((kind) => !/^[a-z_]+\.[a-z_]*$/.test(kind));
  if (wrong >= 0) {
    throw invalidField(
      `eventKinds[${wrong}]`,
      'must be a kind of events, such as review.closed, or the beginning of several, such as review.',
    );
  }
  return { actorId, reviewId, kinds, targetId };
}

/** Seals what is committed, as far as that is possible now: the log can be read where it cannot be written. */
async function sealBefore(context: Context): Promise<void> {
  await sealLog(context, { forMs: longestWaitMs, waitsForLock: true }).catch((error: unknown) => {
    context.log.warn({ err: error }, 'the log could not be sealed before it was read');
  });
}

async function filterOf(context: Context, query: EventQuery): Promise<EventFilter> {
  const positions = await positionsOf(context, { sinceEventUid: query.sinceEventUid, untilEventUid: query.untilEventUid });
  const lowest = query.since === undefined ? -1 : await findPositionBefore(context, earlier(query.since));
  return {
    since: query.since,
    until: query.until,
    sincePosition: Math.max(lowest, positions.get('sinceEventUid') ?? -1),
    untilPosition: positions.get('untilEventUid'),
    descending: query.descending,
  };
}

/** So much earlier, but not before 1970, from when there are no events. */
function earlier(time: Date): Date {
  return new Date(Math.max(time.getTime() - clockToleranceMs, 0));
}

/** The positions of the events that fields name; fields that are empty name none. */
async function positionsOf(context: Context, fields: Readonly<Record<string, string>>): Promise<Map<string, number>> {
  const named = Object.entries(fields).filter(([, id]) => id !== '');
  if (named.length === 0) {
    return new Map();
  }
  const found = new Map(
    (
      await listPositions(
        context,
        named.map(([, id]) => id),
      )
    ).map(({ id, position }) => [id, position]),
  );
  return new Map(
    named.map(([field, id]) => {
      const position = found.get(id);
      if (position === undefined) {
        throw invalidField(field, 'names no event of this system log');
      }
      return [field, position];
    }),
  );
}

/** Page tokens hold a position; those of releases before the log held the id of an event. */
async function readAfter(context: Context, after: string | undefined): Promise<number | undefined> {
  if (after === undefined || !isId(after)) {
    return after === undefined ? undefined : Number(after);
  }
  return (await positionsOf(context, { pageToken: after })).get('pageToken');
}
