/**
 * `countersign task ...`: a reviewer's work through the API. Tasks are named by their number (12 or #12) or id, several at once. What is staged
 * and submitted is in task-submit.ts.
 */
import { type Command, Option } from 'commander';
import type { Client } from '../client/index.ts';
import type { TaskJson, TaskViewJson } from '../gen/c1/api/task/v1/task_pb.js';
import { TaskActionsService } from '../gen/c1/api/task/v1/task_actions_service_pb.js';
import { TaskService, type TaskSearchRequestJson } from '../gen/c1/api/task/v1/task_service_pb.js';
import { CertifyTaskService } from '../gen/countersign/v1/tasks_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findPerson } from './find.ts';
import { CommandFailure, type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, showList } from './list.ts';
import { addSubmitCommands } from './task-submit.ts';
import { addQueueCommand } from './task-queue.ts';
import { addSecondReviewTaskCommand } from './task-second.ts';
import { nameTask } from './task-name.ts';

/** Adds the `task` commands. */
export function addTaskCommands(program: Command, io: CommandIo): void {
  const group = program.command('task').description('a reviewer’s tasks: read, decide, pass on');
  addList(group, io);
  addQueueCommand(group, io);
  addSecondReviewTaskCommand(group, io);

  withConnection(group.command('show').description('show one task'))
    .argument('<task>', 'number or id of the task')
    .action(async (task: string, options: ConnectOptions) => {
      const client = connect(io, options);
      const { taskView } = await client.call(TaskService.method.get, { id: nameTask(task) });
      if (options.json === true) {
        writeJson(io.stdout, taskView);
        return;
      }
      writeLines(io.stdout, ...describe(taskView?.task ?? {}), ...(await explain(client, taskView?.task ?? {})));
    });

  addAudits(group, io);
  const commented = (description: string, needed: boolean): Option => {
    const option = new Option('--comment <text>', description);
    return needed ? option.makeOptionMandatory() : option;
  };
  addAction(
    group,
    io,
    'approve',
    'certify the access',
    [commented('why', false), new Option('--until <date>', 'certify it until then alone, 1 to 400 days ahead; a new review asks again')],
    async (client, taskId, { comment = '', until }) => {
      if (until === undefined) {
        return client.call(TaskActionsService.method.approve, { taskId, comment });
      }
      return client.call(CertifyTaskService.method.approveUntil, { taskId, comment, certifyUntil: readDate(until) });
    },
  );
  addAction(
    group,
    io,
    'deny',
    'revoke the access, which changes nothing in the application',
    [commented('why', false)],
    (client, taskId, { comment = '' }) => client.call(TaskActionsService.method.deny, { taskId, comment }),
  );
  addAction(group, io, 'comment', 'add a comment', [commented('the comment', true)], (client, taskId, { comment = '' }) =>
    client.call(TaskActionsService.method.comment, { taskId, comment }),
  );
  addAction(
    group,
    io,
    'reassign',
    'pass tasks on to other people',
    [
      new Option('--to <person>', 'mail address or id; repeat it for several')
        .argParser((value: string, all: string[] = []) => [...all, value])
        .makeOptionMandatory(),
      commented('why', false),
    ],
    async (client, taskId, { to = [], comment = '' }) =>
      client.call(TaskActionsService.method.reassign, { taskId, comment, newStepUserIds: await findReassignees(client, taskId, to) }),
  );
  addAction(group, io, 'restart', 'ask again from the first step', [commented('why', false)], (client, taskId, { comment = '' }) =>
    client.call(TaskActionsService.method.restart, { taskId, comment }),
  );
  addAction(group, io, 'reset', 'ask again by the policy of today', [commented('why', false)], (client, taskId, { comment = '' }) =>
    client.call(TaskActionsService.method.hardReset, { taskId, comment }),
  );
  addAction(
    group,
    io,
    'skip',
    'skip the current step; a skip never certifies',
    [commented('why', true)],
    (client, taskId, { comment = '' }) => client.call(TaskActionsService.method.skipStep, { taskId, comment }),
  );
  addAction(group, io, 'close', 'cancel tasks without a decision', [commented('why', true)], (client, taskId, { comment = '' }) =>
    client.call(TaskActionsService.method.close, { taskId, comment }),
  );
  addAction(group, io, 'remind', 'remind the reviewers of tasks, once an hour', [], (client, taskId) =>
    client.call(CertifyTaskService.method.remind, { taskId }),
  );
  addSubmitCommands(group, io);
}

interface ActionOptions extends ConnectOptions {
  readonly comment?: string;
  readonly until?: string;
  readonly to?: readonly string[];
}

