/** The job that writes down notices about removals, after an event. Where mail is not configured nothing is written down. */
import type { Context } from '../../context.ts';
import type { EventKind } from '../../events/index.ts';
import { listNews } from './notice-jobs.ts';
import {
  type NoticeKind,
  type OccurredRow,
  type RemovalEvent,
  type SubjectNotice,
  insertNoticesForAdministrators,
  insertNoticesForApprovers,
  insertNoticesForRemovers,
  insertNoticesForRequesters,
} from './notices/index.ts';

/** The removals that an event names; undefined where it is about more than it names. */
function namedRemovals({ ids = [], count }: { readonly ids?: readonly string[]; readonly count?: number }): readonly string[] | undefined {
  return count !== undefined && count <= ids.length ? ids : undefined;
}

/** Writes the notices of what happened to something lately; how many are new. */
export type Inform = (context: Context, subjectId: string, dueAt: Date) => Promise<number>;

function follow<K extends EventKind>(name: K, kind: NoticeKind, tell: (row: OccurredRow<K>, subjectId: string) => RemovalEvent): Inform {
  return async (context, subjectId, dueAt) => {
    let added = 0;
    for (const row of await listNews(context, name, subjectId)) {
      added += await insertNoticesOf(context, { kind, slot: row.id, data: {}, dueAt }, tell(row, subjectId));
    }
    return added;
  };
}

const askForOne = (_row: OccurredRow, id: string): RemovalEvent => ({ type: 'asked', ids: [id] });

/** The events about removals, what each says, and whom beside those who carry them out: the owners of the reviews, or the administrators. */
const removalNews: readonly Inform[] = [
  follow('revocations.requested', 'REMOVALS_REQUESTED', (row, reviewId) => ({ type: 'requested', reviewId, at: row.occurredAt })),
  // Asked for by somebody, approved, or begun anew: somebody has to carry it out now.
  follow('revocation.requested', 'REMOVALS_REQUESTED', askForOne),
  follow('revocation.approved', 'REMOVALS_REQUESTED', askForOne),
  follow('revocation.retried', 'REMOVALS_REQUESTED', askForOne),
  // Its connector could not carry it out, or was not asked to.
  follow('revocation.failed', 'REMOVALS_REQUESTED', ({ data }, id) => ({ type: 'asked', ids: data.connectorId === undefined ? [] : [id] })),
  follow('revocations.left_to_people', 'REMOVALS_REQUESTED', ({ data }) => ({ type: 'asked', ids: data.ids ?? [] })),
  follow('revocations.requested_anew', 'REMOVALS_REQUESTED', ({ data }) => ({ type: 'asked', ids: data.ids ?? [] })),
  follow('revocations.handed_over', 'REMOVALS_REQUESTED', ({ data }, batchId) => ({
    type: 'handed',
    batchId,
    assignmentIds: data.assignmentIds ?? [],
  })),
  follow('revocations.reappeared', 'REMOVALS_REAPPEARED', ({ data }, appId) => ({ type: 'reappeared', appId, ids: namedRemovals(data) })),
  follow('revocation.overdue', 'REMOVALS_OVERDUE', ({ data, occurredAt }) => ({
    type: 'overdue',
    times: data.isEscalated === true ? 2 : 1,
    at: occurredAt,
    ids: namedRemovals(data),
  })),
];

/** Writes the notices of all that happened to removals of something lately; how many are new. */
export async function informOfRemovals(context: Context, subjectId: string, dueAt: Date): Promise<number> {
  let added = 0;
  for (const inform of removalNews) {
    added += await inform(context, subjectId, dueAt);
  }
  return added;
}

async function insertNoticesOf(context: Context, notice: SubjectNotice, event: RemovalEvent): Promise<number> {
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
  for (const event of ['task.reminded', 'task.reassigned', 'task.restarted'] as const) {
    const latest = (await listNews(context, event, taskId)).at(-1);
    if (latest !== undefined) {
      const notice: SubjectNotice = { kind: 'REMOVALS_REQUESTED', slot: latest.id, data: {}, dueAt };
      added += await insertNoticesOf(context, notice, { type: 'asked', ids: [removalId] });
    }
  }
  return added;
}
