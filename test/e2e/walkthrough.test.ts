/**
 * An auditor at work by commands: a sample by a seed of their own, drawn again from the ids of the items alone; an item from the file that brought it to
 * the file that proves it gone; and on which days access was covered.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { makeClosedReview } from '../support/closed-review.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import type { TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile, type World, worldGrants } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

let server: TestServer;
let world: World;
let id: string;
let denied: string;

/** Everything here is asked by somebody who reads, and does nothing else. */
const command = (...args: string[]) => runInProcess(args, { env: environmentFor(server.url, world.reader.credential) });
const walk = (taskId: string) => request(server, world.reader, 'GET', `/api/v1/access_review/${id}/items/${taskId}/walkthrough`);
const sha256 = (value: string): string => createHash('sha256').update(value).digest('hex');

beforeAll(async () => {
  const made = await startWorld();
  server = made.server;
  world = made.world;
  ({ id, denied } = await makeClosedReview(server, world));
});
afterAll(() => server.stop());

it('draws a sample that anybody draws again from the seed and the ids', async () => {
  const { code, stdout, stderr } = await command('review', 'sample', id, '--seed', 'FY26 Q4', '--size', '5', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const sample: Loose = JSON.parse(stdout);
  const ids: string[] = [];
  for (let token = ''; ; ) {
    const { body } = await request(server, world.reader, 'GET', `/api/v1/access_review/${id}/selections?page_size=100&page_token=${token}`);
    ids.push(...body.list.map(({ selection }: Loose) => selection.taskId));
    token = body.nextPageToken;
    if (token === '') {
      break;
    }
  }
  const drawn = ids.map((task) => ({ task, rank: sha256(`FY26 Q4/${task}`) })).sort((one, two) => (one.rank < two.rank ? -1 : 1));
  expect(sample.list.map(({ taskId, rank, place }: Loose) => ({ taskId, rank, place }))).toEqual(
    drawn.slice(0, 5).map(({ task, rank }, index) => ({ taskId: task, rank, place: index + 1 })),
  );
  expect(Number(sample.population)).toBe(ids.length);
  const block = createHash('sha256')
    .update([...ids].sort().join('\n'))
    .digest();
  expect(sample.populationSha256).toBe(createHash('sha256').update(block).digest('hex'));
});

it('draws from what was denied alone, as a table and as CSV, and refuses what is no seed', async () => {
  const of = ['review', 'sample', id, '--seed', 'x', '--of', 'denied'];
  expect((await command(...of)).stdout).toMatch(new RegExp(`^1 of 1 items drawn, seed x\\npopulation [0-9a-f]{64}\\n[^]*${denied}`));
  expect((await command(...of, '--csv')).stdout).toContain(`1,${denied},`);
  const path = `/api/v1/access_review/${id}/sample`;
  expect(await request(server, world.reader, 'GET', path)).toMatchObject({ status: 400 });
  expect(await request(server, world.reader, 'GET', `${path}?seed=x&size=1001`)).toMatchObject({ status: 400 });
  expect(await request(server, world.basic, 'GET', `${path}?seed=x`)).toMatchObject({ status: 404 });
  expect(await walk('never')).toMatchObject({ status: 404 });
});

it('walks an item from its row and file to the file that proves it gone, with positions in the log', async () => {
  const before = (await walk(denied)).body;
  expect(before).toMatchObject({
    account: 'a03',
    grant: {
      appearedCause: 'GRANT_CHANGE_CAUSE_IMPORT',
      addedBy: { fileSha256: sha256(worldGrants) },
      heldBy: { fileSha256: sha256(worldGrants) },
      row: { account: 'a03', resourceType: 'role', resource: 'R00', entitlement: 'e00' },
    },
    snapshot: { itemsHash: expect.stringMatching(/^[0-9a-f]{64}$/), department: 'Sales' },
    removal: { state: expect.stringMatching(/REQUESTED|IN_PROGRESS/) },
  });
  const file = worldGrants
    .split('\n')
    .filter((line) => !line.startsWith('a03,'))
    .join('\n');
  await sendFile(world.tenant, world.tenant.admin, '/api/v1/imports/grants?app=World&allow_removals=true', file);
  await until(async () => expect((await walk(denied)).body.removal.state).toBe('REVOCATION_STATE_VERIFIED'));
  const after = (await walk(denied)).body;
  expect(after).toMatchObject({
    grant: { endedBy: { fileSha256: sha256(file) }, endedCause: 'GRANT_CHANGE_CAUSE_IMPORT', endedAt: expect.any(String) },
    removal: { seenIn: { fileSha256: sha256(file) } },
  });
  const kinds = after.events.map(({ kind }: Loose) => kind);
  expect(kinds).toEqual(
    expect.arrayContaining([
      'grants.imported',
      'review.snapshot_taken',
      'review.started',
      'review.submitted',
      'review.closed',
      'revocations.verified',
    ]),
  );
  expect(kinds.filter((kind: string) => kind === 'review.submitted')).toHaveLength(1);
  const positions = after.events.map(({ position }: Loose) => Number(position));
  expect(Math.min(...positions)).toBeGreaterThanOrEqual(0);
  expect([...positions].sort((one, two) => one - two)).toEqual(positions);
  const proofs = await request(server, world.reader, 'POST', '/api/v1/log/proofs', {
    eventUids: after.events.map(({ eventUid }: Loose) => eventUid),
  });
  expect(proofs.body.list).toHaveLength(kinds.length);
  expect((await command('review', 'walkthrough', id, denied)).stdout).toContain(`file ${sha256(file)}`);
});

it('finds the one decision that somebody changed in the database, in its item and in the review', async () => {
  const whole = await command('review', 'check-log', id);
  expect(whole).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+ events and \d+ rows that they recorded are as they were sealed\.$/m),
  });
  const [first = '', second = ''] = (
    await request(server, world.reader, 'GET', `/api/v1/access_review/${id}/selections?page_size=2`)
  ).body.list.map(({ selection }: Loose) => selection.taskId);
  const other = first === denied ? second : first;
  const asSuperuser = async (statement: string): Promise<void> => {
    await server.test.admin('SET session_replication_role = replica');
    await server.test.admin(statement);
    await server.test.admin('SET session_replication_role = origin');
  };
  const before = await server.test.admin(
    `SELECT id, comment FROM countersign.task_actions WHERE task_id = '${denied}' AND kind = 'DENIED'`,
  );
  const [{ id: action, comment }] = before as [{ id: string; comment: string }];
  await asSuperuser(`UPDATE countersign.task_actions SET comment = 'Keep it' WHERE id = '${action}'`);
  const sentence = expect.stringMatching(`^task_actions ${action} of task ${denied}: is not what event \\w{27} recorded\\.$`);
  expect((await walk(denied)).body.logCheck).toMatchObject({ sentences: [sentence] });
  expect((await walk(other)).body.logCheck).toMatchObject({ sentences: [] });
  const found = await command('review', 'check-log', id, '--json');
  expect(found).toMatchObject({ code: 1 });
  expect(JSON.parse(found.stdout).sentences).toEqual([sentence]);
  await asSuperuser(`UPDATE countersign.task_actions SET comment = '${comment}' WHERE id = '${action}'`);

  await asSuperuser(`UPDATE countersign.tasks SET outcome = 'CERTIFIED' WHERE id = '${denied}'`);
  expect((await walk(denied)).body.logCheck.sentences).toEqual([`Task ${denied}: its outcome is not that of its actions.`]);
  expect((await command('review', 'check-log', id)).stdout).toContain(`DOES NOT HOLD: Task ${denied}`);
  await asSuperuser(`UPDATE countersign.tasks SET outcome = 'DECERTIFIED' WHERE id = '${denied}'`);
  expect((await command('review', 'check-log', id)).code).toBe(0);
});

it('says what is covered, and what requirements ask for', async () => {
  expect((await command('coverage', 'show', '--app', 'World')).stdout).toMatch(/^all +[1-9]/m);
  expect((await command('coverage', 'apps')).stdout).toMatch(/^World /m);
  const gaps = (await command('coverage', 'gaps', '--app', 'World', '--csv')).stdout;
  expect(gaps).toContain(',a05,');
  expect(gaps).not.toContain(',a04,');
  expect((await command('coverage', 'requirements')).stdout).toMatch(/^PCI_DSS_7_2_4 +183 +1 of \d+ /m);
  expect(await request(server, world.owner, 'GET', '/api/v1/coverage')).toMatchObject({ status: 403 });
  expect(await request(server, world.reader, 'GET', '/api/v1/coverage?from_day=never')).toMatchObject({ status: 400 });
  expect(await request(server, world.reader, 'GET', '/api/v1/coverage/apps/never/gaps')).toMatchObject({ status: 404 });
});
