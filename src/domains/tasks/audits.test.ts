/** What the audit of a task lists: everything, in pages, and why a task ended that nobody decided. */
import { describe, expect, it } from 'vitest';
import { decision, useTaskPeople } from '../../../test/support/task-people.ts';
import { askUsers } from '../../../test/support/tasks.ts';
import { listAudits } from './audits.ts';
import { commentOnTask } from './comment.ts';
import { decideTask } from './decide.ts';
import { restartTask } from './restart.ts';

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
          ...audits.map(
            (audit) => Object.keys(audit).find((key) => typeof audit[key as 'comment'] === 'object' && key !== 'metadata') ?? '',
          ),
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
