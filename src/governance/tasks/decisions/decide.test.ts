/** Effects of a decision, whom it is refused to, and that one of two at once wins. */
import { describe, expect, it } from 'vitest';
import { decision, messageOf, statusOf, tenant, useTaskPeople } from '../../../../test/support/task-people.ts';
import { askUsers, scopeOf, setTasksState } from '../../../../test/support/tasks.ts';
import { decideTask } from './decide.ts';
import { getTask } from '../task/get-task.ts';
import { findShownTask } from '../views/store.ts';

const { caller, db, id, makeTask } = useTaskPeople();

describe('a decision', () => {
  it('is written once with its action and its event', async () => {
    const { taskId, reviewId } = await makeTask();
    const { actionId } = await decideTask(caller('ann'), decision(taskId, 'APPROVE', { comment: 'Needed.' }));
    const task = await getTask(caller('ann'), taskId);
    expect(task).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED', endReason: 'DECIDED', decidedById: id('ann') });
    expect(await findShownTask(caller('ann'), taskId)).toMatchObject({ commentCount: 1 });
    const events = await db().rows('SELECT kind, actor_id, target_id, data FROM events WHERE tenant_id = $1 AND target_id = $2', [
      tenant,
      taskId,
    ]);
    expect(events).toMatchObject([
      { kind: 'task.approved', actor_id: id('ann'), data: { reviewId: reviewId, actionId, outcome: 'CERTIFIED' } },
    ]);
  });

  it('holds when the same person says the same again, and after the review is closed', async () => {
    const { taskId, reviewId } = await makeTask();
    const first = await decideTask(caller('ann'), decision(taskId, 'DENY'));
    expect(await decideTask(caller('ann'), decision(taskId, 'DENY'))).toEqual({ actionId: first.actionId, repeated: true });
    await setTasksState(db(), tenant, reviewId, 'CLOSED');
    expect((await decideTask(caller('ann'), decision(taskId, 'DENY'))).repeated).toBe(true);
    expect((await getTask(caller('ann'), taskId)).history).toHaveLength(1);
  });

  it('about a later step is refused to whoever decided the step before and is not asked, unless they name their own step', async () => {
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')]), askUsers([id('target')])] });
    const first = await decideTask(caller('ann'), decision(taskId, 'APPROVE', { policyStepId: `${taskId}-0` }));
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'APPROVE')))).toBe(403);
    const named = await decideTask(caller('ann'), decision(taskId, 'APPROVE', { policyStepId: `${taskId}-0` }));
    expect(named).toEqual({ actionId: first.actionId, repeated: true });
    expect(await getTask(caller('target'), taskId)).toMatchObject({ state: 'OPEN', step: 1 });
  });

  it('is refused to the second person with the name of the first, and to the first who changes their mind', async () => {
    const { taskId } = await makeTask();
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    expect(await messageOf(decideTask(caller('owner'), decision(taskId, 'APPROVE')))).toBe('This task was already certified by ann.');
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'DENY')))).toBe(409);
  });

  it('keeps who issued the credential it was made with', async () => {
    const { taskId } = await makeTask();
    await decideTask(scopeOf(db(), tenant, id('ann'), { issuerId: id('super') }), decision(taskId, 'DENY'));
    const row = await db().one('SELECT decided_by_id, decided_issuer_id FROM tasks WHERE tenant_id = $1 AND id = $2', [tenant, taskId]);
    expect(row).toEqual({ decided_by_id: id('ann'), decided_issuer_id: id('super') });
  });

  it('says in a clear sentence why one may not decide', async () => {
    const { taskId } = await makeTask();
    expect(await messageOf(decideTask(caller('subject'), decision(taskId, 'APPROVE')))).toMatch(
      /your own access.*does not allow self-review/,
    );
    expect(await messageOf(decideTask(caller('issued'), decision(taskId, 'APPROVE')))).toMatch(
      /issued by the person whose access is reviewed/,
    );
  });

  it('may be about oneself where the policy allows it, but never through a credential one issued', async () => {
    const steps = [askUsers([id('ann')], {}, { allowSelfApproval: true })];
    const own = await makeTask({ steps });
    expect(await statusOf(decideTask(caller('subject'), decision(own.taskId, 'APPROVE')))).toBe(200);
    const other = await makeTask({ steps });
    expect(await statusOf(decideTask(caller('issued'), decision(other.taskId, 'APPROVE')))).toBe(403);
  });

  it('needs the reason the policy wants, naming the field', async () => {
    const steps = [askUsers([id('ann')], { requireApprovalReason: true, requireDenialReason: true })];
    for (const what of ['APPROVE', 'DENY'] as const) {
      const { taskId } = await makeTask({ steps });
      await expect(decideTask(caller('ann'), decision(taskId, what, { comment: ' ' }))).rejects.toMatchObject({
        status: 400,
        violations: [{ field: 'comment' }],
      });
      expect(await statusOf(decideTask(caller('ann'), decision(taskId, what, { comment: 'Because.' })))).toBe(200);
    }
  });

  it('about another step than the current one is refused with the current one', async () => {
    const { taskId } = await makeTask();
    expect(await messageOf(decideTask(caller('ann'), decision(taskId, 'APPROVE', { policyStepId: `${taskId}-7` })))).toContain(
      `'${taskId}-0'`,
    );
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'APPROVE', { policyStepId: `${taskId}-0` })))).toBe(200);
  });

  it('is won by exactly one of two who come at once', async () => {
    for (let round = 0; round < 10; round++) {
      const { taskId } = await makeTask({ assignees: ['ann', 'ben'] });
      const results = await Promise.all([
        statusOf(decideTask(caller('ann'), decision(taskId, 'APPROVE'))),
        statusOf(decideTask(caller('ben'), decision(taskId, 'DENY'))),
        statusOf(decideTask(caller('owner'), decision(taskId, 'DENY'))),
      ]);
      expect(results.toSorted()).toEqual([200, 409, 409]);
      expect((await getTask(caller('super'), taskId)).history).toHaveLength(1);
    }
  });
});
