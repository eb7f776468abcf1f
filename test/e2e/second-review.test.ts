/** A blind second review as whoever runs a review and whoever is asked meet it, and what the report shows of it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import type { TestPerson, TestServer } from '../support/server.ts';
import { startWorld } from '../support/world-server.ts';

let server: TestServer;
let second: TestPerson;
let id: string;

const admin = (method: string, path: string, body?: unknown) => request(server, server.admin, method, path, body);
const command = (person: TestPerson, ...args: string[]) => runInProcess(args, { env: environmentFor(server.url, person.credential) });
const manage = (...args: string[]) => command(server.admin, 'review', 'second-review', id, ...args);
const answer = (...args: string[]) => command(second, 'task', 'second-review', ...args);
const report = async (format: string): Promise<string> =>
  (await command(server.admin, 'review', 'report', id, '--format', format, '--output', '-')).stdout;

beforeAll(async () => {
  const made = await startWorld();
  server = made.server;
  const { world } = made;
  // With a credential of their own: one that a first reviewer issued is refused.
  second = await server.makePerson('second@world.example', ['CAMPAIGN_ADMINISTRATOR']);
  id = await world.openReview();
  const { body } = await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 10 });
  const decisions = body.list.map(({ task }: { task: { id: string } }) => ({ taskId: task.id, decision: 'REVIEW_DECISION_CERTIFY' }));
  await admin('POST', `/api/v1/access_review/${id}/submissions`, { decisions });
});
afterAll(() => server.stop());

it('is drawn, and asks without the first decision', async () => {
  expect(await manage()).toMatchObject({ code: 1, stderr: expect.stringContaining('has no second review') });
  const { code, stdout, stderr } = await manage('--share', '40', '--reviewer', 'second@world.example');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^4 of 10 decided items drawn, seed [0-9a-f]{32}\n0 answered so far/);
  expect((await answer()).stdout).toMatch(new RegExp(`${id} +4 +0 `));
  const questions = JSON.parse((await answer(id, '--json')).stdout);
  expect(questions).toHaveLength(4);
  expect(JSON.stringify(questions)).not.toMatch(/CERTIFY|CERTIFIED|decided/i);
  expect(await request(server, second, 'GET', `/api/v1/access_review/${id}/second_review`)).toMatchObject({ status: 404 });
  expect(await report('csv')).not.toContain('Second review');
});

it('says how often the decisions differ once it is over, item by item, and in the report', async () => {
  const [one, two, three] = JSON.parse((await answer(id, '--json')).stdout) as { taskId: string }[];
  const given = await answer(
    id,
    '--deny',
    one?.taskId ?? '',
    '--approve',
    two?.taskId ?? '',
    '--approve',
    three?.taskId ?? '',
    '--comment',
    'Looked.',
  );
  expect(given).toMatchObject({ code: 0, stdout: '3 answered\n' });
  expect((await answer(id)).stdout).toMatch(/ denied$/m);
  expect(await answer(id, '--approve', one?.taskId ?? '')).toMatchObject({ code: 1, stdout: expect.stringContaining('answers are final') });
  expect(await manage('--csv')).toMatchObject({ code: 2 });
  const { stdout } = await manage('--end');
  expect(stdout).toContain('1 of 3 second decisions differ: 33.3 % (95 % confidence: 6.1 % to 79.2 %)');
  expect(stdout).toMatch(new RegExp(`^${one?.taskId} .* certify +deny +Looked\\.$`, 'm'));
  expect((await manage('--csv', '--all')).stdout.trimEnd().split('\r\n')).toHaveLength(5);
  const items = JSON.parse(await report('json')) as { taskId: string; secondReview?: object }[];
  expect(items.filter(({ secondReview }) => secondReview !== undefined)).toHaveLength(4);
  expect(items.find(({ taskId }) => taskId === one?.taskId)).toMatchObject({
    outcome: 'CERTIFIED',
    secondReview: { decision: 'DENY', agrees: false },
  });
  expect(await report('csv')).toMatch(/Denied by [^,;]+: differs \(Looked\.\)/);
});
