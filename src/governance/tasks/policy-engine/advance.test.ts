/** Tasks whose policy has several steps: who is asked next, and what ends them. */
import { describe, expect, it } from 'vitest';
import { decision, messageOf, statusOf, tenant, useTaskPeople } from '../../../../test/support/task-people.ts';
import { askUsers } from '../../../../test/support/tasks.ts';
import { decideTask } from '../decisions/decide.ts';
import { getTask } from '../task/get-task.ts';

const { caller, db, id, makeTask } = useTaskPeople();

describe('a policy of several steps', () => {
  const twoSteps = () => [askUsers([id('ann')]), askUsers([id('ben')])];

  it('asks the next people after an approval and ends with the last one', async () => {
    const { taskId } = await makeTask({ steps: twoSteps(), assignees: ['ann'] });
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    expect(await getTask(caller('ben'), taskId)).toMatchObject({
      state: 'OPEN',
      step: 1,
      stepGeneration: 1,
      assigneeIds: [id('ben')],
      outcome: '',
    });
    expect((await decideTask(caller('ann'), decision(taskId, 'APPROVE', { policyStepId: `${taskId}-0` }))).repeated).toBe(true);
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'APPROVE')))).toBe(403);
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'DENY')))).toBe(403);
    await decideTask(caller('ben'), decision(taskId, 'APPROVE'));
    expect(await getTask(caller('ben'), taskId)).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED', decidedById: id('ben') });
  });

  it('ends with the first denial', async () => {
    const { taskId } = await makeTask({ steps: twoSteps(), assignees: ['ann'] });
    await decideTask(caller('ann'), decision(taskId, 'DENY'));
    expect(await getTask(caller('ann'), taskId)).toMatchObject({ state: 'CLOSED', outcome: 'DECERTIFIED', step: 0 });
    expect(await statusOf(getTask(caller('ben'), taskId))).toBe(404);
  });

  it('tells somebody of an earlier step who decided it', async () => {
    const { taskId } = await makeTask({ steps: [askUsers([]), askUsers([id('target')])], assignees: ['ann', 'ben'] });
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    expect(await messageOf(decideTask(caller('ben'), decision(taskId, 'APPROVE')))).toBe(
      'The step you were asked to decide was already decided by ann.',
    );
    // They still read what became of it.
    expect(await statusOf(getTask(caller('ben'), taskId))).toBe(200);
  });

  it('is approved once where two people of one step come at once', async () => {
    const { taskId } = await makeTask({ steps: [askUsers([]), askUsers([id('target')])], assignees: ['ann', 'ben'] });
    const results = await Promise.all(['ann', 'ben'].map((name) => statusOf(decideTask(caller(name), decision(taskId, 'APPROVE')))));
    expect(results.toSorted()).toEqual([200, 409]);
    expect(await getTask(caller('target'), taskId)).toMatchObject({ step: 1, stepGeneration: 1, state: 'OPEN' });
  });

  it('can want different people', async () => {
    const steps = [askUsers([id('ann')]), askUsers([id('ann'), id('ben')], {}, { requireDistinctApprovers: true })];
    const { taskId } = await makeTask({ steps, assignees: ['ann'] });
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    expect(await getTask(caller('ben'), taskId)).toMatchObject({ step: 1, assigneeIds: [id('ben')] });
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'DENY')))).toBe(403);
    expect(await statusOf(decideTask(caller('ben'), decision(taskId, 'APPROVE')))).toBe(200);
  });

  it.each([
    ['accept', { accept: { acceptMessage: 'Fine.' } }, 'CERTIFIED', 'ann'],
    ['reject', { reject: { rejectMessage: 'Never.' } }, 'DECERTIFIED', null],
  ] as const)('ends by itself at a step of kind %s', async (_kind, step, outcome, decider) => {
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')]), step], assignees: ['ann'] });
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    const task = await getTask(caller('ann'), taskId);
    expect(task).toMatchObject({ state: 'CLOSED', outcome, endReason: 'DECIDED', decidedById: decider === null ? null : id(decider) });
    expect(task.history.map((action) => action.kind)).toEqual(['APPROVED', 'ENDED']);
  });

  it('asks the owners where nobody else is found for a step, with an event', async () => {
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')]), askUsers([])], assignees: ['ann'] });
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    expect(await getTask(caller('owner'), taskId)).toMatchObject({ state: 'OPEN', assigneeIds: [id('owner')], isFallback: true });
    const events = await db().rows('SELECT kind FROM events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id', [tenant, taskId]);
    expect(events).toContainEqual({ kind: 'task.reviewer_fallback' });
  });

  it('refuses an approval before a step it cannot carry out', async () => {
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')]), { form: {} }], assignees: ['ann'] });
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'APPROVE')))).toBe(400);
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'DENY')))).toBe(200);
  });
});
