/**
 * Figure: tokens per second by signed assertion at 32 connections, a fresh jti each time and remembered durably, beside oidc-provider's
 * private_key_jwt in the same run. Short rounds alternate, so that both have the same weather; the ratio is the median of the rounds' ratios.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { freePort } from '../test/support/free-port.ts';
import { atLeast, type Figure, median } from './figure.ts';

const connections = 32;
const roundSeconds = 2;
const [rounds, shortRounds] = [9, 3];
/** Both are measured when their code is compiled: on two busy cores that takes some seconds. */
const [warmRounds, shortWarmRounds] = [4, 2];
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const root = join(import.meta.dirname, '..');

interface Client {
  readonly port: number;
  readonly path: string;
  readonly host: string;
  readonly clientId: string;
  readonly audience: string;
  readonly key: KeyObject;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function makeForm(client: Client): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: client.clientId, sub: client.clientId, aud: client.audience, iat: now, exp: now + 240, jti: randomUUID() };
  const signed = `${encode({ alg: 'EdDSA' })}.${encode(claims)}`;
  return new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_assertion_type: assertionType,
    client_assertion: `${signed}.${sign(null, Buffer.from(signed), client.key).toString('base64url')}`,
  }).toString();
}

/** One round: the forms are signed before it begins, so that the load costs as little as it can. */
async function runRound(client: Client, seconds: number): Promise<number> {
  const forms = Array.from({ length: seconds * 9_000 }, () => makeForm(client));
  const result = await autocannon({
    url: `http://127.0.0.1:${client.port}`,
    connections,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        path: client.path,
        headers: { host: client.host, 'content-type': 'application/x-www-form-urlencoded' },
        setupRequest: (request) => ({ ...request, body: forms.pop() ?? '' }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0 || forms.length === 0) {
    throw new Error(`a round failed: ${result.non2xx} refused, ${result.errors} errors, ${forms.length} forms left`);
  }
  return result['2xx'] / result.duration;
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (data: Buffer) => resolve(data.toString().trim()));
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
  });
}

async function waitReady(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (response?.status === 200) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the server was not ready in 30 s');
}

/** Our server as an operator starts it, on an embedded database that syncs to disk. */
async function startOurs(folder: string): Promise<{ child: ChildProcess; client: Client }> {
  const port = await freePort();
  const file = join(folder, 'bootstrap.json');
  await mkdir(join(folder, 'data'));
  const args = [
    'serve',
    '--port',
    String(port),
    '--data-dir',
    join(folder, 'data'),
    '--tenant-host',
    `localhost:${port}`,
    '--bootstrap-file',
    file,
  ];
  const child = spawn(process.execPath, [join(root, 'src/cli/main.ts'), ...args, '--log-level', 'error'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await waitReady(port);
  const { tenantHost, clientId, clientSecret } = JSON.parse(await readFile(file, 'utf8')) as Record<
    'tenantHost' | 'clientId' | 'clientSecret',
    string
  >;
  const jwk = JSON.parse(Buffer.from(clientSecret.slice(clientSecret.lastIndexOf(':') + 1), 'base64url').toString()) as Record<
    string,
    string
  >;
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return { child, client: { port, path: '/auth/v1/token', host: tenantHost, clientId, audience: 'localhost', key } };
}

async function startPeer(key: KeyObject): Promise<{ child: ChildProcess; client: Client }> {
  const { kty, crv, x } = key.export({ format: 'jwk' });
  const child = spawn(process.execPath, [join(root, 'bench/peers/oidc-provider.ts'), JSON.stringify({ kty, crv, x })], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const port = Number(await firstLine(child));
  return { child, client: { port, path: '/token', host: 'localhost', clientId: 'bench', audience: 'http://localhost', key } };
}

/** Measures in a server and a database of its own; about a minute. */
export const measureTokenEndpoint: Figure = async (_, { isShort }) => {
  const folder = await mkdtemp(join(tmpdir(), 'csb-'));
  // Run as root, the database belongs to another account, which must get there.
  await chmod(folder, 0o755);
  const ours = await startOurs(folder);
  const peer = await startPeer(ours.client.key);
  try {
    for (let round = 0; round < (isShort ? shortWarmRounds : warmRounds); round++) {
      await runRound(ours.client, roundSeconds);
      await runRound(peer.client, roundSeconds);
    }
    const measured = { ours: [] as number[], peer: [] as number[] };
    for (let round = 0; round < (isShort ? shortRounds : rounds); round++) {
      measured.ours.push(await runRound(ours.client, roundSeconds));
      measured.peer.push(await runRound(peer.client, roundSeconds));
    }
    return [
      atLeast(2, {
        title: 'token endpoint, assertions, 32 connections',
        ours: `${Math.round(median(measured.ours))}/s`,
        peer: `${Math.round(median(measured.peer))}/s oidc-provider`,
        ratio: median(measured.ours.map((value, round) => value / (measured.peer[round] ?? Number.NaN))),
      }),
    ];
  } finally {
    peer.child.kill();
    const ended = new Promise((resolve) => ours.child.once('exit', resolve));
    ours.child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
};
