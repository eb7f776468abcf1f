/**
 * `countersign task ...`: a reviewer's work through the API. Tasks are named by their number (12 or #12) or id, several at once. What is staged
 * and submitted is in task-submit.ts.
 */
import type { ByValue } from '../../client/by-value.ts';
import type { JsonValue } from '@bufbuild/protobuf';
import type { Client } from '../../client/index.ts';
import type { TaskJson, TaskViewJson } from '../../gen/c1/api/task/v1/task_pb.js';
import type { TaskAuditPolicyApprovalReassignedJson } from '../../gen/c1/api/task/v1/task_audit_pb.js';
import { TaskActionsService } from '../../gen/c1/api/task/v1/task_actions_service_pb.js';
import { TaskService } from '../../gen/c1/api/task/v1/task_service_pb.js';
import { CertifyTaskService } from '../../gen/countersign/v1/tasks_pb.js';
import type { Commands } from '../frame/commands.ts';
import { findPersonId } from '../frame/find.ts';
import type { Given, OptionTable } from '../frame/given.ts';
import { collect, CommandFailure, UsageError } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';
import { getAddressKey } from '../../lib/names/same-name.ts';
import { nameTask } from './task-name.ts';
import { addQueueCommand } from './task-queue.ts';
import { addSecondReviewTaskCommand } from './task-second.ts';
import { addSubmitCommands } from './task-submit.ts';

const why = { '--comment <text>': 'why' } as const;
const whyNeeded = { '--comment <text>': { text: 'why', needed: true } } as const;

/** Adds the `task` commands. */
export function addTaskCommands(group: Commands): void {
  addReads(group);
  const { approve, deny, comment: addComment, reassign, restart, hardReset, skipStep, close } = TaskActionsService.method;
  addAction(
    group,
    'approve',
    'certify the access',
    { ...why, '--until <date>': 'certify it until then alone, 1 to 400 days ahead; a new review asks again' },
    (client, taskId, { comment = '', until }) =>
      until === undefined
        ? client.call(approve, { taskId, comment })
        : client.call(CertifyTaskService.method.approveUntil, { taskId, comment, certifyUntil: readDate(until) }),
  );
  addAction(group, 'deny', 'revoke the access, which changes nothing in the application', why, (client, taskId, { comment = '' }) =>
    client.call(deny, { taskId, comment }),
  );
  addAction(
    group,
    'comment',
    'add a comment',
    { '--comment <text>': { text: 'the comment', needed: true } },
    (client, taskId, { comment }) => client.call(addComment, { taskId, comment }),
  );
  addAction(
    group,
    'reassign',
    'pass tasks on to other people',
    { '--to <person>': { text: 'mail address or id; repeat it for several', parse: collect, needed: true }, ...why },
    async (client, taskId, { to, comment = '' }) =>
      client.call(reassign, { taskId, comment, newStepUserIds: await findReassignees(client, taskId, to) }),
  );
  addAction(group, 'restart', 'ask again from the first step', why, (client, taskId, { comment = '' }) =>
    client.call(restart, { taskId, comment }),
  );
  addAction(group, 'reset', 'ask again by the policy of today', why, (client, taskId, { comment = '' }) =>
    client.call(hardReset, { taskId, comment }),
  );
  addAction(group, 'skip', 'skip the current step; a skip never certifies', whyNeeded, (client, taskId, { comment }) =>
    client.call(skipStep, { taskId, comment }),
  );
  addAction(group, 'close', 'cancel tasks without a decision', whyNeeded, (client, taskId, { comment }) =>
    client.call(close, { taskId, comment }),
  );
  addAction(
    group,
    'remind',
    'remind the reviewers of tasks, once an hour, and nobody of a review twice in 15 minutes',
    {},
    async (client, taskId) => {
      const { taskView, remindedUserIds = [], leftOutUserIds = [] } = await client.call(CertifyTaskService.method.remind, { taskId });
      return { taskView, note: sayReminded(remindedUserIds.length, leftOutUserIds.length) };
    },
  );
  addSubmitCommands(group);
}

function addReads(group: Commands): void {
  group.list('list', {
    description: 'list the open tasks you may see',
    options: {
      '--review <id>': { text: 'those of this review alone', field: 'accessReviewIds' },
      '--query <text>': 'those with these words in the names of account, owner, app or entitlement',
      '--staged': 'those you staged a decision about',
      '--all': 'closed ones, too',
      '--limit <count>': { text: 'as many at most', fallback: '100' },
    },
    method: TaskService.method.search,
    request: ({ all, staged }) => ({
      ...(all !== true && { taskStates: ['TASK_STATE_OPEN' as const] }),
      ...(staged === true && { pendingActionFilter: 'PENDING_ACTION_FILTER_WITH_PENDING' as const }),
    }),
    columns: {
      NUMBER: ({ task }) => `#${task?.numericId ?? ''}`,
      STATE: ({ task = {} }) => sayState(task),
      ADVICE: ({ task = {} }) => sayAdvice(task),
      TASK: 'task.displayName',
    },
  });
  addQueueCommand(group);
  addSecondReviewTaskCommand(group);

  const operands = { '<task>': 'number or id of the task' } as const;
  group.call('show', {
    description: 'show one task',
    operands,
    method: TaskService.method.get,
    request: ({ task }) => ({ id: nameTask(task) }),
    text: async ({ task = {} }, _, { client }) => [...describe(task), ...(await explain(client, task))],
  });
  group.list('audits', {
    description: 'list what happened to a task, oldest first',
    operands,
    method: TaskService.method.list,
    request: ({ task }) => ({ taskId: nameTask(task) }),
    columns: {
      WHEN: 'created',
      WHO: ({ metadata, userId }) => metadata?.user?.displayName ?? userId,
      WHAT: (audit) =>
        audit.comment?.comment ??
        audit.policyEvaluationStep?.stepComment ??
        sayAsked(audit.approvalReassigned) ??
        Object.keys(audit).find((key) => typeof audit[key as keyof typeof audit] === 'object' && key !== 'metadata'),
    },
  });
}

