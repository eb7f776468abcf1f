/**
 * `countersign backup` and `restore` as an operator uses them: while decisions are made, into another cluster, with each kind of roles that
 * docs/operations.md names, and from files that are not what was written.
 */
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type App, startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { type Context, silentLogger, systemActor } from '../../src/context.ts';
import { checkDatabase } from '../../src/db/check.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { sealLog } from '../../src/foundation/audit/seal.ts';
import { AuthService } from '../../src/gen/c1/api/auth/v1/auth_service_pb.js';
import { reactions } from '../../src/reactions.ts';
import { runInProcess } from '../support/command-line.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { openLateEnds } from '../support/late-ends.ts';
import { checkTree } from '../support/log-tree.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

const [app, owner] = [`backup_app_${process.pid}`, `backup_owner_${process.pid}`];
let folder: string;
let server: TestServer;
let world: World;
/** Made of the served database when nothing is at work in it any more. */
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-backup-'));
  // The embedded server of root runs under another account, which passes through here.
  await chmod(folder, 0o755);
  const made = await startWorld();
  server = made.server;
  world = made.world;
  await server.makeTenant('second.example');
  await server.test.admin(`CREATE ROLE ${app} LOGIN PASSWORD 'secret'; CREATE ROLE ${owner} LOGIN PASSWORD 'secret'`);
});
afterAll(async () => {
  await server.test.admin(`DROP ROLE ${app}, ${owner}`);
  await server.stop();
  await rm(folder, { recursive: true });
});

const as = (url: string, role: string): string => url.replace(/^(\w+:\/\/)[^@]*@/, `$1${role}:secret@`);

/** Every table: how many rows, and what they are. What the sealer saw last is about a cluster, so it is left out. */
async function digest(read: (sql: string) => Promise<Record<string, unknown>[]>): Promise<Record<string, unknown>> {
  const tables = await read(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'countersign' AND tablename <> 'schema_migrations' ORDER BY 1",
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const row = name === 'logs' ? "(to_jsonb(t) - 'snapshot')::text" : 't::text';
    const [counted] = await read(
      `SELECT count(*)::int AS rows, md5(coalesce(string_agg(${row}, E'\\n' ORDER BY ${row}), '')) AS hash FROM countersign.${String(name)} t`,
    );
    found[String(name)] = counted;
  }
  return found;
}

async function backUp(args: readonly string[], name: string): Promise<string> {
  const path = join(folder, name);
  expect(await runInProcess(['backup', ...args, '--output', path])).toMatchObject({ code: 0 });
  return path;
}

describe('a backup that was made while decisions were', () => {
  let again: App | undefined;
  afterAll(() => again?.stop());

  it('restores into another cluster, where the same credentials, the open review and the event log go on', async () => {
    const decided: string[] = [];
    let isBackedUp = false;
    async function decide(): Promise<void> {
      for (const id of world.taskIds.slice(1)) {
        if (isBackedUp && decided.length > 2) {
          return;
        }
        const answer = await world.call(world.assignee, 'POST', `/api/v1/tasks/${id}/action/approve`, {
          comment: 'Kept.',
        });
        expect(answer.status).toBe(200);
        decided.push(id);
      }
    }
    const deciding = decide();
    const hot = await backUp(['--database-url', server.test.url], 'hot.backup').finally(() => {
      isBackedUp = true;
    });
    await deciding;
    expect(decided.length).toBeGreaterThan(0);
    expect((await stat(hot)).mode & 0o777).toBe(0o600);
    const { port } = server.app;
    await server.app.stop();
    file = await backUp(['--database-url', server.test.url], 'quiet.backup');

    const directory = join(folder, 'data');
    const restored = await runInProcess(['restore', hot, '--data-dir', directory]);
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Restored into embedded in') });
    const config = { ...readConfig({}, {}), dataDir: directory, host: '127.0.0.1', port, poolSize: 6 };
    again = await startApp(config, { log: silentLogger, checkReplies: true });

    // A token from before is good: the keys that sign are there. So is the secret of whoever asks for a new one.
    const [open = ''] = world.taskIds;
    expect((await world.call(world.assignee, 'POST', `/api/v1/tasks/${open}/action/approve`, { comment: '' })).status).toBe(200);
    expect((await server.admin.client.call(AuthService.method.introspect, {})).userId).toBe(server.admin.id);
    expect((await world.call(world.owner, 'GET', `/api/v1/access_review/${world.openId}`)).body.accessReview.accessReview.state).toBe(
      'ACCESS_REVIEW_STATE_OPEN',
    );
    // Each decision is there completely or not at all.
    const states = await again.database.tenant(server.id).rows<{ state: string; actions: number }>(
      `SELECT t.state, (SELECT count(*) FROM task_actions a WHERE a.tenant_id = t.tenant_id AND a.task_id = t.id) AS actions
       FROM tasks t WHERE t.tenant_id = $1 AND t.id = ANY ($2)`,
      [server.id, decided],
    );
    expect(states.every(({ state, actions }) => (state === 'OPEN') === (actions === 0))).toBe(true);
    const context: Context = {
      db: again.database.tenant(server.id),
      tenantId: server.id,
      actor: systemActor('test'),
      now: new Date(),
      log: silentLogger,
      react: reactions,
    };
    expect(await sealLog(context, { forMs: 10_000, waitsForLock: true })).toBe('sealed');
    expect(await checkTree(context)).toBeGreaterThan(100);
  });
});

