/**
 * Figures of a running review of every grant: its progress, a preview of the same beside the bare count, a submission of 1,000 decisions, and its
 * close beside the bare UPDATE of the same rows by a superuser in a table with its primary key and three indexes, without triggers and row-level security.
 */
import { AccessReviewService } from '../src/gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { TaskService } from '../src/gen/c1/api/task/v1/task_service_pb.js';
import { ReviewActionsService, ReviewSelectionService, ReviewSubmissionService } from '../src/gen/countersign/v1/review_pb.js';
import { ReviewProgressService } from '../src/gen/countersign/v1/review_progress_pb.js';
import { createBareTable } from './data/bare-tables.ts';
import { atMost, type Figure, type FigureResult, median, seconds } from './figure.ts';
import type { World } from './data/world.ts';

const rounds = 21;

/** Milliseconds of each of several runs, one after the other. */
async function time(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < times; round++) {
    const begun = performance.now();
    await work();
    taken.push(performance.now() - begun);
  }
  return taken;
}

/** Milliseconds of the slowest of the four views of progress, by their medians. */
async function measureProgress(world: World, accessReviewId: string, when: string): Promise<FigureResult> {
  const { admin } = world.server;
  const views = [
    () => admin.call(ReviewActionsService.method.getProgress, { accessReviewId }),
    () => admin.call(ReviewProgressService.method.listReviewers, { accessReviewId, pageSize: 100 }),
    () => admin.call(ReviewProgressService.method.listApps, { accessReviewId, pageSize: 100 }),
    () => admin.call(ReviewProgressService.method.listDepartments, { accessReviewId, pageSize: 100 }),
  ];
  const medians: number[] = [];
  for (const view of views) {
    medians.push(median(await time(rounds, view)));
  }
  const slowest = Math.max(...medians);
  const title = `progress of ${world.size.grants.toLocaleString('en')} tasks, ${when}, slowest of four views`;
  return atMost(1, { title, ours: `${slowest.toFixed(0)} ms`, peer: '50 ms', ratio: slowest / 50 }, 'times 50 ms');
}

/** One transaction of 1,000 decisions by an administrator. */
async function measureSubmission(world: World, accessReviewId: string): Promise<FigureResult> {
  const { admin } = world.server;
  const taken: number[] = [];
  for (let round = 0; round < 5; round++) {
    const decisions: { taskId: string; decision: 'REVIEW_DECISION_CERTIFY'; comment: string }[] = [];
    const search = { accessReviewIds: [accessReviewId], taskStates: ['TASK_STATE_OPEN' as const], pageSize: 100 };
    for await (const view of admin.pages(TaskService.method.search, search)) {
      decisions.push({ taskId: view.task?.id ?? '', decision: 'REVIEW_DECISION_CERTIFY', comment: 'Still needed.' });
      if (decisions.length === 1000) {
        break;
      }
    }
    const begun = performance.now();
    const reply = await admin.call(ReviewSubmissionService.method.submit, { accessReviewId, decisions });
    taken.push((performance.now() - begun) / 1000);
    if (reply.results?.length !== decisions.length) {
      throw new Error(`not everything was decided: ${JSON.stringify(reply).slice(0, 300)}`);
    }
  }
  const middle = median(taken);
  return atMost(
    1,
    { title: 'a submission of 1,000 decisions', ours: `${middle.toFixed(2)} s`, peer: '1 s', ratio: middle },
    'times one second',
  );
}

/** Seconds of each of several runs, one after the other. */
export async function timeInSeconds(times: number, work: () => Promise<unknown>): Promise<number[]> {
  return (await time(times, work)).map((milliseconds) => milliseconds / 1000);
}

/** Seconds of counting every grant with its account, person and entitlement, by manager and by entitlement. */
export async function countBare(world: World): Promise<number> {
  const client = await world.server.superuser();
  try {
    const count = `SELECT u.manager_id, e.id, count(*) FROM countersign.accounts a
      JOIN countersign.grants g ON g.tenant_id = a.tenant_id AND g.app_id = a.app_id AND g.account_id = a.id AND g.removed_revision IS NULL
      JOIN countersign.entitlements e ON e.tenant_id = a.tenant_id AND e.app_id = a.app_id AND e.id = g.entitlement_id
      LEFT JOIN countersign.users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id
      WHERE a.app_id = $1 GROUP BY GROUPING SETS ((u.manager_id), (e.id))`;
    const appId = await world.appId();
    return median(await timeInSeconds(3, () => client.query(count, [appId])));
  } finally {
    await client.end();
  }
}

/** The preview of a draft of everything beside the count of the same grants with their accounts, people and entitlements. */
async function measurePreview(world: World): Promise<FigureResult> {
  const { admin } = world.server;
  const created = await admin.call(AccessReviewService.method.create, { displayName: 'To look at' });
  const id = created.accessReview?.accessReview?.id ?? '';
  const appId = await world.appId();
  await admin.call(AccessReviewService.method.update, { id, accessReview: { singleApp: { appId } } });
  const ours = median(await timeInSeconds(3, () => admin.call(ReviewSelectionService.method.preview, { accessReviewId: id })));
  const peer = await countBare(world);
  const title = `preview of ${world.size.grants.toLocaleString('en')} grants`;
  return atMost(
    2,
    { title, ours: seconds(ours), peer: seconds(peer), ratio: ours / peer, reach: 'FULL_SIZE' },
    'times the bare count by reviewer and entitlement',
  );
}

/** Seconds of the bare UPDATE of every open task, in a copy. */
async function measureBareUpdate(world: World, reviewId: string): Promise<number> {
  const client = await world.server.superuser();
  try {
    await createBareTable(client, 'tasks');
    await client.query('INSERT INTO bench.tasks SELECT * FROM countersign.tasks WHERE review_id = $1', [reviewId]);
    await client.query('ANALYZE bench.tasks');
    const begun = performance.now();
    await client.query(
      `UPDATE bench.tasks SET state = 'CLOSED', outcome = 'CANCELLED', end_reason = 'SKIPPED_AT_CLOSE', ended_at = now(), updated_at = now()
       WHERE state = 'OPEN'`,
    );
    const taken = (performance.now() - begun) / 1000;
    await client.query('DROP TABLE bench.tasks');
    return taken;
  } finally {
    await client.end();
  }
}

/** From POST action/close to the state CLOSED. */
async function measureClose(world: World, accessReviewId: string): Promise<FigureResult> {
  const { admin } = world.server;
  const peer = await measureBareUpdate(world, accessReviewId);
  const begun = performance.now();
  await admin.call(ReviewActionsService.method.close, { accessReviewId, decision: 'CLOSE_DECISION_SKIP' });
  for (;;) {
    const reply = await admin.call(AccessReviewService.method.get, { id: accessReviewId });
    if (reply.accessReview?.accessReview?.state === 'ACCESS_REVIEW_STATE_CLOSED') {
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const ours = (performance.now() - begun) / 1000;
  const title = `close of ${world.size.grants.toLocaleString('en')} open tasks`;
  return atMost(1.5, { title, ours: seconds(ours), peer: seconds(peer), ratio: ours / peer, reach: 'FULL_SIZE' }, 'times the bare UPDATE');
}

/** The last figure of a run: it closes the review. */
export const measureRunning: Figure = async function* (open) {
  const world = await open();
  await world.started();
  const reviewId = await world.reviewId();
  yield await measureProgress(world, reviewId, 'just started');
  yield await measureSubmission(world, reviewId);
  yield await measureProgress(world, reviewId, 'after 5,000 decisions');
  yield await measurePreview(world);
  yield await measureClose(world, reviewId);
};
