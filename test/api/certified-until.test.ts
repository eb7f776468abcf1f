/** Access that is approved until a date, over HTTP: who may say so, what the answer says, and that a review asks again once the date has passed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Loose, request, violatedFields } from '../support/api.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let appId: string;
beforeAll(async () => {
  server = await startTestServer();
  await sendFile(server, server.admin, '/api/v1/imports/people', 'email,display_name\nann@co.example,Ann\nbob@co.example,Bob');
  const rows = ['ann', 'bob'].flatMap((name) => ['pay', 'read'].map((what) => `${name},${name}@co.example,USER,role,Main,${what}`));
  const lines = ['account,email,account_type,resource_type,resource,entitlement', ...rows];
  appId = (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Ledger', lines.join('\n'))).body.import.appId;
});
afterAll(() => server.stop());

async function call(method: string, path: string, body?: object): Promise<Loose> {
  const answer = await request(server, server.admin, method, path, body);
  expect([path, answer.status, answer.status === 200 ? '' : answer.body]).toEqual([path, 200, '']);
  return answer.body;
}
const stateOf = async (id: string): Promise<string> => (await call('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview.state;
const tasksOf = async (id: string): Promise<Loose[]> =>
  (await call('POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 100 })).list.map(({ task }: Loose) => task);

it('is asked about again by a review of exactly that, which starts by itself', async () => {
  const made = await call('POST', '/api/v1/access_review', { displayName: 'Spring' });
  const { id } = made.accessReview.accessReview;
  await call('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId } } });
  for (const [action, state] of [
    ['prepare', 'REVIEW'],
    ['start', 'OPEN'],
  ]) {
    await call('POST', `/api/v1/access_review/${id}/action/${action}`, {});
    await expect.poll(() => stateOf(id), { timeout: 60_000 }).toBe(`ACCESS_REVIEW_STATE_${state}`);
  }
  const [task, other] = await tasksOf(id);
  const path = `/api/v1/tasks/${task.id}/action/approve_until`;
  const far = await request(server, server.admin, 'POST', path, { certifyUntil: '2999-01-01T00:00:00Z' });
  expect([far.status, violatedFields(far)]).toEqual([400, ['certifyUntil']]);
  const certifyUntil = new Date(Date.now() + 2 * 86_400_000).toISOString();
  await call('POST', path, { certifyUntil });
  await call('POST', `/api/v1/tasks/${other.id}/action/approve_until`, { certifyUntil });
  // Two days later, as far as the dates say; the call for the job comes with them.
  await server.test.admin(
    "UPDATE tasks SET certify_until = certify_until - interval '3 days' WHERE review_id = $1 AND certify_until IS NOT NULL",
    [id],
  );
  await server.test.admin("UPDATE jobs SET run_at = now() WHERE state = 'CALLED' AND kind = 'reviews.certified-until'");
  await call('POST', `/api/v1/tasks/${(await tasksOf(id))[2]?.id}/action/approve_until`, { certifyUntil });
  const next = async (): Promise<Loose[]> =>
    (await call('GET', '/api/v1/access_reviews?page_size=100')).list
      .map(({ accessReview }: Loose) => accessReview)
      .filter((one: Loose) => one.displayName.startsWith('Spring, certified until '));
  await expect.poll(async () => (await next()).map(({ state }) => state), { timeout: 60_000 }).toEqual(['ACCESS_REVIEW_STATE_OPEN']);
  const [again] = await next();
  const itemOf = (one: Loose): string => `${one.type.certify.appUserId} ${one.type.certify.appEntitlementId}`;
  expect((await tasksOf(again.id)).map(itemOf).sort()).toEqual([task, other].map(itemOf).sort());
  const { scopeLists } = await call('GET', `/api/v1/access_review/${again.id}/scope_lists`);
  expect(scopeLists.grants).toHaveLength(2);
  // Once.
  await server.test.admin("UPDATE jobs SET run_at = now() WHERE state = 'CALLED' AND kind = 'reviews.certified-until'");
  await expect
    .poll(
      () =>
        server.test.admin(
          "SELECT 1 FROM jobs WHERE state IN ('CALLED', 'WAITING') AND kind = 'reviews.certified-until' AND run_at <= now()",
        ),
      {
        timeout: 60_000,
      },
    )
    .toEqual([]);
  expect(await next()).toHaveLength(1);
});
