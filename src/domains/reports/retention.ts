/**
 * How long a tenant keeps the files of reports and the content of events: the settings, and the job that removes what is older. Nothing here
 * removes a report, an event, or anything of the event log.
 */
import { AppError, type FieldViolation } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import type { ChunkResult, Job, JobKind } from '../../jobs/index.ts';
import { emptyEvents, findOldestFull, recordEvent } from '../audit/index.ts';
import { cleanUpSignIns, isSignInCleanUpDue } from '../sessions/index.ts';
import { findOldReport, findRetention, removeReportFile, updateEmptiedUntil, updateRetention } from './store-retention.ts';

/** What holds for a tenant. */
export interface Retention {
  readonly reportDays: number;
  /** 0: for ever. */
  readonly eventYears: number;
}

/** Long enough for an audit of the year before last. */
const usualReportDays = 1_095;
const mostReportDays = 36_500;
const mostEventYears = 100;
const dayMs = 24 * 3_600_000;
/** Events of one chunk. */
const mostAtOnce = 1_000;

/** The settings that hold, those that were never set included. */
export async function getRetention(context: Context): Promise<Retention> {
  const row = await findRetention(context);
  return { reportDays: row?.reportDays ?? usualReportDays, eventYears: row?.eventYears ?? 0 };
}

/**
 * Sets what is given and returns what holds then. INVALID_ARGUMENT for numbers out of bounds, and for events that would go sooner than the
 * operator permits.
 */
export function changeRetention(context: Context, change: Partial<Retention>, minimumEventYears: number): Promise<Retention> {
  return inTransaction(context, async (inside) => {
    const before = await getRetention(inside);
    const after = { ...before, ...change };
    const violations: FieldViolation[] = [];
    if (after.reportDays < 1 || after.reportDays > mostReportDays) {
      violations.push({ field: 'retention.reportDays', description: `must be 1 to ${mostReportDays}` });
    }
    if (after.eventYears !== 0 && (after.eventYears < minimumEventYears || after.eventYears > mostEventYears)) {
      const description = `must be 0 (for ever), or ${minimumEventYears} to ${mostEventYears}: the operator of this service keeps events for ${minimumEventYears} years at least`;
      violations.push({ field: 'retention.eventYears', description });
    }
    if (violations.length > 0) {
      throw new AppError('INVALID_ARGUMENT', violations.map((one) => `${one.field}: ${one.description}`).join('; '), { violations });
    }
    if (after.reportDays !== before.reportDays || after.eventYears !== before.eventYears) {
      await updateRetention(inside, after);
      await recordEvent(inside, {
        kind: 'retention.updated',
        targetType: 'tenant',
        targetId: inside.tenantId,
        data: { from: { ...before }, to: { ...after } },
      });
    }
    return after;
  });
}

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

/** Whether anything of the tenant is due to go. */
export async function isRetentionDue(context: Context, minimumEventYears: number): Promise<boolean> {
  const { reportDays } = await getRetention(context);
  if ((await findOldReport(context, new Date(context.now.getTime() - reportDays * dayMs))) !== undefined) {
    return true;
  }
  if (await isSignInCleanUpDue(context)) {
    return true;
  }
  const cutoff = await findCutoff(context, minimumEventYears);
  return cutoff !== undefined && (cutoff.emptiedUntil === null || cutoff.emptiedUntil < cutoff.until);
}

/** The kind of the job; its subject is the tenant. */
export const retentionKind = 'retention.apply';

/** Where the job stands in a month of events. */
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
      const { reportDays } = await getRetention(context);
      const report = await findOldReport(context, new Date(context.now.getTime() - reportDays * dayMs));
      if (report !== undefined) {
        await removeReportFile(context, report.id, `The file was removed after ${reportDays} days. Request a new report of the review.`);
        await recordEvent(context, {
          kind: 'report.expired',
          targetType: 'report',
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
      return emptyNext(context, job, minimumEventYears);
    },
  };
}

async function emptyNext(context: Context, job: Job, minimumEventYears: number): Promise<ChunkResult> {
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
  const part = await emptyEvents(context, until, after, mostAtOnce);
  const emptied = count + part.count;
  if (part.count === mostAtOnce) {
    return { cursor: { until: until.toISOString(), after: part.lastId, count: emptied }, done: job.done + part.count, total: 0 };
  }
  if (emptied > 0) {
    await recordEvent(context, {
      kind: 'events.emptied',
      targetType: 'tenant',
      targetId: context.tenantId,
      data: { month: monthOf(until, 0, -1).toISOString().slice(0, 7), count: emptied },
    });
  }
  await updateEmptiedUntil(context, until);
  return { cursor: {}, done: job.done + part.count, total: 0 };
}
