/** A pooler between us and PostgreSQL: what holds through it in session mode, and that everything else is refused. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { connect, hasPgbouncer, type Pgbouncer, startPgbouncer } from '../../test/support/pgbouncer.ts';
import { type Logger, silentLogger } from '../context.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';
import type { Database, Db } from './types.ts';

type Settings = Readonly<Record<string, string | number>>;

/** What every connection must have, and what a pooler must not have kept of another. */
const settingsSql = `SELECT current_user::text AS role, current_setting('search_path') AS path, current_setting('timezone') AS zone,
  current_setting('datestyle') AS dates, current_setting('statement_timeout') AS limit, current_setting('jit') AS jit,
  current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('countersign.tenant_id', true) AS tenant`;
const expected = { path: 'countersign,public', zone: 'UTC', dates: 'ISO, MDY', limit: '7s', jit: 'off', idle: '5min', tenant: '' };

describe.runIf(hasPgbouncer)('pgbouncer', () => {
  let test: TestDatabase;
  let pooler: Pgbouncer | undefined;
  let opened: Database[] = [];
  beforeAll(async () => {
    test = await openTestDatabase();
  });
  afterAll(() => test.close());
  afterEach(async () => {
    await Promise.all(opened.map((database) => database.close()));
    opened = [];
    await pooler?.close();
    pooler = undefined;
  });

  async function start(settings: Settings): Promise<void> {
    pooler = await startPgbouncer(test.url, settings);
  }

  async function open(poolSize = 6, more = ''): Promise<Database> {
    const databaseUrl = `${pooler?.url ?? ''}${more}`;
    const database = await openDatabase({ databaseUrl, poolSize, statementTimeoutMs: 7_000, log: silentLogger });
    opened.push(database);
    return database;
  }

  /** Keeps so many connections busy at once, and asks each. */
  function askEach<T>(count: number, of: (number: number) => Db, sql: string): Promise<T[]> {
    const gate = Promise.withResolvers<void>();
    let waiting = 0;
    return Promise.all(
      Array.from({ length: count }, (_, number) =>
        of(number).transaction(async (db) => {
          waiting += 1;
          if (waiting === count) {
            gate.resolve();
          }
          await gate.promise;
          return db.one<T>(sql);
        }),
      ),
    );
  }

  it.each<[string, Settings]>([
    ['as it comes', {}],
    ['with options that are dropped without a word', { ignore_startup_parameters: 'options' }],
    ['with a reset of what we use', { server_reset_query: 'DEALLOCATE ALL; RESET ALL' }],
    ['with its reset after each client and a new connection for each', { server_reset_query: 'DISCARD ALL', server_lifetime: 1 }],
  ])('in session mode, %s: every connection has its settings, its tenant and its notifications', async (_, settings) => {
    await start(settings);
    const database = await open();
    await migrate(database, silentLogger);
    expect(await askEach(6, () => database.system(), settingsSql)).toEqual(Array(6).fill({ ...expected, role: 'countersign_app' }));
    expect(await database.asOwner?.((db) => db.one(settingsSql))).toEqual({ ...expected, role: 'countersign_owner' });
    const tenantSql = "SELECT current_setting('countersign.tenant_id') AS tenant";
    expect(await askEach<{ tenant: string }>(6, (number) => database.tenant(`t${number}`), tenantSql)).toEqual(
      Array.from({ length: 6 }, (_each, number) => ({ tenant: `t${number}` })),
    );
    const heard = Promise.withResolvers<string>();
    const stop = await database.listen('a_channel', heard.resolve, () => undefined);
    await database.system().run("SELECT pg_notify('a_channel', 'through')");
    expect(await heard.promise).toBe('through');
    await stop();
    const rows = await database.system().transaction(async (db) => {
      const source = await db.copyTo('COPY (SELECT current_user, name FROM schema_migrations WHERE number = 1) TO STDOUT');
      return Buffer.concat(await source.toArray()).toString();
    });
    expect(rows).toMatch(/^countersign_app\t0001_/);
    // Another process gets connections that this one had.
    await database.close();
    const next = await open();
    expect(await askEach(6, () => next.system(), settingsSql)).toEqual(Array(6).fill({ ...expected, role: 'countersign_app' }));
  });

  it.each<[string, Settings]>([
    ['transaction', {}],
    ['transaction', { ignore_startup_parameters: 'options' }],
    ['transaction', { server_round_robin: 1 }],
    ['transaction', { default_pool_size: 2 }],
    ['statement', {}],
    ['statement', { ignore_startup_parameters: 'options' }],
  ])('in %s mode %o: refused, naming the option', async (mode, settings) => {
    await start({ pool_mode: mode, ...settings });
    await expect(open()).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringMatching(/^The pooler at 127\.0\.0\.1:\d+\/\S+ lets connections share .* set pool_mode = session/),
    });
  });

  it('in transaction mode under other clients: refused, too', async () => {
    await start({ pool_mode: 'transaction', server_round_robin: 1, default_pool_size: 30 });
    const others = await Promise.all(Array.from({ length: 4 }, () => connect(pooler as Pgbouncer)));
    let isOver = false;
    const busy = Promise.all(
      others.map(async (client) => {
        while (!isOver) {
          await client.query('SELECT pg_sleep(0.002)');
        }
      }),
    );
    try {
      for (let tries = 0; tries < 5; tries++) {
        await expect(open(16)).rejects.toThrow(/set pool_mode = session/);
      }
    } finally {
      isOver = true;
      await busy;
      await Promise.all(others.map((client) => client.end()));
    }
  });

  it('for the owner alone in transaction mode: refused', async () => {
    await start({ pool_mode: 'transaction' });
    const both = { databaseUrl: test.url, databaseOwnerUrl: pooler?.url, log: silentLogger };
    await expect(openDatabase(both)).rejects.toThrow(/set pool_mode = session/);
  });

  it.each(['', 'RESET ALL', 'DEALLOCATE ALL', 'UNLISTEN *; RESET ALL'])(
    'with the reset %j, which leaves something behind: refused, naming the option',
    async (query) => {
      await start({ server_reset_query: query });
      await expect(open()).rejects.toThrow(/as the last one left it: set server_reset_query = DISCARD ALL/);
    },
  );

  it('with fewer connections than are needed: refused, naming the option and the number', async () => {
    await start({ default_pool_size: 4 });
    await expect(open()).rejects.toThrow(/gave 4 connections and let the next wait for 10 seconds: raise default_pool_size/);
  });

  it('with no connection left: whoever has one is not cut off for it', async () => {
    await start({ default_pool_size: 6 });
    const told: string[] = [];
    const log: Logger = {
      ...silentLogger,
      warn: (_fields, message) => void told.push(String(message)),
      error: (_fields, message) => void told.push(String(message)),
    };
    const database = await openDatabase({ databaseUrl: pooler?.url, poolSize: 6, log });
    opened.push(database);
    const isOver = (): boolean => told.filter((one) => one.includes('gave no new connection')).length >= 2;
    const busy = async (): Promise<void> => {
      while (!isOver()) {
        await database.system().one('SELECT pg_sleep(0.02)');
      }
    };
    await Promise.all(Array.from({ length: 6 }, () => busy()));
    expect(told.filter((one) => !one.includes('gave no new connection'))).toEqual([]);
  });

  it.each<[string, Settings, (url: URL) => void, RegExp]>([
    ['an unknown user', { auth_type: 'md5' }, (url) => (url.username = 'nobody'), /authentication failed; check the user and the password/],
    ['an unknown database', {}, (url) => (url.pathname = '/nowhere'), /"nowhere" does not exist; make it with createdb/],
    ['a pooler with a setting that misfits', { auth_type: 'any' }, () => undefined, /bouncer config error; .* look into its log/],
  ])('with %s: says what to do, though a pooler has one code for all', async (_, settings, change, words) => {
    await start(settings);
    const url = new URL(pooler?.url ?? '');
    url.password = url.password || 'x';
    change(url);
    await expect(openDatabase({ databaseUrl: url.href, log: silentLogger })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(words),
    });
  });

  it('with options in the URL: says which parameter, and what to do', async () => {
    await start({});
    await expect(open(6, '?options=-c%20work_mem%3D7MB')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/unsupported startup parameter: options; take options .* ignore_startup_parameters/),
    });
  });
});