function addAction(
  group: Command,
  io: CommandIo,
  name: string,
  description: string,
  options: readonly Option[],
  act: (client: Client, taskId: string, given: ActionOptions) => Promise<{ taskView?: TaskViewJson }>,
): void {
  const command = withConnection(group.command(name).description(description)).argument('<task...>', 'numbers or ids of tasks');
  for (const option of options) {
    command.addOption(option);
  }
  command.action(async (tasks: string[], given: ActionOptions) => {
    const client = connect(io, given);
    const views: (TaskViewJson | undefined)[] = [];
    const failures: string[] = [];
    for (const task of tasks) {
      try {
        views.push((await act(client, nameTask(task), given)).taskView);
      } catch (error) {
        if (tasks.length === 1 || error instanceof UsageError) {
          throw error;
        }
        // The others are done all the same; each that failed says why.
        failures.push(`${task}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (given.json === true) {
      writeJson(io.stdout, views);
    } else {
      writeLines(io.stdout, ...views.map((view) => rowOf(view?.task ?? {}).join('  ')));
    }
    if (failures.length > 0) {
      throw new CommandFailure(failures.join('\n'));
    }
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
      ids.push((await findPerson(client, one).catch(() => ({ id: one }))).id);
      continue;
    }
    const found = await listAll(client.pages(CertifyTaskService.method.searchReassignees, { taskId, query: one }), 100);
    const person = found.map(({ reassignee }) => reassignee).find((colleague) => colleague?.email?.toLowerCase() === one.toLowerCase());
    if (person?.userId === undefined) {
      throw new CommandFailure(`the task cannot go to ${one}: nobody who may review it has this mail address`);
    }
    ids.push(person.userId);
  }
  return ids;
}

interface ListOptions extends ConnectOptions {
  readonly review?: string;
  readonly all?: boolean;
  readonly staged?: boolean;
  readonly query?: string;
  readonly limit: string;
}

function addList(group: Command, io: CommandIo): void {
  withConnection(group.command('list').description('list the open tasks you may see'))
    .option('--review <id>', 'those of this review alone')
    .option('--query <text>', 'those with these words in the names of account, owner, app or entitlement')
    .option('--staged', 'those you staged a decision about')
    .option('--all', 'closed ones, too')
    .option('--limit <count>', 'as many at most', '100')
    .action(async (options: ListOptions) => {
      const most = Number(options.limit);
      if (!Number.isInteger(most) || most < 1) {
        throw new UsageError(`--limit ${options.limit} must be a number from 1`);
      }
      const request: TaskSearchRequestJson = {
        ...(options.review === undefined ? {} : { accessReviewIds: [options.review] }),
        ...(options.all === true ? {} : { taskStates: ['TASK_STATE_OPEN'] }),
        ...(options.staged === true ? { pendingActionFilter: 'PENDING_ACTION_FILTER_WITH_PENDING' } : {}),
        query: options.query ?? '',
      };
      const found = await listAll(connect(io, options).pages(TaskService.method.search, request), most);
      showList(io, options, found, ['NUMBER', 'STATE', 'ADVICE', 'TASK'], ({ task = {} }) => rowOf(task));
    });
}

function addAudits(group: Command, io: CommandIo): void {
  withConnection(group.command('audits').description('list what happened to a task, oldest first'))
    .argument('<task>', 'number or id of the task')
    .action(async (task: string, options: ConnectOptions) => {
      const found = await listAll(connect(io, options).pages(TaskService.method.list, { taskId: nameTask(task) }));
      showList(io, options, found, ['WHEN', 'WHO', 'WHAT'], (audit) => {
        const what = Object.keys(audit).find((key) => typeof audit[key as keyof typeof audit] === 'object' && key !== 'metadata') ?? '';
        return [
          audit.created ?? '',
          audit.metadata?.user?.displayName ?? audit.userId ?? '',
          audit.comment?.comment ?? audit.policyEvaluationStep?.stepComment ?? what,
        ];
      });
    });
}

function stateOf({ state, type }: TaskJson): string {
  const outcome = type?.certify?.outcome?.replace('CERTIFY_OUTCOME_', '') ?? 'UNSPECIFIED';
  return state === 'TASK_STATE_OPEN' ? 'OPEN' : outcome === 'UNSPECIFIED' ? 'CLOSED' : outcome;
}

function rowOf(task: TaskJson): string[] {
  return [`#${task.numericId ?? ''}`, stateOf(task), adviceOf(task), task.displayName ?? ''];
}

const advices: Readonly<Record<string, string>> = { DENY: 'probably not needed', REVIEW: 'look closer', APPROVE: 'nothing stands out' };

function adviceOf({ recommendation = 'INSIGHT_RECOMMENDATION_UNSPECIFIED' }: TaskJson): string {
  return advices[recommendation.replace('INSIGHT_RECOMMENDATION_', '')] ?? '-';
}

/** Why that is advised: a line for each insight, with its points. */
async function explain(client: Client, { id = '', insightIds = [] }: TaskJson): Promise<string[]> {
  if (insightIds.length === 0) {
    return [];
  }
  const { expanded = [] } = await client.call(TaskService.method.search, { refs: [{ id }], expandMask: { paths: ['insight_ids'] } });
  const insights = expanded as readonly { readonly points?: number; readonly sentence?: string }[];
  return ['what stands out:', ...insights.map(({ points = 0, sentence = '' }) => `  ${points > 0 ? `+${points}` : points}  ${sentence}`)];
}

function describe(task: TaskJson): string[] {
  const facts = Object.entries(task.data ?? {}).map(([name, value]) => `${name}: ${String(value)}`);
  const can = (task.actions ?? []).map((action) => action.replace('TASK_ACTION_TYPE_', '').toLowerCase().replaceAll('_', '-'));
  return [rowOf(task).join('  '), `id: ${task.id ?? ''}`, task.description ?? '', ...facts, `you may: ${can.join(', ') || 'read it'}`];
}
