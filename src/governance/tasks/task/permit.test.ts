/** Every action on a task, by every kind of caller, in every state of the review and the task; and that what a task promises is what the rules do. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../context.ts';
import { sampled } from '../../../../test/support/runs.ts';
import { decision, statusOf, type TaskOfPeople, tenant, useTaskPeople } from '../../../../test/support/task-people.ts';
import { addAssignment, askUsers, testNow } from '../../../../test/support/tasks.ts';
import { newId } from '../../../wire/ids.ts';
import { cancelTask } from '../steering/cancel.ts';
import { commentOnTask } from '../decisions/comment.ts';
import { decideTask } from '../decisions/decide.ts';
import { getTask } from './get-task.ts';
import { listAllowedActions } from './permit-actions.ts';
import { processTask } from '../steering/process.ts';
import { refuseUnserved } from './locked-task.ts';
import { reassignTask } from '../steering/reassign.ts';
import { remindTask } from '../steering/remind.ts';
import { resetTask } from '../steering/hard-reset.ts';
import { restartTask } from '../steering/restart.ts';
import { skipStep } from '../steering/skip-step.ts';

const { caller, db, id, makeTask } = useTaskPeople();

// The policy of their tasks as it is today, for resets.
beforeAll(async () => {
  const document = { policyType: 'POLICY_TYPE_CERTIFY', policySteps: { certify: { steps: [askUsers([id('ann'), id('subject')])] } } };
  await db().run(
    `INSERT INTO policies (tenant_id, id, display_name, policy_type, document, created_at, updated_at)
     VALUES ($1, 'policy', 'Policy', 'POLICY_TYPE_CERTIFY', $2, now(), now())`,
    [tenant, JSON.stringify(document)],
  );
});

/** Every action, with the name it has in `Task.actions`; get and ours have none. */
const actions = {
  get: (context, taskId) => getTask(context, taskId),
  APPROVE: (context, taskId) => decideTask(context, decision(taskId, 'APPROVE')),
  DENY: (context, taskId) => decideTask(context, decision(taskId, 'DENY')),
  APPROVE_UNTIL: (context, taskId) => decideTask(context, decision(taskId, 'APPROVE', { certifyUntil: new Date('2026-12-24T00:00:00Z') })),
  APPROVE_WITH_STEP_UP: (context, taskId) => refuseUnserved(context, 'APPROVE_WITH_STEP_UP', taskId),
  COMMENT: (context, taskId) => commentOnTask(context, taskId, 'Looks odd.'),
  REASSIGN: (context, taskId) => reassignTask(context, { taskId, newUserIds: [id('target')], comment: '', policyStepId: '' }),
  HARD_RESET: (context, taskId) => resetTask(context, { taskId, comment: '' }),
  RESTART: (context, taskId) => restartTask(context, { taskId, comment: '', policyStepId: '' }),
  SKIP_STEP: (context, taskId) => skipStep(context, { taskId, comment: 'Nobody is left to ask.', policyStepId: '' }),
  PROCESS_NOW: (context, taskId) => processTask(context, taskId),
  CLOSE: (context, taskId) => cancelTask(context, { taskId, comment: 'Asked by mistake.' }),
  SEND_REMINDER: (context, taskId) => remindTask(context, taskId),
  ESCALATE_TO_EMERGENCY_ACCESS: (context, taskId) => refuseUnserved(context, 'ESCALATE_TO_EMERGENCY_ACCESS', taskId),
  UPDATE_REQUEST_DATA: (context, taskId) => refuseUnserved(context, 'UPDATE_REQUEST_DATA', taskId),
  UPDATE_GRANT_DURATION: (context, taskId) => refuseUnserved(context, 'UPDATE_GRANT_DURATION', taskId),
  RETRY_PROVISIONING: (context, taskId) => refuseUnserved(context, 'RETRY_PROVISIONING', taskId),
} as const satisfies Record<string, (context: Context, taskId: string) => Promise<unknown>>;

const callers = [
  'super',
  'owner',
  'ann',
  'asked before',
  'reader',
  'subject',
  'issued',
  'super as issued',
  'subject as super',
  'stranger',
  'foreign super',
] as const;
/** By action: one figure for each caller, in their order. 2: 200, 0: 400, 3: 403, 4: 404, 9: 409. */
type Table = Record<keyof typeof actions, string>;
const statuses: Readonly<Record<string, number>> = { 2: 200, 0: 400, 3: 403, 4: 404, 9: 409 };

const open: Table = {
  get: '22222222244',
  APPROVE: '22233333344',
  DENY: '22233333344',
  APPROVE_UNTIL: '22233333344',
  APPROVE_WITH_STEP_UP: '33033333344',
  COMMENT: '22223222244',
  REASSIGN: '22333333344',
  RESTART: '22333333344',
  HARD_RESET: '22333333344',
  SKIP_STEP: '22333333344',
  PROCESS_NOW: '22333332244',
  CLOSE: '23333333344',
  SEND_REMINDER: '22333332244',
  ESCALATE_TO_EMERGENCY_ACCESS: '00000000044',
  UPDATE_REQUEST_DATA: '00000000044',
  UPDATE_GRANT_DURATION: '00000000044',
  RETRY_PROVISIONING: '00333330044',
};
const decided: Table = {
  ...open,
  APPROVE: '99933333344',
  DENY: '99933333344',
  APPROVE_UNTIL: '99933333344',
  APPROVE_WITH_STEP_UP: '33933333344',
  REASSIGN: '00333333344',
  SKIP_STEP: '00333333344',
  CLOSE: '93333333344',
  SEND_REMINDER: '00333330044',
};
const gone: Table = { ...decided, RESTART: '00333333344', HARD_RESET: '00333333344' };
const cancelled: Table = { ...decided, CLOSE: '23333333344' };
const over: Table = {
  ...open,
  APPROVE: '00033333344',
  DENY: '00033333344',
  APPROVE_UNTIL: '00033333344',
  COMMENT: '00003000044',
  REASSIGN: '00333333344',
  RESTART: '00333333344',
  HARD_RESET: '00333333344',
  SKIP_STEP: '00333333344',
  PROCESS_NOW: '00333330044',
  CLOSE: '03333333344',
  SEND_REMINDER: '00333330044',
};
/** Remains of a deleted review: history for those who read everything. */
const deleted = Object.fromEntries(
  Object.entries(over).map(([action, row]) => [action, [...row].map((one, at) => ([1, 2, 3, 5, 6].includes(at) ? '4' : one)).join('')]),
) as Table;
const hidden = Object.fromEntries(Object.keys(actions).map((action) => [action, '4'.repeat(callers.length)])) as Table;

