/** SCIM over HTTP: who may, what the service tells of itself, errors in its form, and users with the RFC's own examples. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { fetchAsHost } from '../support/fetch-as-host.ts';
import { connectScim, patch, type ScimClient, sendScim, urn } from '../support/scim.ts';
import { type ServedTenant, startTestServer, type TestServer } from '../support/server.ts';

/** RFC 7643 section 8.3, as far as it can be pushed. */
const full = {
  schemas: [urn.user, urn.enterprise],
  externalId: '701984',
  userName: 'bjensen@example.com',
  name: {
    formatted: 'Ms. Barbara J Jensen, III',
    familyName: 'Jensen',
    givenName: 'Barbara',
    middleName: 'Jane',
    honorificPrefix: 'Ms.',
    honorificSuffix: 'III',
  },
  displayName: 'Babs Jensen',
  nickName: 'Babs',
  profileUrl: 'https://login.example.com/bjensen',
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home' },
  ],
  addresses: [
    {
      streetAddress: '100 Universal City Plaza',
      locality: 'Hollywood',
      region: 'CA',
      postalCode: '91608',
      country: 'USA',
      formatted: '100 Universal City Plaza\nHollywood, CA 91608 USA',
      type: 'work',
      primary: true,
    },
  ],
  phoneNumbers: [{ value: '555-555-5555', type: 'work' }],
  ims: [{ value: 'someaimhandle', type: 'aim' }],
  photos: [{ value: 'https://photos.example.com/profilephoto/72930000000Ccne/F', type: 'photo' }],
  userType: 'Employee',
  title: 'Tour Guide',
  preferredLanguage: 'en-US',
  locale: 'en-US',
  timezone: 'America/Los_Angeles',
  active: true,
  x509Certificates: [{ value: 'MIIDQzCCAqygAwIBAgICEAAwDQYJKoZIhvcNAQEFBQAwTjELMAkGA1UEBhMCVVMx' }],
  [urn.enterprise]: {
    employeeNumber: '701984',
    costCenter: '4130',
    organization: 'Universal Studios',
    division: 'Theme Park',
    department: 'Tour Operations',
    manager: {
      value: '26118915-6090-4610-87e4-49d8ca9f808d',
      $ref: '../Users/26118915-6090-4610-87e4-49d8ca9f808d',
      displayName: 'John Smith',
    },
  },
};

