/** Others' changes to somebody's tasks since they last looked: each kind of change, whose it is, and from where to go on. */
import { describe, expect, it } from 'vitest';
import { decision, statusOf, submit, tenant, useTaskPeople } from '../../../../test/support/task-people.ts';
import { addAssignment, addTask, addTasksOf, askUsers, setTasksState, testNow } from '../../../../test/support/tasks.ts';
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { readChanges } from './changes.ts';
import { reassignTask } from '../steering/reassign.ts';

const { caller, db, id, makeTask } = useTaskPeople();
const cursorAt = (moment: Date): string => moment.getTime().toString(36);
const since = cursorAt(testNow);

/** Reads changes shown: the kind of each change, and who did it. */
async function read(who: string | Context, reviewId: string): Promise<string[]> {
  const { rows } = await readChanges(typeof who === 'string' ? caller(who) : who, reviewId, since);
  return rows.map(({ kind, actor }) => `${kind} ${actor ?? 'nobody'}`);
}

/** Two reviewers of one task. */
const both = () => makeTask({ steps: [askUsers([], { allowReassignment: true, allowDelegation: true })], assignees: ['ann', 'ben'] });

describe('changes of a queue', () => {
  it('begin with a cursor, and are none while nothing happens', async () => {
    const { reviewId } = await both();
    expect(await readChanges(caller('ann'), reviewId, '')).toEqual({
      rows: [],
      cursor: since,
      state: 'OPEN',
      reload: false,
      pendingVersion: '0',
    });
    expect(await read('ann', reviewId)).toEqual([]);
  });

  it('are decisions of others, not one’s own', async () => {
    const { reviewId, taskId } = await both();
    await submit(caller('ben'), reviewId, [decision(taskId, 'DENY')]);
    expect(await read('ann', reviewId)).toEqual(['DECIDED ben']);
    expect(await read('ben', reviewId)).toEqual([]);
    const { rows } = await readChanges(caller('ann'), reviewId, since);
    expect(rows).toMatchObject([{ taskId, outcome: 'DECERTIFIED', endReason: 'DECIDED', at: testNow, actorId: id('ben'), asked: [] }]);
  });

  it('are one’s own decisions and steps, too, where those are asked for', async () => {
    const { reviewId, taskId } = await both();
    await submit(caller('ben'), reviewId, [decision(taskId, 'DENY')]);
    expect((await readChanges(caller('ben'), reviewId, since, true)).rows).toMatchObject([{ taskId, kind: 'DECIDED', actorId: id('ben') }]);
    const more = await both();
    await reassignTask(caller('ben'), { taskId: more.taskId, newUserIds: [id('target')], comment: 'Yours.', policyStepId: '' });
    expect((await readChanges(caller('ben'), more.reviewId, since, true)).rows).toMatchObject([{ kind: 'MOVED_AWAY' }]);
    expect((await readChanges(caller('ann'), reviewId, since, true)).rows).toMatchObject([{ actorId: id('ben') }]);
  });

  it('are tasks that ended without a decision', async () => {
    const { reviewId, taskId } = await both();
    await db().run(
      `UPDATE tasks SET state = 'CLOSED', outcome = 'CANCELLED', end_reason = 'GRANT_GONE', ended_at = $3 WHERE tenant_id = $1 AND id = $2`,
      [tenant, taskId, testNow],
    );
    expect(await read('ann', reviewId)).toEqual(['ENDED nobody']);
  });

  it('are tasks that went to others, for whoever had them and whoever has them now', async () => {
    const { reviewId, taskId } = await both();
    await addTask(db(), tenant, { reviewId, assignmentId: await addAssignment(db(), tenant, reviewId, [id('target')]) });
    await reassignTask(caller('ben'), { taskId, newUserIds: [id('target')], comment: 'Yours.', policyStepId: '' });
    expect(await read('ann', reviewId)).toEqual(['MOVED_AWAY ben']);
    expect(await read('ben', reviewId)).toEqual([]);
    expect(await read('target', reviewId)).toEqual(['ASKED ben']);
    expect((await readChanges(caller('ann'), reviewId, since)).rows).toMatchObject([{ taskId, asked: ['target'], outcome: '' }]);
  });

  it('are tasks that went on to the next step', async () => {
    const steps = [askUsers([id('ann'), id('ben')]), askUsers([id('target')])];
    const { reviewId, taskId } = await makeTask({ steps, assignees: ['ann', 'ben'] });
    await submit(caller('ben'), reviewId, [decision(taskId, 'APPROVE')]);
    expect(await read('ann', reviewId)).toEqual(['MOVED_AWAY ben']);
  });

  it('are those of the person in whose place somebody decides, where the step allows it', async () => {
    const { reviewId, taskId } = await both();
    const closed = await addTasksOf(db(), tenant, { steps: [askUsers([])] });
    const assignmentId = await addAssignment(db(), tenant, closed, [id('ann')]);
    const other = await addTask(db(), tenant, { reviewId: closed, assignmentId });
    const base = caller('stranger');
    const delegate = { ...base, actor: { ...base.actor, delegatorIds: [id('ann')] } };
    await submit(caller('ben'), reviewId, [decision(taskId, 'DENY')]);
    await submit(caller('super'), closed, [decision(other, 'DENY')]);
    expect(await read(delegate, reviewId)).toEqual(['DECIDED ben']);
    expect(await read(delegate, closed)).toEqual([]);
    expect(await read('ann', closed)).toEqual(['DECIDED super']);
  });

  it('look back a little behind the cursor, and no further', async () => {
    const { reviewId, taskId } = await both();
    await submit(caller('ben'), reviewId, [decision(taskId, 'DENY')]);
    const later = (seconds: number): Context => ({ ...caller('ann'), now: new Date(testNow.getTime() + seconds * 1000) });
    const at = (seconds: number) => readChanges(later(seconds), reviewId, cursorAt(later(seconds).now));
    expect((await at(30)).rows).toHaveLength(1);
    expect((await at(90)).rows).toEqual([]);
    expect(await readChanges(later(2 * 86_400), reviewId, since)).toMatchObject({ rows: [], reload: true });
  });

  it('are none of a review that is not open', async () => {
    const { reviewId, taskId } = await both();
    await submit(caller('ben'), reviewId, [decision(taskId, 'DENY')]);
    await setTasksState(db(), tenant, reviewId, 'CLOSED');
    expect(await readChanges(caller('ann'), reviewId, since)).toMatchObject({ rows: [], state: 'CLOSED', reload: false });
  });

  it('are refused to strangers and other tenants, as is a cursor that is none', async () => {
    const { reviewId } = await both();
    expect(await statusOf(read('stranger', reviewId))).toBe(404);
    expect(await statusOf(read('foreign super', reviewId))).toBe(404);
    expect(await statusOf(read('ann', newId(testNow)))).toBe(404);
    for (const cursor of ['not one', '-1', 'zzzzzzzzzzzz', cursorAt(new Date(testNow.getTime() + 86_400_000))]) {
      expect([cursor, await statusOf(readChanges(caller('ann'), reviewId, cursor))]).toEqual([cursor, 400]);
    }
  });
});
