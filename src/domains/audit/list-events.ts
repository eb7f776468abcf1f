/**
 * Which events a request to the system log asks for.
 */
import type { Context } from '../../context.ts';
import { newIdPrefix } from '../../wire/ids.ts';
import { type EventRow, listEvents as listRows } from './store.ts';

/** What is asked for; the bounds of a missing member are open. */
export interface EventQuery {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  /** Events after this one. */
  readonly sinceEventUid: string;
  /** Events before this one. */
  readonly untilEventUid: string;
  readonly descending: boolean;
}

/** A page of events in the order of their ids; `after` is the last id of the page before. */
export function listEvents(context: Context, query: EventQuery, after: string | undefined, limit: number): Promise<EventRow[]> {
  return listRows(
    context,
    {
      since: query.since,
      until: query.until,
      descending: query.descending,
      sinceId: laterOf(query.sinceEventUid, query.since),
      untilId: query.untilEventUid === '' ? undefined : query.untilEventUid,
    },
    after,
    limit,
  );
}

/**
 * Where to begin reading: ids begin with a time that is never before the event's own, so nothing at or after `since` lies below it. The
 * other end has no such bound: a clock that went back leaves ids that are later than their events.
 */
function laterOf(sinceEventUid: string, since: Date | undefined): string | undefined {
  const floor = since === undefined || since.getTime() < 0 ? '' : newIdPrefix(since).slice(0, 9);
  const later = sinceEventUid > floor ? sinceEventUid : floor;
  return later === '' ? undefined : later;
}
