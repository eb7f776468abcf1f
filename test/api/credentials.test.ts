/** API credentials over HTTP: made, read, listed, searched, changed by mask, revoked, issued for others, and by whom. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES } from '../../src/foundation/directory/index.ts';
import { type Answer, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

const path = '/api/v1/iam/personal_clients';

describe('credentials over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let basic: TestPerson;
  let campaigner: TestPerson;
  let reader: TestPerson;
  let logReader: TestPerson;
  const admin = (method: string, to: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, to, body);
  const as = (person: TestPerson, method: string, to: string, body?: unknown) => request(server, person, method, to, body);
  const make = async (more: object = {}) => (await admin('POST', path, { displayName: 'Key', ...more })).body.client;

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other.example');
    basic = await server.makePerson('basic@example.com');
    campaigner = await server.makePerson('campaigner@example.com', ['CAMPAIGN_ADMINISTRATOR']);
    reader = await server.makePerson('reader@example.com', ['READ_ONLY_ADMINISTRATOR']);
    logReader = await server.makePerson('log@example.com', ['READ_ONLY_SYSTEM_LOGS']);
  });
  afterAll(() => server.stop());

  it('are made with what the specification lists, and the secret is shown once', async () => {
    const { status, body } = await admin('POST', path, {
      displayName: 'Nightly job',
      expires: '7776000s',
      allowSourceCidr: ['127.0.0.0/8', '::1/128'],
      scopedRoles: [ROLES.BASIC_USER.id],
    });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['client', 'clientSecret']);
    expect(body.clientSecret).toMatch(/^secret-token:conductorone\.com:v1:[A-Za-z0-9_-]+$/);
    expect(body.client).toMatchObject({
      id: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
      clientId: expect.stringMatching(new RegExp(`^[a-z]+-[a-z]+-[0-9]+@${server.host}/pcc$`)),
      displayName: 'Nightly job',
      userId: server.admin.id,
      issuerId: '',
      allowSourceCidr: ['127.0.0.0/8', '::1/128'],
      scopedRoles: [ROLES.BASIC_USER.id],
    });
    expect(Date.parse(body.client.expiresTime) - Date.parse(body.client.createdAt)).toBe(7_776_000_000);
    const got = await admin('GET', `${path}/${body.client.id}`);
    expect(got.body).toEqual({ client: body.client });
  });

  it('live for ever where no lifespan is given, and take snake_case', async () => {
    const { body } = await admin('POST', path, { display_name: 'Snake', allow_source_cidr: [], scoped_roles: [] });
    expect(body.client).toMatchObject({ displayName: 'Snake', allowSourceCidr: [], scopedRoles: [] });
    for (const unset of ['expiresTime', 'lastUsedAt', 'deletedAt']) {
      expect(body.client).not.toHaveProperty(unset);
    }
  });

  it.each([
    [{}, ['displayName']],
    [{ displayName: 'x', expires: '86400s' }, ['expires']],
    [{ displayName: 'x', expires: '0s' }, ['expires']],
    [{ displayName: 'x', expires: '2592000.5s' }, ['expires']],
    [{ displayName: 'x', allowSourceCidr: ['10.0.0.0/8', '10.0.0.1', 'x'] }, ['allowSourceCidr[1]', 'allowSourceCidr[2]']],
    [{ displayName: 'x', scopedRoles: ['nobody'] }, ['scopedRoles[0]']],
    [{ displayName: 'x', scopedRoles: [ROLES.CAMPAIGN_ADMINISTRATOR.id] }, ['scopedRoles[0]']],
  ])('are refused as %j', async (body, fields) => {
    const answer = await admin('POST', path, body);
    expect(answer.status).toBe(400);
    expect(violatedFields(answer)).toEqual(fields);
  });

  it('are changed by mask, but for their end', async () => {
    const client = await make({ expires: '2592000s' });
    const one = await admin('POST', `${path}/${client.id}`, {
      client: { displayName: 'New', allowSourceCidr: ['10.0.0.0/8'] },
      updateMask: 'displayName',
    });
    expect(one.body.client).toMatchObject({ displayName: 'New', allowSourceCidr: [], expiresTime: client.expiresTime });
    const two = await admin('POST', `${path}/${client.id}`, { client: { ...one.body.client, allowSourceCidr: ['127.0.0.1/32'] } });
    expect(two.body.client).toMatchObject({ displayName: 'New', allowSourceCidr: ['127.0.0.1/32'], expiresTime: client.expiresTime });
    const three = await admin('POST', `${path}/${client.id}`, { client: {}, updateMask: 'allow_source_cidr,scopedRoles' });
    expect(three.body.client).toMatchObject({ displayName: 'New', allowSourceCidr: [], scopedRoles: [] });
    for (const updateMask of ['expiresTime', 'id', 'userId', 'clientId', 'nonsense', 'displayName']) {
      expect((await admin('POST', `${path}/${client.id}`, { client: {}, updateMask })).status).toBe(400);
    }
  });

  it('give no token and are gone from lists once deleted, with or without a body', async () => {
    const first = (await admin('POST', path, { displayName: 'Short-lived' })).body;
    const second = await make();
    expect(await admin('DELETE', `${path}/${first.client.id}`)).toEqual({ status: 200, body: {} });
    expect(await admin('DELETE', `${path}/${second.id}`, {})).toEqual({ status: 200, body: {} });
    expect((await admin('GET', `${path}/${first.client.id}`)).status).toBe(404);
    expect((await admin('DELETE', `${path}/${first.client.id}`)).status).toBe(404);
    const ids = (await admin('GET', `${path}?page_size=100`)).body.list.map((client: { id: string }) => client.id);
    expect(ids).not.toContain(first.client.id);
  });

  it('are listed in pages', async () => {
    for (let i = 0; i < 12; i++) {
      await make({ displayName: `Page ${i}` });
    }
    const first = await admin('GET', `${path}?page_size=10`);
    expect(first.body.list).toHaveLength(10);
    const rest = await admin('GET', `${path}?page_size=100&page_token=${encodeURIComponent(first.body.nextPageToken)}`);
    expect(rest.body.nextPageToken).toBe('');
    const ids = [...first.body.list, ...rest.body.list].map((client: { id: string }) => client.id);
    expect(new Set(ids).size).toBe(ids.length);
    const theirs = await request(other, other.admin, 'GET', `${path}?page_token=${encodeURIComponent(first.body.nextPageToken)}`);
    expect(theirs.status).toBe(400);
  });

  it('are listed whole for clients that do not page, since the public document has no parameters there', async () => {
    for (let i = 0; i < 28; i++) {
      await request(other, other.admin, 'POST', path, { displayName: `Whole ${i}` });
    }
    const whole = (await request(other, other.admin, 'GET', path)).body;
    expect([whole.list.length, whole.nextPageToken]).toEqual([29, '']);
    expect((await request(other, other.admin, 'GET', `${path}?page_token=`)).body.list).toEqual(whole.list);
    expect((await request(other, other.admin, 'GET', `${path}?page_size=25`)).body.list).toEqual(whole.list.slice(0, 25));
  });

  it("are searched: one's own by everybody, all by who sees everything", async () => {
    const search = async (person: TestPerson, body: object) =>
      (await as(person, 'POST', '/api/v1/search/iam/personal_clients', { pageSize: 100, ...body })).body.list.map(
        (client: { userId: string }) => client.userId,
      );
    expect(new Set(await search(server.admin, {}))).toEqual(new Set([server.admin.id, basic.id, campaigner.id, reader.id, logReader.id]));
    expect(new Set(await search(reader, {})).size).toBe(5);
    expect(await search(campaigner, {})).toEqual([campaigner.id]);
    expect(await search(campaigner, { users: [{ id: server.admin.id }] })).toEqual([]);
    expect(await search(server.admin, { users: [{ id: reader.id }] })).toEqual([reader.id]);
    expect(await search(server.admin, { query: 'no such credential' })).toEqual([]);
  });

  it('are out of sight and reach for everybody else', async () => {
    const client = await make();
    for (const [tenant, person, statuses] of [
      [server, campaigner, [404, 404, 404]],
      [server, reader, [200, 403, 403]],
      [server, logReader, [404, 404, 404]],
      [other, other.admin, [404, 404, 404]],
    ] as const) {
      expect((await request(tenant, person, 'GET', `${path}/${client.id}`)).status).toBe(statuses[0]);
      expect((await request(tenant, person, 'POST', `${path}/${client.id}`, { client: { displayName: 'x' } })).status).toBe(statuses[1]);
      expect((await request(tenant, person, 'DELETE', `${path}/${client.id}`)).status).toBe(statuses[2]);
    }
    expect((await server.fetch(path)).status).toBe(401);
  });

  it('are issued for others by a Super Administrator only, hold Basic User only, and cannot make others', async () => {
    const issue = (person: TestPerson, userId: string, tenant: ServedTenant = server) =>
      request(tenant, person, 'POST', `/api/v1/users/${userId}/personal_clients`, { displayName: 'For a reviewer', expires: '2592000s' });
    const { status, body } = await issue(server.admin, campaigner.id);
    expect(status).toBe(200);
    expect(body.client).toMatchObject({ userId: campaigner.id, issuerId: server.admin.id, scopedRoles: [ROLES.BASIC_USER.id] });
    expect(body.clientSecret).toMatch(/^secret-token:/);
    expect((await issue(campaigner, basic.id)).status).toBe(403);
    expect((await issue(reader, basic.id)).status).toBe(403);
    expect((await issue(server.admin, 'nobody')).status).toBe(404);
    expect((await issue(other.admin, basic.id, other)).status).toBe(404);
    expect((await issue(server.admin, server.admin.id)).status).toBe(400);
    const through: TestPerson = { ...campaigner, credential: { clientId: body.client.clientId, clientSecret: body.clientSecret } };
    expect((await as(through, 'GET', '/api/v1/auth/introspect')).body.roleIds).toEqual([ROLES.BASIC_USER.id]);
    expect((await as(through, 'GET', '/api/v1/policies')).status).toBe(403);
    expect((await as(through, 'POST', path, { displayName: 'x' })).status).toBe(403);
    expect((await as(through, 'DELETE', `${path}/${body.client.id}`)).status).toBe(200);
  });

  it('are issued with roles that only read, which the person holds: so an auditor is let in', async () => {
    const auditor = await server.makePerson('auditor@example.com', ['READ_ONLY_ADMINISTRATOR', 'CAMPAIGN_ADMINISTRATOR']);
    const to = `/api/v1/users/${auditor.id}/personal_clients`;
    const issue = (...roles: (keyof typeof ROLES)[]) =>
      admin('POST', to, { displayName: 'Audit 2026', expires: '2592000s', scopedRoles: roles.map((role) => ROLES[role].id) });
    for (const role of ['CAMPAIGN_ADMINISTRATOR', 'READ_ONLY_SYSTEM_LOGS', 'SUPER_ADMINISTRATOR'] as const) {
      expect(violatedFields(await issue('READ_ONLY_ADMINISTRATOR', role))).toEqual(['scopedRoles[1]']);
    }
    expect(violatedFields(await admin('POST', to, { displayName: 'x', scopedRoles: ['nobody'] }))).toEqual(['scopedRoles[0]']);
    const { body } = await issue('READ_ONLY_ADMINISTRATOR');
    expect(body.client).toMatchObject({ issuerId: server.admin.id, scopedRoles: [ROLES.READ_ONLY_ADMINISTRATOR.id] });
    const through: TestPerson = { ...auditor, credential: { clientId: body.client.clientId, clientSecret: body.clientSecret } };
    const status = async (method: string, at: string, sent?: unknown) => (await as(through, method, at, sent)).status;
    expect(await status('GET', '/api/v1/policies')).toBe(200);
    expect(await status('POST', '/api/v1/search/users', {})).toBe(200);
    expect(await status('POST', '/api/v1/systemlog/events', {})).toBe(403);
    expect(await status('POST', '/api/v1/access_review', { displayName: 'x' })).toBe(403);
    expect(await status('POST', path, { displayName: 'x', scopedRoles: [ROLES.READ_ONLY_ADMINISTRATOR.id] })).toBe(403);
    expect((await admin('PUT', `/api/v1/users/${auditor.id}/roles`, { roleIds: [] })).status).toBe(200);
    await expect.poll(() => status('GET', '/api/v1/policies'), { timeout: 60_000, interval: 250 }).toBe(403);
  });

  it('never widen themselves: addresses and end are those of the one they are made with', async () => {
    const narrowed = { displayName: 'Laptop', allowSourceCidr: ['127.0.0.0/8', '::1/128'], expires: '2592000s' };
    const { body } = await as(campaigner, 'POST', path, narrowed);
    const narrow: TestPerson = { ...campaigner, credential: { clientId: body.client.clientId, clientSecret: body.clientSecret } };
    const made = await as(narrow, 'POST', path, { displayName: 'Wide' });
    const { allowSourceCidr, expiresTime } = body.client;
    expect(made.body.client).toMatchObject({ allowSourceCidr, expiresTime });
    expect((await as(narrow, 'POST', path, { displayName: 'Wide', allowSourceCidr: ['0.0.0.0/0'] })).status).toBe(403);
    expect((await as(narrow, 'POST', `${path}/${body.client.id}`, { client: { allowSourceCidr: [] } })).status).toBe(403);
    for (const { id } of (await as(campaigner, 'GET', path)).body.list.filter((one: { id: string }) => one.id !== body.client.id)) {
      expect((await as(narrow, 'POST', `${path}/${id}`, { client: { displayName: 'x' } })).status).toBe(403);
      expect((await as(narrow, 'DELETE', `${path}/${id}`)).status).toBe(403);
    }
    expect((await as(narrow, 'DELETE', `${path}/${body.client.id}`)).status).toBe(200);
  });

  it('never give more than the one they are made with', async () => {
    const { body } = await admin('POST', path, { displayName: 'Narrow', scopedRoles: [ROLES.BASIC_USER.id] });
    const narrow: TestPerson = { ...server.admin, credential: { clientId: body.client.clientId, clientSecret: body.clientSecret } };
    expect((await as(narrow, 'POST', path, { displayName: 'Wide' })).status).toBe(403);
    expect((await as(narrow, 'POST', `${path}/${body.client.id}`, { client: {}, updateMask: 'scopedRoles' })).status).toBe(403);
    expect((await as(narrow, 'POST', path, { displayName: 'As narrow', scopedRoles: [ROLES.BASIC_USER.id] })).status).toBe(200);
  });

  it('revoked here is good for nothing at once, though it was used a moment ago', async () => {
    const person = await server.makePerson('short@example.com');
    const made = (await request(server, person, 'POST', path, { displayName: 'Short' })).body;
    const short = { ...person, credential: { clientId: made.client.clientId, clientSecret: made.clientSecret } };
    expect((await request(server, short, 'GET', '/api/v1/auth/introspect')).status).toBe(200);
    await request(server, person, 'DELETE', `${path}/${made.client.id}`);
    expect((await request(server, short, 'GET', '/api/v1/auth/introspect')).status).toBe(401);
  });
});
