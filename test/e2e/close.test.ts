/** `review close` as somebody meets it: what it shows, what it asks, and what it refuses. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CommandInput, environmentFor, runInProcess } from '../support/command-line.ts';
import { request } from '../support/api.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

let server: TestServer;
let world: World;

beforeAll(async () => {
  const made = await startWorld();
  server = made.server;
  world = made.world;
});
afterAll(() => server.stop());

const close = (args: readonly string[], input: CommandInput = {}) =>
  runInProcess(['review', 'close', ...args], { env: environmentFor(server.url, server.admin.credential), ...input });

/** An open review of 76 items, of which two are certified and one is denied. */
async function open(): Promise<string> {
  const id = await world.openReview();
  const admin = (path: string, body: unknown = {}) => request(server, server.admin, 'POST', path, body);
  const { body } = await admin('/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 10 });
  const decisions = [0, 1, 2].map((n) => ({
    taskId: body.list[n].task.id,
    decision: n < 2 ? 'REVIEW_DECISION_CERTIFY' : 'REVIEW_DECISION_DENY',
    comment: 'Seen.',
  }));
  await admin(`/api/v1/access_review/${id}/submissions`, { decisions });
  return id;
}

async function stateOf(id: string): Promise<string> {
  const { body } = await request(server, server.admin, 'GET', `/api/v1/access_review/${id}`);
  return body.accessReview.accessReview.state.replace('ACCESS_REVIEW_STATE_', '');
}

const counted = '3 of 76 items decided by a person: 2 certified, 1 denied; 73 open';

it('shows the counts and asks; no and silence leave the review open', async () => {
  const id = await open();
  for (const stdin of ['n\n', '\n', 'maybe\n', '']) {
    const refused = await close([id, '--decision', 'revoke'], { stdin, isTerminal: true });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(counted);
    expect(refused.stderr).toContain('Undecided items are revoked, although nobody decided them.');
    expect(refused.stderr).toContain('not closed');
    expect(await stateOf(id)).toBe('OPEN');
  }
  const closed = await close([id], { stdin: 'y\n', isTerminal: true });
  expect(closed.code).toBe(0);
  expect(closed.stderr).toContain('Undecided items are skipped');
  expect(closed.stdout).toContain('CLOSED, 76 items');
});

it('refuses where nobody can be asked, and --yes answers; a second close is the same one or refused', async () => {
  const id = await open();
  expect(await close([id])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  const asJson = await close([id, '--json']);
  expect([asJson.code, JSON.parse(asJson.stderr).error.code]).toEqual([2, 'USAGE']);
  expect(await stateOf(id)).toBe('OPEN');
  const closed = await close([id, '--yes', '--decision', 'skip']);
  expect(closed).toMatchObject({ code: 0, stderr: expect.stringContaining(counted), stdout: expect.stringContaining('CLOSED') });
  expect(await close([id, '--yes', '--decision', 'skip'])).toMatchObject({ code: 0, stdout: expect.stringContaining('CLOSED') });
  expect(await close([id, '--yes'])).toMatchObject({ code: 0 });
  const other = await close([id, '--yes', '--decision', 'revoke']);
  expect(other).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('CLOSE_DECISION_SKIP') });
  const { body } = await request(server, server.admin, 'GET', `/api/v1/access_review/${id}/counts`);
  expect(body.counts).toEqual({
    total: '76',
    undecided: '0',
    certified: '2',
    droppedPending: '0',
    revoked: '1',
    cancelled: '73',
    withoutOutcome: '0',
    byPeople: '3',
    deniedByPeople: '1',
    byPolicy: '0',
    carried: '0',
    revokedAtClose: '0',
    skipped: '73',
  });
});

it('review delete wants to be told, and a reason for an open review', async () => {
  const env = environmentFor(server.url, server.admin.credential);
  const remove = (...args: string[]) => runInProcess(['review', 'delete', ...args], { env });
  const draft = await world.makeDraft();
  expect(await remove(draft)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect(await remove(draft, '--yes')).toMatchObject({ code: 0, stdout: `The review ${draft} is deleted.\n` });
  const opened = await open();
  expect(await remove(opened, '--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('--reason') });
  expect(await remove(opened, '--yes', '--reason', 'Made by mistake')).toMatchObject({ code: 0 });
  expect((await request(server, server.admin, 'GET', `/api/v1/access_review/${opened}`)).status).toBe(404);
});
