/** SCIM against clients that mean harm, or cannot do better: bodies, paths and headers of every kind are answered in its form, and nothing leaks. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import type { Logger } from '../../src/context.ts';
import { type Loose, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { connectScim, patch, type ScimClient, sendScim, urn } from '../support/scim.ts';
import { type ServedTenant, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let other: ServedTenant;
let scim: ScimClient;
let id: string;
let group: string;
const lines: string[] = [];
const log: Logger = {
  debug: (...line) => void lines.push(JSON.stringify(line)),
  info: (...line) => void lines.push(JSON.stringify(line)),
  warn: (...line) => void lines.push(JSON.stringify(line)),
  error: (...line) => void lines.push(`ERROR ${JSON.stringify(line)} ${String((line[0] as Loose).err?.stack)}`),
  child: () => log,
};
beforeAll(async () => {
  server = await startTestServer({ log });
  other = await server.makeTenant('other');
  scim = await connectScim(server, 'Target');
  id = await scim.addUser('victim', { title: 'Clerk' });
  group = await scim.addGroup('Victims', [id]);
});
afterAll(async () => {
  await checkInventory(server.test.admin, server.id);
  await server.stop();
});

const raw = (method: string, path: string, body: string | Buffer | undefined, headers: Record<string, string> = {}) =>
  server.fetch(`/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${scim.token}`, 'content-type': 'application/scim+json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
/** Reads a refusal; fails for an answer that is not in the form of SCIM. */
async function refusalOf(response: Response): Promise<[number, string | undefined]> {
  const body = (await response.json()) as Loose;
  expect(response.headers.get('content-type')).toMatch(/^application\/scim\+json/);
  expect(body).toMatchObject({ schemas: [urn.error], status: String(response.status), detail: expect.any(String) });
  return [response.status, body.scimType];
}
const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

