/** Opening a PostgreSQL that somebody else runs: as which role, and what is refused. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { silentLogger } from '../context.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase({ empty: true });
});
afterAll(() => test.close());

const open = (databaseUrl: string) => openDatabase({ databaseUrl, log: silentLogger });

it('works as countersign_app where the URL names a superuser, also when opened twice at once', async () => {
  const databases = await Promise.all([open(test.url), open(test.url), open(test.url)]);
  await Promise.all(databases.map((database) => migrate(database, silentLogger)));
  for (const database of databases) {
    expect(
      await database.system().one("SELECT current_user AS role, current_schema AS schema, current_setting('timezone') AS zone", []),
    ).toEqual({
      role: 'countersign_app',
      schema: 'countersign',
      zone: 'UTC',
    });
    await database.close();
  }
});

it('works as the role of the URL where that is a plain one, and says what it lacks', async () => {
  const role = `plain_${process.pid}`;
  await test.admin(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
  const own = await openTestDatabase({ empty: true });
  try {
    const url = own.url.replace(/^(\w+:\/\/)[^@]*@/, `$1${role}:secret@`);
    await own.admin('DROP SCHEMA countersign');
    await expect(open(url)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('CREATE SCHEMA countersign'),
    });
    await own.admin(`CREATE SCHEMA countersign AUTHORIZATION ${role}`);
    const database = await open(url);
    expect(await database.system().one('SELECT current_user AS role', [])).toEqual({ role });
    expect(await migrate(database, silentLogger)).not.toEqual([]);
    await database.close();
  } finally {
    await own.close();
    await test.admin(`DROP ROLE ${role}`);
  }
});

it('keeps the options of the URL beside ours', async () => {
  const separator = test.url.includes('?') ? '&' : '?';
  const database = await open(`${test.url}${separator}options=${encodeURIComponent('-c work_mem=7MB')}`);
  expect(await database.system().one("SELECT current_setting('work_mem') AS memory, current_user AS role", [])).toEqual({
    memory: '7MB',
    role: 'countersign_app',
  });
  await database.close();
});

it('refuses what is not a URL of PostgreSQL, and says when nobody answers', async () => {
  await expect(open('nonsense')).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
  await expect(open('mysql://localhost/x')).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
  await expect(open('postgres://somebody:secret@127.0.0.1:1/x')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.not.stringContaining('secret'),
  });
});
