/**
 * The schedules of templates: one job of the tenant finds the templates of which an occurrence has come, and sleeps as a call until the next; another
 * does what is due of one template. A kill loses at most the chunk under way, and the key of an occurrence keeps it from being made twice.
 */
import type { Context } from '../../../context.ts';
import { callDue, callJobs, type JobKind } from '../../../jobs/index.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { findLatestOfTemplate } from '../../reviews/index.ts';
import { findTimeZone } from '../../../foundation/tenants/index.ts';
import { makeReview } from './make-review.ts';
import {
  type Recurrence,
  type TemplateRow,
  findActiveRecurrence,
  findNextMoment,
  findNumberUpTo,
  findOccurrence,
  listDueTemplates,
  listTemplatesElsewhere,
  lockTemplate,
  nextFrom,
  restartSchedule,
  updateTemplate,
  insertOccurrence,
  updateOccurrenceReview,
} from '../record/index.ts';

/** The kind of the job that finds what has come; its subject is the tenant. */
export const tickKind = 'template.tick';

/** The kind of the job that does what is due; its subject is the template. */
export const dueKind = 'template.due';

/** Templates that follow their tenant into another time zone, in one chunk. */
const movedPerChunk = 100;

/** Missed occurrences of one chunk. */
const missedPerChunk = 200;

/** Schedules that are in the tenant's time zone begin anew when that is another. */
async function followTimeZone(context: Context): Promise<number> {
  const zone = await findTimeZone(context.db, context.tenantId);
  const ids = await listTemplatesElsewhere(context, zone, movedPerChunk);
  for (const id of ids) {
    const template = await lockTemplate(context, id);
    if (template !== undefined) {
      const change = await restartSchedule(context, template, template.document);
      await updateTemplate(context, id, change, 'schedule');
      await recordEvent(context, {
        kind: 'template.schedule_moved',
        targetId: id,
        data: { timeZone: zone, nextAt: change.nextAt?.toISOString() ?? null },
      });
    }
  }
  return ids.length;
}

/** Calls for what is due of each template, then for itself at the next moment there is. */
export const tickJob: JobKind = {
  // Giving up would silently end all schedules.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    if ((await followTimeZone(context)) === movedPerChunk) {
      return { cursor: {}, done: job.done, total: 0 };
    }
    return callDue(context, job, { kind: tickKind, dueKind, list: listDueTemplates, findNextMoment });
  },
};

/** Writes down occurrences that nobody made in time, and says so; how many of them were left for another chunk. */
async function missOccurrences(context: Context, template: TemplateRow, rule: Recurrence, before: number): Promise<number> {
  const { id, scheduleGeneration: generation } = template;
  const end = Math.min(before, template.nextNumber + missedPerChunk);
  for (let number = template.nextNumber; number < end; number++) {
    const occursAt = findOccurrence(rule, number);
    if (occursAt !== undefined && (await insertOccurrence(context, id, { generation, number, occursAt, outcome: 'MISSED' }))) {
      await recordEvent(context, {
        kind: 'template.occurrence_missed',
        targetId: id,
        data: { generation, number, occursAt: occursAt.toISOString() },
      });
    }
  }
  return before - end;
}

/** Makes the review of an occurrence, or says why there is none. */
async function occur(context: Context, template: TemplateRow, number: number, occursAt: Date): Promise<void> {
  const { id, scheduleGeneration: generation } = template;
  const before = await findLatestOfTemplate(context, id);
  const outcome = before?.isUntouched === true ? 'SKIPPED' : 'MADE';
  if (!(await insertOccurrence(context, id, { generation, number, occursAt, outcome }))) {
    return;
  }
  const facts = { generation, number, occursAt: occursAt.toISOString(), displayName: template.document.displayName };
  if (before?.isUntouched === true) {
    await recordEvent(context, {
      kind: 'template.occurrence_skipped',
      targetId: id,
      data: { ...facts, untouchedDraftId: before.id },
    });
    return;
  }
  const review = await makeReview(context, template, { at: occursAt, createdById: template.createdById });
  await updateOccurrenceReview(context, id, { generation, number }, review.id);
  await recordEvent(context, {
    kind: 'template.occurrence_made',
    targetId: id,
    reviewId: review.id,
    data: { ...facts, accessReviewId: review.id, ownerIds: template.ownerIds },
  });
}

/** Makes the latest occurrence that has come; those before it that nobody made in time are missed. */
export const dueJob: JobKind = {
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const template = await lockTemplate(context, job.subjectId);
    if (template === undefined || template.nextAt === null || template.nextAt > context.now) {
      return 'finished';
    }
    const rule = await findActiveRecurrence(context, template.document);
    const latest = rule === undefined ? undefined : findNumberUpTo(rule, context.now);
    const occursAt = rule === undefined || latest === undefined ? undefined : findOccurrence(rule, latest);
    if (rule === undefined || latest === undefined || occursAt === undefined || latest < template.nextNumber) {
      // The data of time zones says otherwise than when the moment was computed.
      await updateTemplate(context, template.id, rule === undefined ? { nextAt: null } : nextFrom(rule, template.nextNumber), 'schedule');
      await callForTick(context);
      return 'finished';
    }
    const left = await missOccurrences(context, template, rule, latest);
    if (left > 0) {
      await updateTemplate(context, template.id, nextFrom(rule, latest - left), 'schedule');
      return { cursor: {}, done: job.done + missedPerChunk, total: 0 };
    }
    await occur(context, template, latest, occursAt);
    await updateTemplate(context, template.id, nextFrom(rule, latest + 1), 'schedule');
    await callForTick(context);
    return 'finished';
  },
};

async function callForTick({ db, tenantId, now }: Context): Promise<void> {
  await callJobs(db, [{ tenantId, kind: tickKind, subjectId: tenantId, runAt: now }]);
}
