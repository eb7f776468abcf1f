/**
 * Jobs due at dates that the database keeps (`next_at`): one job of the tenant calls for the jobs of the subjects whose moment has come, then
 * sleeps as a call until the next. What is due is read again by those jobs, under the lock of their subject.
 */
import type { Context } from '../context.ts';
import { callAgain, callJobs } from './calls.ts';
import type { ChunkResult, Job } from './types.ts';

/** Due subjects of one chunk. */
const duePerChunk = 1000;

/** Subjects, the job that finds the due ones, and the one that does what is due of each. */
export interface DueSubjects {
  readonly kind: string;
  readonly dueKind: string;
  /** The ids of due subjects behind this one, in order. */
  list(context: Context, behind: string, limit: number): Promise<string[]>;
  /** The next moment that has not come; undefined for none. */
  findNextMoment(context: Context): Promise<Date | undefined>;
}

/** A chunk of the job that finds what is due. */
export async function callDue(context: Context, job: Job, { kind, dueKind, list, findNextMoment }: DueSubjects): Promise<ChunkResult> {
  const { tenantId, now } = context;
  const behind = typeof job.cursor.behind === 'string' ? job.cursor.behind : '';
  const due = await list(context, behind, duePerChunk);
  await callJobs(
    context.db,
    due.map((id) => ({ tenantId, kind: dueKind, subjectId: id, runAt: now })),
  );
  const last = due.at(-1);
  if (last !== undefined && due.length === duePerChunk) {
    return { cursor: { behind: last }, done: job.done + due.length, total: 0 };
  }
  const next = await findNextMoment(context);
  if (next !== undefined) {
    await callAgain(context.db, { tenantId, kind, subjectId: tenantId, runAt: next }, context.now);
  }
  return 'finished';
}
