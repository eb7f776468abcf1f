/**
 * A server that accepts and never answers, and a COPY over a connection that is dead: behind a proxy that stops passing anything on, and again when it
 * does.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { until } from '../../test/support/until.ts';
import { silentLogger } from '../context.ts';
import { openDatabase } from './open.ts';
import type { Database } from './types.ts';

let test: TestDatabase;
let database: Database;
let proxy: Proxy;

/** Between a client and a PostgreSQL. */
interface Proxy {
  readonly url: string;
  /** Passes nothing on any more: of those who are connected, or also of whoever comes. */
  freeze(what?: 'connected' | 'all'): void;
  /** Passes so many bytes to the server every second, over each connection that comes from now on. */
  slowDown(bytes: number): void;
  thaw(): void;
  close(): void;
}

async function startProxy(to: string): Promise<Proxy> {
  const url = new URL(to.replace(/^(\w+:\/\/[^@/?]*@)\//, '$1localhost/'));
  const folder = url.searchParams.get('host');
  const port = Number(url.port || url.searchParams.get('port') || 5432);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let bytesEachSecond = Number.POSITIVE_INFINITY;
  const server: Server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    if (isFrozen) {
      return;
    }
    const behind = folder === null ? connect(port, url.hostname) : connect(join(folder, `.s.PGSQL.${port}`));
    sockets.add(behind);
    behind.on('error', () => client.destroy());
    behind.on('error', () => undefined);
    behind.pipe(client);
    if (bytesEachSecond === Number.POSITIVE_INFINITY) {
      client.pipe(behind);
      return;
    }
    // Read by hand, so that what has not been passed on stays with the client.
    client.pause();
    const timer = setInterval(() => {
      const piece = (client.read(bytesEachSecond / 10) ?? client.read()) as Buffer | null;
      if (piece !== null) {
        behind.write(piece);
      }
    }, 100);
    client.on('close', () => {
      clearInterval(timer);
      behind.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url.searchParams.delete('host');
  url.searchParams.delete('port');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    slowDown(bytes) {
      bytesEachSecond = bytes;
    },
    freeze(what = 'all') {
      isFrozen = what === 'all';
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) {
        socket.destroy();
      }
    },
    close() {
      server.close();
      for (const socket of sockets) {
        socket.destroy();
      }
    },
  };
}

beforeEach(async () => {
  test = await openTestDatabase();
  proxy = await startProxy(test.url);
  database = await openDatabase({ databaseUrl: proxy.url, poolSize: 3, log: silentLogger });
});
afterEach(async () => {
  proxy.thaw();
  await database.close();
  proxy.close();
  await test.close();
});

const read = (): Promise<unknown> => database.system().one('SELECT 1 AS one', []);

it('sends away who waits and who comes, and serves again when the server answers', { timeout: 240_000 }, async () => {
  await Promise.all([read(), read()]);
  proxy.freeze();
  // More than there are connections: some wait for an answer, one for a connection that never comes to be.
  const waiting = await Promise.allSettled([
    read(),
    database.system().transaction((db) => db.one('SELECT 2 AS two', [])),
    read(),
    read(),
    read(),
  ]);
  expect(waiting.map((each) => each.status === 'rejected' && each.reason.code)).toEqual(Array.from({ length: 5 }, () => 'UNAVAILABLE'));
  await expect(read()).rejects.toMatchObject({ code: 'UNAVAILABLE', detail: 'The database does not answer.', retryAfterSeconds: 2 });
  proxy.thaw();
  await expect.poll(() => read().catch(() => undefined), { timeout: 60_000 }).toEqual({ one: 1 });
});

it('leaves a statement alone that takes long, where the server answers others', { timeout: 240_000 }, async () => {
  expect(await database.system().one('SELECT 1 AS one FROM pg_sleep(8)', [])).toEqual({ one: 1 });
});

/** Copies what `text` says into a table of its own, and returns how many rows are in it afterwards. */
async function copy(text: AsyncIterable<string>, more = ''): Promise<number> {
  return database.system().transaction(async (db) => {
    await db.limitStatements(0);
    await db.run(`CREATE TEMP TABLE copied (line text) ON COMMIT DROP; ${more}`);
    await pipeline(text, await db.copyFrom('COPY copied FROM STDIN'));
    return (await db.one<{ count: number }>('SELECT count(*)::int AS count FROM copied', [])).count;
  });
}

const piece = `${'x'.repeat(63)}\n`.repeat(1024);

describe('a COPY whose connection dies while the server answers others', { timeout: 240_000 }, () => {
  it.each([
    ['while much is left to send', 2_000],
    ['when all has been sent', 1],
    ['before it has begun', 0],
  ])('%s ends soon, and its connection is not used again', async (_name, pieces) => {
    await read();
    async function* text(): AsyncGenerator<string> {
      yield piece;
      const sql = 'SELECT bytes_processed > 0 AS begun FROM pg_stat_progress_copy WHERE datname = current_database()';
      await until(async () => expect(await test.admin(sql)).toEqual([{ begun: true }]));
      proxy.freeze('connected');
      for (let count = 0; count < pieces; count++) {
        yield piece;
      }
    }
    const begin = async (): Promise<number> => {
      if (pieces > 0) {
        return copy(text());
      }
      return database.system().transaction(async (db) => {
        await db.run('CREATE TEMP TABLE copied (line text) ON COMMIT DROP', []);
        proxy.freeze('connected');
        await pipeline([piece], await db.copyFrom('COPY copied FROM STDIN'));
        return 0;
      });
    };
    const askedAt = performance.now();
    await expect(begin()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(performance.now() - askedAt).toBeLessThan(60_000);
    expect(await read()).toEqual({ one: 1 });
    expect(database.stats().total).toBeLessThanOrEqual(2);
  });
});

describe('a COPY that takes long over a connection that is good is left alone', { timeout: 240_000 }, () => {
  it('while its source says nothing', async () => {
    async function* text(): AsyncGenerator<string> {
      yield piece;
      await delay(30_000);
      yield piece;
    }
    expect(await copy(text())).toBe(2048);
  });

  it('while the server is at work', async () => {
    const slow = `CREATE FUNCTION pg_temp.wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(30); RETURN new; END';
      CREATE TRIGGER wait BEFORE INSERT ON copied FOR EACH ROW WHEN (new.line = 'last') EXECUTE FUNCTION pg_temp.wait()`;
    async function* text(): AsyncGenerator<string> {
      yield piece;
      yield 'last\n';
    }
    expect(await copy(text(), slow)).toBe(1025);
  });

  it('while the network is slow', async () => {
    proxy.slowDown(100_000);
    async function* text(): AsyncGenerator<string> {
      for (let count = 0; count < 60; count++) {
        yield piece;
      }
    }
    expect(await copy(text())).toBe(60 * 1024);
  });
});