describe('a restore', () => {
  let target: TestDatabase;
  beforeAll(async () => {
    target = await openTestDatabase({ empty: true });
  });
  afterEach(async () => {
    await target.admin('DROP SCHEMA IF EXISTS countersign CASCADE');
  });
  afterAll(() => target.close());

  type Urls = { readonly server: string; readonly owner?: string };
  const kinds: [string, string, () => Urls][] = [
    ['a superuser', `SELECT`, () => ({ server: target.url })],
    [
      'two plain roles, the owner with BYPASSRLS',
      `ALTER ROLE ${owner} BYPASSRLS`,
      () => ({ server: as(target.url, app), owner: as(target.url, owner) }),
    ],
    [
      'two plain roles, the owner bound by row-level security',
      `ALTER ROLE ${owner} NOBYPASSRLS`,
      () => ({ server: as(target.url, app), owner: as(target.url, owner) }),
    ],
    ['one plain role', `ALTER ROLE ${owner} NOBYPASSRLS`, () => ({ server: as(target.url, owner) })],
  ];
  it.each(kinds)('with %s brings every row back, and a backup of that holds them again', async (_name, prepare, urls) => {
    await target.admin(prepare);
    await target.admin(`DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${owner}', current_database()); END $$`);
    const given = urls();
    const args = ['--database-url', given.server, ...(given.owner === undefined ? [] : ['--database-owner-url', given.owner])];
    expect(await runInProcess(['restore', file, ...args])).toMatchObject({ code: 0 });
    const wanted = await digest((sql) => server.test.admin(sql));
    expect(await digest((sql) => target.admin(sql))).toEqual(wanted);
    const [forced] = await target.admin(
      "SELECT count(*)::int AS count FROM pg_class WHERE relnamespace = 'countersign'::regnamespace AND relrowsecurity AND NOT relforcerowsecurity",
    );
    expect(forced).toEqual({ count: 0 });
    // What the service does next takes numbers that nothing has yet.
    const [sequence] = await target.admin("SELECT nextval('countersign.events_seq') > max(seq) AS ahead FROM countersign.events");
    expect(sequence).toEqual({ ahead: true });
    const database = await openDatabase({ databaseUrl: given.server, poolSize: 2, log: silentLogger });
    await migrate(database, silentLogger);
    await checkDatabase(database);
    await database.close();
    // The role that serves is enough for a backup: it reads tenant by tenant. So is the owner alone.
    const backs: string[] = [];
    for (const url of new Set([given.server, given.owner ?? given.server])) {
      backs.push(await backUp(['--database-url', url], `back-${Math.random()}.backup`));
    }
    const content = (path: string): Promise<string> => readFile(path).then((bytes) => gunzipSync(bytes).toString('latin1'));
    const sorted = async (path: string): Promise<string[]> =>
      (await content(path))
        .split('\n')
        .slice(1, -2)
        .filter((line) => !line.includes('/log/'))
        .sort();
    for (const back of backs) {
      expect(await sorted(back)).toEqual(await sorted(file));
    }
  });

  const spoiled: [string, (bytes: Buffer) => Buffer, string][] = [
    ['cut off', (bytes) => bytes.subarray(0, bytes.length - 100), 'is cut off'],
    [
      'cut off between two lines',
      (bytes) => gzipSync(gunzipSync(bytes).subarray(0, gunzipSync(bytes).lastIndexOf(10, -2) + 1)),
      'is cut off',
    ],
    [
      'changed in one byte',
      (bytes) => gzipSync(Buffer.from(gunzipSync(bytes).toString('latin1').replace('second.example', 'second.exbmple'), 'latin1')),
      'is damaged: its content has the hash',
    ],
    [
      'missing a row',
      (bytes) =>
        gzipSync(
          Buffer.from(
            gunzipSync(bytes)
              .toString('latin1')
              .replace(/\n[^\n]*\tsecond\.example[^\n]*\n/, '\n'),
            'latin1',
          ),
        ),
      'is damaged: the table',
    ],
    ['of another program', () => gzipSync('PGDMP\n'), 'is not a backup made by countersign backup'],
    ['not compressed', () => Buffer.from('hello'), 'is not a backup made by countersign backup'],
    [
      'of a later release',
      (bytes) =>
        gzipSync(
          Buffer.from(
            gunzipSync(bytes)
              .toString('latin1')
              .replace('"migrations":[', '"migrations":[')
              .replace(/"checksum":"[0-9a-f]{64}"\}\],"tables"/, (text) =>
                text.replace('],"tables"', ',{"number":9999,"name":"9999_later","checksum":"x"}],"tables"'),
              ),
            'latin1',
          ),
        ),
      '',
    ],
  ];
  it.each(spoiled)('of a file that is %s is refused, and leaves nothing', async (_name, spoil, message) => {
    const path = join(folder, `spoiled-${Math.random()}`);
    await writeFile(path, spoil(await readFile(file)));
    const result = await runInProcess(['restore', path, '--database-url', target.url]);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    expect(result.stderr).not.toContain('Something went wrong');
    expect(await target.admin("SELECT tablename FROM pg_tables WHERE schemaname = 'countersign'")).toEqual([]);
  });

  it('is refused where something is there already, and leaves that as it was', async () => {
    const before = await digest((sql) => server.test.admin(sql));
    const result = await runInProcess(['restore', file, '--database-url', server.test.url]);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(/is not empty: its schema countersign holds \d+ tables/) });
    expect(await digest((sql) => server.test.admin(sql))).toEqual(before);
  });

  it('with --check says whether the file is whole, and opens no database', async () => {
    expect(await runInProcess(['restore', file, '--check', '--json'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('sha256'),
    });
    expect(await runInProcess(['restore', file])).toMatchObject({ code: 2, stderr: expect.stringContaining('--data-dir') });
  });
});

