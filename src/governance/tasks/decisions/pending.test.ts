/** Staged decisions, submissions of them and with a key, and amendments of one's own decisions. */
import { describe, expect, it } from 'vitest';
import { decision, messageOf, statusOf, submit, tenant, useTaskPeople } from '../../../../test/support/task-people.ts';
import { addTask, askUsers, setTasksState, testNow } from '../../../../test/support/tasks.ts';
import type { Context } from '../../../context.ts';
import { inTransaction } from '../../../context.ts';
import { cancelTasks, endUndecided } from '../batches/bulk.ts';
import { decideTask } from './decide.ts';
import { getTask } from '../task/get-task.ts';
import { listPending, setPending } from './pending.ts';
import { readFilter, searchTasks } from '../queue/search.ts';
import { skipStep } from '../steering/skip-step.ts';
import { countDroppedPending } from './store-pending.ts';
import { TaskSearchRequestSchema } from '../../../gen/c1/api/task/v1/task_service_pb.js';
import { create } from '@bufbuild/protobuf';

const { caller, db, id, makeTask } = useTaskPeople();
const firstPage = { size: 100, after: undefined };
const at = (name: string, minutes: number): Context => ({ ...caller(name), now: new Date(testNow.getTime() + minutes * 60_000) });

/** A review with tasks about subject, asked of ann and ben. */
async function makeTasks(count: number, steps?: object[]): Promise<{ reviewId: string; taskIds: string[] }> {
  const { reviewId, taskId, assignmentId } = await makeTask({ assignees: ['ann', 'ben'], ...(steps === undefined ? {} : { steps }) });
  const taskIds = [taskId];
  while (taskIds.length < count) {
    taskIds.push(await addTask(db(), tenant, { reviewId, assignmentId, userId: id('subject') }));
  }
  return { reviewId, taskIds };
}
const staged = async (context: Context, reviewId: string) =>
  (await listPending(context, reviewId, firstPage)).rows.map(({ taskId, decision: what, stagedAt }) => [taskId, what, stagedAt.getTime()]);

