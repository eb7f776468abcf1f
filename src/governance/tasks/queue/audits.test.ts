/** Entries of the audit of a task: everything, in pages, and why a task ended that nobody decided. */
import { TaskAuditViewSchema } from '../../../gen/c1/api/task/v1/task_audit_pb.js';
import { PolicyInstanceSchema } from '../../../gen/c1/api/policy/v1/policy_instance_pb.js';
import { shape } from '../../../wire/reply.ts';
import { describe, expect, it } from 'vitest';
import { decision, useTaskPeople } from '../../../../test/support/task-people.ts';
import { askUsers } from '../../../../test/support/tasks.ts';
import { inTransaction } from '../../../context.ts';
import { listAudits } from './audits.ts';
import { handOver } from '../steering/hand-over.ts';
import { commentOnTask } from '../decisions/comment.ts';
import { decideTask } from '../decisions/decide.ts';
import { getTask } from '../task/get-task.ts';
import { shapePolicyInstance } from '../views/policy-instance.ts';
import { restartTask } from '../steering/restart.ts';

const { caller, id, makeTask } = useTaskPeople();

describe('the audit of a task', () => {
  it('tells everything, in pages, either way round', async () => {
    const { taskId } = await makeTask({ assignees: ['ann'], steps: [askUsers([id('ann')])] });
    for (let count = 0; count < 12; count++) {
      await commentOnTask(caller('ann'), taskId, `Comment ${count}`);
    }
    await decideTask(caller('ann'), decision(taskId, 'DENY', { comment: 'Not needed.' }));
    await restartTask(caller('owner'), { taskId, comment: '', policyStepId: '' });
    const read = async (newestFirst: boolean, commentsOnly: boolean) => {
      const ids: string[] = [];
      const kinds: string[] = [];
      let after: readonly string[] | undefined;
      do {
        const { audits, nextKey } = await listAudits(caller('ann'), { taskId, refs: [], newestFirst, commentsOnly }, { size: 4, after });
        expect(audits.length).toBeGreaterThan(0);
        ids.push(...audits.map((audit) => audit.id ?? ''));
        kinds.push(
          ...audits
            .map((row) => shape(TaskAuditViewSchema, row))
            .map((audit) => Object.keys(audit).find((key) => typeof audit[key as 'comment'] === 'object' && key !== 'metadata') ?? ''),
        );
        after = nextKey;
      } while (after !== undefined);
      return { ids, kinds };
    };
    const oldest = await read(false, false);
    expect(oldest.kinds).toEqual([
      'taskCreated',
      ...Array<string>(12).fill('comment'),
      'actionSubmitted',
      'comment',
      'certifyOutcome',
      'stateChange',
      'taskRestarted',
      'stateChange',
    ]);
    expect(new Set(oldest.ids).size).toBe(oldest.ids.length);
    expect((await read(true, false)).ids).toEqual(oldest.ids.toReversed());
    expect((await read(false, true)).kinds).toEqual(Array<string>(13).fill('comment'));
    const refs = [oldest.ids[3] ?? ''];
    const found = await listAudits(
      caller('ann'),
      { taskId, refs, newestFirst: false, commentsOnly: false },
      { size: 10, after: undefined },
    );
    expect(found.audits.map((audit) => audit.id)).toEqual(refs);
  });

  const first = { refs: [], newestFirst: false, commentsOnly: false };
  const page = { size: 20, after: undefined };

  it('tells in whose place a delegate decided', async () => {
    const { taskId } = await makeTask({ assignees: ['ann'], steps: [askUsers([id('ann')], { allowDelegation: true })] });
    const ben = caller('ben');
    const context = { ...ben, actor: { ...ben.actor, delegatorIds: [id('ann')] } };
    await decideTask(context, decision(taskId, 'APPROVE', { comment: 'Needed.' }));
    const { audits } = await listAudits(caller('ann'), { taskId, ...first }, page);
    expect(audits.map((audit) => audit.reassignedToDelegate).filter((one) => one !== undefined)).toMatchObject([
      {
        delegatedAssigneeUserId: id('ben'),
        delegatedAssigneeUser: { displayName: 'ben' },
        originalAssigneeUserId: id('ann'),
        originalAssigneeUser: { displayName: 'ann' },
      },
    ]);
  });

  it('tells to whom a task passed, and because of whom', async () => {
    const { taskId, reviewId } = await makeTask({ assignees: ['disabled', 'ann'] });
    await inTransaction(caller('super'), (inside) => handOver(inside, 'CERTIFY', reviewId));
    expect(await getTask(caller('ann'), taskId)).toMatchObject({ assigneeIds: [id('ann')], stepGeneration: 0 });
    const { audits } = await listAudits(caller('ann'), { taskId, ...first }, page);
    expect(audits.slice(1)).toMatchObject([
      { userId: '', approvalReassigned: { newUsers: [id('ann')], oldPolicyStepId: `${taskId}-0`, newPolicyStepId: `${taskId}-0` } },
      { policyEvaluationStep: { stepComment: 'Handed over, because these people can no longer review: disabled.' } },
    ]);
    // It is no step of the policy: the one that was entered is still the current one.
    const { history, current } = shape(
      PolicyInstanceSchema,
      shapePolicyInstance(caller('ann').actor, await getTask(caller('ann'), taskId), new Map()),
    );
    expect([history, current?.id]).toEqual([[], `${taskId}-0`]);
    await decideTask(caller('ann'), decision(taskId, 'APPROVE', { policyStepId: `${taskId}-0` }));
  });

  it.each([
    ['SKIPPED_AT_CLOSE', 'CANCELLED', /closed: skipped/],
    ['REVOKED_AT_CLOSE', 'DECERTIFIED', /closed: revoked/],
    ['NO_ACTION_AT_CLOSE', '', /no outcome was set/],
    ['GRANT_GONE', 'CANCELLED', /access ended/],
    ['DELETED', 'CANCELLED', /review was deleted/],
  ])('says why a task ended without a person: %s', async (endReason, outcome, sentence) => {
    const { taskId } = await makeTask({ task: { state: 'CLOSED', endReason, outcome } });
    const { audits } = await listAudits(
      caller('ann'),
      { taskId, refs: [], newestFirst: false, commentsOnly: false },
      { size: 10, after: undefined },
    );
    expect(audits.map((audit) => audit.policyEvaluationStep?.stepComment ?? '').join('')).toMatch(sentence);
    expect(audits.at(-1)?.stateChange).toBeDefined();
  });
});
