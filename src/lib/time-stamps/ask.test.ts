/** Asking a real server for a time stamp, and what is said of one that is slow, down or lying. */
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../test/support/free-port.ts';
import { startTimeStampServer, type TimeStampService } from '../../../test/support/time-stamp-server.ts';
import { type AskLimits, type AskedTimeStamp, askForTimeStamp, TimeStampWrong } from './ask.ts';
import { readRoots, verifyTimeStamp } from './verify.ts';

const data = Buffer.from('record of a submission');
const outgoing = { allowed: [], allowsLocal: true };
/** So short that a test may wait for it; what is not to run out first is longer than a busy machine takes. */
const short = { connectMs: 300, totalMs: 800 };
const long = 60_000;
let service: TimeStampService;
let server: { roots: Awaited<ReturnType<typeof readRoots>>; policies: string[] };

beforeAll(async () => {
  service = await startTimeStampServer('ec');
  server = { roots: await readRoots(service.root), policies: [] };
});
afterAll(() => service.close());

const ask = (path: string, now = () => new Date(), wait?: AskLimits): Promise<AskedTimeStamp> =>
  askForTimeStamp({ ...server, url: `${service.url}${path}` }, data, { outgoing, now, ...(wait === undefined ? {} : { limits: wait }) });
const host = (): string => new URL(service.url).host;

describe('a server', () => {
  it('stamps, and what it says can be verified again', async () => {
    const { reply, request, sentAt, receivedAt, ...stamp } = await ask('/stamp');
    expect(stamp).toMatchObject({ server: 'Server of tests', policy: '1.3.6.1.4.1.99999.1.1', at: expect.any(Date) });
    expect(Math.abs(stamp.at.getTime() - sentAt.getTime())).toBeLessThan(5_000);
    expect(await verifyTimeStamp(reply, { request, sentAt, receivedAt }, server)).toEqual(stamp);
  });

  it.each([
    ['rsa', 'rsa'],
    ['ec', 'ed25519'],
  ] as const)('with a key of kind %s under a root of kind %s stamps too', async (kind, rootKind) => {
    const other = await startTimeStampServer(kind, rootKind);
    try {
      const roots = await readRoots(other.root);
      const asked = askForTimeStamp({ url: `${other.url}/stamp`, roots, policies: [] }, data, { outgoing, now: () => new Date() });
      await expect(asked).resolves.toMatchObject({ server: 'Server of tests' });
    } finally {
      await other.close();
    }
  });

  it.each([
    ['/other-nonce', 'The time stamp has another nonce than the request.'],
    ['/text', 'The reply is not exactly one DER object.'],
  ])('that lies at %s is told which rule it broke, and its reply is kept', async (path, rule) => {
    const wrong: unknown = await ask(path).catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(TimeStampWrong);
    expect(wrong).toMatchObject({
      name: 'TimeStampRefusal',
      message: `The time stamp of ${host()} was refused. ${rule}`,
      reply: expect.any(Buffer),
    });
  });

  it.each([-1, 1])('whose clock is a day off (%i) is not believed', async (days) => {
    await expect(ask('/stamp', () => new Date(Date.now() + days * 86_400_000))).rejects.toThrow(
      /The time stamp says \S+Z, more than 300 s from when it was asked for\.$/,
    );
  });

  it.each<[path: string, reason: string, totalMs?: number]>([
    ['/hanging', 'did not answer in 0.8 s.', short.totalMs],
    ['/slow', 'did not answer in 0.8 s.', short.totalMs],
    ['/away', 'cannot be used: the answer is a redirect, which is not followed.'],
    ['/broken', 'answered with status 500.'],
    ['/page', 'answered with something else than a time stamp.'],
    ['/endless', 'cannot be used: the answer has more than 65536 bytes.'],
  ])('at %s is not used: it %s', async (path, reason, totalMs = long) => {
    const started = performance.now();
    await expect(ask(path, undefined, { connectMs: long, totalMs })).rejects.toMatchObject({
      name: 'TimeStampUnavailable',
      message: `The time stamp server ${host()} ${reason}`,
    });
    expect(performance.now() - started).toBeLessThan(long);
  });
});

describe('an address', () => {
  const askAt = (url: string, rules = outgoing, connectMs = long): Promise<AskedTimeStamp> =>
    askForTimeStamp({ ...server, url }, data, { outgoing: rules, now: () => new Date(), limits: { connectMs, totalMs: long } });

  it('where nothing listens cannot be reached', async () => {
    const port = await freePort();
    await expect(askAt(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      name: 'TimeStampUnavailable',
      message: `The time stamp server 127.0.0.1:${port} could not be reached (ECONNREFUSED).`,
    });
  });

  it('that takes a connection and never agrees on TLS is given up early', async () => {
    const silent: Server = createServer();
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      await expect(askAt(`https://127.0.0.1:${port}/`, outgoing, short.connectMs)).rejects.toThrow(
        `The time stamp server 127.0.0.1:${port} did not take a connection in 0.3 s.`,
      );
    } finally {
      silent.close();
    }
  });

  it.each([
    ['http://192.168.1.1/', '192.168.1.1 is not an address on the internet; --allow-outbound can name it'],
    ['http://tsa.example:8080/', 'tsa.example:8080 is not https at port 443 or http at port 80; --allow-outbound can name it'],
    ['ftp://tsa.example/', 'only http and https without a user may be asked'],
  ])('%s may not be asked', async (url, reason) => {
    const { host: named } = new URL(url);
    await expect(askAt(url, { ...outgoing, allowsLocal: false })).rejects.toMatchObject({
      name: 'TimeStampUnavailable',
      message: `The time stamp server ${named} may not be asked: ${reason}.`,
    });
  });
});
