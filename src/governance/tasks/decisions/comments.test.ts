/** Text people wrote in a review: all of it for those who manage it, their own for others, page by page, and of one person. */
import { describe, expect, it } from 'vitest';
import { decision, statusOf, submit, useTaskPeople } from '../../../../test/support/task-people.ts';
import { askUsers } from '../../../../test/support/tasks.ts';
import { listAudits } from '../queue/audits.ts';
import { commentOnTask } from './comment.ts';
import { readComments } from './comments.ts';
import { reassignTask } from '../steering/reassign.ts';

const { caller, id, makeTask } = useTaskPeople();

/** A review in which ann and ben wrote, ann twice. */
async function written(): Promise<string> {
  const { reviewId, taskId } = await makeTask({
    steps: [askUsers([id('ann'), id('ben')], { allowReassignment: true })],
    assignees: ['ann', 'ben'],
  });
  await commentOnTask(caller('ann'), taskId, 'Who needs this?');
  await reassignTask(caller('ann'), { taskId, newUserIds: [id('ben')], comment: 'Ben knows.', policyStepId: '' });
  await submit(caller('ben'), reviewId, [decision(taskId, 'DENY', { comment: 'Nobody.' })]);
  return reviewId;
}

const read = async (who: string, reviewId: string, userId = '', after?: string, limit = 100) =>
  (await readComments(caller(who), { reviewId, userId }, after, limit)).map(({ kind, comment }) => `${kind} ${comment}`);
const all = ['DENIED Nobody.', 'REASSIGNED Ben knows.', 'COMMENTED Who needs this?'];

describe('comments of a review', () => {
  it('are all of it for its owners and for those who read everything, the newest first', async () => {
    const reviewId = await written();
    for (const who of ['owner', 'super', 'reader']) {
      expect([who, await read(who, reviewId)]).toEqual([who, all]);
    }
    const [newest] = await readComments(caller('owner'), { reviewId, userId: '' }, undefined, 1);
    expect(newest).toMatchObject({ userId: id('ben'), userName: 'ben', subject: expect.any(String), entitlement: expect.any(String) });
    expect(await read('owner', reviewId, '', newest?.id)).toEqual(all.slice(1));
  });

  it('name who issued what they were written through, as the audit of the task does', async () => {
    const { reviewId, taskId } = await makeTask({ steps: [askUsers([id('ann')])], assignees: ['ann'] });
    const ann = caller('ann');
    await commentOnTask({ ...ann, actor: { ...ann.actor, kind: 'issued_session', issuerId: id('owner') } }, taskId, 'As told.');
    const [comment] = await readComments(caller('super'), { reviewId, userId: '' }, undefined, 1);
    expect(comment).toMatchObject({ userId: id('ann'), issuerId: id('owner'), issuerName: 'owner' });
    const query = { taskId, refs: [], newestFirst: false, commentsOnly: false };
    const { audits } = await listAudits(caller('ann'), query, { size: 10, after: undefined });
    expect(audits.map(({ policyEvaluationStep }) => policyEvaluationStep?.stepComment)).toContain('Through access issued by owner.');
    await commentOnTask(ann, taskId, 'By myself.');
    expect((await readComments(caller('super'), { reviewId, userId: '' }, undefined, 1))[0]).toMatchObject({
      issuerId: '',
      issuerName: '',
    });
  });

  it('are those of one person where one is named', async () => {
    const reviewId = await written();
    expect(await read('owner', reviewId, id('ann'))).toEqual(all.slice(1));
    expect(await read('owner', reviewId, id('stranger'))).toEqual([]);
  });

  it('are one’s own for whoever is asked, and not there for others', async () => {
    const reviewId = await written();
    expect(await read('ben', reviewId)).toEqual(all.slice(0, 1));
    expect(await read('ben', reviewId, id('ben'))).toEqual(all.slice(0, 1));
    expect(await read('ben', reviewId, id('ann'))).toEqual([]);
    expect(await statusOf(read('stranger', reviewId))).toBe(404);
    expect(await statusOf(read('foreign super', reviewId))).toBe(404);
  });
});