const closedBy = (endReason: string, outcome: string) => ({ state: 'CLOSED', endReason, outcome, decidedById: null });
const cases: readonly [string, string, object, Table][] = [
  ['open in an open review', 'OPEN', {}, open],
  ['decided in an open review', 'OPEN', { state: 'CLOSED', endReason: 'DECIDED', outcome: 'CERTIFIED', decidedById: 'decider' }, decided],
  ['ended because the access was gone', 'OPEN', closedBy('GRANT_GONE', 'CANCELLED'), gone],
  ['ended because the account was deleted', 'OPEN', closedBy('OBJECT_GONE', 'CANCELLED'), gone],
  ['cancelled in an open review', 'OPEN', closedBy('CANCELLED', 'CANCELLED'), cancelled],
  ['of which every step was skipped', 'OPEN', closedBy('STEP_SKIPPED', 'CANCELLED'), decided],
  ['cancelled by an escalation', 'OPEN', closedBy('ESCALATED', 'CANCELLED'), decided],
  ['that waited in vain', 'OPEN', closedBy('WAIT_TIMED_OUT', 'WAIT_TIMED_OUT'), decided],
  ['open in a hidden review', 'HIDDEN', {}, hidden],
  ['open in a closing review', 'CLOSING', {}, over],
  ['skipped in a closed review', 'CLOSED', closedBy('SKIPPED_AT_CLOSE', 'CANCELLED'), over],
  ['revoked in a closed review', 'CLOSED', closedBy('REVOKED_AT_CLOSE', 'DECERTIFIED'), over],
  ['without outcome in a closed review', 'CLOSED', closedBy('NO_ACTION_AT_CLOSE', ''), over],
  ['decided in a closed review', 'CLOSED', { state: 'CLOSED', endReason: 'DECIDED', outcome: 'DECERTIFIED', decidedById: 'decider' }, over],
  ['cancelled with its review', 'CANCELLED', closedBy('DELETED', 'CANCELLED'), deleted],
];

describe.each(sampled(cases, 3))('a task %s', (_name, tasksState, task, expected) => {
  it.each(callers)('as %s', async (name) => {
    const found: Record<string, number> = {};
    const wanted: Record<string, number | undefined> = {};
    const own = 'decidedById' in task && task.decidedById === 'decider' ? { ...task, decidedById: id('decider') } : task;
    let untouched: string | undefined;
    for (const [action, run] of Object.entries(actions)) {
      // What is refused leaves the task as it was, so that the next action finds it so.
      const taskId: string = untouched ?? (await makeTaskAskedBefore({ tasksState, task: own }));
      const context = name === 'asked before' ? caller('ben') : caller(name);
      const row = await getTask(context, taskId).catch(() => undefined);
      const said: readonly string[] = row === undefined ? [] : listAllowedActions(context.actor, row, context.now);
      wanted[action] = statuses[expected[action as keyof Table][callers.indexOf(name)] ?? ''];
      found[action] = await statusOf(run(context, taskId));
      untouched = found[action] === 200 && action !== 'get' ? undefined : taskId;
      if (action !== 'get') {
        // What Task.actions promises is what the rules do.
        expect([action, said.includes(action)]).toEqual([action, wanted[action] === 200]);
      }
    }
    expect(found).toEqual(wanted);
  });
});

it('a reminder waits for an hour after the last one, but for none of a clock that ran ahead', async () => {
  const remindAt = async (hours: number, taskId: string): Promise<number> => {
    const context = caller('owner');
    return statusOf(remindTask({ ...context, now: new Date(context.now.getTime() + hours * 3_600_000) }, taskId));
  };
  const { taskId } = await makeTask({ tasksState: 'OPEN', task: {} });
  expect([await remindAt(0, taskId), await remindAt(0.5, taskId), await remindAt(1, taskId)]).toEqual([200, 400, 200]);
  const { taskId: other } = await makeTask({ tasksState: 'OPEN', task: {} });
  expect([await remindAt(5, other), await remindAt(0, other), await remindAt(0.5, other)]).toEqual([200, 200, 400]);
});

/** A task that was handed on from ben, who was asked before. */
async function makeTaskAskedBefore(options: TaskOfPeople): Promise<string> {
  const { taskId, reviewId } = await makeTask(options);
  const assignmentId = await addAssignment(db(), tenant, reviewId, [id('ben')]);
  await db().run(
    `INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, actor_id, data, created_at)
     VALUES ($1, $2, $3, $4, 'REASSIGNED', 0, 0, $5, $6, $7)`,
    [tenant, taskId, newId(testNow), reviewId, id('owner'), JSON.stringify({ assignmentId, newUserIds: [id('ann')] }), testNow],
  );
  return taskId;
}
