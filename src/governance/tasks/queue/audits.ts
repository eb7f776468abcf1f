/**
 * The audits of a task, page by page: what happened to it, read from the task and its actions, never from the event log. What an action is in
 * them is in audit-happenings.ts; a task that ended without a person says why.
 */
import type { TaskAuditView } from '../../../gen/c1/api/task/v1/task_audit_pb.js';
import { invalidField } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { type Row, unset } from '../../../wire/row.ts';
import { listPersonWords, listUsersByIds, shapeUser, wordsAt } from '../../../foundation/directory/index.ts';
import { endingHappenings, explanation, happeningsOf, issuerHappenings, type People } from './audit-happenings.ts';
import { getTask, explainEnd, type Task } from '../task/index.ts';
import { type ActionRow, listActions } from './store-audits.ts';
import { stateName } from '../views/index.ts';

/** Audits meant: of one task, some of them by id, comments alone, in either direction. */
export interface AuditQuery {
  readonly taskId: string;
  readonly refs: readonly string[];
  readonly commentsOnly: boolean;
  readonly newestFirst: boolean;
}

/** Keys of the two entries that are not actions: before and behind every identifier. */
const createdKey = '';
const endedKey = '~';

interface Entry {
  /** [key of the action, place among its audits] */
  readonly key: readonly [string, number];
  readonly view: Row<TaskAuditView>;
}

function entriesOf(task: Task, action: ActionRow, people: People, query: AuditQuery): Entry[] {
  const user = people.get(action.actorId);
  const entries = [...happeningsOf(task, action, people), ...issuerHappenings(action, people)].map(
    (happening, place): Entry => ({
      key: [action.id, place],
      view: {
        ...happening,
        id: place === 0 ? action.id : `${action.id}-${place}`,
        ticketId: task.id,
        userId: action.actorId,
        created: action.createdAt,
        eventType: 'TASK_AUDIT_EVENT_TYPE_NEUTRAL',
        source: 'SOURCE_C1',
        workflowStep: action.step,
        metadata: user && { user },
      },
    }),
  );
  return query.newestFirst ? entries.toReversed() : entries;
}

/** The task's beginning, and its end where neither a person nor a policy's step ended it. */
function ownEntries(task: Task, query: AuditQuery): Entry[] {
  const common = { ticketId: task.id, eventType: 'TASK_AUDIT_EVENT_TYPE_NEUTRAL', source: 'SOURCE_C1' } as const;
  const created: Entry = {
    key: [createdKey, 0],
    view: {
      ...common,
      id: `${task.id}-created`,
      created: task.createdAt,
      currentState: 'OPEN',
      taskCreated: {},
      ...unset('metadata', 'userId', 'workflowStep'),
    },
  };
  const alreadyTold =
    task.endReason === 'DECIDED' ||
    task.history.some(({ kind, stepGeneration }) => (kind === 'ENDED' || kind === 'SKIPPED') && stepGeneration === task.stepGeneration);
  const sentence = task.kind === 'REVOKE' ? `The removal is ${task.revocation?.state ?? ''}.` : explainEnd(task.endReason);
  const ending = task.state === 'OPEN' || alreadyTold ? [] : [...explanation(sentence), ...endingHappenings(task.outcome, task.kind)];
  const ended = ending.map(
    (happening, place): Entry => ({
      key: [endedKey, place],
      view: {
        ...common,
        ...happening,
        id: place === 0 ? `${task.id}-ended` : `${task.id}-ended-${place}`,
        created: task.endedAt,
        workflowStep: task.step,
        ...unset('metadata', 'userId'),
      },
    }),
  );
  return query.newestFirst ? [...ended.toReversed(), created] : [created, ...ended];
}

/** The ids of those an action names; '' for nobody. */
function peopleIn({ actorId, issuerId, data }: ActionRow): string[] {
  return [actorId, issuerId, data.delegatorId ?? '', ...(data.newUserIds ?? []), ...(data.disabledUserIds ?? []), ...(data.userIds ?? [])];
}

/** Loads those whom actions name; of each action they are named as they were then. */
async function loadPeople(context: Context, actions: readonly ActionRow[]): Promise<(action: ActionRow) => People> {
  const ids = actions.flatMap(peopleIn).filter((id) => id !== '');
  const [users, words] = [await listUsersByIds(context, ids), await listPersonWords(context, ids)];
  return (action) =>
    new Map(
      peopleIn(action).flatMap((id) => {
        const user = users.get(id);
        return user === undefined
          ? []
          : [[id, shapeUser(context.actor, { ...user, ...wordsAt(words.get(id), action.createdAt) })] as const];
      }),
    );
}

function isAfter(entry: Entry, after: readonly string[] | undefined, newestFirst: boolean): boolean {
  if (after === undefined) {
    return true;
  }
  const [id = '', place = '0'] = after;
  const order = entry.key[0] === id ? entry.key[1] - Number(place) : entry.key[0] < id ? -1 : 1;
  return newestFirst ? order < 0 : order > 0;
}

/** True if `refs` has an audit's id without its place: the action's, or `<task>-created`, `<task>-ended`. */
function matchesRef(view: Row<TaskAuditView>, refs: readonly string[]): boolean {
  return refs.length === 0 || refs.includes(view.id ?? '');
}

/** A page of audits and the key the next one starts after. 400 without a task, 404 where the actor may not see it. */
export async function listAudits(
  context: Context,
  query: AuditQuery,
  page: { readonly size: number; readonly after: readonly string[] | undefined },
): Promise<{ audits: Row<TaskAuditView>[]; nextKey: readonly string[] | undefined }> {
  if (query.taskId === '') {
    throw invalidField('taskId', 'must name a task');
  }
  const task = await getTask(context, query.taskId);
  const from = page.after?.[0];
  const skipsActions = from !== undefined && (query.newestFirst ? from === createdKey : from === endedKey);
  const ids = query.refs.length === 0 ? undefined : query.refs.map((ref) => ref.slice(0, 27));
  const bound = from === createdKey || from === endedKey ? undefined : from;
  const filter = { from: bound, newestFirst: query.newestFirst, commentsOnly: query.commentsOnly, ids };
  const actions = skipsActions ? [] : await listActions(context, task.id, filter, page.size + 2);
  const peopleAt = await loadPeople(context, actions);
  const own = query.commentsOnly ? [] : ownEntries(task, query);
  const first = own.filter(({ key }) => key[0] === (query.newestFirst ? endedKey : createdKey));
  const last = own.filter(({ key }) => key[0] === (query.newestFirst ? createdKey : endedKey));
  // One of them may have been shown whole on the page before.
  const whole = actions.length <= page.size + 1;
  const entries = [...first, ...actions.flatMap((action) => entriesOf(task, action, peopleAt(action), query)), ...(whole ? last : [])]
    .filter((entry) => isAfter(entry, page.after, query.newestFirst))
    .filter(({ view }) => matchesRef(view, query.refs) && (!query.commentsOnly || view.comment !== undefined));
  const shown = entries.slice(0, page.size);
  const end = shown.at(-1);
  const hasMore = entries.length > page.size || !whole;
  return {
    audits: shown.map(({ view }) => ({
      ...view,
      currentState: view.currentState === 'TASK_STATE_UNSPECIFIED' ? stateName(task.state) : view.currentState,
    })),
    nextKey: hasMore && end !== undefined ? [end.key[0], String(end.key[1])] : undefined,
  };
}