describe('a backup', () => {
  it('counts its rows itself, since packets of a network end anywhere', async () => {
    const line = await openLateEnds(server.test.url);
    const path = await backUp(['--database-url', line.url], 'late.backup');
    await line.close();
    expect(await runInProcess(['restore', path, '--check'])).toMatchObject({ code: 0 });
  });

  it('as a role that bypasses row-level security without rights on the tables names the role that has them', async () => {
    await server.test.admin(`ALTER ROLE ${app} BYPASSRLS`);
    const result = await runInProcess(['backup', '--database-url', as(server.test.url, app), '--output', join(folder, 'nothing')]);
    await server.test.admin(`ALTER ROLE ${app} NOBYPASSRLS`);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('no rights of countersign_owner, which owns the tables') });
  });

  it('replaces no file, and leaves none where it fails', async () => {
    const result = await runInProcess(['backup', '--database-url', server.test.url, '--output', file]);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') });
    const empty = await openTestDatabase({ empty: true });
    const before = await readdir(folder);
    const nothing = await runInProcess(['backup', '--database-url', empty.url, '--output', join(folder, 'nothing')]);
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining('there are no tables of countersign') });
    expect(await readdir(folder)).toEqual(before);
    await empty.close();
    const missing = await runInProcess(['backup', '--data-dir', join(folder, 'nowhere'), '--output', join(folder, 'nothing')]);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist') });
  });
});