describe('bodies', () => {
  it.each<[string, string | Buffer, number, string | undefined]>([
    ['no JSON', '{"userName":', 400, 'invalidSyntax'],
    ['JSON of another kind', '"userName"', 400, 'invalidSyntax'],
    ['null', 'null', 400, 'invalidSyntax'],
    ['nothing', '', 400, 'invalidSyntax'],
    ['spaces', '  ', 400, 'invalidSyntax'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'invalidSyntax'],
    ['lists in lists', `{"userName":"deep","x":${nested('[', ']', 100)}}`, 400, 'invalidSyntax'],
    ['a megabyte of brackets', nested('[', ']', 500_000), 400, 'invalidSyntax'],
    ['objects in objects', `{"userName":"deep","x":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`, 400, 'invalidSyntax'],
    ['a prototype', '{"__proto__":{"userName":"proto"}}', 400, 'invalidSyntax'],
    ['a prototype further down', '{"userName":"proto","name":{"\\u005f_proto__":{"x":1}}}', 400, 'invalidSyntax'],
    ['U+0000', '{"userName":"a\\u0000"}', 400, 'invalidValue'],
    ['U+0000 in an attribute nobody knows', '{"userName":"a","x":["\\u0000"]}', 400, 'invalidValue'],
    ['U+0000 in a name', '{"userName":"a","\\u0000":1}', 400, 'invalidValue'],
    ['half a character', '{"userName":"\\ud83d"}', 400, 'invalidValue'],
    ['half a character in an extension', `{"userName":"a","urn:x:y":{"z":"\\udc00"}}`, 400, 'invalidValue'],
    ['too much', `{"userName":"${'x'.repeat(1024 * 1024)}"}`, 413, undefined],
    [
      'too many values',
      `{"userName":"many","roles":[${Array.from({ length: 1001 }, (_, index) => `"r${index}"`).join(',')}]}`,
      400,
      'invalidValue',
    ],
    ['an extension that is no object', `{"userName":"a","${urn.enterprise}":5}`, 400, 'invalidValue'],
    ['schemas of something else', `{"schemas":"${urn.user}","userName":"a"}`, 400, 'invalidValue'],
  ])('%s', async (_name, body, status, scimType) => {
    expect(await refusalOf(await raw('POST', '/Users', body))).toEqual([status, scimType]);
  });

  it('with a byte order mark, with what only the server says, and with unknown things are read', async () => {
    const marked = await raw('POST', '/Users', '\uFEFF{"userName":"marked"}');
    expect(marked.status).toBe(201);
    const made = await scim.ok(
      'POST',
      '/Users',
      {
        userName: 'strange',
        id,
        groups: [{ value: group }],
        meta: { created: '1999-01-01T00:00:00Z', version: 'x' },
        password: 'hunter2hunter2',
        [urn.user]: { title: 'Cook', password: 'hunter2hunter2', id, groups: [] },
        colour: { red: [1, null, true] },
        'urn:acme:1.0:Thing': { size: 4 },
        constructor: 'c',
        toString: 'd',
      },
      201,
    );
    expect(made.id).not.toBe(id);
    expect(made.meta).toMatchObject({ version: 'W/"1"' });
    expect(made).toMatchObject({ title: 'Cook', colour: { red: [1, null, true] }, constructor: 'c', toString: 'd' });
    for (const name of ['groups', 'password', urn.user]) {
      expect(made).not.toHaveProperty([name]);
    }
    expect(made.schemas).toEqual([urn.user, 'urn:acme:1.0:Thing']);
    const [row] = await server.test.admin('SELECT document::text || keys::text AS text FROM scim_resources WHERE id = $1', [made.id]);
    expect(row?.text).not.toContain('hunter2');
  });

  it('of other kinds are refused by their headers', async () => {
    const body = '{"userName":"kind"}';
    expect(await refusalOf(await raw('POST', '/Users', body, { 'content-type': 'text/plain' }))).toEqual([415, undefined]);
    expect(await refusalOf(await raw('POST', '/Users', body, { 'content-type': 'application/xml' }))).toEqual([415, undefined]);
    expect(await refusalOf(await raw('POST', '/Users', body, { 'content-encoding': 'gzip' }))).toEqual([415, undefined]);
    const made = await raw('POST', '/Users', body, { 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'identity' });
    expect([made.status, made.headers.get('content-type')]).toEqual([201, expect.stringMatching(/^application\/scim\+json/)]);
    expect((await raw('DELETE', `/Users/${((await made.json()) as Loose).id}`, undefined)).status).toBe(204);
  });

  it('of members are read to their end before anything is done', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ value: `n${index}` }));
    const answer = await scim.send('PATCH', `/Groups/${group}`, patch({ op: 'add', path: 'members', value: many }));
    expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidValue']);
    expect(answer.body.detail).toContain('and 19995 others');
    const repeated = Array.from({ length: 20_000 }, () => ({ value: id }));
    await scim.ok('PATCH', `/Groups/${group}`, patch({ op: 'add', path: 'members', value: repeated }), 204);
    expect((await scim.ok('GET', `/Groups/${group}`)).members).toHaveLength(1);
  });

  it('of whatever JSON are answered below 500, and leave users that can be read', async () => {
    const attribute = fc.constantFrom(
      'userName',
      'USERNAME',
      'name',
      'emails',
      'active',
      'externalId',
      urn.enterprise,
      'title',
      'groups',
      'meta',
      'x',
    );
    const resource = fc.dictionary(attribute, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });
    const body = fc.oneof(
      resource,
      resource.map((rest) => ({ ...rest, userName: `fuzz${Math.random()}` })),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.constantFrom('POST /Users', 'POST /Groups', `PUT /Users/${id}`, `PATCH /Users/${id}`, 'POST /Users/.search'),
        async (sent, where) => {
          const [method = '', path = ''] = where.split(' ');
          const isPatch = method === 'PATCH';
          const answer = await scim.send(method, path, JSON.stringify(isPatch ? { Operations: [{ op: 'replace', value: sent }] } : sent));
          expect(answer.status).toBeLessThan(500);
          if (answer.status >= 400) {
            expect(answer.body).toMatchObject({ schemas: [urn.error], status: String(answer.status) });
          } else if (method !== 'POST' || path !== '/Users/.search') {
            const place = `${path.startsWith('/Users') ? '/Users' : '/Groups'}/${answer.body.id}`;
            expect(await scim.ok('GET', place)).toEqual(answer.body);
          }
        },
      ),
      { numRuns: runs(30, 150) },
    );
  }, 300_000);
});

