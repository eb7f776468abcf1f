/**
 * Which events a request to the system log asks for.
 */
import type { Scope } from '../../scope.ts';
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
export function listEvents(scope: Scope, query: EventQuery, after: string | undefined, limit: number): Promise<EventRow[]> {
  return listRows(
    scope,
    {
      since: query.since,
      until: query.until,
      descending: query.descending,
      sinceId: query.sinceEventUid === '' ? undefined : query.sinceEventUid,
      untilId: query.untilEventUid === '' ? undefined : query.untilEventUid,
    },
    after,
    limit,
  );
}
