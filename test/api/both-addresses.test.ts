/** `localhost` is two servers, 127.0.0.1 and ::1: a proxy that meets the one or the other finds the same settings and the same answers. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTlsFiles } from '../../src/http/listener/listen.ts';
import { makeCertificate } from '../support/certificate.ts';
import { freePort } from '../support/free-port.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** A machine without IPv6 has one of the two. */
const hasBoth = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
const listening = 'tracing:net.server.listen:asyncEnd';

let folder: string;
let servers: Server[];
const keep = (message: unknown): void => void servers.push((message as { server: Server }).server);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-both-'));
  servers = [];
  subscribe(listening, keep);
});
afterEach(() => {
  unsubscribe(listening, keep);
  rmSync(folder, { recursive: true });
});

/** Everything a proxy notices of a server. */
function settingsOf(server: Server): Record<string, unknown> {
  const { keepAliveTimeout, headersTimeout, requestTimeout, timeout, maxRequestsPerSocket, maxHeadersCount, maxConnections } = server;
  const heard = server
    .eventNames()
    .map(String)
    .filter((name) => !['listening', 'error', 'close'].includes(name))
    .sort();
  return { keepAliveTimeout, headersTimeout, requestTimeout, timeout, maxRequestsPerSocket, maxHeadersCount, maxConnections, heard };
}

function open(host: string, port: number, isSecure: boolean): Socket {
  return isSecure ? connectTls({ host, port, rejectUnauthorized: false }) : connectTcp({ host, port });
}

/** The answer on a connection of its own, until `end` says that it is whole; ids and times are taken out. */
function exchange(socket: Socket, text: string, isWhole: (answer: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const done = (): void => {
      resolve(answer.replace(/[0-9A-Za-z]{27}/g, 'ID').replace(/date: .*/gi, 'date'));
      socket.destroy();
    };
    socket.on('data', (piece: Buffer) => {
      answer += piece.toString();
      if (isWhole(answer)) {
        done();
      }
    });
    socket.once('close', done).once('error', reject);
    socket.write(text);
  });
}

describe.runIf(hasBoth).each([false, true])('a server at localhost, with TLS: %s', (isSecure) => {
  async function withServer(work: (server: TestServer) => Promise<void>): Promise<void> {
    const tls = isSecure ? makeCertificate(folder) : undefined;
    const app = await startTestServer({ config: { host: 'localhost', tls } });
    try {
      await work(app);
    } finally {
      await app.stop();
    }
  }

  it('has the same settings at both addresses, gives the same answers, and keeps connections for proxies', async () => {
    await withServer(async ({ app }) => {
      const [first, second, ...others] = servers.filter((server) => {
        const address = server.address();
        return typeof address === 'object' && address?.port === app.port;
      });
      expect([first, second, others.length]).toEqual([expect.anything(), expect.anything(), 0]);
      expect(settingsOf(second as Server)).toEqual(settingsOf(first as Server));
      expect(settingsOf(first as Server)).toMatchObject({ keepAliveTimeout: 72_000, headersTimeout: 60_000, requestTimeout: 0 });
      const requests: [string, (answer: string) => boolean][] = [
        ['this is no request\r\n\r\n', () => false],
        [`GET / HTTP/1.1\r\nhost: x\r\nbig: ${'x'.repeat(20_000)}\r\n\r\n`, () => false],
        ['GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n', (answer) => answer.includes('alive')],
        ['GET /nothing HTTP/1.1\r\nhost: unknown.example\r\n\r\n', (answer) => answer.endsWith('}')],
      ];
      for (const [request, isWhole] of requests) {
        const [four, six] = await Promise.all(
          ['127.0.0.1', '::1'].map((host) => exchange(open(host, app.port, isSecure), request, isWhole)),
        );
        expect(six).toBe(four);
        expect(four).toMatch(/^HTTP\/1\.1 [24]/);
      }
    });
  });
});

it.runIf(hasBoth)('stops although clients at ::1 keep connections that they used', async () => {
  const { app, stop } = await startTestServer({ config: { host: 'localhost' } });
  const socket = open('::1', app.port, false);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => {
    socket.once('data', resolve);
    socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
  });
  await stop();
  await closed;
});

