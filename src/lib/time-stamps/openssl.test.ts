/** Where `openssl ts -verify` agrees on what real servers answer, and where the rules here are stricter. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTimeStampServer, type TimeStampService } from '../../../test/support/time-stamp-server.ts';
import { createTimeStampRequest, type TimeStampRequest } from './request.ts';
import { readRoots, type TimeStampTrust, verifyTimeStamp } from './verify.ts';

const run = promisify(execFile);
let service: TimeStampService;
let trust: TimeStampTrust;
let folder: string;

beforeAll(async () => {
  service = await startTimeStampServer('ec');
  trust = { roots: await readRoots(service.root), policies: ['1.3.6.1.4.1.99999.1.1'] };
  folder = await mkdtemp(join(tmpdir(), 'countersign-openssl-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const at = (name: string): string => join(folder, name);
async function fetchReply(path: string): Promise<{ request: TimeStampRequest; reply: Buffer }> {
  const request = createTimeStampRequest(Buffer.from('record of a submission'));
  const answer = await fetch(`${service.url}${path}`, { method: 'POST', body: new Uint8Array(request.bytes) });
  return { request, reply: Buffer.from(await answer.arrayBuffer()) };
}
/** True if OpenSSL verifies a reply to the request at a time of this many days from now. */
async function passesOpenssl(request: TimeStampRequest, reply: Buffer, days = 0): Promise<boolean> {
  await Promise.all([writeFile(at('request'), request.bytes), writeFile(at('reply'), reply), writeFile(at('roots'), service.root)]);
  const time = String(Math.floor(Date.now() / 1000) + days * 86_400);
  const given = ['-queryfile', at('request'), '-in', at('reply'), '-CAfile', at('roots'), '-attime', time];
  return run('openssl', ['ts', '-verify', ...given]).then(
    () => true,
    () => false,
  );
}
async function passesHere(request: TimeStampRequest, reply: Buffer): Promise<boolean> {
  const now = new Date();
  return verifyTimeStamp(reply, { request, sentAt: now, receivedAt: now }, trust).then(
    () => true,
    (error: Error) => (error.name === 'TimeStampRefusal' ? false : Promise.reject(error)),
  );
}

describe('a reply', () => {
  it.each<[path: string, here: boolean, openssl: boolean]>([
    ['/stamp', true, true],
    ['/below', true, true],
    ['/299-ahead', true, true],
    ['/other-nonce', false, false],
    ['/other-data', false, false],
    ['/gap', false, false],
    ['/strange', false, false],
    ['/without-certificate', false, false],
    ['/refuses', false, false],
    ['/waits', false, false],
    ['/revoked', false, false],
    ['/text', false, false],
    ['/expired', false, false],
    ['/early', false, false],
    ['/no-purpose', false, false],
    ['/two-purposes', false, false],
    ['/not-critical', false, false],
    // OpenSSL leaves these to whoever calls it.
    ['/policy', false, true],
    ['/trailing', false, true],
    ['/weak', false, true],
    ['/sha1', false, true],
    ['/301-ahead', false, true],
    ['/day-ahead', false, true],
    ['/day-behind', false, true],
  ])('of %s passes here: %s, with OpenSSL: %s', async (path, here, openssl) => {
    const { request, reply } = await fetchReply(path);
    expect([await passesHere(request, reply), await passesOpenssl(request, reply)]).toEqual([here, openssl]);
  });

  it('keeps counting once its certificate has expired; OpenSSL has to be told the time of the stamp', async () => {
    const { request, reply } = await fetchReply('/stamp');
    expect([await passesOpenssl(request, reply, 1), await passesOpenssl(request, reply, 10)]).toEqual([true, false]);
    const stored = { request: { digest: request.digest, nonce: undefined }, sentAt: new Date(0), receivedAt: new Date(8.64e15 - 300_000) };
    const later = await verifyTimeStamp(reply, stored, trust);
    expect(Math.abs(later.at.getTime() - Date.now())).toBeLessThan(60_000);
  });
});