describe('staged decisions', () => {
  it('are one’s own, replaced as a whole, and keep when a task was first staged', async () => {
    const { reviewId, taskIds } = await makeTasks(3);
    const [a = '', b = '', c = ''] = taskIds.toSorted();
    expect(await setPending(caller('ann'), reviewId, [decision(a, 'APPROVE'), decision(b, 'DENY')])).toMatchObject({ count: 2 });
    await setPending(at('ann', 5), reviewId, [decision(b, 'APPROVE', { comment: 'After all.' }), decision(c, 'DENY')]);
    expect(await staged(caller('ann'), reviewId)).toEqual([
      [b, 'APPROVE', testNow.getTime()],
      [c, 'DENY', testNow.getTime() + 300_000],
    ]);
    expect(await staged(caller('ben'), reviewId)).toEqual([]);
    expect(await getTask(caller('ann'), b)).toMatchObject({ state: 'OPEN', history: [] });
    expect(await setPending(caller('ann'), reviewId, [])).toMatchObject({ count: 0 });
    expect(await staged(caller('ann'), reviewId)).toEqual([]);
  });

  it('are refused by name where a task is not theirs, is named twice or is of another review', async () => {
    const { reviewId, taskIds } = await makeTasks(1);
    const other = await makeTasks(1);
    const [a = ''] = taskIds;
    const stage = setPending(caller('ann'), reviewId, [
      decision(a, 'DENY'),
      decision(other.taskIds[0] ?? '', 'DENY'),
      decision('x', 'DENY'),
    ]);
    await expect(stage).rejects.toMatchObject({
      status: 400,
      violations: [{ field: 'decisions[1].taskId' }, { field: 'decisions[2].taskId' }],
    });
    await expect(setPending(caller('ann'), reviewId, [decision(a, 'DENY'), decision(a, 'APPROVE')])).rejects.toMatchObject({
      violations: [{ field: 'decisions[1].taskId' }],
    });
    expect(await statusOf(setPending(caller('stranger'), reviewId, [decision(a, 'DENY')]))).toBe(404);
    expect(await statusOf(setPending(caller('reader'), reviewId, [decision(a, 'DENY')]))).toBe(403);
    expect(await statusOf(listPending(caller('foreign super'), reviewId, firstPage))).toBe(404);
    await setTasksState(db(), tenant, reviewId, 'CLOSING');
    expect(await messageOf(setPending(caller('ann'), reviewId, []))).toMatch(/The review is being closed/);
  });

  it('have a version, and are replaced and submitted as the version that is known, or not at all', async () => {
    const { reviewId, taskIds } = await makeTasks(3);
    const [a = '', b = '', c = ''] = taskIds.toSorted();
    const versionOf = async (name: string) => (await listPending(caller(name), reviewId, firstPage)).version;
    expect(await versionOf('ann')).toBe('0');
    const first = await setPending(caller('ann'), reviewId, [decision(a, 'APPROVE'), decision(b, 'DENY')], '0');
    expect(first).toEqual({ count: 2, version: await versionOf('ann') });
    expect(await versionOf('ben')).toBe('0');
    // Said again it is the same list.
    expect(await setPending(caller('ann'), reviewId, [decision(b, 'DENY'), decision(a, 'APPROVE')], first.version)).toEqual(first);
    const second = await setPending(caller('ann'), reviewId, [decision(b, 'DENY', { comment: 'Left.' })], first.version);
    expect(second.version).not.toBe(first.version);
    await expect(setPending(caller('ann'), reviewId, [decision(c, 'DENY')], first.version)).rejects.toMatchObject({
      code: 'CONFLICT',
      violations: [{ field: 'version' }],
    });
    const stale = submit(caller('ann'), reviewId, [decision(b, 'DENY')], { pendingVersion: first.version });
    await expect(stale).rejects.toMatchObject({ code: 'CONFLICT', violations: [{ field: 'pendingVersion' }] });
    expect((await getTask(caller('ann'), b)).state).toBe('OPEN');
    const { pendingVersion } = await submit(caller('ann'), reviewId, [decision(b, 'DENY')], { pendingVersion: second.version });
    expect(pendingVersion).toBe(await versionOf('ann'));
    expect(pendingVersion).not.toBe(second.version);
    // Without a version it is replaced whatever it is.
    expect(await setPending(at('ann', 5), reviewId, [decision(c, 'DENY')])).toMatchObject({ count: 1 });
  });

  it('of one version are replaced by one of many who try at once', async () => {
    const { reviewId, taskIds } = await makeTasks(4);
    for (const from of ['0', '1', '2']) {
      const tries = taskIds.map((taskId) =>
        setPending(caller('ann'), reviewId, [decision(taskId, 'DENY', { comment: from })], from).then(
          () => 'done',
          (error: { code: string }) => error.code,
        ),
      );
      expect((await Promise.all(tries)).toSorted()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'done']);
      expect((await listPending(caller('ann'), reviewId, firstPage)).version).toBe(String(Number(from) + 1));
    }
  });

  it('are found by the search of whoever staged them', async () => {
    const { reviewId, taskIds } = await makeTasks(3);
    const [a = '', b = '', c = ''] = taskIds;
    await setPending(caller('ann'), reviewId, [decision(b, 'DENY')]);
    const find = async (name: string, pendingActionFilter: number) => {
      const request = create(TaskSearchRequestSchema, { accessReviewIds: [reviewId], pendingActionFilter });
      expect(readFilter(caller(name), request).hasPending).toBe([undefined, true, false][pendingActionFilter]);
      return (await searchTasks(caller(name), request, firstPage)).tasks.map((task) => task.id).toSorted();
    };
    expect(await find('ann', 0)).toEqual([a, b, c].toSorted());
    expect(await find('ann', 1)).toEqual([b]);
    expect(await find('ann', 2)).toEqual([a, c].toSorted());
    expect(await find('ben', 1)).toEqual([]);
    expect(await find('super', 1)).toEqual([]);
    expect(await find('super', 2)).toHaveLength(3);
  });

  it('are submitted all at once; what is refused stays staged', async () => {
    const { reviewId, taskIds } = await makeTasks(3, [askUsers([id('ann'), id('ben')], { requireDenialReason: true })]);
    const [a = '', b = '', c = ''] = taskIds.toSorted();
    await setPending(caller('ann'), reviewId, [decision(a, 'APPROVE'), decision(b, 'DENY'), decision(c, 'DENY', { comment: 'Left.' })]);
    const { submission, results } = await submit(at('ann', 9), reviewId, [], { all: true });
    expect(submission).toMatchObject({ submitted: 3, certified: 1, denied: 1, refused: 1 });
    expect(results).toMatchObject([{ decided: true }, { taskId: b, code: 'INVALID_ARGUMENT' }, { decided: true }]);
    expect((await staged(caller('ann'), reviewId)).map(([taskId]) => taskId)).toEqual([b]);
    const { history } = await getTask(caller('ann'), a);
    expect(history).toMatchObject([{ kind: 'APPROVED', data: { stagedAt: testNow.toISOString() } }]);
    await setPending(caller('ann'), reviewId, []);
    expect(await statusOf(submit(caller('ann'), reviewId, [], { all: true }))).toBe(400);
    await expect(submit(caller('ann'), reviewId, [decision(b, 'APPROVE')], { all: true })).rejects.toMatchObject({
      violations: [{ field: 'all' }],
    });
  });

  it('that nobody submitted are counted and dropped when the review ends', async () => {
    const { reviewId, taskIds } = await makeTasks(2);
    await setPending(
      caller('ann'),
      reviewId,
      taskIds.map((taskId) => decision(taskId, 'DENY')),
    );
    await setPending(caller('ben'), reviewId, [decision(taskIds[0] ?? '', 'APPROVE')]);
    await inTransaction(caller('super'), async (inner) => {
      await cancelTasks(inner, reviewId);
      const first = await endUndecided(inner, reviewId, '', { outcome: 'CANCELLED', reason: 'SKIPPED_AT_CLOSE' });
      expect(first.ended).toBe(2);
      expect(await endUndecided(inner, reviewId, first.after ?? '', { outcome: 'CANCELLED', reason: 'SKIPPED_AT_CLOSE' })).toEqual({
        after: undefined,
        ended: 0,
      });
    });
    expect(await countDroppedPending(caller('super'), reviewId)).toBe(3);
    const { rows } = { rows: await db().rows('SELECT FROM pending_decisions WHERE tenant_id = $1 AND review_id = $2', [tenant, reviewId]) };
    expect(rows).toEqual([]);
  });
});

