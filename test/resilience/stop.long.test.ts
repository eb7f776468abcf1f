/**
 * SIGTERM to a server, as an operator runs it, in which something hangs for real: it ends within 30 seconds, says what it did not wait for, and the next
 * start goes on. A database that vanishes behind the network is in failover.long.test.ts.
 */
import { once } from 'node:events';
import { createServer as createWebServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, type TestContext } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import { listServerProcesses } from '../../src/db/embedded/processes.ts';
import { AccessReviewService } from '../../src/gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { ReviewActionsService } from '../../src/gen/countersign/v1/review_pb.js';
import type { Loose } from '../support/api.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { startScriptedSmtp, usualAnswer } from '../support/scripted-smtp.ts';
import { until, untilWaiting } from '../support/until.ts';
import { draftReview, importGrants } from './campaign.ts';
import { askToStop, clientOf, makePlace, type Place, readCredential, type ServerProcess, startServer } from './server-process.ts';

/** Time from the signal to the end, whatever hangs. */
const longestMs = 30_000;
const address = 'ada@mail.example';
const csv = Buffer.from('account,email,account_type,account_status,resource_type,resource,entitlement\na1,,USER,ENABLED,role,Ledger,pay\n');

/** A server with a database of its own, in which nothing hangs yet. */
interface Stage {
  /** Ends what a case has begun. */
  readonly atEnd: TestContext['onTestFinished'];
  readonly place: Place;
  readonly test: TestDatabase;
  /** Starts it, and waits until it is ready. */
  start(env?: Record<string, string>): Promise<ServerProcess>;
  /** Starts it. */
  begin(env?: Record<string, string>): ServerProcess;
  admin(): Promise<Client>;
  /** Locks something in the database, in a session of its own. */
  hold(sql: string): Promise<void>;
  /** Ends what is held. */
  letGo(): Promise<unknown>;
  /** Sends as the administrator. */
  post(path: string, body: object): Promise<Loose>;
}

