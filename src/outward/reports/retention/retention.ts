/**
 * Time a tenant keeps the files of reports and the content of events: the settings, and the job that removes what is older. Nothing here removes a
 * report, an event, or anything of the event log.
 */
import { type FieldViolation, refuseInvalid } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import type { ChunkResult, Job, JobKind } from '../../../jobs/index.ts';
import { emptyEvents, findOldestFull, recordEvent } from '../../../foundation/audit/index.ts';
import { listHeld, lockHolds } from '../../../foundation/holds/index.ts';
import { askSecondPerson, type RequestRow, type SecondPersonAct } from '../../../foundation/second-persons/index.ts';
import { cleanUpSignIns, isSignInCleanUpDue } from '../../../foundation/sessions/index.ts';
import { findOldReport, findRetention, removeReportFile, updateEmptiedUntil, updateRetention } from './store-retention.ts';

/** Times that hold for a tenant. */
export interface Retention {
  readonly reportDays: number;
  /** 0: for ever. */
  readonly eventYears: number;
  /** From the close of a review. */
  readonly reviewYears: number;
}

/** Outcome of a change: what holds now, and the request that waits for a second person where something is to become shorter. */
export interface RetentionChange {
  readonly retention: Retention;
  readonly request?: RequestRow;
}

/** Long enough for an audit of the year before last. */
const usualReportDays = 1_095;
const maxReportDays = 36_500;
const maxEventYears = 100;
const usualReviewYears = 7;
const maxReviewYears = 30;
const dayMs = 24 * 3_600_000;
/** Events of one chunk. */
const maxAtOnce = 1_000;

/** The settings that hold, those that were never set included. */
export async function getRetention(context: Context): Promise<Retention> {
  const row = await findRetention(context);
  return {
    reportDays: row?.reportDays ?? usualReportDays,
    eventYears: row?.eventYears ?? 0,
    reviewYears: row?.reviewYears ?? usualReviewYears,
  };
}

function requirePossible(after: Retention, minimumEventYears: number): void {
  const violations: FieldViolation[] = [];
  if (after.reportDays < 1 || after.reportDays > maxReportDays) {
    violations.push({ field: 'retention.reportDays', description: `must be 1 to ${maxReportDays}` });
  }
  if (after.eventYears !== 0 && (after.eventYears < minimumEventYears || after.eventYears > maxEventYears)) {
    const description = `must be 0 (for ever), or ${minimumEventYears} to ${maxEventYears}: the operator of this service keeps events for ${minimumEventYears} years at least`;
    violations.push({ field: 'retention.eventYears', description });
  }
  if (after.reviewYears < 1 || after.reviewYears > maxReviewYears) {
    violations.push({ field: 'retention.reviewYears', description: `must be 1 to ${maxReviewYears}` });
  }
  refuseInvalid(violations);
}

/** True if evidence would be kept for a shorter time. Files of reports can be made again for as long as their review is kept. */
function isShorter(before: Retention, after: Retention): boolean {
  const years = ({ eventYears }: Retention): number => (eventYears === 0 ? Number.POSITIVE_INFINITY : eventYears);
  return years(after) < years(before) || after.reviewYears < before.reviewYears;
}

/**
 * Sets what is given, and answers what holds then; what would end evidence sooner is asked instead, and set when somebody confirms it.
 * INVALID_ARGUMENT for numbers out of bounds, and for events that would go sooner than the operator permits; CONFLICT where a shorter time is
 * asked already.
 */
export function changeRetention(
  context: Context,
  change: Partial<Retention>,
  minimumEventYears: number,
  reason = 'Keep evidence for a shorter time.',
): Promise<RetentionChange> {
  return inTransaction(context, async (inside) => {
    const before = await getRetention(inside);
    const after = { ...before, ...change };
    requirePossible(after, minimumEventYears);
    if (isShorter(before, after)) {
      const question = { kind: 'SHORTEN_RETENTION', subjectId: inside.tenantId, change: { ...after }, reason } as const;
      return { retention: before, request: await askSecondPerson(inside, question) };
    }
    await setRetention(inside, before, after);
    return { retention: after };
  });
}

async function setRetention(context: Context, before: Retention, after: Retention): Promise<void> {
  const names = ['reportDays', 'eventYears', 'reviewYears'] as const;
  if (names.some((name) => before[name] !== after[name])) {
    await updateRetention(context, after);
    await recordEvent(context, { kind: 'retention.updated', targetId: context.tenantId, data: { from: { ...before }, to: { ...after } } });
  }
}

/** Setting of a shorter retention, once it is confirmed. */
export const shortenAct: SecondPersonAct = {
  async apply(context, { change }) {
    const before = await getRetention(context);
    await setRetention(context, before, { ...before, ...change });
  },
};

