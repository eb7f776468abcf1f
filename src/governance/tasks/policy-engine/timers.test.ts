/** Timed moves of tasks, on a clock that the test moves: waits, escalations, steps that decide, once each. */
import { describe, expect, it } from 'vitest';
import { decision, statusOf, tenant, useTaskPeople } from '../../../../test/support/task-people.ts';
import { askUsers, scopeOf, setTasksState } from '../../../../test/support/tasks.ts';
import { inTransaction, type Context } from '../../../context.ts';
import type { Job } from '../../../jobs/index.ts';
import { beginStart, beginTasks, openTasks } from '../batches/begin.ts';
import { listAudits } from '../queue/audits.ts';
import { decideTask } from '../decisions/decide.ts';
import { getTask } from '../task/get-task.ts';
import { processTask } from '../steering/process.ts';
import { skipStep } from '../steering/skip-step.ts';
import { taskTimersJob } from './timers.ts';

const { caller, db, id, makeTask } = useTaskPeople();

const monday = new Date('2026-11-02T10:00:00Z');
const hours = (count: number): Date => new Date(monday.getTime() + count * 3_600_000);
const at = (who: string, now: Date): Context => ({ ...caller(who), now });

/** Runs the job until nothing is due any more. */
async function tick(now: Date): Promise<void> {
  const job = { cursor: {}, done: 0, total: 0 } as unknown as Job;
  await inTransaction(scopeOf(db(), tenant, '', { now }), (inside) => taskTimersJob.handler(inside, job));
}

/** Begins the review of a task as its start does; the job of timers may have its turn `between` the last piece and the opening. */
async function begin(reviewId: string, now: Date, between?: () => Promise<void>): Promise<void> {
  await setTasksState(db(), tenant, reviewId, 'HIDDEN');
  const context = scopeOf(db(), tenant, '', { now });
  for (let place: Parameters<typeof beginTasks>[2] | undefined = beginStart; place !== undefined; ) {
    const from: Parameters<typeof beginTasks>[2] = place;
    place = (await inTransaction(context, (inside) => beginTasks(inside, reviewId, from))).place;
  }
  await between?.();
  await inTransaction(context, (inside) => openTasks(inside, reviewId));
}

/** Takes away what was called for, as whoever makes a job of it does; returns the moments. */
async function takeCalls(): Promise<Date[]> {
  const calls = await db().rows<{ at: Date }>(
    `DELETE FROM jobs WHERE tenant_id = $1 AND kind = 'task.timers' AND state = 'CALLED' RETURNING run_at AS at`,
    [tenant],
  );
  return calls.map((call) => call.at);
}

const read = (taskId: string) => getTask(caller('super'), taskId);
const actionsOf = (taskId: string) =>
  db().rows<{ kind: string; actor: string; comment: string }>(
    `SELECT kind, actor_id AS actor, comment FROM task_actions WHERE tenant_id = $1 AND task_id = $2 ORDER BY id`,
    [tenant, taskId],
  );
const escalating = (escalation: object, more: object = {}) =>
  askUsers([id('ann')], {
    escalationEnabled: true,
    escalation: { expiration: '172800', escalationComment: 'Two days are over.', ...escalation },
    ...more,
  });

