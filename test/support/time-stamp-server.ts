/** A time stamp server: `openssl ts -reply` behind HTTP, with a root of its own. Each path but /stamp misbehaves in one way; time-stamp-lies.ts has those of stamps. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { lies, lyingConfig, type Workshop } from './time-stamp-lies.ts';

const run = promisify(execFile);
/** Arguments of openssl for a new key of each kind that the tests sign with. */
const keys = {
  rsa: ['rsa:2048'],
  ec: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  ed25519: ['ed25519'],
} as const;
const config = `
[ts]
serial = DIR/serial
signer_cert = DIR/tsa.crt
signer_key = DIR/tsa.key
certs = DIR/root.crt
signer_digest = sha256
default_policy = 1.3.6.1.4.1.99999.1.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
[tsa]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[ca]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[req]
distinguished_name = name
[name]
${lyingConfig}`;

export interface TimeStampService {
  /** Address without a path. */
  readonly url: string;
  /** The root in PEM form. */
  readonly root: string;
  /** The file that holds it until the server is closed, for `timeStampRootsFile`. */
  readonly rootFile: string;
  close(): Promise<void>;
}

/** Starts a server whose certificate has a key of this kind; `openssl ts` cannot stamp with Ed25519, which a root may have. */
export async function startTimeStampServer(kind: 'rsa' | 'ec', rootKind: keyof typeof keys = kind): Promise<TimeStampService> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-tsa-'));
  const at = (name: string): string => join(folder, name);
  await writeFile(at('ts.cnf'), config.replaceAll('DIR', folder));
  const make = (name: string, key: readonly string[], subject: string, section: string, more: readonly string[]): Promise<unknown> =>
    run('openssl', [
      ...['req', '-x509', '-config', at('ts.cnf'), '-extensions', section, '-days', '2', '-nodes', '-subj', subject],
      ...['-newkey', ...key, '-keyout', at(`${name}.key`), '-out', at(`${name}.crt`), ...more],
    ]);
  await make('root', keys[rootKind], '/CN=Root of tests', 'ca', []);
  await make('tsa', keys[kind], '/CN=Server of tests', 'tsa', ['-CA', at('root.crt'), '-CAkey', at('root.key')]);
  let count = 0;
  const stampOne = async (query: Buffer, section: string): Promise<Buffer> => {
    const [file, out] = [at(`${++count}.tsq`), at(`${count}.tsr`)];
    await writeFile(file, query);
    await run('openssl', ['ts', '-reply', '-config', at('ts.cnf'), '-section', section, '-queryfile', file, '-out', out]);
    return await readFile(out);
  };
  // One after the other: they share the file of serial numbers.
  let last: Promise<unknown> = Promise.resolve();
  const stamp = (query: Buffer, section = 'ts'): Promise<Buffer> => {
    const next = last.catch(() => undefined).then(() => stampOne(query, section));
    last = next;
    return next;
  };
  const server = createServer((request, response) => void answer(request, response, { at, stamp }));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    root: await readFile(at('root.crt'), 'utf8'),
    rootFile: at('root.crt'),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await rm(folder, { recursive: true });
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, workshop: Workshop): Promise<void> {
  const { stamp } = workshop;
  const query = await buffer(request);
  const type = { 'content-type': 'application/timestamp-reply' };
  const lie = lies[request.url ?? ''];
  if (lie !== undefined) {
    response.writeHead(200, type).end(await lie(workshop, query));
    return;
  }
  switch (request.url) {
    case '/stamp':
      response.writeHead(200, type).end(await stamp(query));
      return;
    case '/hanging':
      return;
    case '/slow': {
      const drops = setInterval(() => response.write('0'), 50);
      response.writeHead(200, type).on('close', () => clearInterval(drops));
      return;
    }
    case '/away':
      response.writeHead(302, { location: '/stamp' }).end();
      return;
    case '/inside':
      response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end('gone');
      return;
    case '/round':
      response.writeHead(308, { location: '/round' }).end();
      return;
    case '/half':
      response.writeHead(200, { ...type, 'content-length': '1000' }).end((await stamp(query)).subarray(0, 500), () => response.destroy());
      return;
    case '/hangs-up':
      response.destroy();
      return;
    case '/chunked': {
      response.writeHead(200, type);
      const block = Buffer.alloc(2 ** 16);
      const fill = (): void => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', fill);
      fill();
      return;
    }
    case '/broken':
      response.writeHead(500, type).end(await stamp(query));
      return;
    case '/page':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Please sign in');
      return;
    case '/endless': {
      response.writeHead(200, { ...type, 'content-length': String(2 ** 30) });
      const block = Buffer.alloc(2 ** 16);
      const fill = (): void => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', fill);
      fill();
      return;
    }
    default:
      response.writeHead(200, type).end('<p>Please sign in');
  }
}
