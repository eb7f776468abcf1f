/** Serving of the console's page and files: which paths are the page, what stays an error for programs, caching, compression, and headers. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { get, type IncomingMessage, type RequestOptions } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from '../support/api.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await useTestServer();
});
afterAll(() => server.stop());

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** As it comes over the wire: fetch would unpack it. */
function getRaw(path: string, headers: RequestOptions['headers']): Promise<{ answer: IncomingMessage; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(`${server.url}${path}`, { headers: { ...headers } as Record<string, string> }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ answer, body: Buffer.concat(chunks) }));
    }).on('error', reject);
  });
}

/** The script that the page names. */
async function findScript(): Promise<string> {
  const page = await (await server.fetch('/', { headers: html })).text();
  return /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
}

describe('the page', () => {
  it('is at every path that wants HTML and is nothing else', async () => {
    for (const path of ['/', '/home', '/reviews/2abc/progress?late=1', '/apps', '/settings/profile', '/apidocs', '/no/such/page']) {
      const answer = await server.fetch(path, { headers: html });
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(await answer.text()).toContain('<div id="root">');
    }
  });

  it('is what HEAD asks for, too, without its body', async () => {
    const answer = await server.fetch('/reviews', { method: 'HEAD', headers: html });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'text/html; charset=utf-8', '']);
  });

  it('is never kept without asking again, and runs nothing but our own files', async () => {
    const answer = await server.fetch('/home', { headers: html });
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const policy = answer.headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]) {
      expect(policy.split('; ')).toContain(rule);
    }
    expect(policy).not.toMatch(/unsafe|http:|https:|\*/);
    const page = await answer.text();
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
  });
});

describe('what is for programs', () => {
  it('stays an error in its own shape, whatever the request accepts', async () => {
    for (const path of [
      '/api/v1/nothing',
      '/api/v1',
      '/auth/nothing',
      '/scim/v2/nothing',
      '/assets/index-old.js',
      '/.well-known/nothing',
    ]) {
      const answer = await server.fetch(path, { headers: html });
      expect([path, answer.headers.get('content-type')]).toEqual([path, expect.stringContaining('json')]);
      expect([path, answer.status]).toEqual([path, path.startsWith('/scim') ? 401 : 404]);
    }
  });

  it('is an unknown path that does not want HTML, or wants to change something', async () => {
    expect((await server.fetch('/home', { headers: { accept: 'application/json' } })).status).toBe(404);
    const posted = await server.fetch('/home', { method: 'POST', headers: { ...html, 'content-type': 'application/json' }, body: '{}' });
    expect(posted.status).toBe(404);
    expect(posted.headers.get('content-type')).toContain('json');
  });
});

describe('the files', () => {
  it('are kept for a year where their name has the hash of their content, else asked for again', async () => {
    const script = await server.fetch(await findScript());
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await server.fetch('/theme.js')).headers.get('cache-control')).toBe('no-cache');
  });

  it('come compressed as the browser takes them, with the same content', async () => {
    const path = await findScript();
    const plain = await getRaw(path, {});
    const br = await getRaw(path, { 'accept-encoding': 'gzip, deflate, br' });
    const gz = await getRaw(path, { 'accept-encoding': 'gzip' });
    expect([plain, br, gz].map(({ answer }) => answer.headers['content-encoding'])).toEqual([undefined, 'br', 'gzip']);
    for (const { answer } of [plain, br, gz]) {
      expect(answer.headers.vary).toContain('accept-encoding');
    }
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(gz.body).equals(plain.body)).toBe(true);
    expect(br.body.length).toBeLessThan(gz.body.length);
  });

  it('have replies of the API beside them that are compressed, too, as the client takes them', async () => {
    const headers = { authorization: `Bearer ${await tokenOf(server, server.admin)}` };
    const path = '/api/v1/iam/roles?page_size=100';
    const plain = await getRaw(path, headers);
    const br = await getRaw(path, { ...headers, 'accept-encoding': 'gzip, deflate, br' });
    const gz = await getRaw(path, { ...headers, 'accept-encoding': 'gzip, br;q=0' });
    expect([plain, br, gz].map(({ answer }) => answer.headers['content-encoding'])).toEqual([undefined, 'br', 'gzip']);
    expect(plain.body.length).toBeGreaterThan(1_024);
    expect(JSON.parse(brotliDecompressSync(br.body).toString())).toEqual(JSON.parse(plain.body.toString()));
    expect(JSON.parse(gunzipSync(gz.body).toString())).toEqual(JSON.parse(plain.body.toString()));
    expect(br.answer.headers['content-length']).toBe(String(br.body.length));
    // Small ones are not worth it.
    const small = await getRaw('/api/v1/auth/introspect', { ...headers, 'accept-encoding': 'br' });
    expect([small.answer.headers['content-encoding'], small.body.length > 1_024]).toEqual([undefined, false]);
  });

  it('are those for browsers alone: what the build keeps for itself is not served', async () => {
    for (const path of ['/.vite/manifest.json', '/.made-from', '/index.html.br', `${await findScript()}.br`]) {
      expect([path, (await server.fetch(path)).status]).toEqual([path, 404]);
    }
  });
});
