/** Submissions: one transaction, an answer per task in the order of the request, and who may read them. */
import type { DescMessage } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { submit } from '../../../../test/support/task-people.ts';
import { addAssignment, addTasksOf, addPerson, addTask, askUsers, scopeOf, setTasksState } from '../../../../test/support/tasks.ts';
import type { Db } from '../../../db/types.ts';
import { checkReply } from '../../../wire/check-reply.ts';
import { writeJson } from '../../../wire/write.ts';
import {
  ReviewSubmissionServiceListSubmissionsResponseSchema,
  ReviewSubmissionServiceSubmitResponseSchema,
} from '../../../gen/countersign/v1/review_pb.js';
import type { Context } from '../../../context.ts';
import type { Decision } from './decision.ts';
import { decideTask } from './decide.ts';
import { getTask } from '../task/get-task.ts';
import { findShownTask } from '../views/store.ts';
import { createProviderClient } from '../../../foundation/sessions/index.ts';
import { createSubmissionServices } from './service-submissions.ts';
import { listSubmissions } from './submit.ts';

const tenant = 'TenantA';
let test: TestDatabase;
const people: Record<string, string> = {};
const id = (name: string) => people[name] ?? '';
const db = () => test.database.tenant(tenant);

beforeAll(async () => {
  test = await openTestDatabase({ poolSize: 6 });
  for (const name of ['super', 'reader', 'owner', 'ann', 'ben', 'subject', 'stranger']) {
    people[name] = await addPerson(db(), tenant, name);
  }
});
afterAll(() => test.close());

function as(name: string): Context {
  const roles = name === 'super' ? (['SUPER_ADMINISTRATOR'] as const) : name === 'reader' ? (['READ_ONLY_ADMINISTRATOR'] as const) : [];
  return scopeOf(db(), tenant, id(name), { roles: [...roles] });
}

/** The same database, with its statements counted. */
function countStatements(db: Db): { db: Db; count: () => number } {
  let statements = 0;
  const counted = <T>(work: () => Promise<T>): Promise<T> => {
    statements++;
    return work();
  };
  const counting = (inner: Db): Db => ({
    rows: (...args) => counted(() => inner.rows(...args)),
    maybe: (...args) => counted(() => inner.maybe(...args)),
    one: (...args) => counted(() => inner.one(...args)),
    column: (...args) => counted(() => inner.column(...args)),
    maybeValue: (...args) => counted(() => inner.maybeValue(...args)),
    value: (...args) => counted(() => inner.value(...args)),
    run: (...args) => counted(() => inner.run(...args)),
    transaction: (work) => inner.transaction((open) => work(counting(open))),
    copyFrom: (sql) => inner.copyFrom(sql),
    copyTo: (sql) => inner.copyTo(sql),
    limitStatements: (milliseconds) => inner.limitStatements(milliseconds),
    inTransaction: inner.inTransaction,
    vault: inner.vault,
  });
  return { db: counting(db), count: () => statements };
}

async function makeReview(count: number, options: { assignees?: string[]; steps?: object[]; state?: string; task?: object } = {}) {
  const { assignees = ['ann'], steps = [askUsers([id('ann')], { requireDenialReason: true })], state = 'OPEN', task = {} } = options;
  const reviewId = await addTasksOf(db(), tenant, { managerIds: [id('owner')], steps, state });
  const assignmentId = await addAssignment(db(), tenant, reviewId, assignees.map(id));
  const taskIds: string[] = [];
  for (let n = 0; n < count; n++) {
    taskIds.push(await addTask(db(), tenant, { reviewId, assignmentId, userId: id('subject'), ...task }));
  }
  return { reviewId, taskIds };
}

const certify = (taskId: string): Decision => ({ taskId, decision: 'APPROVE', comment: '', policyStepId: '' });
const deny = (taskId: string, comment = 'Not needed.'): Decision => ({ taskId, decision: 'DENY', comment, policyStepId: '' });

