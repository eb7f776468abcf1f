/** The client against a server of a few lines: routes, tokens, pages, errors. Against the real one: test/e2e. */
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../test/support/certificate.ts';
import { AccessReviewService } from '../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { ImportService } from '../gen/countersign/v1/imports_pb.js';
import { ClientError, createClient } from './index.ts';
import { parseSecret, signAssertion } from './token.ts';
import { buildRequest } from './route.ts';

const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
const clientSecret = `secret-token:conductorone.com:v1:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`;
const credential = { clientId: 'calm-otter-1@reviews.example.com:8443/pcc', clientSecret };

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

async function serve(
  answer: (request: IncomingMessage, body: string) => { status?: number; headers?: Record<string, string>; body: string },
): Promise<string> {
  server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const piece of request) {
      body += String(piece);
    }
    const { status = 200, headers = { 'content-type': 'application/json' }, body: text } = answer(request, body);
    response.writeHead(status, headers).end(text);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('requests', () => {
  it('take path parameters out of the message and escape them', () => {
    expect(buildRequest(AccessReviewService.method.get, { id: 'a/b' })).toEqual({
      verb: 'GET',
      path: '/api/v1/access_review/a%2Fb',
      body: undefined,
    });
  });
  it('carry the rest in the query for GET, in the body for POST', () => {
    expect(buildRequest(AccessReviewService.method.list, { pageSize: 50, pageToken: '' }).path).toBe('/api/v1/access_reviews?page_size=50');
    expect(buildRequest(AccessReviewService.method.update, { id: 'x', accessReview: { autoResolve: false } })).toEqual({
      verb: 'POST',
      path: '/api/v1/access_review/x',
      body: { accessReview: { autoResolve: false } },
    });
  });
  it('keep everything in the query where the body is a file', () => {
    expect(buildRequest(ImportService.method.importGrants, { app: 'My app', allowRemovals: true }, true).path).toBe(
      '/api/v1/imports/grants?app=My+app&allow_removals=true',
    );
  });
  it('need their path parameters', () => {
    expect(() => buildRequest(AccessReviewService.method.get, {})).toThrow('id is needed');
  });
});

describe('tokens', () => {
  it('are asked for with an assertion that the public key verifies', async () => {
    const [head = '', body = '', signature = ''] = (await signAssertion(credential)).split('.');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: parseSecret(clientSecret).x }, format: 'jwk' });
    expect(verify(null, Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject({
      iss: credential.clientId,
      sub: credential.clientId,
      aud: 'reviews.example.com',
    });
  });
  it('are kept, and renewed once when one is refused', async () => {
    const seen: string[] = [];
    let issued = 0;
    const url = await serve((request) => {
      if (request.url === '/auth/v1/token') {
        issued += 1;
        return { body: JSON.stringify({ access_token: `t${issued}`, token_type: 'Bearer', expires_in: 3600 }) };
      }
      seen.push(String(request.headers.authorization));
      return request.headers.authorization === 'Bearer t1' ? { status: 401, body: '{"code":16,"message":"expired"}' } : { body: '{}' };
    });
    const client = createClient({ url, credential });
    await Promise.all([client.call(AccessReviewService.method.get, { id: 'a' }), client.call(AccessReviewService.method.get, { id: 'b' })]);
    await client.call(AccessReviewService.method.get, { id: 'c' });
    expect(issued).toBe(2);
    expect(seen.at(-1)).toBe('Bearer t2');
  });
  it('are not asked for with something that is no secret', async () => {
    await expect(
      createClient({ url: 'http://127.0.0.1:1', credential: { clientId: 'a@b/pcc', clientSecret: 'hunter2' } }).token(),
    ).rejects.toThrow('this is not a client secret');
  });
});

