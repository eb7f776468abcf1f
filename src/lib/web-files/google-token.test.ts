/** Tokens of Google for a service account: what is asked, by a key that fits, and what is refused without repeating it. The server is ours, by Google's documents. */
import { generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askGoogleToken } from './google-token.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const account = 'reader@project.iam.gserviceaccount.com';
const key = JSON.stringify({
  type: 'service_account',
  client_email: account,
  private_key: pem,
  private_key_id: 'k1',
  token_uri: 'https://evil.example',
});
const now = new Date('2026-01-01T00:00:00Z');
let server: Server;
let address: string;
let body = '';
let answer: { status: number; text: string };

beforeAll(async () => {
  server = createServer((request, response) => {
    body = '';
    request.on('data', (piece: Buffer) => {
      body += piece.toString();
    });
    request.on('end', () => response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (text: string) =>
  askGoogleToken({ rules: { allowed: [], allowsLocal: true }, signal: new AbortController().signal, ca: '' }, text, now, address);

it('are asked for by a signed assertion that is good for Google alone', async () => {
  answer = { status: 200, text: '{"access_token": "t0ken", "expires_in": 3599}' };
  expect(await ask(key)).toBe('t0ken');
  const sent = new URLSearchParams(body);
  expect(sent.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
  const [head = '', claims = '', signature = ''] = (sent.get('assertion') ?? '').split('.');
  expect(verify('sha256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' });
  const from = now.getTime() / 1000;
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
    iss: account,
    scope: 'https://www.googleapis.com/auth/drive.readonly',
    aud: 'https://oauth2.googleapis.com/token',
    iat: from,
    exp: from + 600,
  });
});

it.each<[number, string, string]>([
  [
    400,
    '{"error": "invalid_grant", "error_description": "long words"}',
    'REFUSED Google gives no token for the service account: it answered 400 (invalid_grant).',
  ],
  [429, '{}', 'UNREACHED Google gives no token for the service account: it answered 429.'],
  [200, '{"access_token": "a\\nb"}', 'UNREACHED Google gives no token for the service account: it answered 200.'],
  [503, '<html>', 'UNREACHED Google gives no token for the service account: it answered 503.'],
  [302, '', 'UNREACHED Google gives no token: the answer is a redirect, which is not followed.'],
])('are refused where the answer is %i %s', async (status, text, words) => {
  answer = { status, text };
  await expect(ask(key).catch(({ kind, message }) => `${kind} ${message}`)).resolves.toBe(words);
});

it.each([
  ['no key at all'],
  [pem],
  [JSON.stringify({ client_email: account })],
  [JSON.stringify({ client_email: account, private_key: 'x' })],
])('are not asked for by what is no key: %#', async (text) => {
  answer = { status: 200, text: '{"access_token": "t0ken"}' };
  body = '';
  await expect(ask(text)).rejects.toThrow('The secret serviceAccount is no key of a Google service account');
  expect(body).toBe('');
});
