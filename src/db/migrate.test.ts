/** The mechanism of migrations, with files made for the purpose. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { silentLogger } from '../context.ts';
import { countMigrations, judgeSchema, migrate } from './migrate.ts';
import { openDatabase } from './open.ts';
import type { Database } from './types.ts';

let test: TestDatabase;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-migrations-'));
});
beforeEach(async () => {
  test = await openTestDatabase({ empty: true });
  await write('0001_first.sql', 'CREATE TABLE first (id int); INSERT INTO first VALUES (1);');
  await write('0002_second.sql', 'ALTER TABLE first ADD COLUMN name text; SELECT pg_sleep(0.2);');
});
afterEach(async () => {
  await test.close();
  await rm(join(folder, '0003_third.sql'), { force: true });
});
afterAll(() => rm(folder, { recursive: true }));

function write(name: string, sql: string): Promise<void> {
  return writeFile(join(folder, name), sql);
}
const run = (database: Database = test.database) => migrate(database, silentLogger, folder);

it('applies what is missing, in order, once', async () => {
  expect(await judgeSchema(test.database, await countMigrations(folder))).toBe('BEHIND');
  expect(await run()).toEqual(['0001_first', '0002_second']);
  expect(await run()).toEqual([]);
  expect(await judgeSchema(test.database, await countMigrations(folder))).toBe('FITS');
  await write('0003_third.sql', 'CREATE TABLE third (id int)');
  expect(await judgeSchema(test.database, await countMigrations(folder))).toBe('BEHIND');
  expect(await run()).toEqual(['0003_third']);
  expect(await judgeSchema(test.database, (await countMigrations(folder)) - 1)).toBe('AHEAD');
});

it('says in one line that an empty database got its tables, and names each file of a later release', async () => {
  const said: string[] = [];
  const note = (fields: object, message?: string): void => void said.push(`${message} ${JSON.stringify(fields)}`);
  const log = { ...silentLogger, info: note };
  await migrate(test.database, log, folder);
  expect(said).toEqual(['made the tables {"migrations":2,"last":"0002_second"}']);
  await write('0003_third.sql', 'CREATE TABLE third (id int)');
  await migrate(test.database, log, folder);
  await migrate(test.database, log, folder);
  expect(said.slice(1)).toEqual(['applied a migration {"migration":"0003_third"}']);
});

it('is safe in several processes at once: each file is applied by one of them', async () => {
  const others = await Promise.all(Array.from({ length: 3 }, () => openDatabase({ databaseUrl: test.url, log: silentLogger })));
  const applied = await Promise.all([test.database, ...others].map(run));
  expect(applied.flat().sort()).toEqual(['0001_first', '0002_second']);
  expect(await test.database.system().one('SELECT count(*) AS count FROM first', [])).toEqual({ count: 1 });
  await Promise.all(others.map((database) => database.close()));
});

it('leaves nothing of a file that fails', async () => {
  await write('0003_third.sql', 'CREATE TABLE third (id int); SELECT 1 / 0;');
  await expect(run()).rejects.toMatchObject({
    code: 'FAILED_PRECONDITION',
    message: 'The migration 0003_third failed and was undone: division by zero (22012). Mend that and start again.',
  });
  expect(await test.database.system().one("SELECT to_regclass('third') AS found", [])).toEqual({ found: null });
  await write('0003_third.sql', 'CREATE TABLE third (id int)');
  expect(await run()).toEqual(['0003_third']);
});

it('refuses a database that is newer, and a file that changed', async () => {
  await write('0003_third.sql', 'CREATE TABLE third (id int)');
  await run();
  await rm(join(folder, '0003_third.sql'));
  await expect(run()).rejects.toMatchObject({ code: 'FAILED_PRECONDITION', message: expect.stringContaining('newer') });
  await write('0003_third.sql', 'CREATE TABLE third (id bigint)');
  await expect(run()).rejects.toMatchObject({ code: 'FAILED_PRECONDITION', message: expect.stringContaining('must never change') });
});

it.each(['0004_a_gap.sql', '0003-a-dash.sql', '0003_Large.sql', '0002_twice.sql', 'notes.sql'])(
  'refuses %s, and says how the file must be called',
  async (name) => {
    await write(name, 'SELECT 1');
    const message = expect.stringMatching(/^The migration .* must be called 000[1-3]_what_it_does\.sql/);
    await expect(run()).rejects.toMatchObject({ code: 'INTERNAL', message });
    await rm(join(folder, name));
  },
);

it('gives the tables to the owner, and the role that serves its rights on them', async () => {
  await run();
  const [owner] = await test.admin("SELECT tableowner FROM pg_tables WHERE tablename = 'first'");
  expect(owner).toEqual({ tableowner: 'countersign_owner' });
  await write('0003_third.sql', 'CREATE TABLE third (id int GENERATED ALWAYS AS IDENTITY)');
  await run();
  const db = test.database.system();
  await db.run('INSERT INTO third DEFAULT VALUES');
  expect(await db.rows('SELECT id FROM third')).toEqual([{ id: 1 }]);
  await expect(db.run('TRUNCATE third')).rejects.toMatchObject({ detail: expect.stringContaining('42501') });
  await expect(db.run('DELETE FROM schema_migrations')).rejects.toMatchObject({ detail: expect.stringContaining('42501') });
});

it('refuses tables without a record of what made them: half of a dump', async () => {
  await test.define('CREATE TABLE first (id int)');
  await expect(run()).rejects.toMatchObject({ code: 'FAILED_PRECONDITION', message: expect.stringContaining('incomplete') });
});