/** Says how many people were reminded of a task, and how many were not, and why. */
function sayReminded(reminded: number, leftOut: number): string {
  const people = (count: number): string => `${count} ${count === 1 ? 'person' : 'people'}`;
  return [
    `reminded ${people(reminded)}`,
    ...(leftOut === 0 ? [] : [`not again ${people(leftOut)}, who were reminded of this review less than 15 minutes ago`]),
  ].join('; ');
}

/** Whom a task asks since it was passed on, handed over or escalated. */
function sayAsked(asked: TaskAuditPolicyApprovalReassignedJson | undefined): string | undefined {
  const { users = [], newUsers = [] } = asked ?? {};
  const names = newUsers.map((id) => {
    const person = users.find((user) => user.id === id);
    return person?.displayName || person?.email || id;
  });
  return asked === undefined ? undefined : `now asks ${names.join(', ') || 'nobody'}`;
}

function addAction<const F extends OptionTable>(
  group: Commands,
  name: string,
  description: string,
  options: F,
  act: (client: Client, taskId: string, given: Given<object, F>) => Promise<{ taskView?: TaskViewJson | undefined; note?: string }>,
): void {
  const operands = { '<task...>': 'numbers or ids of tasks' } as const;
  group.run(name, {
    description,
    operands,
    options,
    act: async (given, { client }) => {
      const views: (TaskViewJson | undefined)[] = [];
      const lines: string[] = [];
      const failures: string[] = [];
      for (const task of given.task) {
        try {
          const { taskView, note } = await act(client, nameTask(task), given);
          views.push(taskView);
          lines.push([sayTask(taskView?.task ?? {}), ...(note === undefined ? [] : [note])].join(': '));
        } catch (error) {
          if (given.task.length === 1 || error instanceof UsageError) {
            throw error;
          }
          // The others are done all the same; each that failed says why.
          failures.push(`${task}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      return {
        json: views,
        text: lines,
        failure: failures.length > 0 ? failures.join('\n') : undefined,
      };
    },
  });
}

function readDate(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) {
    throw new UsageError(`--until ${text} is no date; write 2027-01-31`);
  }
  return date.toISOString();
}

/** People by id or mail address. A reviewer reads only those the task may go to, so it is these that are searched. */
async function findReassignees(client: Client, taskId: string, named: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const one of named) {
    if (!one.includes('@')) {
      ids.push(await findPersonId(client, one).catch(() => one));
      continue;
    }
    const found = await listAll(client.pages(CertifyTaskService.method.searchReassignees, { taskId, query: one }), 100);
    const person = found
      .map(({ reassignee }) => reassignee)
      .find((colleague) => getAddressKey(colleague?.email ?? '') === getAddressKey(one));
    if (person?.userId === undefined) {
      throw new CommandFailure(`the task cannot go to ${one}: nobody who may review it has this mail address`);
    }
    ids.push(person.userId);
  }
  return ids;
}

function sayState({ state, type }: TaskJson): string {
  const outcome = type?.certify?.outcome?.replace('CERTIFY_OUTCOME_', '') ?? 'UNSPECIFIED';
  return state === 'TASK_STATE_OPEN' ? 'OPEN' : outcome === 'UNSPECIFIED' ? 'CLOSED' : outcome;
}

function sayTask(task: TaskJson): string {
  return [`#${task.numericId ?? ''}`, sayState(task), sayAdvice(task), task.displayName ?? ''].join('  ');
}

const advices: ByValue<TaskJson['recommendation'], string> = {
  INSIGHT_RECOMMENDATION_DENY: 'probably not needed',
  INSIGHT_RECOMMENDATION_REVIEW: 'look closer',
  INSIGHT_RECOMMENDATION_APPROVE: 'nothing stands out',
};

function sayAdvice({ recommendation }: TaskJson): string {
  return advices[recommendation ?? ''] ?? '-';
}

/** Explains the advice: a line for each insight, with its points. */
async function explain(client: Client, { id = '', insightIds = [] }: TaskJson): Promise<string[]> {
  if (insightIds.length === 0) {
    return [];
  }
  const { expanded = [] } = await client.call(TaskService.method.search, { refs: [{ id }], expandMask: { paths: ['insight_ids'] } });
  const insights = expanded as readonly { readonly points?: number; readonly sentence?: string }[];
  return ['what stands out:', ...insights.map(({ points = 0, sentence = '' }) => `  ${points > 0 ? `+${points}` : points}  ${sentence}`)];
}

/** Puts a fact in words: the members of what is made of several, one after the other. */
function sayFact(value: JsonValue): string {
  if (Array.isArray(value)) {
    return value.map(sayFact).join('; ');
  }
  const members = value !== null && typeof value === 'object' ? Object.entries(value) : undefined;
  return members === undefined ? String(value) : members.map(([name, member]) => `${name} ${sayFact(member)}`).join(', ');
}

function describe(task: TaskJson): string[] {
  const said = Object.entries(task.data ?? {}).map(([name, value]) => [name, sayFact(value)] as const);
  const facts = said.filter(([, fact]) => fact !== '').map(([name, fact]) => `${name}: ${fact}`);
  const can = (task.actions ?? []).map((action) => action.replace('TASK_ACTION_TYPE_', '').toLowerCase().replaceAll('_', '-'));
  return [sayTask(task), `id: ${task.id ?? ''}`, task.description ?? '', ...facts, `you may: ${can.join(', ') || 'read it'}`];
}
