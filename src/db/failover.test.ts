/** A server that is no primary any more, that takes no changes for a while, or that vanishes without a word: nobody stays with it. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type Failover, type Server, startFailover, untilFollowed } from '../../test/support/failover.ts';
import { until } from '../../test/support/until.ts';
import { silentLogger } from '../context.ts';
import { grantAccess } from './access.ts';
import { openDatabase } from './open.ts';
import type { Database } from './types.ts';

let servers: Failover;
let database: Database;
beforeAll(async () => {
  servers = await startFailover();
  database = await openDatabase({ databaseUrl: servers.url, poolSize: 4, log: silentLogger });
  await database.asOwner?.(async (db) => {
    await db.run('CREATE TABLE countersign.notes (id int PRIMARY KEY)');
    await grantAccess(db, 'countersign_app');
  });
});
afterAll(async () => {
  await database.close();
  await servers.close();
});

let counter = 0;
const write = (): Promise<number> => database.system().run('INSERT INTO notes (id) VALUES ($1)', [++counter]);
const read = (): Promise<{ port: number }> => database.system().one<{ port: number }>('SELECT inet_server_port() AS port', []);
const attempt = (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    (value) => value,
    (error: { code?: string }) => error.code,
  );
const fill = (): Promise<unknown> => Promise.all(Array.from({ length: 4 }, () => database.system().rows('SELECT pg_sleep(0.05)', [])));

const endConnections = (server: Server): Promise<unknown> =>
  server.admin("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'countersign%'");

beforeEach(fill);

it('a read-only mode that only new connections see comes and goes: reads go on, writes are back with it', async () => {
  await servers.first.admin('ALTER DATABASE postgres SET default_transaction_read_only = on');
  await until(async () => expect(await attempt(() => database.checkWritable())).toBe('UNAVAILABLE'));
  await until(async () => expect(await attempt(write)).toBe('UNAVAILABLE'));
  for (let round = 0; round < 20; round++) {
    expect(await read()).toEqual({ port: servers.first.port });
  }
  await servers.first.admin('ALTER DATABASE postgres RESET default_transaction_read_only');
  await until(async () => expect(await attempt(() => database.checkWritable())).toBeUndefined());
  await until(async () => expect(await Promise.all(Array.from({ length: 4 }, write))).toEqual([1, 1, 1, 1]));
});

it('a standby behind the name is not used; once the name leads to the primary again, it is', async () => {
  servers.address.moveTo(servers.second);
  await endConnections(servers.first);
  await until(async () => expect(await attempt(() => database.checkWritable())).toBe('UNAVAILABLE'));
  for (let round = 0; round < 20; round++) {
    expect(await attempt(read)).toBe('UNAVAILABLE');
  }
  servers.address.moveTo(servers.first);
  await until(async () => expect(await attempt(() => database.checkWritable())).toBeUndefined());
  expect(await Promise.all(Array.from({ length: 4 }, read))).toEqual(Array.from({ length: 4 }, () => ({ port: servers.first.port })));
  expect(await write()).toBe(1);
});

it('connections that are swallowed are cut off while the server answers others, and so is who listens', { timeout: 240_000 }, async () => {
  const [heard, back] = [vi.fn(), vi.fn()];
  const stop = await database.listen('c', heard, back);
  await fill();
  servers.address.swallow('connected');
  const waiting = Promise.all(Array.from({ length: 4 }, () => attempt(write)));
  expect(await waiting).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE']);
  expect(await write()).toBe(1);
  await until(() => expect(back).toHaveBeenCalled());
  await database.system().run("SELECT pg_notify('c', 'again')", []);
  await until(() => expect(heard).toHaveBeenCalledWith('again'));
  servers.address.restore();
  await stop();
});

it('a name that moves from one server to another, while the former goes on: all that is connected to the former ends', async () => {
  await untilFollowed(servers.first);
  await servers.second.promote();
  const running = attempt(() => database.system().rows('SELECT pg_sleep(25)', []));
  servers.address.moveTo(servers.second);
  await until(async () => expect(await attempt(read)).toEqual({ port: servers.second.port }));
  expect(await running).toBe('UNAVAILABLE');
  expect(await write()).toBe(1);
  expect(await attempt(() => database.checkWritable())).toBeUndefined();
});
