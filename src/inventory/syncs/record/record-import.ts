/**
 * The record and the event of an import; the same for people and grants.
 */
import type { Context } from '../../../context.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { type SyncSource, updateLastSync } from '../../sources/index.ts';
import { newId } from '../../../wire/ids.ts';
import type { Observed } from './observe.ts';
import { digestSync } from './store-evidence.ts';
import { type SyncRow, insertSync } from './store.ts';

/** The context of an import with how long it has taken: its moment is when the request came, and a large file takes minutes from there. */
export interface TimedScope {
  readonly context: Context;
  /** Milliseconds since the import began. */
  elapsed(): number;
}

/** Begins to count. */
export function startClock(context: Context): TimedScope {
  const begun = performance.now();
  return { context, elapsed: () => performance.now() - begun };
}

/** Computes the end of an import that is about to be recorded. */
export function endOf(timed: TimedScope): Date {
  return new Date(timed.context.now.getTime() + Math.round(timed.elapsed()));
}

/** Report of a merge about itself; the rest of the record follows from the source, the caller and the clock. */
export type DoneSync = Pick<
  SyncRow,
  | 'id'
  | 'kind'
  | 'source'
  | 'appId'
  | 'fileSha256'
  | 'fileFormat'
  | 'readAs'
  | 'revision'
  | 'rows'
  | 'added'
  | 'changed'
  | 'removed'
  | 'unchanged'
  | 'counts'
  | 'warningCount'
  | 'warnings'
  | 'peopleDigest'
  | 'howRead'
  | 'findings'
  | 'parts'
  | 'elsewhere'
> &
  Observed['record'];

/** Writes the record and the one event of an import that was done, and makes it the last one of its source. */
export async function recordSync(timed: TimedScope, connector: SyncSource, done: DoneSync): Promise<SyncRow> {
  const { context } = timed;
  const row: SyncRow = {
    ...done,
    state: 'DONE',
    sourceId: connector.id,
    previousId: connector.lastSyncId,
    rejected: 0,
    error: '',
    rowErrors: [],
    createdById: context.actor.userId,
    startedAt: context.now,
    endedAt: endOf(timed),
    createdAt: context.now,
    eventId: newId(context.now),
  };
  await insertSync(context, row);
  await updateLastSync(context, connector.id, row.id);
  const { source, sourceId, appId, fileSha256, revision, rows, added, changed, removed, unchanged, counts, warningCount } = row;
  await recordEvent(context, {
    id: row.eventId,
    evidence: { syncs: digestSync(row) },
    kind: row.kind === 'PEOPLE' ? 'people.imported' : 'grants.imported',
    targetId: row.id,
    data: { source, sourceId, appId, fileSha256, revision, rows, added, changed, removed, unchanged, counts, warningCount },
  });
  return row;
}