describe('paths', () => {
  it.each([
    ['/Users/%00', 404],
    ['/Users/..%2f..%2fapi', 404],
    [`/Users/${'x'.repeat(900)}`, 404],
    [`/Users/${'x'.repeat(1200)}`, 404],
    ['/Users/%zz', 400],
    ['/users', 404],
    ['/Users/', 404],
    ['/Users/.search', 404],
    ['/Groups/%20', 404],
    ['/Schemas/__proto__', 404],
    ['/ResourceTypes/constructor', 404],
    ['/Bulk', 501],
    ['/Me', 501],
    ['/Me/x', 501],
    ['/.search', 501],
    ['/Users/x/y', 404],
  ])('%.60s', async (path, status) => {
    const response = await raw('GET', path, undefined);
    expect(response.status).toBe(status);
    // What is no path at all is answered before anybody knows where it leads.
    if (path !== '/Users/%zz') {
      await refusalOf(response);
    }
  });

  it('tell which methods they have', async () => {
    for (const [method, path, allowed] of [
      ['DELETE', '/Users', 'GET, HEAD, POST'],
      ['PATCH', '/Groups', 'GET, HEAD, POST'],
      ['POST', `/Users/${id}`, 'GET, HEAD, PUT, PATCH, DELETE'],
      ['POST', '/ServiceProviderConfig', 'GET, HEAD'],
      ['PUT', `/Schemas/${urn.user}`, 'GET, HEAD'],
    ] as const) {
      const response = await raw(method, path, '{}');
      expect([method, path, response.status, response.headers.get('allow')]).toEqual([method, path, 405, allowed]);
      await refusalOf(response);
    }
    expect((await raw('HEAD', `/Users/${id}`, undefined)).status).toBe(200);
  });
});

describe('what others may know', () => {
  it('is nothing of another tenant, or of another app', async () => {
    const theirs = await connectScim(other, 'Target');
    const beside = await connectScim(server, 'Beside');
    for (const client of [theirs, beside]) {
      for (const [method, path, body] of [
        ['GET', `/Users/${id}`, undefined],
        ['PUT', `/Users/${id}`, { userName: 'mine' }],
        ['PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'title', value: 'x' })],
        ['DELETE', `/Users/${id}`, undefined],
        ['GET', `/Groups/${group}`, undefined],
        ['PUT', `/Groups/${group}`, { displayName: 'mine' }],
        ['PATCH', `/Groups/${group}`, patch({ op: 'remove', path: 'members' })],
        ['DELETE', `/Groups/${group}`, undefined],
      ] as const) {
        expect([method, path, (await client.send(method, path, body)).status]).toEqual([method, path, 404]);
      }
      for (const path of [
        '/Users',
        '/Groups',
        `/Users?filter=${encodeURIComponent(`id eq "${id}"`)}`,
        `/Groups?filter=${encodeURIComponent(`members eq "${id}"`)}`,
      ]) {
        expect((await client.ok('GET', path)).totalResults).toBe(0);
      }
      const members = await client.send('POST', '/Groups', { displayName: 'G', members: [{ value: id }] });
      expect([members.status, members.body.scimType]).toEqual([400, 'invalidValue']);
      const boss = await client.addUser('led', { [urn.enterprise]: { manager: { value: id } } });
      const [row] = await server.test.admin('SELECT u.manager_id FROM scim_resources r JOIN users u ON u.id = r.user_id WHERE r.id = $1', [
        boss,
      ]);
      expect(row).toEqual({ manager_id: null });
    }
    expect((await scim.ok('GET', `/Groups/${group}`)).members).toHaveLength(1);
    expect(await scim.ok('GET', `/Users/${id}`)).toMatchObject({ groups: [{ value: group }] });
    expect((await sendScim(other, scim.token, 'GET', '/Users')).status).toBe(401);
  });

  it('is nothing by a token of people, and a token of SCIM opens nothing else', async () => {
    const { clientId, clientSecret } = server.admin.credential;
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
    const response = await server.fetch('/auth/v1/token', { method: 'POST', body: form });
    const { access_token: token } = (await response.json()) as Loose;
    expect((await sendScim(server, token, 'GET', '/Users')).status).toBe(401);
    const apps = await server.fetch('/api/v1/apps', { headers: { authorization: `Bearer ${scim.token}` } });
    expect(apps.status).toBe(401);
  });

  it('is not told in logs and events: no token, no password, nothing of what was sent', async () => {
    await scim.send('POST', '/Users', { userName: 'secretive', password: 'sw0rdfish-sw0rdfish', title: 'Unheard-of title' });
    await scim.send('POST', '/Users', '{"userName":"broken-secret');
    await request(server, server.admin, 'POST', `/api/v1/apps/${scim.appId}/scim`, {});
    const events = await server.test.admin('SELECT data::text AS text FROM events');
    const secret = scim.token.split('.')[1] ?? '';
    expect(secret).toHaveLength(43);
    for (const text of [secret, 'sw0rdfish', 'broken-secret', 'Unheard-of title']) {
      expect(lines.filter((line) => line.includes(text))).toEqual([]);
      expect(events.filter((event) => String(event.text).includes(text))).toEqual([]);
    }
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.filter((line) => line.startsWith('ERROR'))).toEqual([]);
    expect((await scim.send('GET', '/Users')).status).toBe(401);
  });
});
