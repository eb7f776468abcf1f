/** Erasing a person who others were merged into: they are erased with them, and what keeps one keeps all. Over HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { findInDump } from '../support/dump.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let second: TestPerson;
/** Nothing of these may be left. */
const names = ['wilhelmine', 'zwiebelturm', 'wzwieb-1', 'wzwieb-2', 'minna'];

const ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await request(server, server.admin, method, path, body);
  expect([path, answer.status, answer.body.message]).toEqual([path, 200, undefined]);
  return answer.body;
};
const importFile = async (path: string, ...rows: readonly string[]): Promise<Loose> => {
  const { status, body } = await sendFile(server, server.admin, `/api/v1/imports/${path}`, rows.join('\n'));
  expect([status, body.message]).toEqual([200, undefined]);
  return body.import;
};
const idOf = async (email: string): Promise<string> => (await ok('POST', '/api/v1/search/users', { email })).list[0]?.user.id;
const erase = (userId: string) => request(server, server.admin, 'POST', `/api/v1/users/${userId}/erase`, { reason: 'They asked for it' });
const erasedOf = (ids: readonly string[]): Promise<Loose[]> =>
  server.test.admin(
    `SELECT target_id AS id, data FROM events WHERE tenant_id = $1 AND kind = 'user.erased' AND target_id = ANY ($2) ORDER BY target_id`,
    [server.id, ids],
  );

beforeAll(async () => {
  server = await startTestServer();
  second = await server.makePerson('second@example.com', ['SUPER_ADMINISTRATOR']);
});
afterAll(() => server.stop());

it('erases those who were merged into the person in the same transaction, an event each, and nobody else', async () => {
  await importFile('people?source=hr', 'email,display_name', 'w.zwiebelturm@e.test,Wilhelmine Zwiebelturm', 'other@e.test,Other');
  await importFile('people?source=desk', 'email,display_name', 'minna@e.test,Minna');
  await importFile('grants?app=Shed', 'account,email,entitlement', 'wzwieb-1,w.zwiebelturm@e.test,read', 'wzwieb-2,minna@e.test,read');
  const [from, into, other] = [await idOf('w.zwiebelturm@e.test'), await idOf('minna@e.test'), await idOf('other@e.test')];
  await ok('POST', `/api/v1/users/${from}/action/merge`, { intoUserId: into });
  const asked = await erase(into);
  expect(asked.status).toBe(200);
  const confirmed = await request(server, second, 'POST', `/api/v1/second_person_requests/${asked.body.request.id}/confirm`, {});
  expect(confirmed.status).toBe(200);
  await until(async () => expect(await erasedOf([into])).toHaveLength(1));
  expect((await erasedOf([from, into, other])).map(({ id }) => id).sort()).toEqual([from, into].sort());
  expect(await findInDump(server, names)).toEqual([]);
  const [row] = await server.test.admin(
    'SELECT count(DISTINCT erased_at)::int AS moments FROM users WHERE tenant_id = $1 AND id = ANY ($2)',
    [server.id, [from, into]],
  );
  expect(row).toEqual({ moments: 1 });
});

it('is refused while a review that names one of them is to be kept', async () => {
  await importFile('people?source=hr', 'email,display_name', 'late@f.test,Late', 'other@e.test,Other');
  await importFile('people?source=desk', 'email,display_name', 'lately@f.test,Lately');
  const { appId } = await importFile('grants?app=Barn', 'account,email,entitlement', 'late-1,late@f.test,read');
  const [from, into] = [await idOf('late@f.test'), await idOf('lately@f.test')];
  const { accessReview } = await ok('POST', '/api/v1/access_review', { displayName: 'Kept', ownerIds: [server.admin.id] });
  const path = `/api/v1/access_review/${accessReview.accessReview.id}`;
  await ok('POST', path, { accessReview: { singleApp: { appId } } });
  await ok('POST', `${path}/action/prepare`, {});
  await until(async () => expect((await ok('GET', path)).accessReview.accessReview.state).toBe('ACCESS_REVIEW_STATE_REVIEW'));
  await ok('POST', `/api/v1/users/${from}/action/merge`, { intoUserId: into });
  const refused = await erase(into);
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('Kept (not closed)')]);
});
