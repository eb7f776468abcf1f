/**
 * Jobs that write down notices about what is no review: access conflicts, templates, removals and second reviews, each after an event. Reviews and tasks
 * are notice-jobs.ts. Where mail is not configured nothing is written down.
 */
import { wallTimeAt } from '../../lib/wall-time.ts';
import type { Context } from '../../context.ts';
import type { EventKind } from '../../events/index.ts';
import type { JobKind } from '../../jobs/index.ts';
import { findTimeZone } from '../../foundation/tenants/index.ts';
import { batchAt, type IsConfigured, listNews } from './notice-jobs.ts';
import {
  type NoticeKind,
  callNotify,
  insertNoticesForSecondReviewers,
  insertNoticesForTemplate,
  insertNoticesOfConflicts,
} from './notices/index.ts';
import { type Inform, informOfRemovals } from './removal-jobs.ts';

/** The kinds of job, by what they follow; the subject is what the event is about. */
export const subjectJobKinds = {
  conflicts: 'mail.conflicts',
  template: 'mail.template',
  removals: 'mail.removals',
  secondReview: 'mail.second-review',
} as const;

/** A job that writes notices about one thing, all due at one moment, and calls for mails. */
function informing(isConfigured: IsConfigured, work: Inform): JobKind {
  return {
    // Giving up would silently leave people without their mails.
    maxAttempts: Number.MAX_SAFE_INTEGER,
    async handler(context, job) {
      if (await isConfigured(context)) {
        const dueAt = batchAt(context.now);
        if ((await work(context, job.subjectId, dueAt)) > 0) {
          await callNotify(context, dueAt);
        }
      }
      return 'finished';
    },
  };
}

function informOfConflicts(context: Context, changeId: string, dueAt: Date): Promise<number> {
  return insertNoticesOfConflicts(context, { kind: 'CONFLICT_ACTIVE', slot: changeId, data: {}, dueAt }, changeId);
}

/** A draw happens once for a review, so its notices need no slot. */
function informOfSecondReview(context: Context, reviewId: string, dueAt: Date): Promise<number> {
  return insertNoticesForSecondReviewers(context, { kind: 'SECOND_REVIEW_ASKED', slot: '', data: {}, dueAt }, reviewId);
}

const templateNews = [
  ['template.occurrence_missed', 'OCCURRENCE_MISSED'],
  ['template.occurrence_skipped', 'OCCURRENCE_SKIPPED'],
  ['template.trigger_failed', 'TRIGGER_FAILED'],
] as const satisfies readonly (readonly [EventKind, NoticeKind])[];

async function informOfTemplate(context: Context, templateId: string, dueAt: Date): Promise<number> {
  const { year, month, day } = wallTimeAt(context.now, await findTimeZone(context.db, context.tenantId));
  let added = 0;
  for (const [event, kind] of templateNews) {
    for (const { id, data } of await listNews(context, event, templateId)) {
      // A condition that fails does so at each look; once a day is enough.
      const slot = kind === 'TRIGGER_FAILED' ? `${year}-${month}-${day}` : id;
      const { occursAt, error } = { occursAt: undefined, error: undefined, ...data };
      const said = { ...(occursAt === undefined ? {} : { occursAt }), ...(error === undefined ? {} : { error: error.slice(0, 1000) }) };
      const notice = { kind, slot, data: said, dueAt };
      added += await insertNoticesForTemplate(context, notice, templateId);
    }
  }
  return added;
}

const informs: Readonly<Record<keyof typeof subjectJobKinds, Inform>> = {
  conflicts: informOfConflicts,
  template: informOfTemplate,
  removals: informOfRemovals,
  secondReview: informOfSecondReview,
};

/** The jobs that follow events which are about no review or task. */
export function createSubjectJobs(isConfigured: IsConfigured): ReadonlyMap<string, JobKind> {
  const names = Object.keys(informs) as (keyof typeof informs)[];
  return new Map(names.map((name) => [subjectJobKinds[name], informing(isConfigured, informs[name])]));
}
