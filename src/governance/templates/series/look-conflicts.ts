/**
 * Reviews of people who come into an access conflict: a job for each detection that found any, which writes down for whom templates make a review. The
 * job of look.ts makes them.
 */
import { type JobKind, callJobs } from '../../../jobs/index.ts';
import { lookFor, lookKind } from './look.ts';
import { listInConflict, listLooking, listPeopleNow } from './store-triggers.ts';

/** The kind of the job; its subject is the change that the detection made of alerts. */
export const lookConflictsKind = 'template.look-conflicts';

/** People of one chunk: so many that those of one revision are hardly ever in two. */
const peoplePerChunk = 10_000;
const maxTemplates = 1_000;

/** Looks at the people whose alerts a detection made active, then calls for their reviews: so all of one revision count together. */
export const lookConflictsJob: JobKind = {
  // Giving up would silently end all triggers.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const { db, tenantId, now } = context;
    const templates = await listLooking(context, ['CONFLICT'], maxTemplates);
    const behind = typeof job.cursor.behind === 'string' ? job.cursor.behind : '';
    const found = templates.length === 0 ? [] : await listInConflict(context, job.subjectId, behind, peoplePerChunk);
    const since = new Map(found.map(({ userId, activatedAt }) => [userId, activatedAt]));
    const people = await listPeopleNow(context, [...since.keys()]);
    const changed = people.map((person) => ({
      before: person,
      now: person,
      changedAt: since.get(person.id) ?? now,
      kinds: ['CONFLICT'] as const,
    }));
    for (const template of templates) {
      await lookFor(context, template, changed);
    }
    const last = found.at(-1);
    if (last !== undefined && found.length === peoplePerChunk) {
      return { cursor: { behind: last.userId }, done: job.done + found.length, total: 0 };
    }
    if (last !== undefined || behind !== '') {
      await callJobs(db, [{ tenantId, kind: lookKind, subjectId: tenantId, runAt: now }]);
    }
    return 'finished';
  },
};
