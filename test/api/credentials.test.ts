/** API credentials over HTTP: made, read, listed, searched, changed by mask, revoked, issued for others, and by whom. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES } from '../../src/domains/directory/index.ts';
import { type Answer, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, startTestServer, type TestPerson, type TestServer } from '../support/server.ts';

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
    server = await startTestServer();
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
    expect((await as(through, 'GET', '/api/v1/auth/introspect')).body.roles).toEqual([ROLES.BASIC_USER.id]);
    expect((await as(through, 'GET', '/api/v1/policies')).status).toBe(403);
    expect((await as(through, 'POST', path, { displayName: 'x' })).status).toBe(403);
    expect((await as(through, 'DELETE', `${path}/${body.client.id}`)).status).toBe(200);
  });

  it('never give more than the one they are made with', async () => {
    const { body } = await admin('POST', path, { displayName: 'Narrow', scopedRoles: [ROLES.BASIC_USER.id] });
    const narrow: TestPerson = { ...server.admin, credential: { clientId: body.client.clientId, clientSecret: body.clientSecret } };
    expect((await as(narrow, 'POST', path, { displayName: 'Wide' })).status).toBe(403);
    expect((await as(narrow, 'POST', `${path}/${body.client.id}`, { client: {}, updateMask: 'scopedRoles' })).status).toBe(403);
    expect((await as(narrow, 'POST', path, { displayName: 'As narrow', scopedRoles: [ROLES.BASIC_USER.id] })).status).toBe(200);
  });
});
