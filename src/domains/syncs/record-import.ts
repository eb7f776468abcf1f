/**
 * The record and the event of an import, and the guard against files that take too much away; the same for people and grants.
 */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { type SyncSource, updateLastSync } from '../sources/index.ts';
import { RefusedFile } from './notes.ts';
import { type SyncRow, insertSync } from './store.ts';
import type { FileFacts } from './types.ts';

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

/** When an import that is about to be recorded ended. */
export function endOf(timed: TimedScope): Date {
  return new Date(timed.context.now.getTime() + Math.round(timed.elapsed()));
}

/** What a merge reports about itself; the rest of the record follows from the source, the caller and the clock. */
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
>;

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
  };
  await insertSync(context, row);
  await updateLastSync(context, connector.id, row.id);
  const { source, sourceId, appId, fileSha256, revision, rows, added, changed, removed, unchanged, counts, warningCount } = row;
  await recordEvent(context, {
    kind: row.kind === 'PEOPLE' ? 'people.imported' : 'grants.imported',
    targetType: 'import',
    targetId: row.id,
    data: { source, sourceId, appId, fileSha256, revision, rows, added, changed, removed, unchanged, counts, warningCount },
  });
  return row;
}

/** What a file would take away, in words: 'disable 30 of the 79 people of the source "people"'. */
export interface Removal {
  readonly verb: string;
  readonly removed: number;
  readonly total: number;
  readonly noun: string;
  /** In percent: more than that must be allowed. */
  readonly share: number;
}

/** How removals are guarded: whether any number is allowed, and what happens to a refusal where it does not end the import. */
export interface Guard {
  readonly isAllowed: boolean;
  readonly refuse?: (error: AppError) => void;
}

/** Refuses, with FAILED_PRECONDITION and the counts, a file that takes away more than the source's share, unless that was allowed. */
export function guardRemovals(removal: Removal, guard: Guard, file: FileFacts): void {
  const { verb, removed, total, noun, share } = removal;
  if (guard.isAllowed || removed * 100 <= total * share) {
    return;
  }
  const found = Math.floor((removed / total) * 1000) / 10;
  const refusal = new AppError(
    'FAILED_PRECONDITION',
    `Nothing was imported: the file would ${verb} ${removed} of the ${total} ${noun} (${found} %), which is more than ${share} %. If that is right, send it again with allow_removals=true.`,
    { violations: [{ field: 'allowRemovals', description: `would ${verb} ${removed} of ${total}` }] },
  );
  if (guard.refuse === undefined) {
    throw new RefusedFile(refusal, file);
  }
  guard.refuse(refusal);
}
