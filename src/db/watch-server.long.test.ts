/** A server that accepts and never answers: behind a proxy that stops passing anything on, and again when it does. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { silentLogger } from '../context.ts';
import { openDatabase } from './open.ts';
import type { Database } from './types.ts';

let test: TestDatabase;
let database: Database;
let proxy: Proxy;

/** Between a client and a PostgreSQL. */
interface Proxy {
  readonly url: string;
  freeze(): void;
  thaw(): void;
  close(): void;
}

async function startProxy(to: string): Promise<Proxy> {
  const url = new URL(to.replace(/^(\w+:\/\/[^@/?]*@)\//, '$1localhost/'));
  const folder = url.searchParams.get('host');
  const port = Number(url.port || url.searchParams.get('port') || 5432);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server: Server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    if (isFrozen) {
      return;
    }
    const behind = folder === null ? connect(port, url.hostname) : connect(join(folder, `.s.PGSQL.${port}`));
    sockets.add(behind);
    behind.on('error', () => client.destroy());
    client.pipe(behind).pipe(client);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url.searchParams.delete('host');
  url.searchParams.delete('port');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    freeze() {
      isFrozen = true;
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