/** Status that a call of connectors gets, on a connection of its own; rejects where nobody listens. */
function askConnectorPort(host: string, port: number, authority = `localhost:${port}`): Promise<number> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`http://${host}:${port}`);
    session.once('error', reject);
    const path = '/c1.connectorapi.baton.v1.BatonService/Hello';
    const request = session.request({ ':method': 'POST', ':path': path, ':authority': authority, 'content-type': 'application/grpc' });
    request.once('response', ({ ':status': status }) => {
      resolve(Number(status));
      session.destroy();
    });
    request.once('error', reject);
    request.end();
  });
}

it.runIf(hasBoth)('a port of connectors at localhost answers at both addresses, and at neither once the server stops', async () => {
  const connectorPort = await freePort();
  const server = await startTestServer({ config: { host: 'localhost', connectorPort } });
  const hosts = ['127.0.0.1', '[::1]'];
  try {
    for (const host of hosts) {
      expect(await askConnectorPort(host, connectorPort)).toBe(200);
    }
    // No URL can be made of these: an answer, and the server goes on.
    for (const authority of ['::1:80', 'a:port']) {
      expect(await askConnectorPort('127.0.0.1', connectorPort, authority)).toBe(400);
    }
    const taken = startTestServer({ config: { host: 'localhost', connectorPort } });
    await expect(taken).rejects.toMatchObject({ code: 'FAILED_PRECONDITION', message: expect.stringContaining('--connector-port') });
  } finally {
    await server.stop();
  }
  for (const host of hosts) {
    await expect(askConnectorPort(host, connectorPort)).rejects.toThrow('ECONNREFUSED');
  }
});

describe('a start names the option', () => {
  it.each([
    ['127.0.0.1:8080', 'is no address that this machine knows'],
    ['"127.0.0.1"', 'is no address that this machine knows'],
    ['[::1]', 'is no address that this machine knows'],
    ['192.0.2.1', 'is no address of this machine'],
  ])('--host for %s', async (host, why) => {
    await expect(startTestServer({ config: { host } })).rejects.toThrow(
      `--host: ${host} ${why}. Name one without a port, such as 127.0.0.1, or 0.0.0.0 or :: for all; people's name for the service is --tenant-host.`,
    );
  });

  it('--tls-cert or --tls-key for files that TLS cannot use, and takes one file with both', async () => {
    const { certFile, keyFile } = makeCertificate(folder, { isTrusted: false });
    mkdirSync(join(folder, 'other'));
    const other = makeCertificate(join(folder, 'other'), { isTrusted: false });
    const write = (name: string, content: string | Buffer): string => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const openssl = (...args: string[]): Buffer => execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const empty = write('empty.pem', '');
    const der = write('cert.der', openssl('x509', '-in', certFile, '-outform', 'DER'));
    const locked = write('locked.pem', openssl('pkey', '-in', keyFile, '-aes128', '-passout', 'pass:hunter2'));
    const both = write('both.pem', readFileSync(certFile, 'utf8') + readFileSync(keyFile, 'utf8'));
    const reversed = write('reversed.pem', readFileSync(other.certFile, 'utf8') + readFileSync(certFile, 'utf8'));
    const noCertificate = (path: string): string => `--tls-cert: there is no certificate in ${path}; it has to be PEM.`;
    const noKey = (path: string): string =>
      `--tls-key: there is no private key in ${path} that can be used; it has to be PEM, without a passphrase.`;
    const apart = (cert: string, key: string): string =>
      `--tls-key: ${key} is not the key of the first certificate in ${cert}; that of the server comes first there, those of its authorities follow.`;
    const refused: [string, string, string][] = [
      [empty, keyFile, noCertificate(empty)],
      [der, keyFile, noCertificate(der)],
      [keyFile, certFile, noCertificate(keyFile)],
      [certFile, empty, noKey(empty)],
      [certFile, locked, noKey(locked)],
      [certFile, other.keyFile, apart(certFile, other.keyFile)],
      [reversed, keyFile, apart(reversed, keyFile)],
    ];
    for (const [cert, key, sentence] of refused) {
      await expect(readTlsFiles({ certFile: cert, keyFile: key })).rejects.toThrow(sentence);
    }
    expect(await readTlsFiles({ certFile: both, keyFile: both })).toEqual({ cert: readFileSync(both), key: readFileSync(both) });
  });
});