/** The first moment of the month of a time, so many years before. */
function monthOf(time: Date, yearsBefore = 0, monthsAfter = 0): Date {
  return new Date(Date.UTC(time.getUTCFullYear() - yearsBefore, time.getUTCMonth() + monthsAfter, 1));
}

/** Until when events are to be emptied; undefined where they are kept for ever. */
async function findCutoff(context: Context, minimumEventYears: number): Promise<{ until: Date; emptiedUntil: Date | null } | undefined> {
  const row = await findRetention(context);
  if (row === undefined || row.eventYears === null || row.eventYears === 0) {
    return undefined;
  }
  // The operator may have raised the minimum since.
  return { until: monthOf(context.now, Math.max(row.eventYears, minimumEventYears)), emptiedUntil: row.emptiedUntil };
}

/** True if anything of the tenant is due to go. */
export async function isRetentionDue(context: Context, minimumEventYears: number): Promise<boolean> {
  if (await isSignInCleanUpDue(context)) {
    return true;
  }
  const held = await listHeld(context);
  if (held.isTenant) {
    return false;
  }
  const { reportDays } = await getRetention(context);
  if ((await findOldReport(context, new Date(context.now.getTime() - reportDays * dayMs), held.reviewIds)) !== undefined) {
    return true;
  }
  const cutoff = await findCutoff(context, minimumEventYears);
  return cutoff !== undefined && (cutoff.emptiedUntil === null || cutoff.emptiedUntil < cutoff.until);
}

/** The kind of the job; its subject is the tenant. */
export const retentionKind = 'retention.apply';

/** Place of the job in a month of events. */
interface MonthCursor {
  /** The end of the month. */
  readonly until: string;
  readonly after: string;
  readonly count: number;
}

/** Removes one file of a report, a part of what is left of signing in, or a part of a month of events at a time, each with its event. */
export function createRetentionJob(minimumEventYears: number): JobKind {
  return {
    async handler(context, job) {
      await lockHolds(context);
      const held = await listHeld(context);
      const { reportDays } = await getRetention(context);
      const before = new Date(context.now.getTime() - reportDays * dayMs);
      const report = held.isTenant ? undefined : await findOldReport(context, before, held.reviewIds);
      if (report !== undefined) {
        await removeReportFile(context, report.id, `The file was removed after ${reportDays} days. Request a new report of the review.`);
        await recordEvent(context, {
          kind: 'report.expired',
          targetId: report.id,
          reviewId: report.reviewId,
          data: { reviewId: report.reviewId, days: reportDays, bytes: report.sizeBytes },
        });
        return { cursor: job.cursor, done: job.done + 1, total: 0 };
      }
      const cleaned = await cleanUpSignIns(context);
      if (cleaned > 0) {
        return { cursor: job.cursor, done: job.done + cleaned, total: 0 };
      }
      return held.isTenant ? 'finished' : emptyNext(context, job, minimumEventYears, held.reviewIds);
    },
  };
}

async function emptyNext(context: Context, job: Job, minimumEventYears: number, except: readonly string[]): Promise<ChunkResult> {
  const cutoff = await findCutoff(context, minimumEventYears);
  if (cutoff === undefined) {
    return 'finished';
  }
  const cursor = job.cursor as Partial<MonthCursor>;
  let until = cursor.until === undefined ? undefined : new Date(cursor.until);
  if (until === undefined) {
    const oldest = await findOldestFull(context, cutoff.emptiedUntil);
    until = oldest === undefined ? undefined : monthOf(oldest, 0, 1);
    if (until !== undefined && cutoff.emptiedUntil !== null && until <= cutoff.emptiedUntil) {
      // It happened at the end of one month and was written down in the next, to which its id belongs.
      until = monthOf(cutoff.emptiedUntil, 0, 1);
    }
  }
  if (until === undefined || until > cutoff.until) {
    await updateEmptiedUntil(context, cutoff.until);
    return 'finished';
  }
  const { after = '', count = 0 } = cursor;
  const part = await emptyEvents(context, { until, after, except }, maxAtOnce);
  const emptied = count + part.count;
  if (part.count === maxAtOnce) {
    return { cursor: { until: until.toISOString(), after: part.lastId, count: emptied }, done: job.done + part.count, total: 0 };
  }
  if (emptied > 0) {
    await recordEvent(context, {
      kind: 'events.emptied',
      targetId: context.tenantId,
      data: { month: monthOf(until, 0, -1).toISOString().slice(0, 7), count: emptied },
    });
  }
  await updateEmptiedUntil(context, until);
  return { cursor: {}, done: job.done + part.count, total: 0 };
}
