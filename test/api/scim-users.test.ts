/** Users of SCIM over HTTP: the examples of the RFCs, what providers send, and what becomes of people and their accounts in every app. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { connectScim, patch, type ScimClient, urn } from '../support/scim.ts';
import { type ServedTenant, useTestServer, type TestServer } from '../support/server.ts';

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
  server = await useTestServer();
  other = await server.makeTenant('other');
  scim = await connectScim(server, 'Payroll');
});
afterAll(async () => {
  await checkInventory(server.test.admin, server.id);
  await server.stop();
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
    // Somebody whom the source did not make: an administrator accepts that it changes them.
    const { body } = await request(server, server.admin, 'GET', `/api/v1/person_claims?user_id=${known.id}`);
    expect((await request(server, server.admin, 'POST', `/api/v1/person_claims/${body.list[0].id}/action/accept`, {})).status).toBe(200);
    const user = await person('known@example.com');
    expect(user.id).toBe(known.id);
    const bossPerson = await person('boss@example.com');
    expect(user.managerIds).toEqual([bossPerson.id]);
    const round = await scim.ok('PATCH', `/Users/${boss}`, patch({ op: 'add', path: `${urn.enterprise}:manager`, value: { value: boss } }));
    expect(round[urn.enterprise].manager.value).toBe(boss);
    expect((await person('boss@example.com')).managerIds ?? []).toEqual([]);
    const taken = await scim.send(
      'PATCH',
      `/Users/${boss}`,
      patch({ op: 'replace', path: 'emails', value: [{ value: 'known@example.com' }] }),
    );
    expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness']);
  });

  it('that go are disabled, their accounts ended, and both found again by address and name', async () => {
    const id = await scim.addUser('leaver', { emails: [{ value: 'leaver@example.com' }], title: 'Clerk' });
    const before = await person('leaver@example.com');
    const [account] = await accounts(before.id);
    await scim.ok('DELETE', `/Users/${id}`, undefined, 204);
    expect((await scim.send('GET', `/Users/${id}`)).status).toBe(404);
    expect((await scim.send('DELETE', `/Users/${id}`)).status).toBe(404);
    expect(await person('leaver@example.com')).toMatchObject({ id: before.id, status: 'DISABLED', jobTitle: 'Clerk' });
    const again = await scim.ok(
      'POST',
      '/Users',
      { userName: 'LEAVER', displayName: 'leaver', emails: [{ value: 'leaver@example.com' }] },
      201,
    );
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
    // The provider's user is as it says; the person waits for an administrator.
    expect(answer).toMatchObject({ active: false, title: 'Root' });
    await client.ok('DELETE', `/Users/${id}`, undefined, 204);
    const { status } = await request(tenant, tenant.admin, 'GET', '/api/v1/apps');
    expect(status).toBe(200);
    const events = await server.test.admin(`SELECT kind FROM events WHERE tenant_id = $1 AND kind LIKE 'person_claim.%' ORDER BY id`, [
      tenant.id,
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(['person_claim.made', 'person_claim.made', 'person_claim.withdrawn']);
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
