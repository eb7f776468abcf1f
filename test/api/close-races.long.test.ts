/**
 * The end of a review beside changes of its tasks, over HTTP through two servers on one database: whatever comes first, no task stays open, and
 * each holds one answer.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { fetchAsHost } from '../support/fetch-as-host.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

let server: TestServer;
let second: TestServer;
let world: World;
/** The tenant of `server`, reached through the other process. */
let elsewhere: TestServer;

beforeAll(async () => {
  const made = await startWorld();
  server = made.server;
  second = await startTestServer({ test: server.test });
  elsewhere = { ...server, url: second.url, fetch: (path, init) => fetchAsHost(server.host)(`${second.url}${path}`, init ?? {}) };
  world = made.world;
});
afterAll(async () => {
  await second.stop();
  await server.stop();
});

const admin = (index: number, method: string, path: string, body?: unknown): Promise<Answer> =>
  request(index % 2 === 0 ? server : elsewhere, server.admin, method, path, body);

/** An open review, and the ids of its tasks; half of these are denied. */
async function open(): Promise<{ id: string; denied: string[]; undecided: string[] }> {
  const id = await world.openReview();
  const { body } = await admin(0, 'POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 24 });
  const ids: string[] = body.list.map(({ task }: Loose) => task.id);
  const decisions = ids.slice(0, 12).map((taskId) => ({ taskId, decision: 'REVIEW_DECISION_DENY', comment: 'No.' }));
  expect((await admin(0, 'POST', `/api/v1/access_review/${id}/submissions`, { decisions })).status).toBe(200);
  return { id, denied: ids.slice(0, 12), undecided: ids.slice(12, 24) };
}

async function untilEnded(id: string): Promise<Loose[]> {
  const { db } = server.system();
  for (let attempt = 0; attempt < 3000; attempt++) {
    const [job] = await server.test.database.system().rows(`SELECT FROM jobs WHERE subject_id = $1 AND state = 'WAITING'`, [id]);
    if (job === undefined) {
      return db.rows<Loose>(
        `SELECT t.id, t.state, t.outcome, t.end_reason AS "endReason" FROM tasks t WHERE t.tenant_id = $1 AND t.review_id = $2`,
        [server.id, id],
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the jobs of the review did not end');
}

it.each(['close', 'delete'])('%s beside restarts, decisions, comments and submissions', async (end) => {
  for (let round = 0; round < 15; round++) {
    const { id, denied, undecided } = await open();
    const changes = [
      ...denied.map((taskId, index) => () => admin(index, 'POST', `/api/v1/tasks/${taskId}/action/restart`, {})),
      ...undecided.slice(0, 6).map((taskId, index) => () => admin(index, 'POST', `/api/v1/tasks/${taskId}/action/approve`, {})),
      ...undecided
        .slice(6, 9)
        .map((taskId, index) => () => admin(index, 'POST', `/api/v1/tasks/${taskId}/action/comment`, { comment: 'Hm.' })),
      () =>
        admin(round, 'POST', `/api/v1/access_review/${id}/submissions`, {
          decisions: undecided.slice(9).map((taskId) => ({ taskId, decision: 'REVIEW_DECISION_CERTIFY' })),
        }),
    ];
    const ending = () =>
      end === 'close'
        ? admin(round, 'POST', `/api/v1/access_review/${id}/action/close`, { decision: 'CLOSE_DECISION_SKIP' })
        : admin(round, 'DELETE', `/api/v1/access_review/${id}`, { reason: 'Made by mistake.' });
    // In the middle of them, so that some come before it and some behind.
    const all = changes.toSpliced(round % changes.length, 0, ending);
    const answers = await Promise.all(all.map((work) => work()));
    expect(answers[round % changes.length]?.status).toBe(200);
    const tasks = await untilEnded(id);
    expect(tasks.filter(({ state }) => state === 'OPEN')).toEqual([]);
    // A decision that was taken back by a restart that was answered with 200 does not stand.
    denied.forEach((taskId, index) => {
      const restarted = answers[all.indexOf(changes[index] as (typeof all)[number])]?.status === 200;
      const task = tasks.find((one) => one.id === taskId);
      expect([taskId, task?.endReason === 'DECIDED']).toEqual([taskId, !restarted]);
    });
  }
});