describe('a submission with a key', () => {
  it('gets the same answer again and decides nothing, whatever happened since', async () => {
    const { reviewId, taskIds } = await makeTasks(2);
    const decisions = taskIds.map((taskId) => decision(taskId, 'APPROVE'));
    const first = await submit(caller('ann'), reviewId, decisions, { idempotencyKey: 'one' });
    await setTasksState(db(), tenant, reviewId, 'CLOSED');
    const again = await submit(at('ann', 60), reviewId, decisions, { idempotencyKey: 'one' });
    expect([again.submission.id, again.results]).toEqual([first.submission.id, first.results]);
    expect(await statusOf(submit(caller('ann'), reviewId, decisions, { idempotencyKey: 'two' }))).toBe(400);
    expect(await statusOf(submit(caller('ann'), reviewId, decisions.slice(1), { idempotencyKey: 'one' }))).toBe(409);
    expect(await statusOf(submit(caller('stranger'), reviewId, decisions, { idempotencyKey: 'one' }))).toBe(404);
    const { count } = await db().one<{ count: number }>('SELECT count(*) FROM submissions WHERE tenant_id = $1 AND review_id = $2', [
      tenant,
      reviewId,
    ]);
    expect(count).toBe(1);
  });

  it('of two people, and sent twice at once, is one for each of them', async () => {
    const { reviewId, taskIds } = await makeTasks(4);
    const decisions = taskIds.map((taskId) => decision(taskId, 'APPROVE'));
    const all = await Promise.all(
      ['ann', 'ann', 'ben', 'ann', 'ben'].map((name) => submit(caller(name), reviewId, decisions, { idempotencyKey: 'k' })),
    );
    expect(new Set(all.map(({ submission }) => submission.id)).size).toBe(2);
    expect(
      all
        .map(({ submission }) => submission.certified)
        .toSorted()
        .join(),
    ).toMatch(/^0,0,4,4,4$|^0,0,0,4,4$/);
    await expect(submit(caller('ann'), reviewId, decisions, { idempotencyKey: 'k'.repeat(201) })).rejects.toMatchObject({
      violations: [{ field: 'idempotencyKey' }],
    });
  });
});

