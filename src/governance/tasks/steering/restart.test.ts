/** Asking a decided task again. */
import { describe, expect, it } from 'vitest';
import { decision, tenant, useTaskPeople } from '../../../../test/support/task-people.ts';
import { askUsers } from '../../../../test/support/tasks.ts';
import { decideTask } from '../decisions/decide.ts';
import { getTask } from '../task/get-task.ts';
import { listAllowedActions } from '../task/index.ts';
import { resetTask } from './hard-reset.ts';
import { restartTask } from './restart.ts';

const { caller, db, id, makeTask } = useTaskPeople();

describe('a restart', () => {
  it('asks the first step again and keeps what was decided in history', async () => {
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')]), askUsers([id('ben')])], assignees: ['ann'] });
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    await decideTask(caller('ben'), decision(taskId, 'DENY', { comment: 'No.' }));
    await restartTask(caller('owner'), { taskId, comment: 'A mistake.', policyStepId: '' });
    const task = await getTask(caller('ann'), taskId);
    expect(task).toMatchObject({ state: 'OPEN', outcome: '', decidedById: null, step: 0, stepGeneration: 2, assigneeIds: [id('ann')] });
    expect(task.history.map((action) => action.kind)).toEqual(['APPROVED', 'DENIED', 'RESTARTED']);
    // What was said before the restart does not count any more.
    expect((await decideTask(caller('ann'), decision(taskId, 'APPROVE'))).repeated).toBe(false);
    expect(await getTask(caller('ben'), taskId)).toMatchObject({ step: 1, stepGeneration: 3 });
  });

  it.each(['grant', 'app'])('is refused where the %s is gone, and what was decided stands', async (what) => {
    const { taskId } = await makeTask({ assignees: ['ann'], task: { appId: `app-${what}` } });
    await decideTask(caller('ann'), decision(taskId, 'DENY', { comment: 'No.' }));
    const sql =
      what === 'grant'
        ? `UPDATE grants SET removed_revision = 2 WHERE tenant_id = $1 AND app_id = 'app-grant'`
        : `UPDATE apps SET deleted_at = now() WHERE tenant_id = $1 AND id = 'app-app'`;
    await db().run(sql, [tenant]);
    await expect(restartTask(caller('owner'), { taskId, comment: '', policyStepId: '' })).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('access of this task has ended'),
    });
    expect(await getTask(caller('ann'), taskId)).toMatchObject({ state: 'CLOSED', outcome: 'DECERTIFIED', stepGeneration: 0 });
  });

  it.each(['restart', 'hard reset'])(
    'withdraws the removal of a denial until that is claimed, and is refused from then on: %s',
    async (way) => {
      for (const [state, isBegun] of [
        ['HELD', true],
        ['IN_PROGRESS', true],
        ['CLAIMED', false],
        ['STILL_PRESENT', false],
        ['ERROR', false],
      ] as const) {
        const { taskId } = await makeTask({ assignees: ['ann'] });
        await decideTask(caller('ann'), decision(taskId, 'DENY', { comment: 'No.' }));
        await db().run('UPDATE revocations SET state = $3 WHERE tenant_id = $1 AND certify_task_id = $2', [tenant, taskId, state]);
        const asked = { taskId, comment: 'A mistake.', policyStepId: '' };
        if (isBegun && way === 'hard reset') {
          continue;
        }
        const begun = way === 'restart' ? restartTask(caller('owner'), asked) : resetTask(caller('owner'), asked);
        if (isBegun) {
          await begun;
        } else {
          const message = expect.stringContaining(
            `is ${state.toLowerCase().replace('_', ' ')}: a denial can be started over until its removal is claimed.`,
          );
          await expect(begun).rejects.toMatchObject({ code: 'FAILED_PRECONDITION', message });
        }
        const removal = await db().one('SELECT state FROM revocations WHERE tenant_id = $1 AND certify_task_id = $2', [tenant, taskId]);
        expect(removal).toEqual({ state: isBegun ? 'CANCELLED' : state });
        const task = await getTask(caller('owner'), taskId);
        expect(task).toMatchObject(isBegun ? { state: 'OPEN', outcome: '' } : { state: 'CLOSED', outcome: 'DECERTIFIED' });
        expect(listAllowedActions(caller('owner').actor, task, new Date()).includes('RESTART')).toBe(isBegun);
      }
    },
  );
});