describe('a submission', () => {
  it('decides what can be decided and answers per task in the order of the request', async () => {
    const { reviewId, taskIds } = await makeReview(6);
    const other = await makeReview(1);
    const [a = '', b = '', c = '', d = '', e = '', f = ''] = taskIds;
    await decideTask(as('owner'), deny(a));
    await decideTask(as('ann'), certify(b));
    const decisions = [
      certify(a),
      certify(b),
      deny(c),
      deny(d, ''),
      { ...certify(e), policyStepId: `${e}-9` },
      certify('x'.repeat(27)),
      certify(other.taskIds[0] ?? ''),
      certify(f),
    ];
    const { submission, results } = await submit(as('ann'), reviewId, decisions);
    expect(results.map((result) => result.taskId)).toEqual(decisions.map((decision) => decision.taskId));
    expect(results.map((result) => [result.decided, result.code])).toEqual([
      [false, 'CONFLICT'],
      [true, ''],
      [true, ''],
      [false, 'INVALID_ARGUMENT'],
      [false, 'CONFLICT'],
      [false, 'NOT_FOUND'],
      [false, 'NOT_FOUND'],
      [true, ''],
    ]);
    expect(results[0]?.message).toBe('This task was already denied by owner.');
    expect(submission).toMatchObject({ submitted: 8, certified: 2, denied: 1, refused: 5, userId: id('ann') });
    expect(await findShownTask(as('ann'), c)).toMatchObject({ outcome: 'DECERTIFIED', decidedById: id('ann'), commentCount: 1 });
    expect(await getTask(as('ann'), f)).toMatchObject({ outcome: 'CERTIFIED', endReason: 'DECIDED' });
    const actions = await db().rows('SELECT task_id FROM task_actions WHERE tenant_id = $1 AND submission_id = $2 ORDER BY id', [
      tenant,
      submission.id,
    ]);
    expect(actions).toEqual([{ task_id: c }, { task_id: f }]);
    const events = await db().rows<{ data: object }>(
      `SELECT data FROM events WHERE tenant_id = $1 AND kind = 'review.submitted' AND target_id = $2`,
      [tenant, reviewId],
    );
    expect(events).toMatchObject([
      { data: { submissionId: submission.id, submitted: 8, written: 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ]);
  });

  it('can be sent again: the same decisions hold and nothing is written twice', async () => {
    const { reviewId, taskIds } = await makeReview(3);
    await submit(as('ann'), reviewId, taskIds.map(certify));
    const again = await submit(as('ann'), reviewId, taskIds.map(certify));
    expect(again.submission).toMatchObject({ certified: 3, refused: 0 });
    const count = await db().one('SELECT count(*) FROM task_actions WHERE tenant_id = $1 AND review_id = $2', [tenant, reviewId]);
    expect(count).toEqual({ count: 3 });
  });

  it('goes through the steps of a policy', async () => {
    const { reviewId, taskIds } = await makeReview(3, { steps: [askUsers([id('ann')]), askUsers([id('ben')])] });
    await submit(as('ann'), reviewId, taskIds.map(certify));
    expect(await getTask(as('ben'), taskIds[2] ?? '')).toMatchObject({
      state: 'OPEN',
      step: 1,
      stepGeneration: 1,
      assigneeIds: [id('ben')],
    });
    const { results } = await submit(as('ben'), reviewId, taskIds.map(certify));
    expect(results.every((result) => result.decided)).toBe(true);
    expect(await getTask(as('ben'), taskIds[0] ?? '')).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED' });
  });

  it('enters the next step of many tasks in as many statements as of one, with an event for each level that a task passes', async () => {
    const steps = [askUsers([id('ann')]), { approval: { manager: {} } }];
    const counts: number[] = [];
    for (const size of [1, 40]) {
      const { reviewId, taskIds } = await makeReview(size, { steps });
      const context = as('ann');
      const counted = countStatements(context.db);
      await submit({ ...context, db: counted.db }, reviewId, taskIds.map(certify));
      counts.push(counted.count());
      expect(await getTask(as('owner'), taskIds.at(-1) ?? '')).toMatchObject({ step: 1, assigneeIds: [id('owner')], isFallback: true });
      const passed = await db().rows<{ id: string; passed: string }>(
        `SELECT target_id AS id, data ->> 'passed' AS passed FROM events
         WHERE tenant_id = $1 AND review_id = $2 AND kind = 'task.reviewer_fallback' ORDER BY id`,
        [tenant, reviewId],
      );
      expect(passed.map((event) => event.passed)).toEqual(taskIds.map(() => 'MANAGER'));
      expect(new Set(passed.map((event) => event.id))).toEqual(new Set(taskIds));
    }
    expect(counts[1]).toBe(counts[0]);
  });

  it('takes 1000 decisions at once', async () => {
    const { reviewId } = await makeReview(1);
    const { submission } = await submit(
      as('ann'),
      reviewId,
      Array.from({ length: 1000 }, (_, n) => certify(`t${n}`)),
    );
    expect(submission).toMatchObject({ submitted: 1000, refused: 1000 });
  });

  it('refuses a task named twice, with both places, and too many or no decisions', async () => {
    const { reviewId, taskIds } = await makeReview(2);
    const [a = '', b = ''] = taskIds;
    await expect(submit(as('ann'), reviewId, [certify(a), certify(b), deny(a)])).rejects.toMatchObject({
      status: 400,
      violations: [{ field: 'decisions[2].taskId', description: 'names the same task as decisions[0]' }],
    });
    await expect(submit(as('ann'), reviewId, [])).rejects.toMatchObject({ status: 400 });
    const tooMany = Array.from({ length: 1001 }, (_, n) => certify(`t${n}`));
    await expect(submit(as('ann'), reviewId, tooMany)).rejects.toMatchObject({ status: 400 });
    expect(await getTask(as('ann'), a)).toMatchObject({ state: 'OPEN' });
  });

  it.each([
    ['HIDDEN', 404, 400, 'The review has not been started'],
    ['CLOSING', 400, 400, 'The review is being closed'],
    ['CLOSED', 400, 400, 'The review is closed'],
    // Its review was deleted.
    ['CANCELLED', 404, 404, 'no review'],
  ])('to a review in state %s is refused, in words', async (state, toReviewer, toOwner, words) => {
    const { reviewId, taskIds } = await makeReview(1);
    await setTasksState(db(), tenant, reviewId, state);
    await expect(submit(as('ann'), reviewId, taskIds.map(certify))).rejects.toMatchObject({ status: toReviewer });
    await expect(submit(as('owner'), reviewId, taskIds.map(certify))).rejects.toMatchObject({
      status: toOwner,
      message: expect.stringContaining(words),
    });
  });

  it.each([
    ['stranger', 404],
    ['reader', 403],
  ])('of %s is refused with %i', async (name, status) => {
    const { reviewId, taskIds } = await makeReview(1);
    await expect(submit(as(name), reviewId, taskIds.map(certify))).rejects.toMatchObject({ status });
    expect(await getTask(as('ann'), taskIds[0] as string)).toMatchObject({ state: 'OPEN' });
    const foreign = scopeOf(test.database.tenant('TenantB'), 'TenantB', id('super'), { roles: ['SUPER_ADMINISTRATOR'] });
    await expect(submit(foreign, reviewId, taskIds.map(certify))).rejects.toMatchObject({ status: 404 });
  });

  it('and another at once, in opposite order: each task is decided once and neither waits for ever', async () => {
    const { reviewId, taskIds } = await makeReview(60, { assignees: ['ann', 'ben'] });
    const [first, second] = await Promise.all([
      submit(as('ann'), reviewId, taskIds.map(certify)),
      submit(
        as('ben'),
        reviewId,
        taskIds.toReversed().map((taskId) => deny(taskId)),
      ),
    ]);
    expect(first.submission.certified + second.submission.denied).toBe(60);
    const count = await db().one('SELECT count(*) FROM task_actions WHERE tenant_id = $1 AND review_id = $2', [tenant, reviewId]);
    expect(count).toEqual({ count: 60 });
  });

  it('leaves nothing where it fails half-way', async () => {
    const { reviewId, taskIds } = await makeReview(2);
    const broken = { ...as('ann'), now: new Date(Number.NaN) };
    await expect(submit(broken, reviewId, taskIds.map(certify))).rejects.toThrow();
    expect(await getTask(as('ann'), taskIds[0] ?? '')).toMatchObject({ state: 'OPEN', history: [] });
  });
});

describe('the list of submissions', () => {
  it("shows one's own; owners and administrators see all, in pages", async () => {
    const { reviewId, taskIds } = await makeReview(25, { assignees: ['ann', 'ben'] });
    for (const [index, taskId] of taskIds.entries()) {
      await submit(as(index % 2 === 0 ? 'ann' : 'ben'), reviewId, [certify(taskId)]);
    }
    const count = async (name: string) => {
      let found = 0;
      let after: readonly string[] | undefined;
      do {
        const { submissions, nextKey } = await listSubmissions(as(name), reviewId, { size: 10, after });
        found += submissions.length;
        after = nextKey;
      } while (after !== undefined);
      return found;
    };
    expect([await count('ann'), await count('ben'), await count('owner'), await count('super'), await count('reader')]).toEqual([
      13, 12, 25, 25, 25,
    ]);
    await expect(listSubmissions(as('stranger'), reviewId, { size: 10, after: undefined })).rejects.toMatchObject({ status: 404 });
  });

  it('and the reply to a submission keep the contract', async () => {
    const { reviewId, taskIds } = await makeReview(1);
    const call = { page: { size: 10, after: undefined }, nextPageToken: () => '' } as never;
    const outgoing = { allowed: [], allowsLocal: false };
    const signing = { outgoing, client: createProviderClient(outgoing), clock: () => new Date() };
    const run = (name: string) =>
      createSubmissionServices(signing)
        .flatMap(({ methods }) => methods)
        .find((method) => method.desc.localName === name)?.run;
    const request = {
      accessReviewId: reviewId,
      all: false,
      idempotencyKey: '',
      decisions: [{ taskId: taskIds[0], decision: 1, comment: '', policyStepId: '' }],
    } as never;
    const sent = async (desc: DescMessage, name: string): Promise<unknown> =>
      JSON.parse(writeJson(desc, await run(name)?.(as('ann'), request, call)));
    const submitted = ReviewSubmissionServiceSubmitResponseSchema;
    checkReply(submitted, await sent(submitted, 'submit'));
    const listed = ReviewSubmissionServiceListSubmissionsResponseSchema;
    checkReply(listed, await sent(listed, 'listSubmissions'));
    const unsaid = {
      accessReviewId: reviewId,
      all: false,
      idempotencyKey: '',
      decisions: [{ taskId: taskIds[0], decision: 0, comment: '', policyStepId: '' }],
    } as never;
    await expect(run('submit')?.(as('ann'), unsaid, call)).rejects.toMatchObject({
      status: 400,
      violations: [{ field: 'decisions[0].decision' }],
    });
  });
});