describe('an amendment', () => {
  const amend = (name: string, reviewId: string, taskId: string, what: 'APPROVE' | 'DENY', comment = 'A mistake.') =>
    submit(at(name, 10), reviewId, [decision(taskId, what, { comment, amend: true })]).then(({ results }) => results[0]);

  it('is for the person who decided; both values stay, and its event says so', async () => {
    const { reviewId, taskIds } = await makeTasks(1);
    const [taskId = ''] = taskIds;
    expect(await amend('ann', reviewId, taskId, 'APPROVE')).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('open') });
    await decideTask(caller('ann'), decision(taskId, 'DENY', { comment: 'No.' }));
    for (const name of ['ben', 'owner', 'super']) {
      expect(await amend(name, reviewId, taskId, 'APPROVE')).toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining(': ann.'),
      });
    }
    expect(await amend('ann', reviewId, taskId, 'APPROVE', ' ')).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await amend('ann', reviewId, taskId, 'APPROVE')).toMatchObject({ decided: true });
    const task = await getTask(caller('ann'), taskId);
    expect(task).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED', endReason: 'DECIDED', decidedById: id('ann') });
    expect(task.history).toMatchObject([
      { kind: 'DENIED', data: { outcome: 'DECERTIFIED' } },
      { kind: 'AMENDED', data: { decision: 'APPROVE', previousOutcome: 'DECERTIFIED', outcome: 'CERTIFIED' } },
    ]);
    // Said again it holds, and can be amended back.
    expect(await amend('ann', reviewId, taskId, 'APPROVE')).toMatchObject({ decided: true });
    expect((await getTask(caller('ann'), taskId)).history).toHaveLength(2);
    expect(await amend('ann', reviewId, taskId, 'DENY')).toMatchObject({ decided: true });
    expect(await getTask(caller('ann'), taskId)).toMatchObject({ outcome: 'DECERTIFIED' });
    const events = await db().rows<{ data: object }>(
      `SELECT data FROM events WHERE tenant_id = $1 AND kind = 'task.amended' AND target_id = $2 ORDER BY id`,
      [tenant, taskId],
    );
    expect(events).toMatchObject([
      { data: { outcome: 'CERTIFIED', previousOutcome: 'DECERTIFIED' } },
      { data: { outcome: 'DECERTIFIED' } },
    ]);
  });

  it('to an approval asks the next step, which a denial had left out', async () => {
    const { reviewId, taskIds } = await makeTasks(1, [askUsers([]), askUsers([id('target')])]);
    const [taskId = ''] = taskIds;
    await decideTask(caller('ann'), decision(taskId, 'DENY', { comment: 'No.' }));
    expect(await amend('ann', reviewId, taskId, 'APPROVE')).toMatchObject({ decided: true });
    expect(await getTask(caller('ann'), taskId)).toMatchObject({ state: 'OPEN', outcome: '', step: 1, assigneeIds: [id('target')] });
    await decideTask(caller('target'), decision(taskId, 'APPROVE'));
    expect(await getTask(caller('ann'), taskId)).toMatchObject({ outcome: 'CERTIFIED', decidedById: id('target') });
    expect(await amend('ann', reviewId, taskId, 'DENY')).toMatchObject({ code: 'CONFLICT' });
  });

  it('takes a denial back until its removal is claimed, and not from then on', async () => {
    for (const [state, isAmended] of [
      ['HELD', true],
      ['REQUESTED', true],
      ['IN_PROGRESS', true],
      ['CLAIMED', false],
      ['STILL_PRESENT', false],
      ['VERIFIED', false],
      ['ATTESTED', false],
      ['REAPPEARED', false],
      ['ERROR', false],
    ] as const) {
      const { reviewId, taskIds } = await makeTasks(1);
      const [taskId = ''] = taskIds;
      await decideTask(caller('ann'), decision(taskId, 'DENY', { comment: 'No.' }));
      await db().run('UPDATE revocations SET state = $3 WHERE tenant_id = $1 AND certify_task_id = $2', [tenant, taskId, state]);
      const result = await amend('ann', reviewId, taskId, 'APPROVE');
      expect([state, result?.decided]).toEqual([state, isAmended]);
      const removal = await db().one('SELECT state FROM revocations WHERE tenant_id = $1 AND certify_task_id = $2', [tenant, taskId]);
      expect(removal).toEqual({ state: isAmended ? 'CANCELLED' : state });
      expect(await getTask(caller('ann'), taskId)).toMatchObject({ outcome: isAmended ? 'CERTIFIED' : 'DECERTIFIED' });
      if (!isAmended) {
        expect(result).toMatchObject({
          code: 'FAILED_PRECONDITION',
          message: expect.stringContaining(state.toLowerCase().replaceAll('_', ' ')),
        });
      }
    }
  });

  it('waits for a claim that comes at the same time, and is refused behind it', async () => {
    const { reviewId, taskIds } = await makeTasks(1);
    const [taskId = ''] = taskIds;
    await decideTask(caller('ann'), decision(taskId, 'DENY', { comment: 'No.' }));
    const amended = await inTransaction(caller('owner'), async (claiming) => {
      await claiming.db.run("UPDATE revocations SET state = 'CLAIMED' WHERE tenant_id = $1 AND certify_task_id = $2", [tenant, taskId]);
      // Begun while the claim is not committed: it waits for the row of the removal.
      const amending = amend('ann', reviewId, taskId, 'APPROVE');
      while (!(await claiming.db.one<{ waits: boolean }>('SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted) AS waits')).waits) {
        await new Promise(setImmediate);
      }
      return { amending };
    });
    expect(await amended.amending).toMatchObject({ decided: false, code: 'FAILED_PRECONDITION' });
  });

  it('is refused where nobody decided, and where the credential is of the person reviewed', async () => {
    const { reviewId, taskIds } = await makeTasks(2);
    const [a = '', b = ''] = taskIds;
    await skipStep(caller('owner'), { taskId: a, comment: 'Nobody knows.', policyStepId: '' });
    expect(await getTask(caller('ann'), a)).toMatchObject({ outcome: 'CANCELLED', endReason: 'STEP_SKIPPED' });
    expect(await amend('ann', reviewId, a, 'DENY')).toMatchObject({ code: 'CONFLICT' });
    await decideTask(caller('ann'), decision(b, 'APPROVE'));
    expect(await amend('issued', reviewId, b, 'DENY')).toMatchObject({ code: 'PERMISSION_DENIED' });
    await setTasksState(db(), tenant, reviewId, 'CLOSED');
    expect(await statusOf(amend('ann', reviewId, b, 'DENY'))).toBe(400);
  });
});

