/** Reading MariaDB: what comes as which text, what the database refuses, and who may not read. Left out where MariaDB is not installed. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasMariaDb, type MariaDb, startMariaDb } from '../../../test/support/mariadb.ts';
import { until } from '../../../test/support/until.ts';
import { FetchFault } from '../tables/fetch-fault.ts';
import { type OpenSql, openSql } from './open-sql.ts';
import type { SqlSettings } from './settings.ts';

const password = 'a very good password';
const rules = { allowed: [], allowsLocal: true };
const begun = new Date('2026-03-01T12:00:00Z');
const opened: OpenSql[] = [];
let folder: string;
let server: MariaDb;
let settings: SqlSettings;

describe.runIf(hasMariaDb)('MariaDB', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-tls-'));
    const makeCertificate = (name: string): string[] => {
      const files = [join(folder, `${name}.pem`), join(folder, `${name}.key`)] as const;
      const alike = [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        '2',
        '-subj',
        `/CN=${name}`,
      ];
      const own = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', files[1], '-out', files[0]];
      execFileSync('openssl', [...alike, ...own], { stdio: 'pipe' });
      return [...files];
    };
    const [certificate, key] = makeCertificate('cert');
    makeCertificate('other');
    server = await startMariaDb([`--ssl-cert=${certificate}`, `--ssl-key=${key}`]);
    const user = (name: string, grant: string): string[] => [
      `CREATE USER ${name}@'%' IDENTIFIED BY '${password}'`,
      `GRANT ${grant} TO ${name}@'%'`,
    ];
    await server.admin(
      'CREATE DATABASE hr CHARACTER SET utf8mb4',
      'USE hr',
      'CREATE TABLE hr.people (id int PRIMARY KEY, name varchar(100))',
      `INSERT INTO hr.people SELECT seq, CONCAT('Person ', seq) FROM seq_1_to_12000`,
      'CREATE TABLE hr.hidden (id int)',
      'CREATE TABLE hr.bits (three bit(3))',
      `INSERT INTO hr.bits VALUES (b'101')`,
      'CREATE PROCEDURE hr.twice() BEGIN SELECT 1; SELECT 2; END',
      ...user('reader', 'SELECT ON hr.people'),
      'GRANT SELECT ON hr.bits TO reader',
      ...user('wide', 'ALL ON hr.*'),
      ...user('boss', 'ALL PRIVILEGES ON *.*'),
      ...user('filer', 'SELECT, FILE ON *.*'),
      `CREATE ROLE heavy`,
      `GRANT SUPER ON *.* TO heavy`,
      ...user('member', 'heavy'),
      `GRANT SELECT ON hr.* TO member`,
      `SET DEFAULT ROLE heavy FOR member`,
    );
    settings = {
      engine: 'MYSQL',
      host: '127.0.0.1',
      port: server.port,
      database: 'hr',
      username: 'reader',
      ca: '',
      statement: 'SELECT id, name FROM hr.people ORDER BY id',
      isPeople: true,
    };
  });
  afterAll(async () => {
    for (const one of opened) {
      one.close();
    }
    await server.close();
    rmSync(folder, { recursive: true });
  });

  async function open(more: Partial<SqlSettings> = {}, secret = password, signal = new AbortController().signal): Promise<OpenSql> {
    const one = await openSql({ ...settings, ...more }, { password: secret }, { rules, signal, now: () => begun });
    opened.push(one);
    return one;
  }

  async function read(more: Partial<SqlSettings> = {}, secret?: string) {
    const { table, close } = await open(more, secret);
    const batches: (readonly (readonly string[])[])[] = [];
    for await (const batch of table.batches) {
      batches.push(batch);
    }
    close();
    return { columns: table.columns, batches };
  }

  const fault = (more: Partial<SqlSettings>, secret?: string): Promise<string> =>
    read(more, secret)
      .then(({ batches }) => `nothing: ${JSON.stringify(batches)}`)
      .catch((error: unknown) => (error instanceof FetchFault ? `${error.kind}: ${error.message}` : String(error)));

  it('answers batches of 5,000 rows', async () => {
    const { columns, batches } = await read();
    expect(columns).toEqual(['id', 'name']);
    expect(batches.map(({ length }) => length)).toEqual([5000, 5000, 2000]);
    expect(batches[2]?.at(-1)).toEqual(['12000', 'Person 12000']);
    expect(await read({ statement: 'SELECT id AS `Id` FROM people WHERE false;\n' })).toEqual({ columns: ['Id'], batches: [] });
  });

  it.each([
    ['NULL', 'NULL', ''],
    ['a time with a zone', `FROM_UNIXTIME(1769860800)`, '2026-01-31T12:00:00Z'],
    ['a time', `CAST('2026-01-31 13:00:00.25' AS datetime(2))`, '2026-01-31T13:00:00.25Z'],
    ['a day', `CAST('2026-01-31' AS date)`, '2026-01-31'],
    ['a number', `CAST('1234567890123456789.10' AS decimal(30,2))`, '1234567890123456789.10'],
    ['bits', 'three FROM bits', '5'],
    ['bytes', `CAST(x'cafe' AS binary(2))`, 'cafe'],
    ['a document', `JSON_OBJECT('a', 1)`, '{"a": 1}'],
    ['letters', `CONVERT('Zoë 😀' USING utf8mb4)`, 'Zoë 😀'],
  ])('has %s as a text', async (_, expression, text) => {
    const { batches } = await read({ statement: `SELECT ${expression} AS value` });
    expect(batches).toEqual([[[text]]]);
  });

  it.each([
    ['a change', `UPDATE people SET name = 'x'`, 'wide', /^SETTINGS: .*READ ONLY/],
    ['a change of tables', `DROP TABLE people`, 'wide', /^SETTINGS: .*READ ONLY/],
    ['two statements', `SELECT 1; DROP TABLE hr.people`, 'wide', /^SETTINGS: .*syntax/],
    ['several answers', 'CALL twice()', 'wide', /^SETTINGS: /],
    ['no answer', 'COMMIT', 'wide', /^SETTINGS: The statement must answer rows/],
    ['a file of this machine', `LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE people`, 'wide', /^SETTINGS: /],
    ['a file of the server', `SELECT 1 INTO OUTFILE '/tmp/countersign-test'`, 'wide', /^REFUSED: /],
    ['a table it may not read', 'SELECT * FROM hidden', 'reader', /^REFUSED: .*GRANT SELECT/],
    ['a table that is not there', 'SELECT * FROM nobody', 'wide', /^SETTINGS: .*doesn't exist/],
    ['a row that is too long', `SELECT repeat('x', 65537)`, 'reader', /^SETTINGS: Row 1 has more than 64 KiB/],
  ])('refuses %s', async (_, statement, username, said) => {
    expect(await fault({ statement, username })).toMatch(said);
    expect((await read({ statement: 'SELECT count(*) FROM people' })).batches).toEqual([[['12000']]]);
  });

  it.each<[string, Partial<SqlSettings>, string | undefined, RegExp]>([
    ['of whoever may all', { username: 'boss' }, undefined, /^REFUSED: .*ALL PRIVILEGES.*GRANT SELECT ON/],
    ['of whoever may reach files', { username: 'filer' }, undefined, /^REFUSED: .*FILE.*GRANT SELECT ON/],
    ['of whoever has a role that may', { username: 'member' }, undefined, /^REFUSED: .*SUPER.*GRANT SELECT ON/],
    ['with a wrong password', {}, 'wrong', /^REFUSED: The database does not let "reader" into "hr"/],
    ['into another database', { database: 'mysql' }, undefined, /^REFUSED: The database does not let/],
  ])('refuses a sign-in %s', async (_, more, secret, said) => {
    const words = await fault(more, secret);
    expect(words).toMatch(said);
    expect(words).not.toContain(password);
  });

  it('is asked by TLS where a certificate is given, and only as the name that stands in it', async () => {
    const ca = readFileSync(join(folder, 'cert.pem'), 'utf8');
    const statement = `SELECT variable_value FROM information_schema.session_status WHERE variable_name = 'Ssl_version'`;
    expect((await read({ host: 'localhost', ca, statement })).batches).toEqual([[[expect.stringMatching(/^TLSv1\.[23]$/)]]]);
    expect(await fault({ ca, statement })).toMatch(/^SETTINGS: host must be the name/);
    const other = readFileSync(join(folder, 'other.pem'), 'utf8');
    expect(await fault({ host: 'localhost', ca: other, statement })).toMatch(/^REFUSED: .*no connection that is to be trusted/);
  });

  it('ends with the fetch', async () => {
    const ending = new AbortController();
    const reason = new Error('not wanted any more');
    const refused = expect(open({ statement: 'SELECT SLEEP(60)' }, password, ending.signal)).rejects.toBe(reason);
    const sleeping = "SELECT 1 FROM information_schema.processlist WHERE state = 'User sleep'";
    await until(async () => expect(await server.admin(sleeping)).not.toEqual([[]]));
    ending.abort(reason);
    await refused;
  });
});
