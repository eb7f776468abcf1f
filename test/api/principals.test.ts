/** Service principals and their credentials over HTTP: made, read, listed, renamed, revoked, deleted; what they may and where they never show. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { ROLES } from '../../src/foundation/directory/index.ts';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

const path = '/api/v1/service_principals';

describe('service principals over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  const admin = (method: string, to: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, to, body);
  const make = async (displayName = 'Nightly export'): Promise<Loose> => (await admin('POST', path, { displayName })).body.servicePrincipal;
  const makeKey = async (principalId: string, more: object = {}): Promise<Loose> =>
    (await admin('POST', `${path}/${principalId}/credentials`, { displayName: 'Key', ...more })).body;
  const through = (principal: Loose, made: Loose): TestPerson => {
    const credential = { clientId: made.credential.clientId, clientSecret: made.clientSecret };
    return { id: principal.id, email: '', credential, client: createClient({ url: server.url, credential }) };
  };
  const eventsOf = async (targetId: string): Promise<Loose[]> => {
    const rows = await server
      .system()
      .db.rows<{ kind: string }>('SELECT kind FROM events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id', [server.id, targetId]);
    return rows.map(({ kind }) => kind);
  };

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other.example');
  });
  afterAll(() => server.stop());

  it('are users of a kind of their own, with Basic User alone', async () => {
    const { status, body } = await admin('POST', path, { display_name: ' Nightly export ' });
    expect(status).toBe(200);
    const made = body.servicePrincipal;
    expect(made).toMatchObject({
      id: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
      displayName: 'Nightly export',
      objectPermissions: { read: true, edit: true, delete: true },
      user: {
        id: made.id,
        email: '',
        emails: [],
        type: 'USER_TYPE_SERVICE',
        origin: 'USER_ORIGIN_SYSTEM',
        status: 'ENABLED',
        roleIds: [ROLES.BASIC_USER.id],
      },
    });
    expect((await admin('GET', `${path}/${made.id}`)).body).toEqual({ servicePrincipal: made });
    const shown = (await admin('GET', `/api/v1/users/${made.id}`)).body.userView.user;
    expect(shown).toEqual(made.user);
    const search = async (body: object) =>
      (await admin('POST', '/api/v1/search/users', { pageSize: 100, ...body })).body.list.map((view: Loose) => view.userId);
    expect(await search({ origins: ['USER_ORIGIN_SYSTEM'] })).toContain(made.id);
    expect(await search({ excludeTypes: ['USER_TYPE_SERVICE'] })).toEqual([server.admin.id]);
    expect(await search({ excludeOrigins: ['USER_ORIGIN_SYSTEM'] })).toEqual([server.admin.id]);
    expect(await eventsOf(made.id)).toEqual(['service_principal.created']);
  });

  it('are renamed by mask, and nothing else about them is changed', async () => {
    const made = await make();
    const renamed = await admin('PATCH', `${path}/${made.id}`, { servicePrincipal: { displayName: 'Import' }, updateMask: 'displayName' });
    expect(renamed.body.servicePrincipal.displayName).toBe('Import');
    // An echo of what was read changes nothing, and is no event.
    expect((await admin('PATCH', `${path}/${made.id}`, { servicePrincipal: renamed.body.servicePrincipal })).status).toBe(200);
    expect(await eventsOf(made.id)).toEqual(['service_principal.created', 'service_principal.updated']);
    for (const updateMask of ['id', 'createdAt', 'user', 'user.displayName', 'objectPermissions', 'nonsense']) {
      const answer = await admin('PATCH', `${path}/${made.id}`, { servicePrincipal: { displayName: 'x' }, updateMask });
      expect([updateMask, answer.status]).toEqual([updateMask, 400]);
    }
    for (const displayName of ['', ' ', 'x'.repeat(257)]) {
      expect(violatedFields(await admin('PATCH', `${path}/${made.id}`, { servicePrincipal: { displayName } }))).toEqual([
        'servicePrincipal.displayName',
      ]);
      expect(violatedFields(await admin('POST', path, { displayName }))).toEqual(['displayName']);
    }
  });

  it('have credentials with any life, whose secret is shown once, apart from those of people', async () => {
    const { id } = await make();
    const { credential, clientSecret } = await makeKey(id, {
      expires: '3601s',
      allowSourceCidrs: ['127.0.0.0/8'],
      scopedRoles: [ROLES.BASIC_USER.id],
    });
    expect(clientSecret).toMatch(/^secret-token:conductorone\.com:v1:/);
    expect(credential).toMatchObject({
      servicePrincipalId: id,
      clientId: expect.stringMatching(new RegExp(`^[a-z]+-[a-z]+-[0-9]+@${server.host}/spc$`)),
      displayName: 'Key',
      allowSourceCidrs: ['127.0.0.0/8'],
      scopedRoleIds: [ROLES.BASIC_USER.id],
      requireDpop: false,
    });
    expect(Date.parse(credential.expiresAt) - Date.parse(credential.createdAt)).toBe(3_601_000);
    expect((await admin('GET', `${path}/${id}/credentials/${credential.id}`)).body).toEqual({ credential });
    expect((await makeKey(id)).credential).not.toHaveProperty('expiresAt');
    expect((await admin('GET', `${path}/${id}/credentials`)).body.list).toHaveLength(2);
    const personal = '/api/v1/iam/personal_clients';
    expect((await admin('GET', `${personal}/${credential.id}`)).status).toBe(404);
    expect((await admin('DELETE', `${personal}/${credential.id}`)).status).toBe(404);
    const listed = (await admin('POST', '/api/v1/search/iam/personal_clients', { pageSize: 100 })).body.list;
    expect(listed.every((client: Loose) => client.clientId.endsWith('/pcc'))).toBe(true);
    const mine = listed[0];
    expect((await admin('GET', `${path}/${id}/credentials/${mine.id}`)).status).toBe(404);
    expect((await admin('DELETE', `${path}/${mine.userId}/credentials/${mine.id}`)).status).toBe(404);
    expect((await admin('POST', `/api/v1/users/${id}/personal_clients`, { displayName: 'x' })).status).toBe(400);
  });

  it.each([
    [{ displayName: '' }, ['displayName']],
    [{ expires: '0s' }, ['expires']],
    [{ expires: '-1s' }, ['expires']],
    [{ expires: '3155760001s' }, ['expires']],
    [{ allowSourceCidrs: ['10.0.0.0/8', 'here'] }, ['allowSourceCidrs[1]']],
    [{ scopedRoles: ['nobody', ROLES.SUPER_ADMINISTRATOR.id] }, ['scopedRoles[0]', 'scopedRoles[1]']],
    [{ requireDpop: true }, ['requireDpop']],
  ])('have no credential as %j', async (more, fields) => {
    const { id } = await make();
    const answer = await admin('POST', `${path}/${id}/credentials`, { displayName: 'Key', ...more });
    expect(answer.status).toBe(400);
    expect(violatedFields(answer)).toEqual(fields);
  });

  it('rename a credential, and change nothing else about it', async () => {
    const { id } = await make();
    const { credential } = await makeKey(id, { allowSourceCidrs: ['10.0.0.0/8'] });
    const to = `${path}/${id}/credentials/${credential.id}`;
    const renamed = await admin('PATCH', to, { credential: { displayName: 'New' }, updateMask: 'display_name' });
    expect(renamed.body.credential).toEqual({ ...credential, displayName: 'New' });
    for (const updateMask of ['allowSourceCidrs', 'scopedRoleIds', 'expiresAt', 'requireDpop', 'nonsense']) {
      expect([updateMask, (await admin('PATCH', to, { credential: {}, updateMask })).status]).toEqual([updateMask, 400]);
    }
    expect(violatedFields(await admin('PATCH', to, { credential: { displayName: ' ' } }))).toEqual(['displayName']);
    expect(await eventsOf(credential.id)).toEqual(['service_principal.credential_created', 'service_principal.credential_updated']);
  });

  it('work through the token endpoint as their user, with the roles they are given', async () => {
    const principal = await make();
    const made = await makeKey(principal.id);
    const program = through(principal, made);
    const call = (method: string, to: string, body?: unknown) => request(server, program, method, to, body);
    const { body } = await call('GET', '/api/v1/auth/introspect');
    expect(body).toMatchObject({
      userId: principal.id,
      principleId: made.credential.id,
      roleIds: [ROLES.BASIC_USER.id],
      tenantId: server.id,
    });
    expect((await call('POST', '/api/v1/users/introspect', {})).body.userView.user).toMatchObject({
      id: principal.id,
      type: 'USER_TYPE_SERVICE',
    });
    expect((await call('GET', '/api/v1/users')).status).toBe(403);
    const roleIds = [ROLES.READ_ONLY_ADMINISTRATOR.id, ROLES.SUPER_ADMINISTRATOR.id];
    expect((await admin('PUT', `/api/v1/users/${principal.id}/roles`, { roleIds })).status).toBe(200);
    await expect.poll(async () => (await call('GET', '/api/v1/users')).status, { timeout: 60_000, interval: 250 }).toBe(200);
    // What it makes is its doing; a credential of a person's kind it cannot have.
    const app = await call('POST', '/api/v1/apps', { displayName: 'By a program' });
    const [event] = await server
      .system()
      .db.rows('SELECT actor_id, credential_id FROM events WHERE tenant_id = $1 AND target_id = $2', [server.id, app.body.app.id]);
    expect(event).toEqual({ actor_id: principal.id, credential_id: made.credential.id });
    expect((await call('POST', '/api/v1/iam/personal_clients', { displayName: 'x' })).status).toBe(403);
    // It does not count as somebody who could help: the one human stays.
    expect((await admin('PUT', `/api/v1/users/${server.admin.id}/roles`, { roleIds: [] })).status).toBe(400);
    expect((await admin('PUT', `/api/v1/users/${principal.id}/roles`, { roleIds: [] })).status).toBe(200);
    await expect
      .poll(async () => (await admin('GET', `${path}/${principal.id}/credentials/${made.credential.id}`)).body.credential.lastUsedAt, {
        timeout: 60_000,
      })
      .toBeDefined();
  });

  it('stop within 5 s when a credential is revoked or the principal deleted, and stay as evidence', async () => {
    const principal = await make();
    const [first, second] = [await makeKey(principal.id), await makeKey(principal.id)];
    const programs = [through(principal, first), through(principal, second)];
    const status = async (program: TestPerson | undefined) =>
      program === undefined ? 0 : (await request(server, program, 'GET', '/api/v1/auth/introspect')).status;
    expect([await status(programs[0]), await status(programs[1])]).toEqual([200, 200]);
    const to = `${path}/${principal.id}/credentials/${first.credential.id}`;
    expect(await admin('DELETE', to, {})).toEqual({ status: 200, body: {} });
    expect((await admin('DELETE', to)).status).toBe(404);
    expect((await admin('GET', to)).status).toBe(404);
    await expect.poll(() => status(programs[0]), { timeout: 60_000, interval: 250 }).toBe(401);
    expect(await status(programs[1])).toBe(200);
    expect(await admin('DELETE', `${path}/${principal.id}`)).toEqual({ status: 200, body: {} });
    await expect.poll(() => status(programs[1]), { timeout: 60_000, interval: 250 }).toBe(401);
    for (const at of ['', '/credentials', `/credentials/${second.credential.id}`]) {
      expect([at, (await admin('GET', `${path}/${principal.id}${at}`)).status]).toEqual([at, 404]);
    }
    expect((await admin('POST', `${path}/${principal.id}/credentials`, { displayName: 'x' })).status).toBe(404);
    expect((await admin('PATCH', `${path}/${principal.id}`, { servicePrincipal: { displayName: 'x' } })).status).toBe(404);
    expect((await admin('DELETE', `${path}/${principal.id}`)).status).toBe(404);
    expect((await admin('GET', `/api/v1/users/${principal.id}`)).body.userView.user.status).toBe('DELETED');
    expect(await eventsOf(principal.id)).toEqual(['service_principal.created', 'service_principal.deleted']);
    expect((await admin('GET', path)).body.list.map(({ id }: Loose) => id)).not.toContain(principal.id);
  });

  it('are never asked to review', async () => {
    const principal = await make();
    await server.importData('domino');
    const apps = (await admin('GET', '/api/v1/apps?page_size=100')).body.list;
    const app = apps.find((one: Loose) => one.displayName === 'domino');
    const policy = await admin('POST', '/api/v1/policies', {
      displayName: 'A program',
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: { certify: { steps: [{ approval: { users: { userIds: [principal.id] } } }] } },
    });
    const review = await admin('POST', '/api/v1/access_review', {
      displayName: 'Nobody to ask',
      ownerIds: [server.admin.id],
      policyId: policy.body.policy?.id,
    });
    const reviewId = review.body.accessReview.accessReview.id;
    await admin('POST', `/api/v1/access_review/${reviewId}`, { accessReview: { singleApp: { appId: app.id } } });
    await admin('POST', `/api/v1/access_review/${reviewId}/action/prepare`, {});
    const state = async () => (await admin('GET', `/api/v1/access_review/${reviewId}`)).body.accessReview.accessReview.state;
    await expect.poll(state, { timeout: 60_000 }).toBe('ACCESS_REVIEW_STATE_REVIEW');
    const members = await server
      .system()
      .db.rows('SELECT DISTINCT user_id FROM task_assignment_members WHERE tenant_id = $1 AND review_id = $2', [server.id, reviewId]);
    expect(members).toEqual([{ user_id: server.admin.id }]);
  });

  it('are listed whole for clients that do not page, and so are their credentials', async () => {
    const made = await make();
    for (let i = 0; i < 27; i++) {
      await make(`Program ${i}`);
      await makeKey(made.id, { displayName: `Key ${i}` });
    }
    const principals = (await admin('GET', path)).body;
    expect(principals.list.length).toBeGreaterThan(27);
    expect(principals.nextPageToken).toBe('');
    const keys = (await admin('GET', `${path}/${made.id}/credentials`)).body;
    expect([keys.list.length, keys.nextPageToken]).toEqual([27, '']);
    const paged = (await admin('GET', `${path}/${made.id}/credentials?page_size=20`)).body;
    expect(paged.list).toEqual(keys.list.slice(0, 20));
    const rest = await admin('GET', `${path}/${made.id}/credentials?page_token=${encodeURIComponent(paged.nextPageToken)}`);
    expect(rest.body.list).toEqual(keys.list.slice(20));
  });

  it("are out of another tenant's sight", async () => {
    const principal = await make();
    const { credential } = await makeKey(principal.id);
    for (const [method, at] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/credentials'],
      ['POST', '/credentials'],
      ['GET', `/credentials/${credential.id}`],
      ['DELETE', `/credentials/${credential.id}`],
    ] as const) {
      const answer = await request(
        other,
        other.admin,
        method,
        `${path}/${principal.id}${at}`,
        method === 'GET' ? undefined : { displayName: 'x' },
      );
      expect([method, at, answer.status]).toEqual([method, at, 404]);
    }
    expect((await request(other, other.admin, 'GET', path)).body.list).toEqual([]);
  });
});