describe('a skip', () => {
  it('behind the last step leaves the task certified by whoever approved before', async () => {
    const { taskIds } = await makeTasks(1, [askUsers([]), askUsers([id('target')])]);
    const [taskId = ''] = taskIds;
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    await skipStep(caller('owner'), { taskId, comment: 'They are away.', policyStepId: '' });
    expect(await getTask(caller('ann'), taskId)).toMatchObject({ outcome: 'CERTIFIED', endReason: 'DECIDED', decidedById: id('ann') });
  });
});

describe('an approval until a date', () => {
  const until = (days: number) => new Date(testNow.getTime() + days * 86_400_000);
  it('lies 1 to 400 days ahead, ends the task, and goes with a restart', async () => {
    const { taskIds } = await makeTasks(2);
    const [taskId = '', other = ''] = taskIds;
    for (const days of [-1, 0, 0.99, 400.01]) {
      await expect(decideTask(caller('ann'), decision(taskId, 'APPROVE', { certifyUntil: until(days) }))).rejects.toMatchObject({
        violations: [{ field: 'certifyUntil' }],
      });
    }
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'DENY', { certifyUntil: until(9) })))).toBe(400);
    await decideTask(caller('ann'), decision(taskId, 'APPROVE', { certifyUntil: until(400) }));
    expect(await getTask(caller('ann'), taskId)).toMatchObject({ outcome: 'CERTIFIED', certifyUntil: until(400) });
    await decideTask(caller('ann'), decision(other, 'APPROVE', { certifyUntil: until(1) }));
    expect((await getTask(caller('ann'), other)).history).toMatchObject([{ data: { certifyUntil: until(1).toISOString() } }]);
  });

  it('is refused where another step follows', async () => {
    const { taskIds } = await makeTasks(1, [askUsers([]), askUsers([id('target')])]);
    expect(await statusOf(decideTask(caller('ann'), decision(taskIds[0] ?? '', 'APPROVE', { certifyUntil: until(9) })))).toBe(400);
    expect(await statusOf(decideTask(caller('ann'), decision(taskIds[0] ?? '', 'APPROVE')))).toBe(200);
  });
});
