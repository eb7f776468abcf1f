/** Commands for a review beside moving it: texts and dates, reminders, the age of its data, acknowledgement, deletion. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

let server: TestServer;
let world: World;

const review = (...args: string[]) => runInProcess(['review', ...args], { env: environmentFor(server.url, server.admin.credential) });
const succeed = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await review(...args);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout;
};

beforeAll(async () => {
  const made = await startWorld();
  server = made.server;
  world = made.world;
});
afterAll(() => server.stop());

it('changes texts and dates, and takes dates away', async () => {
  const id = await world.makeDraft();
  expect(await succeed('update', id, '--name', 'Renamed', '--due', '2040-01-31T17:00:00Z', '--start', '2039-01-01T00:00:00Z')).toContain(
    'Renamed',
  );
  const read = async () => (await request(server, server.admin, 'GET', `/api/v1/access_review/${id}`)).body.accessReview.accessReview;
  expect(await read()).toMatchObject({
    displayName: 'Renamed',
    completionDate: '2040-01-31T17:00:00Z',
    scheduledStartDate: '2039-01-01T00:00:00Z',
    autoStartCampaign: true,
  });
  await succeed('update', id, '--due', 'none', '--start', 'none', '--instructions', '# Look', '--description', 'All');
  const after = await read();
  expect(after).toMatchObject({ reviewInstructions: '# Look', description: 'All', autoStartCampaign: false });
  expect([after.completionDate, after.scheduledStartDate]).toEqual([undefined, undefined]);
  expect((await review('update', id)).stderr).toContain('nothing to change');
  expect((await review('update', id, '--due', 'tomorrow')).stderr).toContain('--due');
});

it('reminds, shows how old the data is, and acknowledges', async () => {
  expect(await succeed('remind', world.openId, '--user', world.assignee.id)).toContain('reminded 1 person\n');
  const again = await review('remind', world.openId, '--user', world.assignee.id, '--user', server.admin.id);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('reminded of this review less than 15 minutes ago') });
  expect(await succeed('remind', world.openId)).toMatch(/reminded \d+ (people|person)/);
  expect((await review('remind', world.openId)).stderr).toContain('15 minutes');
  expect(await succeed('accuracy', world.openId)).toMatch(/^APP +SOURCE +LAST SYNC +RESULT +ROWS +WRONG\n\S.* done +\d+/m);
  expect((await review('acknowledge', world.openId)).code).not.toBe(0);
  await request(server, server.admin, 'PUT', `/api/v1/access_review/${world.openId}/acknowledgement`, { userIds: [server.admin.id] });
  expect(await succeed('acknowledge', world.openId, '--comment', 'Seen')).toMatch(/digest of all decisions: [0-9a-f]{64}/);
});

it('shows the lists beside a scope and takes them from a file', async () => {
  const id = await world.makeDraft();
  const lists = { exclusions: [{ kind: 'USER', id: server.admin.id, reason: 'Asked elsewhere' }] };
  const said = new RegExp(`^left out +user ${server.admin.id} +Asked elsewhere$`, 'm');
  const folder = await mkdtemp(join(tmpdir(), 'scope-lists-'));
  const file = join(folder, 'lists.json');
  await writeFile(file, JSON.stringify(lists));
  expect(await succeed('scope-lists', id, '--file', file)).toMatch(said);
  expect(await succeed('scope-lists', id)).toMatch(said);
  await writeFile(file, '[]');
  expect((await review('scope-lists', id, '--file', file)).stderr).toContain('the lists of a scope');
  await rm(folder, { recursive: true });
});

it('deletes with a reason, and lists what that leaves', async () => {
  expect(await succeed('delete', world.openId, '--yes', '--reason', 'A mistake')).toContain('deleted');
  expect(await succeed('tombstones')).toMatch(new RegExp(`${world.openId} .*A mistake`));
  expect((await review('progress', world.openId)).code).not.toBe(0);
});
