/** Reading PostgreSQL: what comes as which text, what the database refuses, and who may not read. */
import type { Server } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { openProxy } from '../../../test/support/socket-proxy.ts';
import { until } from '../../../test/support/until.ts';
import { FetchFault } from '../tables/fetch-fault.ts';
import { type OpenSql, openSql } from './open-sql.ts';
import type { SqlSettings } from './settings.ts';

const password = 'a very good password';
const rules = { allowed: [], allowsLocal: true };
const begun = new Date('2026-03-01T12:00:00Z');
let test: TestDatabase;
let ours: TestDatabase;
let admin: pg.Client;
let proxy: { port: number; server: Server };
let settings: SqlSettings;
const role = `reader_${process.pid}`;
const opened: OpenSql[] = [];

beforeAll(async () => {
  [test, ours] = await Promise.all([openTestDatabase({ empty: true }), openTestDatabase()]);
  admin = new pg.Client({ connectionString: inject('testServer').adminUrl });
  await admin.connect();
  const { host, port } = admin;
  proxy = await openProxy(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  for (const [name, more] of [
    [role, ''],
    [`${role}_super`, 'SUPERUSER'],
    [`${role}_files`, 'IN ROLE pg_write_server_files'],
    [`${role}_inner`, `IN ROLE ${role}_super`],
  ]) {
    await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD '${password}' ${more}`);
  }
  await test.admin(`CREATE SCHEMA hr; CREATE TABLE hr.people (id int PRIMARY KEY, name text, at timestamptz, day date);
    CREATE FUNCTION hr.leave() RETURNS text LANGUAGE sql AS $$ DELETE FROM hr.people RETURNING name $$;
    INSERT INTO hr.people SELECT n, 'Person ' || n, '2026-01-31 13:00:00+01', '2026-01-31' FROM generate_series(1, 12000) n;
    CREATE TABLE hr.hidden (id int); GRANT USAGE ON SCHEMA hr TO ${role}; GRANT SELECT ON hr.people TO ${role}`);
  settings = {
    engine: 'POSTGRESQL',
    host: '127.0.0.1',
    port: proxy.port,
    database: databaseOf(test),
    username: role,
    ca: '',
    statement: 'SELECT id, name FROM hr.people',
    isPeople: true,
  };
});
afterAll(async () => {
  for (const one of opened) {
    one.close();
  }
  proxy.server.close();
  await Promise.all([test.close(), ours.close()]);
  await admin.query(`DROP ROLE ${role}_inner, ${role}_files, ${role}_super, ${role}`);
  await admin.end();
});

async function readAll<T>(from: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of from) {
    all.push(one);
  }
  return all;
}

const databaseOf = ({ url }: TestDatabase): string => decodeURIComponent(/\/([^/?]+)(?:\?|$)/.exec(url)?.[1] ?? '');

async function open(more: Partial<SqlSettings> = {}, secrets: { password?: string } = { password }, signal = new AbortController().signal) {
  const one = await openSql({ ...settings, ...more }, secrets, { rules, signal, now: () => begun });
  opened.push(one);
  return one;
}

async function read(more: Partial<SqlSettings> = {}): Promise<{ columns: readonly string[]; batches: (readonly (readonly string[])[])[] }> {
  const { table } = await open(more);
  return { columns: table.columns, batches: await readAll(table.batches) };
}

const fault = async (more: Partial<SqlSettings>, secrets?: { password?: string }): Promise<string> =>
  open(more, secrets)
    .then(async ({ table }) => `nothing: ${JSON.stringify((await readAll(table.batches)).length)}`)
    .catch((error: unknown) => (error instanceof FetchFault ? `${error.kind}: ${error.message}` : String(error)));

describe('a statement', () => {
  it('answers batches of 5,000 rows, whose times are of our beginning', async () => {
    const { table, facts } = await open();
    expect([table.kind, table.columns]).toEqual(['PEOPLE', ['id', 'name']]);
    const batches = await readAll(table.batches);
    expect(batches.map(({ length }) => length)).toEqual([5000, 5000, 2000]);
    expect(batches[2]?.at(-1)).toEqual(['12000', 'Person 12000']);
    expect(facts()).toEqual({ observedFrom: begun, incompleteReason: '', warnings: [] });
  });

  it('has columns where there are no rows, and may end with a semicolon or a comment', async () => {
    expect(await read({ statement: 'SELECT id AS "Id", name FROM hr.people WHERE false;\n', isPeople: false })).toEqual({
      columns: ['Id', 'name'],
      batches: [],
    });
    expect((await read({ statement: 'WITH a AS (VALUES (1)) SELECT * FROM a -- done' })).batches).toEqual([[['1']]]);
  });

  it.each([
    ['NULL', `NULL::text`, ''],
    ['a time with a zone', `timestamptz '2026-01-31 13:00:00.250+01'`, '2026-01-31T12:00:00.25Z'],
    ['a time without one', `timestamp '2026-01-31 13:00:00'`, '2026-01-31T13:00:00Z'],
    ['a time without end', `timestamptz 'infinity'`, ''],
    ['a day', `date '2026-01-31'`, '2026-01-31'],
    ['yes', 'true', 'true'],
    ['a number', `12345678901234567890.10::numeric`, '12345678901234567890.10'],
    ['bytes', `'\\xcafe'::bytea`, 'cafe'],
    ['a document', `'{"a": 1}'::jsonb`, '{"a": 1}'],
    ['a uuid', `'6F9619FF-8B86-D011-B42D-00CF4FC964FF'::uuid`, '6f9619ff-8b86-d011-b42d-00cf4fc964ff'],
  ])('has %s as a text', async (_, expression, text) => {
    expect((await read({ statement: `SELECT ${expression} AS value` })).batches).toEqual([[[text]]]);
  });

  it('that is long is read in smaller batches, and a row of over 64 KiB is refused', async () => {
    const { batches } = await read({ statement: `SELECT repeat('x', 10000) FROM generate_series(1, 8000)` });
    expect(batches.flat()).toHaveLength(8000);
    expect(batches.slice(1).every(({ length }) => length < 2000)).toBe(true);
    expect(await fault({ statement: `SELECT 1 AS a, repeat('x', 65536) AS b` })).toBe(
      'SETTINGS: Row 1 has more than 64 KiB. Select fewer columns.',
    );
  });

  it.each([
    ['a change', `UPDATE hr.people SET name = 'x'`, /^SETTINGS: .*syntax error/],
    ['a change that answers rows', `WITH a AS (DELETE FROM hr.people RETURNING id) SELECT * FROM a`, /^SETTINGS: /],
    ['a function that changes', `SELECT hr.leave()`, /^SETTINGS: .*read-only/],
    ['two statements', `SELECT 1; DROP TABLE hr.people`, /^SETTINGS: .*multiple commands/],
    ['two that end the transaction', `SELECT 1; COMMIT; DELETE FROM hr.people`, /^SETTINGS: .*multiple commands/],
    ['the end of the transaction', `COMMIT`, /^SETTINGS: .*syntax error/],
    ['a copy', `COPY hr.people TO STDOUT`, /^SETTINGS: .*syntax error/],
    ['a lock', `SELECT * FROM hr.people FOR UPDATE`, /^SETTINGS: /],
    ['writing again', `SELECT set_config('transaction_read_only', 'off', false)`, /^SETTINGS: .*read-write mode must be set before/],
    ['a table it may not read', `SELECT * FROM hr.hidden`, /^REFUSED: .*GRANT SELECT ON the table TO "reader/],
    ['a table that is not there', `SELECT * FROM hr.nobody`, /^SETTINGS: .*does not exist/],
    ['no column', `SELECT FROM hr.people`, /^SETTINGS: .*1 to 1000 columns/],
    ['an error while it is read', `SELECT 1 / (11000 - id) FROM hr.people ORDER BY id`, /^SETTINGS: .*division by zero/],
    ['nothing', ' ', /^SETTINGS: statement must be one SELECT/],
    ['one that is too long', `SELECT '${'x'.repeat(65_536)}'`, /^SETTINGS: statement must not be longer/],
  ])('is refused: %s', async (_, statement, said) => {
    expect(await fault({ statement })).toMatch(said);
    expect((await test.admin('SELECT count(*)::int AS count FROM hr.people'))[0]).toEqual({ count: 12_000 });
  });

  it('ends with the fetch', async () => {
    const ending = new AbortController();
    const reason = new Error('not wanted any more');
    const refused = expect(open({ statement: 'SELECT pg_sleep(60)' }, { password }, ending.signal)).rejects.toBe(reason);
    await until(async () => expect(await test.admin("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'")).not.toEqual([]));
    ending.abort(reason);
    await refused;
  });
});

describe('a sign-in', () => {
  it.each<[string, Partial<SqlSettings>, RegExp]>([
    ['of a superuser', { username: `${role}_super` }, /^REFUSED: .*superuser.*GRANT SELECT ON/],
    ['of one who may become it', { username: `${role}_inner` }, /^REFUSED: .*superuser.*GRANT SELECT ON/],
    ['of one who may write files', { username: `${role}_files` }, /^REFUSED: .*pg_write_server_files.*GRANT SELECT ON/],
    ['of nobody', { username: 'nobody_at_all' }, /^REFUSED: The database does not let "nobody_at_all" into/],
    ['into no database', { database: 'none_at_all' }, /^REFUSED: The database does not let/],
    ['by a socket', { host: '/var/run/postgresql' }, /^SETTINGS: host must be a name/],
    ['with TLS that is not there', { ca: certificate() }, /^REFUSED: .*no connection that is to be trusted/],
    ['where nobody listens', { port: 1 }, /^UNREACHED: 127\.0\.0\.1:1 cannot be reached/],
  ])('is refused: %s', async (_, more, said) => {
    const words = await fault(more);
    expect(words).toMatch(said);
    expect(words).not.toContain(password);
  });

  it('needs a password, and never takes one of this process', async () => {
    process.env['PGPASSWORD'] = password;
    try {
      expect(await fault({}, {})).toMatch(/^REFUSED: The source has no secret named password/);
    } finally {
      delete process.env['PGPASSWORD'];
    }
  });

  it('into a database of ours is refused', async () => {
    expect(await fault({ database: databaseOf(ours) })).toMatch(/^REFUSED: .*one of Countersign itself/);
  });

  it('leads to what the operator allows alone', async () => {
    const ask = (allowed: string[], host = '127.0.0.1') =>
      openSql(
        { ...settings, host },
        { password },
        { rules: { allowed, allowsLocal: false }, signal: new AbortController().signal, now: () => begun },
      );
    await expect(ask([])).rejects.toMatchObject({ kind: 'REFUSED', message: expect.stringContaining('--allow-outbound') });
    await expect(ask(['10.0.0.0/8'])).rejects.toMatchObject({ kind: 'REFUSED' });
    opened.push(await ask([`127.0.0.1:${proxy.port}`, '127.0.0.1']));
  });
});

function certificate(): string {
  return `-----BEGIN CERTIFICATE-----
MIIBtjCCAVugAwIBAgITBmyf1XSXNmY/Owua2eiedgPySjAKBggqhkjOPQQDAjA5
MQswCQYDVQQGEwJVUzEPMA0GA1UEChMGQW1hem9uMRkwFwYDVQQDExBBbWF6b24g
Um9vdCBDQSAzMB4XDTE1MDUyNjAwMDAwMFoXDTQwMDUyNjAwMDAwMFowOTELMAkG
A1UEBhMCVVMxDzANBgNVBAoTBkFtYXpvbjEZMBcGA1UEAxMQQW1hem9uIFJvb3Qg
Q0EgMzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABCmXp8ZBf8ANm+gBG1bG8lKl
ui2yEujSLtf6ycXYqm0fc4E7O5hrOXwzpcVOho6AF2hiRVd9RFgdszflZwjrZt6j
QjBAMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgGGMB0GA1UdDgQWBBSr
ttvXBp43rDCGB5Fwx5zEGbF4wDAKBggqhkjOPQQDAgNJADBGAiEA4IWSoxe3jfkr
BqWTrBqYaGFy+uGh0PsceGCmQ5nFuMQCIQCcAu/xlJyzlvnrxir4tiz+OpAUFteM
YyRIHN8wfdVoOw==
-----END CERTIFICATE-----
`;
}
