/** Every action on a task, by every kind of caller, in every state of the review and the task; and that what a task promises is what the rules do. */
import { describe, expect, it } from 'vitest';
import type { Context } from '../../context.ts';
import { decision, statusOf, useTaskPeople } from '../../../test/support/task-people.ts';
import { commentOnTask } from './comment.ts';
import { decideTask } from './decide.ts';
import { getTask } from './get-task.ts';
import { allowedActions } from './permit.ts';
import { reassignTask } from './reassign.ts';
import { restartTask } from './restart.ts';

const { caller, id, makeTask } = useTaskPeople();

const actions = ['get', 'approve', 'deny', 'comment', 'reassign', 'restart'] as const;
function act(action: (typeof actions)[number], context: Context, taskId: string): Promise<unknown> {
  switch (action) {
    case 'get':
      return getTask(context, taskId);
    case 'approve':
      return decideTask(context, decision(taskId, 'APPROVE'));
    case 'deny':
      return decideTask(context, decision(taskId, 'DENY'));
    case 'comment':
      return commentOnTask(context, taskId, 'Looks odd.');
    case 'reassign':
      return reassignTask(context, { taskId, newUserIds: [id('target')], comment: '', policyStepId: '' });
    case 'restart':
      return restartTask(context, { taskId, comment: '', policyStepId: '' });
  }
}

const callers = [
  'super',
  'reader',
  'owner',
  'ann',
  'subject',
  'issued',
  'super as issued',
  'subject as super',
  'stranger',
  'foreign super',
] as const;
type Row = Record<(typeof callers)[number], number[]>;
const unseen = [404, 404, 404, 404, 404, 404];
const nothing = { stranger: unseen, 'foreign super': unseen };

// Columns: get, approve, deny, comment, reassign, restart.
const open: Row = {
  super: [200, 200, 200, 200, 200, 200],
  owner: [200, 200, 200, 200, 200, 200],
  ann: [200, 200, 200, 200, 403, 403],
  reader: [200, 403, 403, 403, 403, 403],
  subject: [200, 403, 403, 200, 403, 403],
  issued: [200, 403, 403, 200, 403, 403],
  'super as issued': [200, 403, 403, 200, 403, 403],
  'subject as super': [200, 403, 403, 200, 403, 403],
  ...nothing,
};
const decided: Row = {
  ...open,
  super: [200, 409, 409, 200, 409, 200],
  owner: [200, 409, 409, 200, 409, 200],
  ann: [200, 409, 409, 200, 403, 403],
};
const gone: Row = { ...decided, super: [200, 409, 409, 200, 409, 400], owner: [200, 409, 409, 200, 409, 400] };
const over: Row = {
  ...open,
  super: [200, 400, 400, 400, 400, 400],
  owner: [200, 400, 400, 400, 400, 400],
  ann: [200, 400, 400, 400, 403, 403],
  subject: [200, 403, 403, 400, 403, 403],
  issued: [200, 403, 403, 400, 403, 403],
  'super as issued': [200, 403, 403, 400, 403, 403],
  'subject as super': [200, 403, 403, 400, 403, 403],
};
const hidden = Object.fromEntries(callers.map((name) => [name, unseen])) as Row;

const closedBy = (endReason: string, outcome: string) => ({ state: 'CLOSED', endReason, outcome, decidedById: null });
const cases: readonly [string, string, object, Row][] = [
  ['open in an open review', 'OPEN', {}, open],
  ['decided in an open review', 'OPEN', { state: 'CLOSED', endReason: 'DECIDED', outcome: 'CERTIFIED', decidedById: 'decider' }, decided],
  ['ended because the access was gone', 'OPEN', closedBy('GRANT_GONE', 'CANCELLED'), gone],
  ['open in a hidden review', 'HIDDEN', {}, hidden],
  ['open in a closing review', 'CLOSING', {}, over],
  ['skipped in a closed review', 'CLOSED', closedBy('SKIPPED_AT_CLOSE', 'CANCELLED'), over],
  ['revoked in a closed review', 'CLOSED', closedBy('REVOKED_AT_CLOSE', 'DECERTIFIED'), over],
  ['without outcome in a closed review', 'CLOSED', closedBy('NO_ACTION_AT_CLOSE', ''), over],
  ['decided in a closed review', 'CLOSED', { state: 'CLOSED', endReason: 'DECIDED', outcome: 'DECERTIFIED', decidedById: 'decider' }, over],
  ['cancelled with its review', 'CANCELLED', closedBy('DELETED', 'CANCELLED'), over],
];

describe.each(cases)('a task %s', (_name, tasksState, task, expected) => {
  it.each(callers)('as %s', async (name) => {
    const found: number[] = [];
    const said: string[][] = [];
    for (const action of actions) {
      const own = 'decidedById' in task && task.decidedById === 'decider' ? { ...task, decidedById: id('decider') } : task;
      const { taskId } = await makeTask({ tasksState, task: own });
      const context = caller(name);
      const row = await getTask(context, taskId).catch(() => undefined);
      said.push(row === undefined ? [] : allowedActions(context.actor, row).map((one) => one.toLowerCase()));
      found.push(await statusOf(act(action, context, taskId)));
    }
    expect(found).toEqual(expected[name]);
    // What Task.actions promises is what the rules do.
    actions.forEach((action, index) => {
      if (action !== 'get') {
        expect([action, said[index]?.includes(action)]).toEqual([action, expected[name][index] === 200]);
      }
    });
  });
});
