/** Requests that leave this service: where they may go, and what is read of the answer. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ForbiddenDestination, openOutgoing, sendOutgoing } from './outgoing.ts';

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
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '127.1'];
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
