/** Statements, tenants, transactions, streams and COPY over real connections. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { silentLogger } from '../context.ts';
import { openDatabase } from './open.ts';
import { actAsTenant } from './session.ts';
import { sql } from '../lib/sql.ts';
import { sqlStateOf } from './translate-error.ts';
import type { Db } from './types.ts';
import { until } from '../../test/support/until.ts';

let test: TestDatabase;
let db: Db;
beforeAll(async () => {
  test = await openTestDatabase({ statementTimeoutMs: 2000 });
  db = test.database.system();
  await test.define('CREATE TABLE things (id int PRIMARY KEY, parent int REFERENCES things, text text, data jsonb)');
});
beforeEach(() => db.run('DELETE FROM things'));
afterAll(() => test.close());

async function countThings(): Promise<number> {
  return (await db.one<{ count: number }>('SELECT count(*) AS count FROM things')).count;
}

describe('the role', () => {
  it('is neither superuser nor past row-level security', async () => {
    const role = await db.one('SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user', []);
    expect(role).toEqual({ rolsuper: false, rolbypassrls: false });
  });

  it('owns nothing, and may neither empty nor change a table', async () => {
    const owned = await db.rows("SELECT relname FROM pg_class WHERE relowner = current_user::regrole AND relpersistence = 'p'", []);
    expect(owned).toEqual([]);
    for (const sql of [
      'TRUNCATE users',
      'ALTER TABLE users DISABLE ROW LEVEL SECURITY',
      'CREATE TABLE mine (id int)',
      'DROP TABLE users',
    ]) {
      expect(sqlStateOf(await db.run(sql).catch((error: unknown) => error)), sql).toBe('42501');
    }
  });
});

describe('a tenant', () => {
  const insert = "INSERT INTO tenant_counters (tenant_id, name, value) VALUES ($1, 'n', 1)";

  it('sees and writes its own rows only', async () => {
    const [one, two] = [test.database.tenant('one'), test.database.tenant('two')];
    await Promise.all([one.run(insert, ['one']), two.run(insert, ['two'])]);
    // More users than connections: each of them is handed from tenant to tenant.
    const seen = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? one : two).rows<{ tenant_id: string }>('SELECT tenant_id FROM tenant_counters', []),
      ),
    );
    for (const [index, rows] of seen.entries()) {
      expect(rows).toEqual([{ tenant_id: index % 2 === 0 ? 'one' : 'two' }]);
    }
    await expect(one.run(insert, ['two'])).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('raises where none is set, also after a tenant used the connection', async () => {
    await test.database.tenant('one').rows('SELECT 1 AS one', []);
    for (let round = 0; round < 8; round++) {
      await expect(db.rows('SELECT value FROM tenant_counters', [])).rejects.toMatchObject({
        code: 'INTERNAL',
        detail: expect.stringContaining('no tenant is set'),
      });
    }
    expect(() => test.database.tenant('')).toThrow();
  });

  it('is lent to a transaction of nobody until its end', async () => {
    await db.transaction(async (tx) => {
      await actAsTenant(tx, 'one');
      expect(await tx.rows('SELECT tenant_id FROM tenant_counters', [])).toEqual([{ tenant_id: 'one' }]);
    });
    await expect(Promise.all(Array.from({ length: 8 }, () => db.rows('SELECT value FROM tenant_counters', [])))).rejects.toMatchObject({
      code: 'INTERNAL',
    });
    await expect(actAsTenant(db, 'one')).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});

describe('a piece of SQL', () => {
  it('brings its values, and is prepared like any other text', async () => {
    for (const id of [1, 2, 3, 4]) {
      expect(await db.run(sql`INSERT INTO things (id, text) VALUES (${id}, ${'x'})`)).toBe(1);
    }
    expect(await db.rows(sql`SELECT id FROM things WHERE id = ANY (${[2, 4]}) ORDER BY id`)).toEqual([{ id: 2 }, { id: 4 }]);
    await expect(db.one(sql`SELECT id FROM things WHERE id = ${9}`)).rejects.toMatchObject({
      detail: expect.stringContaining('WHERE id = $1'),
    });
  });
});

describe('values', () => {
  it('arrive as documented', async () => {
    const row = await db.one<Record<string, unknown>>(
      `SELECT 9007199254740991::int8 AS big, ARRAY[1, NULL]::int8[] AS bigs, '2026-03-29 01:30:00+00'::timestamptz AS at, '2026-03-29'::date AS day,
         '{"a": [1]}'::jsonb AS data, 1.50::numeric AS amount, ARRAY['x', NULL]::text[] AS texts`,
      [],
    );
    expect(row).toEqual({
      big: 9007199254740991,
      bigs: [1, null],
      at: new Date('2026-03-29T01:30:00Z'),
      day: '2026-03-29',
      data: { a: [1] },
      amount: '1.50',
      texts: ['x', null],
    });
  });

  it('are refused rather than rounded', async () => {
    await expect(db.one('SELECT 9007199254740993::int8 AS big', [])).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await db.one('SELECT 9007199254740993::int8::text AS big', [])).toEqual({ big: '9007199254740993' });
  });

  it('come in the number that was asked for', async () => {
    expect(await db.maybe('SELECT 1 AS one WHERE false', [])).toBeUndefined();
    await expect(db.one('SELECT 1 AS one WHERE false', [])).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(db.maybe('SELECT generate_series(1, 2)', [])).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await db.run('INSERT INTO things (id) SELECT generate_series(1, $1::int)', [3])).toBe(3);
  });
});

describe('errors', () => {
  const cases: [string, string, readonly unknown[], string][] = [
    ['a duplicate', 'INSERT INTO things (id) VALUES (1), (1)', [], 'CONFLICT'],
    ['a missing reference', 'INSERT INTO things (id, parent) VALUES (1, 99)', [], 'FAILED_PRECONDITION'],
    ['U+0000 in a text', 'INSERT INTO things (id, text) VALUES (1, $1)', ['a\u0000b'], 'INVALID_ARGUMENT'],
    ['U+0000 in JSON', 'INSERT INTO things (id, data) VALUES (1, $1)', [JSON.stringify({ a: '\u0000' })], 'INVALID_ARGUMENT'],
    ['a lone surrogate in JSON', 'INSERT INTO things (id, data) VALUES (1, $1)', ['"\\ud800"'], 'INVALID_ARGUMENT'],
    ['a statement that takes too long', 'SELECT pg_sleep(10)', [], 'UNAVAILABLE'],
    ['a mistake of ours', 'SELECT nothing FROM nowhere', [], 'INTERNAL'],
  ];
  it.each(cases)('%s', async (_name, sql, values, code) => {
    const error = await db.run(sql, values).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'AppError', code });
    expect((error as Error).message).not.toContain('things');
    expect(sqlStateOf(error)).toMatch(/^[0-9A-Z]{5}$/);
  });

  it('of a database that lets nobody in for a while are UNAVAILABLE', async () => {
    const { database } = await db.one<{ database: string }>('SELECT quote_ident(current_database()) AS database');
    const later = await openDatabase({ databaseUrl: test.url, log: silentLogger });
    const { host, port, user, password } = new pg.Client({ connectionString: test.url });
    const outside = new pg.Client({ host, port, user, password, database: 'postgres' });
    await outside.connect();
    try {
      await outside.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
      await expect(later.system().one('SELECT 1 AS one')).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    } finally {
      await outside.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
      await Promise.all([outside.end(), later.close()]);
    }
  });

  it('of a lost connection are UNAVAILABLE, and the next statement works', async () => {
    // Its own limit may end a statement before a busy machine has found it.
    const patient = await openDatabase({ databaseUrl: test.url, log: silentLogger });
    const running = patient.system().rows('SELECT pg_sleep(60)', []);
    const lost = expect(running).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503, retryAfterSeconds: 1 });
    await until(async () =>
      expect(
        await test.admin(
          "SELECT 1 AS one FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'",
        ),
      ).toEqual([{ one: 1 }]),
    );
    await test.admin(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'countersign'",
    );
    await lost;
    await patient.close();
    // At once in a transaction; a single statement may still meet an idle connection whose loss nobody has noticed.
    expect(await db.transaction((tx) => tx.one('SELECT 1 AS one', []))).toEqual({ one: 1 });
    await until(async () => expect(await db.one('SELECT 1 AS one', [])).toEqual({ one: 1 }));
  });

  it('of a plan that the schema has outgrown cure themselves', async () => {
    const read = () => db.rows('SELECT * FROM changing', []);
    await test.define('CREATE TABLE changing (a int)');
    // Prepared on every connection.
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 8 }, read));
    }
    await test.define('ALTER TABLE changing ALTER a TYPE text');
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, read));
    for (const outcome of outcomes.filter((each) => each.status === 'rejected')) {
      expect(outcome.reason).toMatchObject({ code: 'UNAVAILABLE' });
    }
    await Promise.all(Array.from({ length: 8 }, read));
  });
});

describe('a transaction', () => {
  it('commits all, or nothing when it throws', async () => {
    await db.transaction(async (tx) => {
      expect(tx.inTransaction).toBe(true);
      await tx.run('INSERT INTO things (id) VALUES (1)', []);
      await tx.transaction((nested) => nested.run('INSERT INTO things (id) VALUES (2)', []));
    });
    await expect(
      db.transaction(async (tx) => {
        await tx.run('INSERT INTO things (id) VALUES (3)', []);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await countThings()).toBe(2);
  });

  it('does not pretend to have committed where a failed statement was swallowed', async () => {
    const swallowing = db.transaction(async (tx) => {
      await tx.run('INSERT INTO things (id) VALUES (1)', []);
      await tx.run('INSERT INTO things (id) VALUES (1)', []).catch(() => undefined);
    });
    await expect(swallowing).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await countThings()).toBe(0);
  });

  it('is run again after a deadlock, and both come through', async () => {
    await db.run('INSERT INTO things (id) VALUES (1), (2)', []);
    let runs = 0;
    const hold = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const lockBoth = (first: number, second: number) =>
      db.transaction(async (tx) => {
        runs++;
        await tx.run("UPDATE things SET text = 'x' WHERE id = $1", [first]);
        // Each holds one before either asks for the other.
        hold[first - 1]?.resolve();
        await Promise.all(hold.map(({ promise }) => promise));
        await tx.run("UPDATE things SET text = 'y' WHERE id = $1", [second]);
      });
    await Promise.all([lockBoth(1, 2), lockBoth(2, 1)]);
    expect(runs).toBe(3);
  });

  it('that will not wait for a lock gives its connection back and is run again until it gets it', async () => {
    await db.run('INSERT INTO things (id) VALUES (9)', []);
    let runs = 0;
    const held = Promise.withResolvers<void>();
    const holder = db.transaction(async (tx) => {
      await tx.run("UPDATE things SET text = 'held' WHERE id = 9", []);
      held.resolve();
      await until(() => expect(runs).toBeGreaterThan(4));
    });
    await held.promise;
    const waiters = [1, 2, 3].map((n) =>
      db.transaction(async (tx) => {
        runs++;
        await tx.rows("SELECT set_config('lock_timeout', '50', true)", []);
        await tx.run('UPDATE things SET text = text || $1 WHERE id = 9', [String(n)]);
      }),
    );
    await Promise.all([holder, ...waiters]);
    expect((await db.one<{ text: string }>('SELECT text FROM things WHERE id = 9')).text).toMatch(/^held[123]{3}$/);
    expect(runs).toBeGreaterThan(4);
  });

  it('gives up after three more tries', async () => {
    let runs = 0;
    const failing = db.transaction(async (tx) => {
      runs++;
      await tx.run("DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = 'serialization_failure'; END $$");
    });
    await expect(failing).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(runs).toBe(4);
  });

  it('cannot be used after its end', async () => {
    let escaped: Db | undefined;
    await db.transaction(async (tx) => {
      escaped = tx;
    });
    await expect(escaped?.run('SELECT 1')).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('takes statements at once, one after the other, and waits for those nobody awaited', async () => {
    await db.transaction(async (tx) => {
      const insert = (id: number) => tx.run('INSERT INTO things (id) VALUES ($1)', [id]);
      await Promise.all([insert(1), insert(2), insert(3)]);
      void insert(4);
    });
    expect(await countThings()).toBe(4);
  });
});

describe('a COPY', () => {
  it('needs a transaction', async () => {
    await expect(db.copyFrom('COPY things FROM STDIN')).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  const copy = 'COPY things (id, text) FROM STDIN';

  it('takes rows and lets the transaction go on after it', async () => {
    await db.transaction(async (tx) => {
      await pipeline(Readable.from(['1\ta\n', '2\tb\n']), await tx.copyFrom(copy));
      expect(await tx.one('SELECT count(*) AS count FROM things', [])).toEqual({ count: 2 });
    });
    expect(await countThings()).toBe(2);
  });

  it('refuses bad rows with a translated error', async () => {
    const copying = db.transaction(async (tx) => {
      await pipeline(Readable.from(['1\ta\n', '1\tb\n']), await tx.copyFrom(copy));
    });
    await expect(copying).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await countThings()).toBe(0);
  });

  it('given up half-way by its source or its user does not hang the connection', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield '1\ta\n';
      throw new Error('the source broke');
    }
    for (let round = 0; round < 6; round++) {
      await expect(db.transaction(async (tx) => pipeline(broken(), await tx.copyFrom(copy)))).rejects.toThrow('the source broke');
      const abandoned = db.transaction(async (tx) => {
        (await tx.copyFrom(copy)).write('1\ta\n');
        throw new Error('given up');
      });
      await expect(abandoned).rejects.toThrow('given up');
    }
    expect(await countThings()).toBe(0);
  });
});