describe('replies', () => {
  it('of lists are followed to their end', async () => {
    const url = await serve((request) => {
      const token = new URL(request.url ?? '', 'http://x').searchParams.get('page_token') ?? '';
      const page = token === '' ? 0 : Number(token);
      return { body: JSON.stringify({ list: [{ createdByUserPath: `${page}` }], nextPageToken: page < 2 ? String(page + 1) : '' }) };
    });
    const seen: string[] = [];
    for await (const view of createClient({ url }).pages(AccessReviewService.method.list, {})) {
      seen.push(view.createdByUserPath ?? '');
    }
    expect(seen).toEqual(['0', '1', '2']);
  });
  it('that refuse become errors with their violations', async () => {
    const body = JSON.stringify({
      code: 3,
      message: 'wrong',
      details: [
        { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field: 'displayName', description: 'is needed' }] },
      ],
    });
    const url = await serve(() => ({ status: 400, headers: { 'x-request-id': 'r1' }, body }));
    const error = await createClient({ url })
      .call(AccessReviewService.method.create, {})
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({
      status: 400,
      code: 'INVALID_ARGUMENT',
      message: 'wrong',
      requestId: 'r1',
      violations: [{ field: 'displayName', description: 'is needed' }],
    });
  });
  it.each([
    ['{"error":"invalid_client","error_description":"unknown"}', 'invalid_client', 'unknown'],
    ['<html>Bad gateway</html>', 'HTTP_502', 'the server answered 502: Bad gateway. Something in front of it does not reach it.'],
    ['', 'HTTP_502', 'the server answered 502'],
  ])('in another shape (%s) are understood as far as they go', async (body, code, message) => {
    const url = await serve(() => ({ status: 502, body }));
    await expect(createClient({ url }).call(AccessReviewService.method.get, { id: 'a' })).rejects.toMatchObject({ code, message });
  });
  it.each([
    [413, 'the server answered 413: Too \u00ab Large. Something in front of it limits the size of requests: raise that limit'],
    [504, 'the server answered 504: Too \u00ab Large. Something in front of it did not wait for its answer: let it wait longer'],
    [403, 'the server answered 403: Too \u00ab Large'],
    [200, 'the server answered 200 and no JSON: Too \u00ab Large; is Countersign at this address'],
  ])('that are the page of a proxy are one line with the way out: %i', async (status, message) => {
    const page = '<html>\r\n<head><title>Too\n \u00ab Large</title></head>\r\n<body>nginx</body></html>';
    const url = await serve(() => ({ status, headers: { 'content-type': 'text/html' }, body: page }));
    const error = await createClient({ url, credential })
      .call(AccessReviewService.method.get, { id: 'a' })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status, message: expect.stringContaining(message) });
    expect((error as Error).message).not.toMatch(/[\r\n<]/);
  });
  it.each([
    ['https://other.example/auth/v1/token', 'https://other.example'],
    ['https://login.example/start?next=secret', 'https://login.example/start'],
    ['/elsewhere', '/elsewhere'],
  ])('that lead elsewhere (%s) are not followed', async (location, target) => {
    const asked: string[] = [];
    const url = await serve(({ method, url: path }) => {
      asked.push(`${method} ${path}`);
      return { status: 301, headers: { location }, body: '<html>moved</html>' };
    });
    const wanted = target.startsWith('/') ? url + target : target;
    await expect(createClient({ url, credential }).call(AccessReviewService.method.get, { id: 'a' })).rejects.toThrow(
      `the server answered 301 and leads to ${wanted}; give that address as --url or COUNTERSIGN_URL`,
    );
    expect(asked).toEqual(['POST /auth/v1/token']);
  });
  it('that come without TLS say so', async () => {
    const url = (await serve(() => ({ body: '{}' }))).replace('http:', 'https:');
    await expect(createClient({ url }).call(AccessReviewService.method.get, { id: 'a' })).rejects.toThrow(
      `cannot reach ${url}: there is no TLS at this port; begin the address with http://`,
    );
  });
  it('of a stranger name the way to make it known', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-client-'));
    const { certFile, keyFile } = makeCertificate(folder, { isTrusted: false });
    server = createTlsServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (_request, response) => response.end('{}'));
    rmSync(folder, { recursive: true });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(createClient({ url }).call(AccessReviewService.method.get, { id: 'a' })).rejects.toThrow('NODE_EXTRA_CA_CERTS');
  });
  it('that never come say where nobody answers', async () => {
    await expect(createClient({ url: 'http://127.0.0.1:1' }).call(AccessReviewService.method.get, { id: 'a' })).rejects.toThrow(
      'cannot reach http://127.0.0.1:1',
    );
  });
});
