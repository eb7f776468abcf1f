/**
 * What an operator's night brings to an external database, under load: a failover, a read-only mode, a server that vanishes without a word. Writes are
 * good again soon, nothing is read from a server that was replaced, and all that was acknowledged is there. And a stop ends whatever hangs.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import { AccessReviewService } from '../../src/gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { ImportService } from '../../src/gen/countersign/v1/imports_pb.js';
import { listServerProcesses } from '../../src/db/embedded/processes.ts';
import { type Failover, startFailover } from '../support/failover.ts';
import { canMakeNetworks, makeNetwork, type Network } from '../support/network.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { askToStop, clientOf, makePlace, type Place, readCredential, type ServerProcess, startServer } from './server-process.ts';

/** Time from a database that is good to writes that are. */
const longestMs = 30_000;
/** Time from the move of the name in which the former server may still answer. */
const longestStaleMs = 10_000;

let servers: Failover;
let place: Place;
let server: ServerProcess;
beforeAll(async () => {
  servers = await startFailover({ waitsForStandby: true });
  place = await makePlace();
  server = startServer(place, place.port, { COUNTERSIGN_DATABASE_URL: servers.url });
  await server.ready();
});
afterAll(async () => {
  await server.end('SIGKILL');
  await place.remove();
  await servers.close();
});

const clientOfPlace = async (where = place): Promise<Client> => clientOf(where, await readCredential(where));

async function isReady({ url } = place): Promise<{ status: number; message: string }> {
  const reply = await fetch(`${url}/readyz`);
  return { status: reply.status, message: ((await reply.json()) as { message?: string }).message ?? '' };
}

/** Writes and reads all the time, by several clients at once. */
async function work(client: Client): Promise<{
  readonly acknowledged: { readonly id: string; readonly at: number }[];
  /** Times when something that had been acknowledged was not there. */
  readonly missing: number[];
  stop(): Promise<void>;
}> {
  const acknowledged: { id: string; at: number }[] = [];
  const missing: number[] = [];
  let isOver = false;
  async function write(): Promise<void> {
    const { accessReview } = await client.call(AccessReviewService.method.create, { displayName: 'One of many' });
    acknowledged.push({ id: accessReview?.accessReview?.id ?? '', at: Date.now() });
  }
  async function read(): Promise<void> {
    const last = acknowledged.at(-1);
    if (last !== undefined) {
      await client.call(AccessReviewService.method.get, { id: last.id }).catch((error: { code?: unknown; status?: number }) => {
        if (error.status === 404) {
          missing.push(Date.now());
        }
        throw error;
      });
    }
  }
  const repeat = async (act: () => Promise<void>): Promise<void> => {
    while (!isOver) {
      // Also where there is nothing to read yet: nobody else would get a turn.
      await delay(10);
      await act().catch(() => delay(50));
    }
  };
  const working = Promise.all([...Array.from({ length: 3 }, () => repeat(write)), ...Array.from({ length: 3 }, () => repeat(read))]);
  await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
  return {
    acknowledged,
    missing,
    async stop() {
      isOver = true;
      await working;
    },
  };
}

type Work = Awaited<ReturnType<typeof work>>;

/** Waits for a write that was acknowledged after this moment, and returns how long it took. */
async function untilWritten({ acknowledged }: Work, from: number): Promise<number> {
  await expect.poll(() => acknowledged.some(({ at }) => at > from), { timeout: longestMs * 2, interval: 50 }).toBe(true);
  return (acknowledged.find(({ at }) => at > from)?.at ?? Number.POSITIVE_INFINITY) - from;
}

async function expectAllThere(client: Client, { acknowledged }: Work): Promise<void> {
  for (const { id } of acknowledged) {
    expect((await client.call(AccessReviewService.method.get, { id })).accessReview?.accessReview?.id).toBe(id);
  }
}