async function openStage(atEnd: Stage['atEnd'], empty: boolean): Promise<Stage> {
  const [place, test] = [await makePlace(), await openTestDatabase({ empty })];
  const servers: ServerProcess[] = [];
  const holders: pg.Client[] = [];
  const letGo = (): Promise<unknown> => Promise.all(holders.splice(0).map((holder) => holder.end()));
  atEnd(async () => {
    await letGo();
    await Promise.all(servers.map((server) => server.end('SIGKILL')));
    await test.close();
    await place.remove();
  });
  const admin = async (): Promise<Client> => clientOf(place, await readCredential(place));
  const begin = (env: Record<string, string> = {}): ServerProcess => {
    const server = startServer(place, place.port, { COUNTERSIGN_DATABASE_URL: test.url, COUNTERSIGN_ADMIN_EMAIL: address, ...env });
    servers.push(server);
    return server;
  };
  return {
    atEnd,
    place,
    test,
    async start(env) {
      const server = begin(env);
      await server.ready();
      return server;
    },
    begin,
    admin,
    async hold(sql) {
      const holder = new pg.Client({ connectionString: test.url });
      holders.push(holder);
      await holder.connect();
      await holder.query(`SET search_path = countersign; BEGIN; ${sql}`);
    },
    letGo,
    async post(path, body) {
      const headers = { authorization: `Bearer ${await (await admin()).token()}`, 'content-type': 'application/json' };
      return (await fetch(place.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    },
  };
}

/** Asks the server to stop, and says what it ended with and what it said. */
async function stop(server: ServerProcess): Promise<{ code: number | null; said: string }> {
  const { ms, ...end } = await askToStop(server);
  expect(ms).toBeLessThan(longestMs);
  return end;
}

const cutOff = (what: string): string => `stopped without waiting any longer for ${what}; nothing that was acknowledged is lost`;

/** What hangs: how the server comes to hang in it, what its end is, and what is to hold afterwards. */
interface Hang {
  begin(stage: Stage): Promise<ServerProcess>;
  readonly needsEmpty?: boolean;
  readonly end: { code: number; said: string };
  after?(stage: Stage): Promise<void>;
  /** What the next start brings to its end by itself. */
  goesOn?(stage: Stage): Promise<void>;
}

async function hangInMail(stage: Stage, at: string): Promise<ServerProcess> {
  const reached = Promise.withResolvers<void>();
  const smtp = await startScriptedSmtp((said) => {
    if (said.startsWith(at)) {
      reached.resolve();
      return undefined;
    }
    return usualAnswer(said);
  });
  stage.atEnd(() => smtp.close());
  const server = await stage.start({
    COUNTERSIGN_SMTP_URL: `smtp://127.0.0.1:${smtp.port}?starttls=never`,
    COUNTERSIGN_MAIL_FROM: 'countersign@mail.example',
  });
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  await fetch(`${stage.place.url}/auth/link`, { method: 'POST', headers, body: JSON.stringify({ email: address }) });
  await reached.promise;
  return server;
}

const expectMail = async ({ test }: Stage, state: string): Promise<void> =>
  expect(await test.admin('SELECT state FROM mails')).toEqual([{ state }]);

/** An app, by its import. */
async function startWithApp(stage: Stage): Promise<ServerProcess> {
  const server = await stage.start();
  await importGrants(await stage.admin(), 'app', csv);
  return server;
}

const hangs: Record<string, Hang> = {
  'a receiver that accepts and never answers': {
    async begin(stage) {
      const asked = Promise.withResolvers<void>();
      const web = createWebServer(() => asked.resolve()).listen(0, '127.0.0.1');
      await once(web, 'listening');
      stage.atEnd(() => {
        web.closeAllConnections();
        web.close();
      });
      const { port } = web.address() as AddressInfo;
      const server = await stage.start({ COUNTERSIGN_ALLOW_OUTBOUND: `127.0.0.1,127.0.0.1:${port}` });
      const { app } = await stage.post('/api/v1/apps', { displayName: 'Wiki' });
      const config = { '@type': 'type.googleapis.com/countersign.v1.HttpsSettings', url: `http://127.0.0.1:${port}/grants.csv` };
      const path = `/api/v1/apps/${app.id}/connectors`;
      const { connectorView } = await stage.post(`${path}/create`, { config });
      await stage.post(`${path}/${connectorView.connector.id}/force_sync`, {});
      await asked.promise;
      return server;
    },
    end: { code: 0, said: 'a delivery under way is cut off' },
    async after({ test }) {
      expect(await test.admin("SELECT attempts, lease_token AS lease FROM jobs WHERE lane = 'OUTSIDE'")).toEqual([
        { attempts: 0, lease: '' },
      ]);
    },
  },
  'a mail server that is silent before the message has left': {
    begin: (stage) => hangInMail(stage, 'MAIL'),
    end: { code: 0, said: 'a delivery under way is cut off' },
    after: (stage) => expectMail(stage, 'WAITING'),
  },
  'a mail server that is silent after the final dot': {
    begin: (stage) => hangInMail(stage, 'whole'),
    end: { code: 0, said: 'a delivery under way is cut off' },
    after: (stage) => expectMail(stage, 'UNSURE'),
  },
  'an import that waits for a lock in the database': {
    async begin(stage) {
      const server = await startWithApp(stage);
      await stage.hold('LOCK TABLE grants IN SHARE MODE');
      const more = Buffer.concat([csv, Buffer.from('a2,,USER,ENABLED,role,Ledger,pay\n')]);
      void importGrants(await stage.admin(), 'app', more).catch(() => undefined);
      await untilWaiting(stage.test);
      return server;
    },
    end: { code: 1, said: cutOff('requests') },
    async after({ test }) {
      expect(await test.admin('SELECT count(*)::int AS accounts FROM accounts')).toEqual([{ accounts: 1 }]);
    },
  },
  'an upload whose end never comes': {
    async begin(stage) {
      const server = await stage.start();
      const token = await (await stage.admin()).token();
      const { hostname, port } = new URL(stage.place.url);
      const client = connect(Number(port), hostname);
      stage.atEnd(() => void client.destroy());
      client.on('error', () => undefined);
      const head = `POST /api/v1/imports/grants?app=app HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${token}\r\n`;
      client.write(`${head}Content-Type: text/csv\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n`);
      await once(client, 'data');
      client.write(csv);
      return server;
    },
    end: { code: 1, said: cutOff('requests') },
  },
  'a reader that never reads': {
    async begin(stage) {
      const server = await stage.start();
      const { hostname, port } = new URL(stage.place.url);
      const client = connect(Number(port), hostname);
      stage.atEnd(() => void client.destroy());
      client.on('error', () => undefined);
      await once(client, 'connect');
      // More than all buffers on the way take.
      client.write(`GET /openapi.json HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`.repeat(100));
      client.pause();
      await once(client, 'readable');
      return server;
    },
    end: { code: 1, said: cutOff('requests') },
  },
  'a chunk of a job that waits for a lock': {
    async begin(stage) {
      const server = await startWithApp(stage);
      const admin = await stage.admin();
      const { reviewId } = await draftReview(admin, 'app', new Set());
      await stage.hold('LOCK TABLE review_items IN SHARE MODE');
      await admin.call(ReviewActionsService.method.prepare, { accessReviewId: reviewId });
      await untilWaiting(stage.test);
      return server;
    },
    end: { code: 1, said: cutOff('jobs and deliveries') },
    goesOn: ({ test }) => until(async () => expect(await test.admin('SELECT state FROM reviews')).toEqual([{ state: 'REVIEW' }])),
  },
  'a start that waits for another one': {
    needsEmpty: true,
    async begin(stage) {
      await stage.hold('SELECT pg_advisory_lock(7300003)');
      const server = stage.begin();
      await untilWaiting(stage.test);
      return server;
    },
    end: { code: 1, said: 'neither started nor stopped within 29 seconds after the signal' },
  },
};

describe('SIGTERM while it hangs in', { timeout: 240_000 }, () => {
  it.concurrent.for(Object.entries(hangs))(
    '%s ends the server in time, and the next start goes on',
    async ([, hang], { onTestFinished }) => {
      const stage = await openStage(onTestFinished, hang.needsEmpty === true);
      const server = await hang.begin(stage);
      const { code, said } = await stop(server);
      expect([code, said]).toEqual([hang.end.code, expect.stringContaining(hang.end.said)]);
      await hang.after?.(stage);
      await stage.letGo();
      const again = await stage.start();
      await hang.goesOn?.(stage);
      expect((await stop(again)).code).toBe(0);
    },
  );

  it.concurrent.for([
    ['processes of the embedded database that are stopped', false],
    ['an embedded database that is stopped altogether', true],
  ] as const)('%s ends the server in time, and the next start goes on', async ([, isWhole], { onTestFinished }) => {
    const place = await makePlace();
    const server = startServer(place);
    const cluster = join(place.dataDir, 'postgres');
    const signal = async (name: 'SIGSTOP' | 'SIGCONT'): Promise<void> => {
      for (const { pid, isPostmaster } of await listServerProcesses(cluster)) {
        if (!isPostmaster || isWhole || name === 'SIGCONT') {
          process.kill(pid, name);
        }
      }
    };
    let last = server;
    onTestFinished(async () => {
      await signal('SIGCONT');
      await last.end('SIGTERM');
      await place.remove();
    });
    await server.ready();
    const admin = clientOf(place, await readCredential(place));
    await importGrants(admin, 'app', csv);
    await signal('SIGSTOP');
    const asked = admin.call(AccessReviewService.method.list, {}).catch(() => undefined);
    const { code, said } = await stop(server);
    await asked;
    expect([code, said]).toEqual([1, expect.stringContaining('the database')]);
    await signal('SIGCONT');
    last = startServer(place);
    await last.ready();
    expect(await importGrants(admin, 'app', csv)).toEqual({ added: 0, unchanged: 1 });
    expect((await stop(last)).code).toBe(0);
  });
});
