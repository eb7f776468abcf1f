/** `review progress` as whoever runs a review meets it, and the figures behind it over HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

let server: TestServer;
let world: World;
let id: string;

const admin = (method: string, path: string, body?: unknown) => request(server, server.admin, method, path, body);
const progress = (...args: string[]) =>
  runInProcess(['review', 'progress', id, ...args], { env: environmentFor(server.url, server.admin.credential) });

beforeAll(async () => {
  const made = await startWorld();
  server = made.server;
  world = made.world;
  id = await world.openReview();
  const { body } = await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 10 });
  const decisions = [0, 1, 2].map((n) => ({
    taskId: body.list[n].task.id,
    decision: n < 2 ? 'REVIEW_DECISION_CERTIFY' : 'REVIEW_DECISION_DENY',
    comment: 'Seen.',
  }));
  await admin('POST', `/api/v1/access_review/${id}/submissions`, { decisions });
});
afterAll(() => server.stop());

it('shows what is decided, what is left, and who has most of it', async () => {
  const { code, stdout, stderr } = await progress();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('3 of 76 items decided by a person: 2 certified, 1 denied; 73 open');
  expect(stdout).toContain('\n3 decisions made by 1 person, those undone or changed later too; 3 a day');
  expect(stdout).toContain('1 removal: 1 held until the close, 0 open');
  expect(stdout).toContain('REVIEWER');
  const byApp = await progress('--by', 'app');
  expect(byApp.stdout).toMatch(/^APP +ITEMS +OPEN/m);
  expect(byApp.stdout).toMatch(/ 76 +73 +0 +3 +1 +0$/m);
  const [, list = ''] = (await progress('--by', 'department', '--limit', '1')).stdout.trimEnd().split('\n\n');
  expect(list.split('\n')).toHaveLength(2);
});

it('says that it is late once the due date has passed, to programs too', async () => {
  const whole = JSON.parse((await progress('--json')).stdout);
  expect(whole).toMatchObject({ by: 'reviewer', counts: { total: '76', undecided: '73' }, pace: { overdue: '0', unassigned: '0' } });
  expect(whole.history.at(-1)).toMatchObject({ total: '76', open: '73', certified: '2', revoked: '1' });
  expect(
    whole.list.reduce((sum: number, row: { approvals: string; denials: string }) => sum + Number(row.approvals) + Number(row.denials), 0),
  ).toBe(3);
});

it('pages, sums to the same in every list, and is for those who see the review', async () => {
  const parts = async (part: string) => (await admin('GET', `/api/v1/access_review/${id}/progress/${part}?page_size=100`)).body.list;
  for (const part of ['apps', 'departments']) {
    expect((await parts(part)).reduce((sum: number, row: { open: string }) => sum + Number(row.open), 0)).toBe(73);
  }
  const first = await admin('GET', `/api/v1/access_review/${id}/progress/reviewers?page_size=10`);
  expect(first.status).toBe(200);
  expect(
    (await request(server, await server.makePerson('nobody.asked@example.com'), 'GET', `/api/v1/access_review/${id}/progress/apps`)).status,
  ).toBe(404);
  expect((await admin('GET', `/api/v1/access_review/${id}/progress/apps?page_token=x`)).status).toBe(400);
});
