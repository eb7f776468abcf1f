/**
 * Random actions by several people on one task of two steps, beside a plain model of the table: what the model allows is done and leaves what it
 * says, and what it refuses leaves the task as it was.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tries } from '../../../../test/support/runs.ts';
import { decision, statusOf, submit, useTaskPeople } from '../../../../test/support/task-people.ts';
import { askUsers } from '../../../../test/support/tasks.ts';
import type { Context } from '../../../context.ts';
import { cancelTask } from './cancel.ts';
import { decideTask } from '../decisions/decide.ts';
import { getTask } from '../task/get-task.ts';
import { listRows, readTasks } from '../task/store-many.ts';
import { findTask } from '../task/store.ts';
import { restartTask } from './restart.ts';
import { skipStep } from './skip-step.ts';

const { caller, id, makeTask } = useTaskPeople();

const people = ['super', 'owner', 'ann', 'ben', 'target', 'subject', 'stranger', 'reader'] as const;
const actions = ['approve', 'deny', 'restart', 'skip', 'close', 'amend to approve', 'amend to deny'] as const;
type Person = (typeof people)[number];
type Action = (typeof actions)[number];
const asked: readonly (readonly Person[])[] = [
  ['ann', 'ben'],
  ['target', 'ann'],
];
const isManager = (who: Person) => who === 'super' || who === 'owner';

/** The task as the table has it. */
interface Model {
  readonly state: 'OPEN' | 'CLOSED';
  readonly step: number;
  readonly outcome: string;
  readonly endReason: string;
  readonly decider: Person | undefined;
  /** Since the last restart. */
  readonly said: readonly { readonly who: Person; readonly what: 'approve' | 'deny' }[];
}
const start: Model = { state: 'OPEN', step: 0, outcome: '', endReason: '', decider: undefined, said: [] };

function decide(model: Model, who: Person, what: 'approve' | 'deny', said: Model['said']): Model {
  if (what === 'deny') {
    return { ...model, state: 'CLOSED', outcome: 'DECERTIFIED', endReason: 'DECIDED', decider: who, said };
  }
  return model.step + 1 < asked.length
    ? { ...start, step: model.step + 1, said }
    : { ...model, state: 'CLOSED', outcome: 'CERTIFIED', endReason: 'DECIDED', decider: who, said };
}

/** Acts on the task; undefined where it is refused. */
function apply(model: Model, who: Person, action: Action): Model | undefined {
  const isOpen = model.state === 'OPEN';
  const mayDecide = isManager(who) || (asked[model.step] ?? []).includes(who);
  switch (action) {
    case 'approve':
    case 'deny': {
      const saidIt = model.said.some((one) => one.who === who && one.what === action);
      if (saidIt && !isOpen) {
        return model;
      }
      return isOpen && mayDecide ? decide(model, who, action, [...model.said, { who, what: action }]) : undefined;
    }
    case 'restart':
      return isManager(who) ? start : undefined;
    case 'skip': {
      if (!isOpen || !isManager(who)) {
        return undefined;
      }
      if (model.step + 1 < asked.length) {
        return { ...start, step: model.step + 1, said: model.said };
      }
      const approval = model.said.findLast(({ what }) => what === 'approve');
      return approval === undefined
        ? { ...model, state: 'CLOSED', outcome: 'CANCELLED', endReason: 'STEP_SKIPPED', decider: undefined }
        : { ...model, state: 'CLOSED', outcome: 'CERTIFIED', endReason: 'DECIDED', decider: approval.who };
    }
    case 'close':
      if (who !== 'super' || (!isOpen && model.endReason !== 'CANCELLED')) {
        return undefined;
      }
      return isOpen ? { ...model, state: 'CLOSED', outcome: 'CANCELLED', endReason: 'CANCELLED', decider: undefined } : model;
    case 'amend to approve':
    case 'amend to deny': {
      const what = action === 'amend to approve' ? 'approve' : 'deny';
      if (isOpen || model.endReason !== 'DECIDED' || model.decider !== who) {
        return undefined;
      }
      const last = model.said.findLastIndex((one) => one.who === who);
      return model.said[last]?.what === what
        ? model
        : decide(model, who, what, [...model.said.filter((_one, index) => index !== last), { who, what }]);
    }
  }
}

async function run(context: Context, reviewId: string, taskId: string, action: Action): Promise<boolean> {
  const comment = 'Because.';
  const amend = async (what: 'APPROVE' | 'DENY') => {
    const { results } = await submit(context, reviewId, [decision(taskId, what, { amend: true, comment })]);
    return results[0]?.decided === true;
  };
  switch (action) {
    case 'approve':
      return (await statusOf(decideTask(context, decision(taskId, 'APPROVE')))) === 200;
    case 'deny':
      return (await statusOf(decideTask(context, decision(taskId, 'DENY', { comment })))) === 200;
    case 'restart':
      return (await statusOf(restartTask(context, { taskId, comment, policyStepId: '' }))) === 200;
    case 'skip':
      return (await statusOf(skipStep(context, { taskId, comment, policyStepId: '' }))) === 200;
    case 'close':
      return (await statusOf(cancelTask(context, { taskId, comment }))) === 200;
    case 'amend to approve':
      return amend('APPROVE').catch(() => false);
    case 'amend to deny':
      return amend('DENY').catch(() => false);
  }
}

it('random actions by several people do what the table says, and nothing else', async () => {
  const steps = () => asked.map((names) => askUsers(names.map((name) => id(name))));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ who: fc.constantFrom(...people), action: fc.constantFrom(...actions) }), { minLength: 5, maxLength: 25 }),
      async (sequence) => {
        const { reviewId, taskId } = await makeTask({ steps: steps(), assignees: ['ann', 'ben'] });
        let model = start;
        for (const { who, action } of sequence) {
          const next = apply(model, who, action);
          expect([who, action, model, await run(caller(who), reviewId, taskId, action)]).toEqual([who, action, model, next !== undefined]);
          model = next ?? model;
          const { state, step, outcome, endReason, decidedById } = await getTask(caller('super'), taskId);
          expect({ state, step, outcome, endReason, decidedById }).toEqual({
            state: model.state,
            step: model.step,
            outcome: model.outcome,
            endReason: model.endReason,
            decidedById: model.decider === undefined ? null : id(model.decider),
          });
        }
        // Read with others or by itself, it is the same.
        const context = caller('super');
        const [together] = await readTasks(context, reviewId, await listRows(context, reviewId, [taskId]));
        const alone = await findTask(context, taskId);
        expect({ ...together, formerAssigneeIds: together?.formerAssigneeIds.toSorted() }).toEqual({
          ...alone,
          formerAssigneeIds: alone?.formerAssigneeIds.toSorted(),
        });
      },
    ),
    { numRuns: tries(15, 300) },
  );
});
