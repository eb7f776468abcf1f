/** Handing a task to somebody else: to whom, by whom, and against a decision at the same moment. */
import { describe, expect, it } from 'vitest';
import { decision, messageOf, statusOf, useTaskPeople } from '../../../../test/support/task-people.ts';
import { askUsers } from '../../../../test/support/tasks.ts';
import { decideTask } from '../decisions/decide.ts';
import { getTask } from '../task/get-task.ts';
import { reassignTask } from './reassign.ts';
import { searchReassignees } from './search-reassignees.ts';

const { caller, id, makeTask } = useTaskPeople();

describe('the colleagues a task may go to', () => {
  const find = async (name: string, taskId: string, query = '') =>
    (await searchReassignees(caller(name), { taskId, query }, { size: 100, after: undefined })).people;

  it('are eligible people other than the person reviewed, with nothing but what names them', async () => {
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')], { allowReassignment: true })] });
    const people = await find('ann', taskId);
    const ids = people.map(({ userId }) => userId);
    expect(ids).toEqual(expect.arrayContaining([id('ben'), id('target'), id('owner')]));
    expect([ids.includes(id('subject')), ids.includes(id('disabled'))]).toEqual([false, false]);
    expect(Object.keys(people[0] ?? {}).sort()).toEqual(['department', 'displayName', 'email', 'jobTitle', 'userId']);
    expect((await find('ann', taskId, 'TARG')).map(({ userId }) => userId)).toEqual([id('target')]);
  });

  it('leave out who approved an earlier step where the policy wants different people', async () => {
    const others = askUsers([id('ben')], { allowReassignment: true }, { requireDistinctApprovers: true });
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')]), others] });
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    const ids = (await find('ben', taskId)).map(({ userId }) => userId);
    expect([ids.includes(id('ann')), ids.includes(id('target'))]).toEqual([false, true]);
    const asked = { taskId, newUserIds: [id('ann')], comment: '', policyStepId: '' };
    expect(await messageOf(reassignTask(caller('owner'), asked))).toMatch(/newStepUserIds\[0\]: this person approved an earlier step/);
  });

  it('are those the policy names, and are refused to whoever may not reassign', async () => {
    const rules = { allowReassignment: true, allowedReassignees: [id('target')] };
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')], rules)] });
    expect((await find('owner', taskId)).map(({ userId }) => userId)).toEqual([id('target')]);
    expect(await statusOf(find('reader', taskId))).toBe(403);
    expect(await statusOf(find('stranger', taskId))).toBe(404);
    const closed = await makeTask({ steps: [askUsers([id('ann')])] });
    expect(await statusOf(find('ann', closed.taskId))).toBe(403);
  });
});

describe('a reassignment', () => {
  it.each([
    ['an unknown person', ['nobody'], /newStepUserIds\[0\]: no person has this id/],
    ['a disabled person', ['target', 'disabled'], /newStepUserIds\[1\]: this person is disabled/],
    ['the person reviewed', ['subject'], /newStepUserIds\[0\]: this is the person whose access is reviewed/],
    ['nobody', [], /newStepUserIds: must name 1 to 100 people/],
  ])('goes never to %s', async (_name, names, message) => {
    const { taskId } = await makeTask();
    const asked = { taskId, newUserIds: names.map((name) => id(name) || 'x'), comment: '', policyStepId: '' };
    expect(await messageOf(reassignTask(caller('owner'), asked))).toMatch(message);
  });

  it('follows the policy: who may, to whom, with a reason', async () => {
    const rules = { allowReassignment: true, allowedReassignees: [id('target')], requireReassignmentReason: true };
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')], rules)] });
    const asked = { taskId, newUserIds: [id('target')], comment: '', policyStepId: '' };
    await expect(reassignTask(caller('ann'), asked)).rejects.toMatchObject({ status: 400, violations: [{ field: 'comment' }] });
    expect(await messageOf(reassignTask(caller('owner'), { ...asked, newUserIds: [id('ben')], comment: 'x' }))).toMatch(/not among them/);
    await reassignTask(caller('ann'), { ...asked, comment: 'Closer to it.' });
    const task = await getTask(caller('target'), taskId);
    expect(task).toMatchObject({ assigneeIds: [id('target')], stepGeneration: 1, step: 0, assignmentReason: 'REASSIGNED' });
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'APPROVE')))).toBe(403);
    expect(await statusOf(decideTask(caller('target'), decision(taskId, 'APPROVE', { policyStepId: `${taskId}-0` })))).toBe(409);
    expect(await statusOf(decideTask(caller('target'), decision(taskId, 'APPROVE')))).toBe(200);
  });

  it('may go to the person reviewed where self-review is on', async () => {
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')], {}, { allowSelfApproval: true })] });
    expect(await statusOf(reassignTask(caller('owner'), { taskId, newUserIds: [id('subject')], comment: '', policyStepId: '' }))).toBe(200);
  });

  it('and a decision at once: one of them wins, and no task is lost', async () => {
    for (let round = 0; round < 10; round++) {
      const { taskId } = await makeTask();
      const [reassigned, decidedStatus] = await Promise.all([
        statusOf(reassignTask(caller('owner'), { taskId, newUserIds: [id('target')], comment: '', policyStepId: '' })),
        statusOf(decideTask(caller('ann'), decision(taskId, 'APPROVE'))),
      ]);
      const task = await getTask(caller('super'), taskId);
      expect([reassigned, decidedStatus, task.state]).toEqual(
        task.state === 'CLOSED' ? [400, 200, 'CLOSED'] : [200, decidedStatus, 'OPEN'],
      );
      expect([200, 403, 404, 409]).toContain(decidedStatus);
    }
  });
});