describe('an escalation', () => {
  it('happens once, at its moment, and not in a review that was closed', async () => {
    const steps = [escalating({ reassignToApprovers: { approverIds: [id('target'), id('subject'), id('disabled')] } })];
    const [one, closed] = [await makeTask({ steps, assignees: ['ann'] }), await makeTask({ steps, assignees: ['ann'] })];
    await begin(one.reviewId, monday);
    await begin(closed.reviewId, monday);
    await setTasksState(db(), tenant, closed.reviewId, 'CLOSED');
    await tick(hours(47));
    expect(await read(one.taskId)).toMatchObject({ assigneeIds: [id('ann')], nextAt: hours(48) });
    await tick(hours(48));
    await tick(hours(48));
    await tick(hours(480));
    expect(await read(one.taskId)).toMatchObject({ assigneeIds: [id('target')], stepGeneration: 1, step: 0, nextAt: null });
    expect(await read(closed.taskId)).toMatchObject({ assigneeIds: [id('ann')], stepGeneration: 0 });
    expect(await actionsOf(one.taskId)).toEqual([{ kind: 'ESCALATED', actor: '', comment: 'Two days are over.' }]);
    expect(
      await db().rows(`SELECT data FROM events WHERE tenant_id = $1 AND target_id = $2 AND kind = 'task.escalated'`, [tenant, one.taskId]),
    ).toEqual([{ data: expect.objectContaining({ how: 'REASSIGN', oldUserIds: [id('ann')] }) }]);
    // Its history says to whom it went.
    const { audits } = await listAudits(
      at('target', hours(481)),
      { taskId: one.taskId, refs: [], commentsOnly: false, newestFirst: false },
      { size: 50, after: undefined },
    );
    expect(audits.flatMap(({ approvalReassigned }) => approvalReassigned?.newUsers ?? [])).toEqual([id('target')]);
    expect(await statusOf(decideTask(at('target', hours(481)), decision(one.taskId, 'APPROVE')))).toBe(200);
  });

  it('does not happen to a step that was decided', async () => {
    const { taskId, reviewId } = await makeTask({ steps: [escalating({ cancelTicket: {} }), askUsers([id('ben')])], assignees: ['ann'] });
    await begin(reviewId, monday);
    await decideTask(at('ann', hours(1)), decision(taskId, 'APPROVE'));
    await tick(hours(100));
    expect(await read(taskId)).toMatchObject({ state: 'OPEN', step: 1, assigneeIds: [id('ben')], nextAt: null });
  });

  it('goes along the fallbacks where nobody it names can be asked', async () => {
    const steps = [escalating({ reassignToApprovers: { approverIds: [id('subject'), id('disabled')] } })];
    const { taskId, reviewId } = await makeTask({ steps, assignees: ['ann'] });
    await begin(reviewId, monday);
    await tick(hours(48));
    expect(await read(taskId)).toMatchObject({ assigneeIds: [id('owner')], isFallback: true });
  });

  it('cancels, or skips to the next step, each entry with its own time', async () => {
    const cancelled = await makeTask({ steps: [escalating({ cancelTicket: {} })], assignees: ['ann'] });
    const skipped = await makeTask({
      steps: [escalating({ skipStep: {} }), escalating({ expiration: '60', skipStep: {} })],
      assignees: ['ann'],
    });
    await begin(cancelled.reviewId, monday);
    await begin(skipped.reviewId, monday);
    await tick(hours(48));
    expect(await read(cancelled.taskId)).toMatchObject({
      state: 'CLOSED',
      outcome: 'CANCELLED',
      endReason: 'ESCALATED',
      decidedById: null,
    });
    expect(await read(skipped.taskId)).toMatchObject({ state: 'OPEN', step: 1, nextAt: new Date(hours(48).getTime() + 60_000) });
    await tick(hours(49));
    expect(await read(skipped.taskId)).toMatchObject({ state: 'CLOSED', outcome: 'CANCELLED', endReason: 'STEP_SKIPPED' });
  });

  it('replaces the policy by another one that the review froze, from its first step', async () => {
    const { taskId, reviewId } = await makeTask({ steps: [escalating({ replacePolicy: { policyId: 'policy-2' } })], assignees: ['ann'] });
    const document = { id: 'policy-2', displayName: 'Second', policySteps: { certify: { steps: [askUsers([id('ben')])] } } };
    await db().run(
      `INSERT INTO review_policies (tenant_id, review_id, policy_id, document, is_root) VALUES ($1, $2, 'policy-2', $3, false)`,
      [tenant, reviewId, JSON.stringify(document)],
    );
    await db().run(
      `INSERT INTO review_routes (tenant_id, review_id, route_no, policy_id, step_key, document, created_at) VALUES ($1, $2, 1, 'policy-2', 'certify', $3, now())`,
      [tenant, reviewId, JSON.stringify(document)],
    );
    await begin(reviewId, monday);
    await tick(hours(48));
    expect(await read(taskId)).toMatchObject({ policyId: 'policy-2', routeNo: 1, step: 0, assigneeIds: [id('ben')], nextAt: null });
  });
});