describe('SCIM over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let scim: ScimClient;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const person = async (email: string): Promise<Loose> => {
    const { body } = await admin('POST', '/api/v1/search/users', { email });
    return body.list.map((view: Loose) => view.user).find((user: Loose) => user.email === email);
  };
  const accounts = async (userId: string, client = scim): Promise<Loose[]> => {
    const { body } = await admin('GET', `/api/v1/apps/${client.appId}/users/${userId}/app_users`);
    return body.list.map((view: Loose) => view.appUser);
  };

  beforeAll(async () => {
    server = await startTestServer();
    other = await server.makeTenant('other');
    scim = await connectScim(server, 'Payroll');
  });
  afterAll(() => server.stop());

  describe('tokens', () => {
    it('are shown once, are replaced and taken away, and are good in their tenant alone', async () => {
      const client = await connectScim(server, 'Tokens');
      expect(client.token).toMatch(new RegExp(`^scim_${client.connectorId}\\.[A-Za-z0-9_-]{43}$`));
      expect((await client.send('GET', '/Users')).status).toBe(200);
      const again = await admin('POST', `/api/v1/apps/${client.appId}/scim`, {});
      expect(again.body).toMatchObject({
        source: { id: client.connectorId, appId: client.appId, kind: 'SOURCE_KIND_SCIM', displayName: 'SCIM' },
        baseUrl: `${server.url}/scim/v2`,
      });
      expect((await client.send('GET', '/Users')).status).toBe(401);
      expect((await sendScim(server, again.body.token, 'GET', '/Users')).status).toBe(200);
      expect((await sendScim(other, again.body.token, 'GET', '/Users')).status).toBe(401);
      expect((await admin('DELETE', `/api/v1/apps/${client.appId}/scim`, {})).status).toBe(200);
      expect((await admin('DELETE', `/api/v1/apps/${client.appId}/scim`, {})).status).toBe(200);
      expect((await sendScim(server, again.body.token, 'GET', '/Users')).status).toBe(401);
      const events = await server.test.admin(`SELECT data::text AS data FROM events WHERE tenant_id = $1`, [server.id]);
      expect(events.some(({ data }) => String(data).includes(String(again.body.token).slice(-20)))).toBe(false);
    });

    it('are made for an app that is there, beside sources that bear the name', async () => {
      expect((await admin('POST', '/api/v1/apps/none/scim', {})).status).toBe(404);
      expect((await request(other, other.admin, 'POST', `/api/v1/apps/${scim.appId}/scim`, {})).status).toBe(404);
      const { body } = await admin('POST', '/api/v1/apps', { displayName: 'Named' });
      expect((await admin('DELETE', `/api/v1/apps/${body.app.id}/scim`, {})).status).toBe(404);
      await admin('POST', `/api/v1/apps/${body.app.id}/connectors`, { displayName: 'scim' });
      const made = await admin('POST', `/api/v1/apps/${body.app.id}/scim`, {});
      expect(made.body.source.displayName).toBe('SCIM 2');
    });

    it('are asked for, and not good ones refused, in the form of SCIM', async () => {
      for (const token of [undefined, 'x', `${scim.token}x`, scim.token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))]) {
        const { status, body, headers } = await sendScim(server, token, 'GET', '/Users');
        expect([status, body.schemas, body.status]).toEqual([401, [urn.error], '401']);
        expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="countersign"/);
        expect(headers.get('content-type')).toMatch(/^application\/scim\+json/);
      }
    });

    it('are looked at no more after a hundred failures from one address', async () => {
      const client = await connectScim(server, 'Guessed');
      const guess = `scim_${client.connectorId}.${'A'.repeat(43)}`;
      for (let count = 0; count < 100; count++) {
        expect((await sendScim(server, guess, 'GET', '/Users')).status).toBe(401);
      }
      const { status, headers } = await sendScim(server, guess, 'GET', '/Users');
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await scim.send('GET', '/Users')).status).toBe(200);
    });

    it('wait while the connector is paused', async () => {
      const client = await connectScim(server, 'Paused');
      await admin('POST', `/api/v1/apps/${client.appId}/connectors/${client.connectorId}/pause`, {});
      const { status, headers, body } = await client.send('POST', '/Users', { userName: 'x' });
      expect([status, body.schemas]).toEqual([503, [urn.error]]);
      expect(headers.get('retry-after')).toBe('300');
      await admin('POST', `/api/v1/apps/${client.appId}/connectors/${client.connectorId}/resume`, {});
      expect((await client.send('GET', '/Users')).status).toBe(200);
      await admin('DELETE', `/api/v1/apps/${client.appId}/connectors/${client.connectorId}`, {});
      expect((await client.send('GET', '/Users')).status).toBe(401);
    });
  });

  describe('discovery', () => {
    it('tells what is there and nothing else', async () => {
      const config = await scim.ok('GET', '/ServiceProviderConfig');
      expect(config).toMatchObject({
        patch: { supported: true },
        bulk: { supported: false },
        filter: { supported: true, maxResults: 200 },
        changePassword: { supported: false },
        sort: { supported: false },
        etag: { supported: true },
      });
      const types = await scim.ok('GET', '/ResourceTypes');
      expect(types.Resources.map((one: Loose) => [one.id, one.endpoint, one.schema])).toEqual([
        ['User', '/Users', urn.user],
        ['Group', '/Groups', urn.group],
      ]);
      expect(await scim.ok('GET', '/ResourceTypes/User')).toEqual(types.Resources[0]);
      const { Resources, totalResults } = await scim.ok('GET', '/Schemas');
      expect(totalResults).toBe(3);
      for (const schema of Resources) {
        expect(await scim.ok('GET', `/Schemas/${schema.id}`)).toEqual(schema);
        expect(schema.meta.location).toBe(`${server.url}/scim/v2/Schemas/${schema.id}`);
      }
      const [user] = Resources;
      expect(user.attributes.find((one: Loose) => one.name === 'userName')).toMatchObject({
        required: true,
        uniqueness: 'server',
        caseExact: false,
      });
      expect(user.attributes.some((one: Loose) => one.name === 'password')).toBe(false);
    });

    it('answers errors in the form of SCIM, those of the framework too', async () => {
      const cases: [string, string, unknown, number, string | undefined][] = [
        ['GET', '/Schemas/none', undefined, 404, undefined],
        ['GET', '/Schemas?filter=id%20pr', undefined, 403, undefined],
        ['GET', '/nothing', undefined, 404, undefined],
        ['GET', '/', undefined, 404, undefined],
        ['GET', '/Users/none', undefined, 404, undefined],
        ['PUT', '/Users', {}, 405, undefined],
        ['POST', '/Users/x', {}, 405, undefined],
        ['DELETE', '/Schemas', undefined, 405, undefined],
        ['GET', '/Me', undefined, 501, undefined],
        ['POST', '/Bulk', {}, 501, undefined],
        ['POST', '/Users', '{"userName":', 400, 'invalidSyntax'],
        ['POST', '/Users', '[]', 400, 'invalidSyntax'],
        ['POST', '/Users', undefined, 400, 'invalidSyntax'],
        ['POST', '/Users', `{"userName":"${'x'.repeat(1024 * 1024)}"}`, 413, undefined],
        ['POST', '/Users', { userName: 'a\u0000b' }, 400, 'invalidValue'],
      ];
      for (const [method, path, body, status, scimType] of cases) {
        const answer = await scim.send(method, path, body);
        expect([method, path, answer.status, answer.body.scimType]).toEqual([method, path, status, scimType]);
        expect(answer.body).toMatchObject({ schemas: [urn.error], status: String(status), detail: expect.any(String) });
      }
      expect((await scim.send('POST', '/Users', 'x', { 'content-type': 'text/plain' })).status).toBe(415);
      expect((await scim.send('PUT', '/Users')).headers.get('allow')).toBe('GET, HEAD, POST');
      const nobody = fetchAsHost('nobody.example');
      const nowhere = await sendScim(
        { ...server, fetch: (path, init) => nobody(`${server.url}${path}`, init) },
        scim.token,
        'GET',
        '/Users',
      );
      expect([nowhere.status, nowhere.body.schemas]).toEqual([404, [urn.error]]);
    });
  });

  describe('users', () => {
    it('of the RFC come back as they were sent, and are people with accounts', async () => {
      const { status, body, headers } = await scim.send('POST', '/Users', {
        ...full,
        password: 't1meMa$heen',
        id: 'mine',
        meta: { version: 'x' },
      });
      expect(status).toBe(201);
      expect(headers.get('content-type')).toMatch(/^application\/scim\+json/);
      const { id, meta, ...said } = body;
      expect(said).toEqual(full);
      expect(meta).toMatchObject({ resourceType: 'User', location: `${server.url}/scim/v2/Users/${id}`, version: 'W/"1"' });
      expect(headers.get('location')).toBe(meta.location);
      expect(headers.get('etag')).toBe('W/"1"');
      expect(await scim.ok('GET', `/Users/${id}`)).toEqual(body);
      const user = await person('bjensen@example.com');
      expect(user).toMatchObject({
        displayName: 'Babs Jensen',
        jobTitle: 'Tour Guide',
        department: 'Tour Operations',
        employmentType: 'Employee',
        status: 'ENABLED',
        username: 'bjensen@example.com',
      });
      expect(user.managerIds ?? []).toEqual([]);
      const [account, ...others] = await accounts(user.id);
      expect(others).toEqual([]);
      expect(account).toMatchObject({
        displayName: 'Babs Jensen',
        email: 'bjensen@example.com',
        username: 'bjensen@example.com',
        identityUserId: user.id,
      });
    });

    it('of RFC 7644 section 3.3 need no address; 3.5.1 replaces them', async () => {
      const made = await scim.ok(
        'POST',
        '/Users',
        {
          schemas: [urn.user],
          userName: 'bjensen',
          externalId: 'bjensen',
          name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
        },
        201,
      );
      const replaced = await scim.ok('PUT', `/Users/${made.id}`, {
        schemas: [urn.user],
        id: made.id,
        userName: 'bjensen',
        externalId: 'bjensen',
        name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara', middleName: 'Jane' },
        roles: [],
        emails: [{ value: 'bjensen2@example.com' }, { value: 'babs2@jensen.org' }],
      });
      expect(replaced.roles).toBeUndefined();
      expect(replaced.emails).toHaveLength(2);
      expect(replaced.meta).toMatchObject({ created: made.meta.created, version: 'W/"2"' });
      expect(await person('bjensen2@example.com')).toMatchObject({ displayName: 'Ms. Barbara J Jensen III', username: 'bjensen' });
    });

    it('of another tenant, or another connector, are not there', async () => {
      const id = await scim.addUser('apart');
      const theirs = await connectScim(other, 'Theirs');
      const beside = await connectScim(server, 'Beside');
      for (const client of [theirs, beside]) {
        expect((await client.send('GET', `/Users/${id}`)).status).toBe(404);
        expect((await client.send('PUT', `/Users/${id}`, { userName: 'apart' })).status).toBe(404);
        expect((await client.send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }))).status).toBe(404);
        expect((await client.send('DELETE', `/Users/${id}`)).status).toBe(404);
        expect((await client.ok('GET', '/Users')).totalResults).toBe(0);
        expect((await client.send('POST', '/Groups', { displayName: 'G', members: [{ value: id }] })).body.scimType).toBe('invalidValue');
        await client.addUser('apart');
      }
    });

    it('have a name of their own, in whatever case, and values of the right types', async () => {
      const id = await scim.addUser('Unique');
      for (const [method, path, body] of [
        ['POST', '/Users', { userName: 'uNIQUE' }],
        ['PUT', `/Users/${await scim.addUser('second')}`, { userName: 'unique' }],
      ] as const) {
        const answer = await scim.send(method, path, body);
        expect([answer.status, answer.body.scimType]).toEqual([409, 'uniqueness']);
      }
      expect((await scim.ok('PUT', `/Users/${id}`, { userName: 'UNIQUE' })).userName).toBe('UNIQUE');
      for (const body of [
        {},
        { userName: '' },
        { userName: 5, active: 'perhaps' },
        { userName: 'x', name: 5 },
        { userName: 'x', emails: [5] },
        { userName: { a: 1 } },
        { userName: 'x', schemas: [urn.group] },
        { userName: 'x'.repeat(301) },
      ]) {
        const answer = await scim.send('POST', '/Users', body);
        expect([JSON.stringify(body).slice(0, 60), answer.status, answer.body.scimType]).toEqual([
          JSON.stringify(body).slice(0, 60),
          400,
          'invalidValue',
        ]);
      }
    });

    it('are found by address where somebody has it, and managed by users of theirs', async () => {
      const known = await server.makePerson('known@example.com');
      const boss = await scim.addUser('boss', { emails: [{ value: 'boss@example.com', primary: true }] });
      await scim.addUser('known', { emails: [{ value: 'KNOWN@example.com' }], [urn.enterprise]: { manager: boss } });
      const user = await person('KNOWN@example.com');
      expect(user.id).toBe(known.id);
      const bossPerson = await person('boss@example.com');
      expect(user.managerIds).toEqual([bossPerson.id]);
      const round = await scim.ok(
        'PATCH',
        `/Users/${boss}`,
        patch({ op: 'add', path: `${urn.enterprise}:manager`, value: { value: boss } }),
      );
      expect(round[urn.enterprise].manager.value).toBe(boss);
      expect((await person('boss@example.com')).managerIds ?? []).toEqual([]);
      const taken = await scim.send(
        'PATCH',
        `/Users/${boss}`,
        patch({ op: 'replace', path: 'emails', value: [{ value: 'known@example.com' }] }),
      );
      expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness']);
    });

    it('that go are disabled, their accounts ended, and both found again by name', async () => {
      const id = await scim.addUser('leaver', { emails: [{ value: 'leaver@example.com' }], title: 'Clerk' });
      const before = await person('leaver@example.com');
      const [account] = await accounts(before.id);
      await scim.ok('DELETE', `/Users/${id}`, undefined, 204);
      expect((await scim.send('GET', `/Users/${id}`)).status).toBe(404);
      expect((await scim.send('DELETE', `/Users/${id}`)).status).toBe(404);
      expect(await person('leaver@example.com')).toMatchObject({ id: before.id, status: 'DISABLED', jobTitle: 'Clerk' });
      const again = await scim.ok('POST', '/Users', { userName: 'LEAVER', emails: [{ value: 'leaver@example.com' }] }, 201);
      expect(again.id).not.toBe(id);
      expect(await person('leaver@example.com')).toMatchObject({ id: before.id, status: 'ENABLED' });
      expect((await accounts(before.id)).map(({ id: accountId, status }) => [accountId, status.status])).toEqual([
        [account?.id, 'STATUS_ENABLED'],
      ]);
    });

    it('never take the last Super Administrator away', async () => {
      const tenant = await server.makeTenant('alone');
      const client = await connectScim(tenant, 'Directory');
      const id = await client.addUser('root', { emails: [{ value: tenant.admin.email }] });
      const answer = await client.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: false, title: 'Root' } }));
      expect(answer).toMatchObject({ active: true, title: 'Root' });
      await client.ok('DELETE', `/Users/${id}`, undefined, 204);
      const { status } = await request(tenant, tenant.admin, 'GET', '/api/v1/apps');
      expect(status).toBe(200);
      const events = await server.test.admin(`SELECT kind FROM events WHERE tenant_id = $1 AND data ? 'warning' ORDER BY id`, [tenant.id]);
      expect(events.map(({ kind }) => kind)).toEqual(['scim.user_updated', 'scim.user_deleted']);
    });

    it('are changed where nobody else did meanwhile, by ETag', async () => {
      const id = await scim.addUser('versions');
      const change = patch({ op: 'replace', path: 'title', value: 'One' });
      expect((await scim.send('PATCH', `/Users/${id}`, change, { 'if-match': 'W/"7"' })).status).toBe(412);
      const first = await scim.send('PATCH', `/Users/${id}`, change, { 'if-match': 'W/"1"' });
      expect([first.status, first.headers.get('etag')]).toEqual([200, 'W/"2"']);
      expect((await scim.send('PATCH', `/Users/${id}`, change)).headers.get('etag')).toBe('W/"2"');
      expect((await scim.send('GET', `/Users/${id}`, undefined, { 'if-none-match': 'W/"2"' })).status).toBe(304);
      expect((await scim.send('GET', `/Users/${id}`, undefined, { 'if-none-match': 'W/"1"' })).status).toBe(200);
      expect((await scim.send('DELETE', `/Users/${id}`, undefined, { 'if-match': 'W/"1"' })).status).toBe(412);
      expect((await scim.send('DELETE', `/Users/${id}`, undefined, { 'if-match': '*' })).status).toBe(204);
    });
  });
});
