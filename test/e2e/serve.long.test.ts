/** The server as a process: its first start, readiness, stopping, starting again, TLS, and what it says when it cannot start. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { AccessReviewService } from '../../src/gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';

const entry = resolve(import.meta.dirname, '../../bin/countersign.js');
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
let folder: string;
let test: TestDatabase;
const started = new Set<ChildProcess>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cs-serve-'));
  test = await openTestDatabase({ empty: true });
});
afterEach(async () => {
  await Promise.all([...started].map((child) => stop(child, 'SIGKILL')));
});
afterAll(async () => {
  await test.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
}

function start(args: readonly string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [entry, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece: Buffer) => {
      text += piece.toString('utf8');
    });
  }
  child.on('exit', () => started.delete(child));
  return { child, output: () => text };
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((done) => child.once('exit', done));
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  return exitOf(child);
}

async function untilReady(running: Running, probe: () => Promise<number>): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    if (running.child.exitCode !== null) {
      break;
    }
    if ((await probe().catch(() => 0)) === 200) {
      return;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`not ready: ${running.output()}`);
}

const readyOver = (url: string) => async (): Promise<number> => (await fetch(`${url}/readyz`)).status;

describe('countersign serve', () => {
  it('makes the first tenant once, serves it under every loopback name, stops on SIGTERM and starts again', async () => {
    const port = await freePort();
    const file = join(folder, 'deep/er/first.json');
    const args = ['serve', '--port', String(port), '--database-url', test.url, '--bootstrap-file', file];
    const first = start(args);
    await untilReady(first, readyOver(`http://127.0.0.1:${port}`));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const credential = JSON.parse(readFileSync(file, 'utf8')) as { tenantHost: string; clientId: string; clientSecret: string };
    expect(Object.keys(credential)).toEqual(['tenantHost', 'clientId', 'clientSecret', 'signInUrl']);
    expect(credential.tenantHost).toBe(`localhost:${port}`);
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const reviews = await createClient({ url: `http://${host}:${port}`, credential }).call(AccessReviewService.method.list, {});
      expect(reviews).toEqual({ expanded: [], list: [], nextPageToken: '' });
    }
    expect(first.output()).not.toContain('secret-token');
    // Whoever starts it for the first time reads where the data are, where the link is, and where to go later.
    expect(first.output()).toMatch(
      /\nDatabase: \S+.*\n.*first\.json\.\nOpen the link, signInUrl in that file, in a browser within a day\./,
    );
    expect(first.output()).toContain(`Later sign-ins begin at http://localhost:${port}.\n`);
    expect(await stop(first.child, 'SIGTERM')).toBe(0);

    rmSync(file);
    const second = start(args);
    await untilReady(second, readyOver(`http://127.0.0.1:${port}`));
    expect(() => statSync(file)).toThrow();
    await createClient({ url: `http://localhost:${port}`, credential }).call(AccessReviewService.method.list, {});
    expect(await stop(second.child, 'SIGINT')).toBe(0);
  });

  it('takes its options from the environment', async () => {
    const port = await freePort();
    const running = start(['serve'], { COUNTERSIGN_PORT: String(port), DATABASE_URL: test.url });
    await untilReady(running, readyOver(`http://127.0.0.1:${port}`));
    expect(await stop(running.child, 'SIGTERM')).toBe(0);
  });

  // Node makes no certificates; every machine that has git over https has openssl.
  it.skipIf(!hasOpenssl)('speaks https with a certificate', async () => {
    const port = await freePort();
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ed25519', '-nodes', '-days', '1', '-subj', '/CN=localhost', '-keyout', key, '-out', cert],
      { stdio: 'ignore' },
    );
    const running = start(['serve', '--port', String(port), '--database-url', test.url, '--tls-cert', cert, '--tls-key', key]);
    await untilReady(
      running,
      () =>
        new Promise((done, fail) =>
          get(`https://127.0.0.1:${port}/readyz`, { rejectUnauthorized: false }, (reply) => done(reply.resume().statusCode ?? 0)).on(
            'error',
            fail,
          ),
        ),
    );
    expect(await stop(running.child, 'SIGTERM')).toBe(0);
  });

  it.each([
    [['serve', '--prot', '1'], 2, "unknown option '--prot'"],
    [['serve', '--port', 'x'], 2, '--port must be a whole number'],
    [['serve', '--tls-cert', 'x'], 2, '--tls-cert and --tls-key go together'],
    [['serve', 'now'], 2, 'too many arguments'],
    [['serve', '--tls-cert', '/none/c.pem', '--tls-key', '/none/k.pem'], 1, '--tls-cert cannot be read'],
    [['serve', '--database-url', 'postgres://nobody@127.0.0.1:1/none'], 1, 'countersign: '],
  ])('refuses %j', async (args, code, sentence) => {
    const running = start(args as string[]);
    expect(await exitOf(running.child)).toBe(code);
    expect(running.output()).toContain(sentence);
    expect(running.output()).not.toContain('    at ');
  });

  it('says that its port is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => blocker.once('listening', done));
    const { port } = blocker.address() as AddressInfo;
    const running = start(['serve', '--port', String(port), '--host', '127.0.0.1', '--database-url', test.url]);
    expect(await exitOf(running.child)).toBe(1);
    expect(running.output()).toContain(`Another program uses port ${port}`);
    blocker.close();
  });
});
