/**
 * The job that tells administrators once a day that records of people wait for somebody to say who they are. Its subject is the tenant. It looks again
 * each day while any waits, and a new one calls for it; where mail is not configured nothing is written down.
 */
import { callAgain, type JobKind } from '../../jobs/index.ts';
import { countDisputed } from '../../inventory/people/index.ts';
import { batchAt, type IsConfigured } from './notice-jobs.ts';
import { callNotify, insertNoticesForRecords } from './notices/index.ts';

/** The kind of job. */
export const recordsJobKind = 'mail.records';

const dayMs = 86_400_000;

/** Creates the job. */
export function createRecordsJob(isConfigured: IsConfigured): JobKind {
  return {
    // Giving up would silently leave people without their mails.
    maxAttempts: Number.MAX_SAFE_INTEGER,
    async handler(context) {
      const { db, tenantId, now } = context;
      if ((await countDisputed(context)) === 0) {
        return 'finished';
      }
      const dueAt = batchAt(now);
      const notice = { kind: 'RECORDS_DISPUTED', slot: now.toISOString(), data: {}, dueAt } as const;
      if ((await isConfigured(context)) && (await insertNoticesForRecords(context, notice, new Date(now.getTime() - dayMs))) > 0) {
        await callNotify(context, dueAt);
      }
      await callAgain(db, { tenantId, kind: recordsJobKind, subjectId: tenantId, runAt: new Date(now.getTime() + dayMs) }, now);
      return 'finished';
    },
  };
}