describe('under load', { timeout: 240_000 }, () => {
  it.each([
    ['that all see at once', 'ALTER SYSTEM SET default_transaction_read_only = on', 'ALTER SYSTEM RESET default_transaction_read_only'],
    [
      'that new connections see',
      'ALTER DATABASE postgres SET default_transaction_read_only = on',
      'ALTER DATABASE postgres RESET default_transaction_read_only',
    ],
  ])('a read-only mode %s comes and goes: reads go on, and writes are back soon', async (_name, on, off) => {
    const client = await clientOfPlace();
    const load = await work(client);
    await servers.first.admin(on);
    await servers.first.admin('SELECT pg_reload_conf()');
    await expect.poll(async () => (await isReady()).message, { timeout: 60_000 }).toContain('read-only');
    expect((await fetch(`${place.url}/healthz`)).status).toBe(200);
    await expect
      .poll(async () => {
        const { id } = load.acknowledged.at(-1) ?? { id: '' };
        return (await client.call(AccessReviewService.method.get, { id })).accessReview?.accessReview?.id === id;
      })
      .toBe(true);
    const endedAt = Date.now();
    await servers.first.admin(off);
    await servers.first.admin('SELECT pg_reload_conf()');
    expect(await untilWritten(load, endedAt)).toBeLessThan(longestMs);
    await expect.poll(async () => (await isReady()).status).toBe(200);
    await load.stop();
    expect(load.missing).toEqual([]);
    await expectAllThere(client, load);
  });

  it.each(['connected', 'all'] as const)(
    'packets are swallowed of those who are %s: it is said, and writes are back soon',
    async (what) => {
      const client = await clientOfPlace();
      const load = await work(client);
      const swallowedAt = Date.now();
      servers.address.swallow(what);
      if (what === 'all') {
        await expect.poll(async () => (await isReady()).status, { timeout: 60_000 }).toBe(503);
        await expect.poll(() => server.output(), { timeout: 60_000 }).toContain('the database does not answer');
      } else {
        expect(await untilWritten(load, swallowedAt)).toBeLessThan(longestMs);
      }
      const restoredAt = Date.now();
      servers.address.restore();
      expect(await untilWritten(load, restoredAt)).toBeLessThan(longestMs);
      await expect.poll(async () => (await isReady()).status).toBe(200);
      await load.stop();
      await expectAllThere(client, load);
    },
  );

  it('a primary goes, its standby takes over behind the name, and the former one comes back as a standby in its old place', async () => {
    const client = await clientOfPlace();
    const load = await work(client);
    await servers.first.stop();
    await servers.second.promote();
    await servers.first.follow(servers.second);
    await servers.first.start();
    // The name is late: for a while it leads to what is a standby now.
    await expect.poll(async () => (await isReady()).message, { timeout: 60_000 }).toContain('standby');
    const movedAt = Date.now();
    servers.address.moveTo(servers.second);
    expect(await untilWritten(load, movedAt)).toBeLessThan(longestMs);
    await expect.poll(async () => (await isReady()).status).toBe(200);
    await load.stop();
    expect(load.missing.filter((at) => at > movedAt + longestStaleMs)).toEqual([]);
    await expectAllThere(client, load);
  });

  it('a name moves while the former primary goes on as if nothing had happened', async () => {
    const client = await clientOfPlace();
    await servers.second.admin("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await servers.second.admin('SELECT pg_reload_conf()');
    const load = await work(client);
    await servers.first.promote();
    await servers.first.admin('ALTER SYSTEM RESET synchronous_standby_names');
    await servers.first.admin('SELECT pg_reload_conf()');
    // A commit that waits for a standby does not see that nobody waits for it any more.
    const idle = `SELECT 1 AS there FROM pg_stat_activity WHERE application_name ~ '^countersign( listen)?$' AND wait_event IS DISTINCT FROM 'SyncRep'`;
    const movedAt = Date.now();
    servers.address.moveTo(servers.first);
    expect(await untilWritten(load, movedAt)).toBeLessThan(longestMs);
    await expect
      .poll(() => servers.second.admin(idle), {
        timeout: longestStaleMs,
      })
      .toEqual([]);
    await load.stop();
    expect(load.missing.filter((at) => at > movedAt + longestStaleMs)).toEqual([]);
    await expectAllThere(client, load);
  });
});

describe.runIf(canMakeNetworks && hasPostgres)('a network that drops packets', { timeout: 240_000 }, () => {
  let network: Network;
  let postgres: PostgresServer;
  let inside: Place;
  let serving: ServerProcess;
  beforeAll(async () => {
    inside = await makePlace();
    network = await makeNetwork(inside.dataDir);
    const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
    postgres = await startPostgres([], ['host all all 127.0.0.1/32 trust'], [...network.within, ...asNobody]);
    serving = startServer(inside, inside.port, { COUNTERSIGN_DATABASE_URL: postgres.url('postgres', '', 'postgres') }, network.within);
    await network.open(inside.port);
    await serving.ready();
  });
  afterAll(async () => {
    await serving.end('SIGKILL');
    await postgres.close();
    await network.close();
    await inside.remove();
  });

  /** The ports at our end of connections to the database. */
  async function listPorts(where: string): Promise<number[]> {
    const sql = `SELECT client_port AS port FROM pg_stat_activity WHERE client_port > 0 AND ${where}`;
    return (await postgres.rows('postgres', sql, [])).map(({ port }) => Number(port));
  }

  it('all of them: it is said, and writes are back soon after the network is', async () => {
    const client = await clientOfPlace(inside);
    const load = await work(client);
    await network.drop(postgres.port);
    await expect.poll(async () => (await isReady(inside)).status, { timeout: longestMs }).toBe(503);
    await expect.poll(() => serving.output(), { timeout: longestMs }).toContain('the database does not answer');
    await network.restore();
    const restoredAt = Date.now();
    expect(await untilWritten(load, restoredAt)).toBeLessThan(longestMs);
    await expect.poll(async () => (await isReady(inside)).status).toBe(200);
    await load.stop();
    await expectAllThere(client, load);
  });

  it('those of connections that stand: writes are back soon, over others', async () => {
    const client = await clientOfPlace(inside);
    const load = await work(client);
    await network.drop(postgres.port, await listPorts('true'));
    const droppedAt = Date.now();
    expect(await untilWritten(load, droppedAt)).toBeLessThan(longestMs);
    await load.stop();
    await network.restore();
    await expectAllThere(client, load);
  });

  it('those of an import: it ends soon, nothing of it is there, and the next one is whole', async () => {
    const client = await clientOfPlace(inside);
    const rows = Array.from({ length: 200_000 }, (_, n) => `a${n},,USER,ENABLED,role,Ledger ${n % 100},pay\n`);
    const csv = Buffer.from(`account,email,account_type,account_status,resource_type,resource,entitlement\n${rows.join('')}`);
    const upload = () =>
      client.upload(ImportService.method.importGrants, { app: 'app' }, { content: new Blob([csv]).stream(), gzip: false });
    const importing = upload().catch((error: { status?: number }) => error.status);
    const copying = await until(async () => {
      const ports = await listPorts('pid IN (SELECT pid FROM pg_stat_progress_copy)');
      expect(ports).toHaveLength(1);
      return ports;
    });
    await network.drop(postgres.port, copying);
    const droppedAt = Date.now();
    expect(await importing).toBe(503);
    expect(Date.now() - droppedAt).toBeLessThan(2 * longestMs);
    expect(await postgres.rows('postgres', 'SELECT count(*)::int AS count FROM accounts', [])).toEqual([{ count: 0 }]);
    // The server, too, notices that nobody is there any more, and lets go of its locks.
    expect((await upload()).import?.added).toBe('200000');
    await network.restore();
  });
});

describe('a stop', { timeout: 240_000 }, () => {
  const signalServer = async (name: 'SIGSTOP' | 'SIGCONT'): Promise<void> => {
    for (const { pid, isPostmaster } of await listServerProcesses(servers.first.folder)) {
      if (!isPostmaster) {
        process.kill(pid, name);
      }
    }
  };

  it.each([
    ['is silent', 'the database does not answer', async () => servers.address.swallow('all'), async () => servers.address.restore()],
    // New connections are good: those that are dead are cut off, and the stop is in order.
    ['has its processes stopped', 'a connection to the database is dead', () => signalServer('SIGSTOP'), () => signalServer('SIGCONT')],
  ])('ends within 30 seconds while the database %s under load, and says what was cut off', async (_name, inOrder, hang, goOn) => {
    await server.end('SIGKILL');
    server = startServer(place, place.port, { COUNTERSIGN_DATABASE_URL: servers.url });
    await server.ready();
    const client = await clientOfPlace();
    const load = await work(client);
    await hang();
    const { code, ms } = await askToStop(server);
    expect(ms).toBeLessThan(longestMs);
    await load.stop();
    await goOn();
    expect([0, 1]).toContain(code);
    expect(server.output()).toContain(code === 0 ? inOrder : 'without waiting any longer for');
    for (const { id } of load.acknowledged) {
      expect(await servers.first.admin(`SELECT 1 AS there FROM countersign.reviews WHERE id = '${id}'`)).toEqual([{ there: 1 }]);
    }
  });
});
