/**
 * Dumps and restores with PostgreSQL's own programs, as docs/operations.md says, with each kind of roles. Only where pg_dump is there and as new
 * as the server: .ci/run has both of PostgreSQL 15.
 */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { silentLogger } from '../context.ts';
import { checkDatabase } from './check.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';

const run = promisify(execFile);
const operations = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const [app, owner] = [`dump_app_${process.pid}`, `dump_owner_${process.pid}`];
let folder: string;
let source: TestDatabase;
let target: TestDatabase | undefined;
let canDump = false;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-dump-'));
  source = await openTestDatabase();
  const [{ major } = { major: 0 }] = await source.admin("SELECT current_setting('server_version_num')::int / 10000 AS major");
  const found = findDumpVersion();
  canDump = found !== undefined && found >= Number(major);
  if (!canDump) {
    console.log(`left out: dumps need pg_dump ${major} or later; ${found === undefined ? 'there is none' : `this one is ${found}`}`);
  }
  await source.admin(`CREATE ROLE ${app} LOGIN PASSWORD 'secret'; CREATE ROLE ${owner} LOGIN PASSWORD 'secret'`);
  await source.admin("INSERT INTO tenants (tenant_id, display_name, secret, created_at) VALUES ('one', 'One', '', now())");
  await source.database.tenant('one').run("INSERT INTO tenant_counters (tenant_id, name, value) VALUES ('one', 'n', 7)");
});
afterEach(async () => {
  await target?.close();
  target = undefined;
});
afterAll(async () => {
  await source.admin(`DROP ROLE ${app}, ${owner}`);
  await source.close();
  await rm(folder, { recursive: true });
});

function findDumpVersion(): number | undefined {
  try {
    return Number(/ (\d+)/.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[1]);
  } catch {
    return undefined;
  }
}

const as = (url: string, role: string) => url.replace(/^(\w+:\/\/)[^@]*@/, `$1${role}:secret@`);

/** An empty database to restore into. */
async function makeTarget(): Promise<TestDatabase> {
  target = await openTestDatabase({ empty: true });
  await target.admin('DROP SCHEMA countersign');
  return target;
}

/** Starts on what was restored, as `serve` does, and reads it as its tenant. */
async function readRestored(url: string, ownerUrl?: string): Promise<unknown> {
  const database = await openDatabase({ databaseUrl: url, databaseOwnerUrl: ownerUrl, poolSize: 2, log: silentLogger });
  try {
    expect(await migrate(database, silentLogger)).toEqual([]);
    await checkDatabase(database);
    return await database.tenant('one').one('SELECT current_user AS role, value FROM tenant_counters');
  } finally {
    await database.close();
  }
}

it('as the owner holds every row, and restores to what serves as before', async (context) => {
  context.skip(!canDump);
  const file = join(folder, 'owner.dump');
  await run('pg_dump', ['-Fc', '--role=countersign_owner', '-f', file, source.url]);
  const { url } = await makeTarget();
  await run('pg_restore', ['--single-transaction', '--exit-on-error', '-d', url, file]);
  expect(await readRestored(url)).toEqual({ role: 'countersign_app', value: 7 });
});

it('restores under roles of other names, and back', async (context) => {
  context.skip(!canDump);
  const file = join(folder, 'moved.dump');
  await run('pg_dump', ['-Fc', '--role=countersign_owner', '-f', file, source.url]);
  const { url, admin } = await makeTarget();
  await admin(`ALTER ROLE ${owner} BYPASSRLS`);
  await admin(`DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${owner}', current_database()); END $$`);
  const restore = ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error'];
  await run('pg_restore', [...restore, '-d', as(url, owner), file]);
  expect(await readRestored(as(url, app), as(url, owner))).toEqual({ role: app, value: 7 });
  const back = join(folder, 'back.dump');
  await run('pg_dump', ['-Fc', '-f', back, as(url, owner)]);
  await target?.close();
  const { url: third } = await makeTarget();
  await run('pg_restore', [...restore, '-d', third, back]);
  expect(await readRestored(third)).toEqual({ role: 'countersign_app', value: 7 });
});

it('by an owner that row-level security binds fails, until FORCE is taken from the tables; what it left behind is refused', async (context) => {
  context.skip(!canDump);
  const { url, admin } = await makeTarget();
  await admin(`ALTER ROLE ${owner} NOBYPASSRLS; CREATE SCHEMA countersign AUTHORIZATION ${owner}`);
  const database = await openDatabase({ databaseUrl: as(url, app), databaseOwnerUrl: as(url, owner), poolSize: 2, log: silentLogger });
  await migrate(database, silentLogger);
  const file = join(folder, 'torso.sql');
  await expect(run('pg_dump', ['-f', file, as(url, owner)])).rejects.toThrow('row-level security');
  const [, sql = ''] = /^```sql\n([^`]*NO FORCE[^`]*)\\gexec\n```$/m.exec(operations) ?? [];
  for (const { format } of await admin(sql)) {
    await admin(String(format));
  }
  await run('pg_dump', ['-Fc', '-f', join(folder, 'bound.dump'), as(url, owner)]);
  await database.tenant('one').run("INSERT INTO tenant_counters (tenant_id, name, value) VALUES ('one', 'n', 1)");
  // The role that serves is bound as before: FORCE is about the owner alone.
  await expect(database.system().rows('SELECT value FROM tenant_counters')).rejects.toMatchObject({
    detail: expect.stringContaining('no tenant is set'),
  });
  await checkDatabase(database);
  await database.close();
  await target?.close();
  const { url: second } = await makeTarget();
  await run('psql', ['-q', '-d', second, '-f', file]);
  await expect(readRestored(second)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION', message: expect.stringContaining('incomplete') });
});
