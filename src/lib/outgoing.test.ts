/** Requests that leave this service: where they may go, and what is read of the answer. */
import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ForbiddenDestination, judgeServer, openOutgoing, sendOutgoing } from './outgoing.ts';

/** What the name tsa.example resolves to, one answer after the other; behind the last one nothing comes. */
const resolved: string[][] = [];
const { lookup: honest } = dns;

function answerNext(host: string, options: object, done: (error: Error | null, found: dns.LookupAddress[]) => void): void {
  if (host !== 'tsa.example') {
    honest(host, { ...options, all: true }, done);
    return;
  }
  const found = resolved.shift();
  if (found !== undefined) {
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }
}

function useResolver(lookup: unknown): void {
  Object.assign(dns, { lookup });
  syncBuiltinESMExports();
}

let server: Server;
let port: number;
let asked = 0;
const never = { allowed: [], allowsLocal: false };
const ask = (url: string, rules: { allowed: readonly string[]; allowsLocal: boolean }, maxBytes = 100): Promise<Response> =>
  sendOutgoing(rules, url, { signal: AbortSignal.timeout(60_000), maxBytes, method: 'POST', body: 'ping', headers: { 'x-one': '1' } });

beforeAll(async () => {
  server = createServer((request, response) => {
    asked++;
    if (request.url === '/away') {
      response.writeHead(302, { location: '/' }).end('gone');
      return;
    }
    if (request.url === '/silent') {
      return;
    }
    if (request.url === '/half') {
      response.writeHead(200, { 'content-length': 9 }).write('half');
      return;
    }
    request.pipe(response.writeHead(200, { 'content-type': 'text/plain', 'x-was': String(request.headers['x-one']) }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('go nowhere inside, by any name and in any spelling, and connect to nothing there', async () => {
  const hosts = [
    ...['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '127.1', '0177.0.0.1', '127.0.0.1.'],
    ...['%31%32%37.0.0.1', '\uff11\uff12\uff17.0.0.1', '0', '[::]', '[::7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
  ];
  for (const url of hosts.flatMap((host) => [`http://${host}:${port}/`, `https://${host}/`])) {
    await expect(ask(url, never), url).rejects.toBeInstanceOf(ForbiddenDestination);
  }
  // The name may be asked at this port; its address is judged when it is known.
  await expect(ask(`http://localhost:${port}/`, { allowed: [`localhost:${port}`], allowsLocal: false })).rejects.toBeInstanceOf(
    ForbiddenDestination,
  );
  await expect(ask('ftp://idp.example/', never)).rejects.toBeInstanceOf(ForbiddenDestination);
  await expect(ask('https://me:secret@idp.example/', never)).rejects.toBeInstanceOf(ForbiddenDestination);
  expect(asked).toBe(0);
});

it('go where the operator allows it, with the answer bounded and no redirect followed', async () => {
  const rules = { allowed: [`127.0.0.1`, `localhost:${port}`], allowsLocal: false };
  const answer = await ask(`http://localhost:${port}/`, rules);
  expect([answer.status, await answer.text(), answer.headers.get('x-was')]).toEqual([200, 'ping', '1']);
  await expect(ask(`http://localhost:${port}/`, rules, 3)).rejects.toThrow('more than 3 bytes');
  await expect(ask(`http://localhost:${port}/away`, rules)).rejects.toThrow('redirect');
  expect((await ask(`http://127.0.0.1:${port}/`, { allowed: [], allowsLocal: true })).status).toBe(200);
});

describe('a name', () => {
  const url = (): string => `http://tsa.example:${port}/`;
  const rules = () => ({ allowed: [`tsa.example:${port}`, '127.0.0.1'], allowsLocal: false });
  beforeAll(() => useResolver(answerNext));
  afterAll(() => useResolver(honest));

  it('is judged anew for each request, by the very address that is connected to', async () => {
    const before = asked;
    resolved.push(['127.0.0.1'], ['127.0.0.2'], ['169.254.169.254'], ['::ffff:127.0.0.2'], ['127.0.0.1']);
    expect((await ask(url(), rules())).status).toBe(200);
    for (let time = 0; time < 3; time++) {
      await expect(ask(url(), rules())).rejects.toThrow('tsa.example has no address on the internet');
    }
    expect((await ask(url(), rules())).status).toBe(200);
    expect(asked).toBe(before + 2);
  });

  it('with addresses of both kinds leads to those alone that may be asked', async () => {
    resolved.push(['10.0.0.1', '127.0.0.2', '127.0.0.1', '::1']);
    expect((await ask(url(), rules())).status).toBe(200);
    resolved.push(['10.0.0.1', '169.254.169.254', '93.184.216.34', '::ffff:10.0.0.1', '64:ff9b::a00:1', '2002:a00:1::', 'fe80::1%eth0']);
    const { lookup } = judgeServer(never, { host: 'tsa.example', port: 443, isUsualPort: true });
    const found = await new Promise((done) => lookup('tsa.example', { all: true }, (_, addresses) => done(addresses)));
    expect(found).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });

  it('that nobody resolves in time is given up', async () => {
    const open = (signal: AbortSignal, connectMs: number) => openOutgoing(rules(), url(), { signal, connectMs });
    await expect(open(AbortSignal.timeout(60_000), 100)).rejects.toThrow('no connection in 100 ms');
    await expect(open(AbortSignal.timeout(100), 60_000)).rejects.toThrow('aborted');
  });
});

it.each(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'])('read no %s', async (name) => {
  vi.stubEnv(name, 'http://127.0.0.1:1/');
  const answer = await ask(`http://127.0.0.1:${port}/`, { allowed: [], allowsLocal: true });
  expect(await answer.text()).toBe('ping');
  vi.unstubAllEnvs();
});

it('give a server up that falls silent, before its answer and within', async () => {
  const open = (path: string) =>
    openOutgoing({ allowed: [], allowsLocal: true }, `http://127.0.0.1:${port}${path}`, {
      signal: AbortSignal.timeout(20_000),
      stallMs: 500,
    });
  await expect(open('/silent')).rejects.toThrow('nothing came for 0.5 s');
  const { status, body } = await open('/half');
  expect(status).toBe(200);
  await expect(body.toArray()).rejects.toThrow('nothing came for 0.5 s');
});
