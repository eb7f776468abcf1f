/**
 * Jobs that write down notices about access conflicts, templates and removals, each after an event. Reviews and tasks are notice-jobs.ts. Where mail is not
 * configured nothing is written down.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { asTexts } from '../../lib/json.ts';
import { wallTimeAt } from '../../lib/wall-time.ts';
import type { Context } from '../../context.ts';
import type { JobKind } from '../../jobs/index.ts';
import { findTimeZone } from '../tenants/index.ts';
import { batchAt, type IsConfigured, listNews } from './notice-jobs.ts';
import { callNotify, type NoticeKind } from './notices.ts';
import type { OccurredRow } from './store-occurred.ts';
import {
  type BroadNotice,
  insertNoticesForAdministrators,
  insertNoticesForApprovers,
  insertNoticesForRemovers,
  insertNoticesForRequesters,
  insertNoticesForSecondReviewers,
  insertNoticesForTemplate,
  insertNoticesOfConflicts,
  type RemovalEvent,
} from './store-others.ts';

/** The kinds of job, by what they follow; the subject is what the event is about. */
export const otherJobKinds = {
  conflicts: 'mail.conflicts',
  template: 'mail.template',
  removals: 'mail.removals',
  secondReview: 'mail.second-review',
} as const;

/** A job that writes notices about one thing, all due at one moment, and calls for mails. */
function informing(isConfigured: IsConfigured, work: (context: Context, subjectId: string, dueAt: Date) => Promise<number>): JobKind {
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

const templateNews: readonly (readonly [string, NoticeKind])[] = [
  ['template.occurrence_missed', 'OCCURRENCE_MISSED'],
  ['template.occurrence_skipped', 'OCCURRENCE_SKIPPED'],
  ['template.trigger_failed', 'TRIGGER_FAILED'],
];

function pick(data: JsonObject, member: string): JsonObject {
  const value = data[member];
  return typeof value === 'string' ? { [member]: value.slice(0, 1000) } : {};
}

async function informOfTemplate(context: Context, templateId: string, dueAt: Date): Promise<number> {
  const { year, month, day } = wallTimeAt(context.now, await findTimeZone(context.db, context.tenantId));
  let added = 0;
  for (const [event, kind] of templateNews) {
    for (const { id, data } of await listNews(context, event, templateId)) {
      // A condition that fails does so at each look; once a day is enough.
      const slot = kind === 'TRIGGER_FAILED' ? `${year}-${month}-${day}` : id;
      const notice = { kind, slot, data: { ...pick(data, 'occursAt'), ...pick(data, 'error') }, dueAt };
      added += await insertNoticesForTemplate(context, notice, templateId);
    }
  }
  return added;
}

/** The removals that an event names; undefined where it is about more than it names. */
function idsOf({ data }: OccurredRow): readonly string[] | undefined {
  const ids = asTexts(data.ids);
  return typeof data.count === 'number' && data.count <= ids.length ? ids : undefined;
}

/** The events about removals, what each says, and whom beside those who carry them out: the owners of the reviews, or the administrators. */
const removalNews: readonly (readonly [string, NoticeKind, (row: OccurredRow, subjectId: string) => RemovalEvent])[] = [
  ['revocations.requested', 'REMOVALS_REQUESTED', (row, reviewId) => ({ type: 'requested', reviewId, at: row.occurredAt })],
  // Asked for by somebody, approved, or begun anew: somebody has to carry it out now.
  ...['revocation.requested', 'revocation.approved', 'revocation.retried'].map(
    (name) => [name, 'REMOVALS_REQUESTED', (_row: OccurredRow, id: string): RemovalEvent => ({ type: 'asked', ids: [id] })] as const,
  ),
  [
    'revocations.handed_over',
    'REMOVALS_REQUESTED',
    ({ data }, batchId) => ({ type: 'handed', batchId, assignmentIds: asTexts(data.assignmentIds) }),
  ],
  ['revocations.reappeared', 'REMOVALS_REAPPEARED', (row, appId) => ({ type: 'reappeared', appId, ids: idsOf(row) })],
  [
    'revocation.overdue',
    'REMOVALS_OVERDUE',
    (row) => ({ type: 'overdue', times: row.data.isEscalated === true ? 2 : 1, at: row.occurredAt, ids: idsOf(row) }),
  ],
];

async function informOfRemovals(context: Context, subjectId: string, dueAt: Date): Promise<number> {
  let added = 0;
  for (const [name, kind, eventOf] of removalNews) {
    for (const row of await listNews(context, name, subjectId)) {
      const notice: BroadNotice = { kind, slot: row.id, data: {}, dueAt };
      added += await insertNoticesOf(context, notice, eventOf(row, subjectId));
    }
  }
  return added;
}

async function insertNoticesOf(context: Context, notice: BroadNotice, event: RemovalEvent): Promise<number> {
  if (event.type === 'overdue' && event.times > 1) {
    return insertNoticesForAdministrators(context, notice, event);
  }
  const removers = await insertNoticesForRemovers(context, notice, event);
  return event.type === 'requested' || event.type === 'asked' || event.type === 'handed'
    ? removers + (await insertNoticesForApprovers(context, { ...notice, kind: 'REMOVALS_TO_APPROVE' }, event))
    : removers + (await insertNoticesForRequesters(context, notice, event));
}

/** The task of a removal that somebody was reminded of or asked by anew: those whom it asks now. */
export async function informOfRemovalTask(context: Context, taskId: string, removalId: string, dueAt: Date): Promise<number> {
  let added = 0;
  for (const event of ['task.reminded', 'task.reassigned', 'task.restarted']) {
    const latest = (await listNews(context, event, taskId)).at(-1);
    if (latest !== undefined) {
      const notice: BroadNotice = { kind: 'REMOVALS_REQUESTED', slot: latest.id, data: {}, dueAt };
      added += await insertNoticesOf(context, notice, { type: 'asked', ids: [removalId] });
    }
  }
  return added;
}

/** The jobs that follow events which are about no review or task. */
export function createOtherJobs(isConfigured: IsConfigured): ReadonlyMap<string, JobKind> {
  return new Map([
    [otherJobKinds.conflicts, informing(isConfigured, informOfConflicts)],
    [otherJobKinds.template, informing(isConfigured, informOfTemplate)],
    [otherJobKinds.removals, informing(isConfigured, informOfRemovals)],
    [otherJobKinds.secondReview, informing(isConfigured, informOfSecondReview)],
  ]);
}
