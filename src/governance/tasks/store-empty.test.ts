/** Comments go with the content of a review, and nothing else of an action changes, whoever asks. */
import { expect, it } from 'vitest';
import { useTaskPeople } from '../../../test/support/task-people.ts';
import { askUsers } from '../../../test/support/tasks.ts';
import { commentOnTask } from './decisions/comment.ts';
import { readComments } from './decisions/comments.ts';
import { emptyComments } from './store-empty.ts';

const { caller, id, makeTask } = useTaskPeople();

it('comments are emptied in pieces, once, and the actions stay', async () => {
  const { reviewId, taskId } = await makeTask({ steps: [askUsers([id('ann')])], assignees: ['ann'] });
  const other = await makeTask({ steps: [askUsers([id('ann')])], assignees: ['ann'] });
  for (const comment of ['One.', 'Two.', 'Three.']) {
    await commentOnTask(caller('ann'), taskId, comment);
  }
  await commentOnTask(caller('ann'), other.taskId, 'Of another.');
  const context = caller('super');
  expect([
    await emptyComments(context, reviewId, 2),
    await emptyComments(context, reviewId, 2),
    await emptyComments(context, reviewId, 2),
  ]).toEqual([2, 1, 0]);
  const actions = await context.db.rows<{ kind: string; comment: string; emptied: boolean }>(
    'SELECT kind, comment, emptied_at IS NOT NULL AS emptied FROM task_actions WHERE tenant_id = $1 AND review_id = $2 ORDER BY id',
    [context.tenantId, reviewId],
  );
  expect(actions).toEqual(Array.from({ length: 3 }, () => ({ kind: 'COMMENTED', comment: '', emptied: true })));
  expect(await readComments(caller('super'), { reviewId: other.reviewId, userId: '' }, undefined, 10)).toMatchObject([
    { comment: 'Of another.' },
  ]);
});

it('nothing else of an action is ever changed', async () => {
  const { reviewId, taskId } = await makeTask({ steps: [askUsers([id('ann')])], assignees: ['ann'] });
  await commentOnTask(caller('ann'), taskId, 'One.');
  const { db, tenantId } = caller('super');
  for (const change of [
    "comment = 'Two.'",
    "comment = ''",
    "comment = '', emptied_at = now(), kind = 'DENIED'",
    `comment = '', emptied_at = now(), data = '{"reason": "x"}'`,
    "comment = '', emptied_at = now(), actor_id = 'somebody'",
  ]) {
    const changed = db.run(`UPDATE task_actions SET ${change} WHERE tenant_id = $1 AND review_id = $2`, [tenantId, reviewId]);
    await expect(changed).rejects.toMatchObject({ detail: expect.stringContaining('only emptied') });
  }
  await expect(db.run('DELETE FROM task_actions WHERE tenant_id = $1 AND review_id = $2', [tenantId, reviewId])).rejects.toThrow();
});