describe('a wait', () => {
  const approved = async (steps: object[], task: object = {}) => {
    const made = await makeTask({ steps: [askUsers([id('ann')]), ...steps], assignees: ['ann'], task });
    await decideTask(at('ann', monday), decision(made.taskId, 'APPROVE'));
    return made.taskId;
  };

  it('for a time asks nobody, then goes on; skipping it goes on at once', async () => {
    const steps = [{ wait: { duration: { duration: '7200s' }, commentOnFirstWait: 'Two hours.' } }, askUsers([id('ben')])];
    const [taskId, skipped] = [await approved(steps), await approved(steps)];
    expect(await read(taskId)).toMatchObject({ step: 1, assigneeIds: [], nextAt: hours(2), enteredAt: monday });
    expect(await statusOf(decideTask(at('owner', hours(1)), decision(taskId, 'APPROVE')))).toBe(400);
    await skipStep(at('owner', hours(1)), { taskId: skipped, comment: 'No need.', policyStepId: '' });
    await tick(hours(1));
    expect(await read(taskId)).toMatchObject({ step: 1 });
    expect(await read(skipped)).toMatchObject({ step: 2, assigneeIds: [id('ben')], nextAt: null });
    await tick(hours(2));
    expect(await read(taskId)).toMatchObject({ step: 2, assigneeIds: [id('ben')], nextAt: null });
    expect(await actionsOf(taskId)).toEqual([
      { kind: 'APPROVED', actor: id('ann'), comment: '' },
      { kind: 'COMMENTED', actor: '', comment: 'Two hours.' },
      { kind: 'PASSED', actor: '', comment: '' },
    ]);
  });

  it('for a time of the day ends with the next such time', async () => {
    const taskId = await approved([{ wait: { untilTime: { hours: 9, minutes: 30, timezone: 'Europe/Berlin' } } }]);
    expect(await read(taskId)).toMatchObject({ nextAt: new Date('2026-11-03T08:30:00Z') });
    await tick(new Date('2026-11-03T08:30:00Z'));
    expect(await read(taskId)).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED', decidedById: id('ann') });
  });

  it('for a condition is passed where it holds, and looked at every ten minutes and by processing where not', async () => {
    const condition = {
      wait: { condition: { condition: 'subject.department == "Ready"' }, timeoutDuration: '3600s', commentOnTimeout: 'Too late.' },
    };
    const department = (value: string) =>
      db().run('UPDATE users SET department = $3 WHERE tenant_id = $1 AND id = $2', [tenant, id('subject'), value]);
    const [taskId, late] = [await approved([condition]), await approved([condition])];
    expect(await read(taskId)).toMatchObject({ step: 1, nextAt: hours(1 / 6) });
    await tick(hours(1 / 6));
    expect(await read(taskId)).toMatchObject({ step: 1, nextAt: hours(1 / 3) });
    await tick(hours(1));
    expect(await read(late)).toMatchObject({ state: 'CLOSED', outcome: 'WAIT_TIMED_OUT', endReason: 'WAIT_TIMED_OUT' });
    expect((await actionsOf(late)).at(-1)).toEqual({ kind: 'ENDED', actor: '', comment: 'Too late.' });
    const waiting = await approved([condition]);
    await department('Ready');
    await processTask(at('owner', hours(0.01)), waiting);
    expect(await read(waiting)).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED' });
    expect(await read(await approved([condition]))).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED' });
    await department('');
  });
});

describe('a review that begins', () => {
  it('calls for its first timer when it is opened, though the job of timers ran before', async () => {
    const { taskId, reviewId } = await makeTask({
      steps: [{ wait: { duration: { duration: '3600s' }, commentOnFirstWait: 'One hour.' } }],
    });
    await begin(reviewId, monday, async () => {
      await takeCalls();
      await tick(monday);
    });
    const moments = await takeCalls();
    expect(moments.map(Number).sort((one, other) => one - other)[0]).toBeLessThanOrEqual(monday.getTime());
    await tick(monday);
    expect(await actionsOf(taskId)).toEqual([{ kind: 'COMMENTED', actor: '', comment: 'One hour.' }]);
  });

  it('has tasks decided by their policy before anybody sees it, and waits begin with it', async () => {
    const [accepted, rejected] = [
      await makeTask({ steps: [{ accept: { acceptMessage: 'Fine.' } }] }),
      await makeTask({ steps: [{ reject: {} }] }),
    ];
    const waiting = await makeTask({
      steps: [{ wait: { duration: { duration: '3600s' }, commentOnFirstWait: 'Hold on.' } }, askUsers([id('ben')])],
    });
    for (const { reviewId } of [accepted, rejected, waiting]) {
      await begin(reviewId, monday);
    }
    expect(await read(accepted.taskId)).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED', endReason: 'DECIDED', decidedById: null });
    expect(await read(rejected.taskId)).toMatchObject({ state: 'CLOSED', outcome: 'DECERTIFIED', decidedById: null });
    expect((await read(accepted.taskId)).history).toMatchObject([
      { kind: 'ENDED', actorId: '', data: { reason: 'POLICY', message: 'Fine.' } },
    ]);
    await tick(monday);
    expect(await read(waiting.taskId)).toMatchObject({ state: 'OPEN', nextAt: hours(1) });
    await tick(hours(1));
    expect(await read(waiting.taskId)).toMatchObject({ step: 1, assigneeIds: [id('ben')] });
    expect((await actionsOf(waiting.taskId)).map(({ kind, comment }) => `${kind} ${comment}`)).toEqual(['COMMENTED Hold on.', 'PASSED ']);
  });
});
