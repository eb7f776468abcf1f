/** People, roles, introspection and the system log over HTTP, and who may read and change them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoles, ROLES } from '../../src/foundation/directory/roles.ts';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

describe('people over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let basic: TestPerson;
  let campaigner: TestPerson;
  let reader: TestPerson;
  let logReader: TestPerson;
  /** Of the addresses in the data set, or in what stands in for it. */
  let domain: string;
  const admin = (method: string, to: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, to, body);
  const as = (person: TestPerson, method: string, to: string, body?: unknown) => request(server, person, method, to, body);

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other.example');
    basic = await server.makePerson('basic@example.com');
    campaigner = await server.makePerson('campaigner@example.com', ['CAMPAIGN_ADMINISTRATOR']);
    reader = await server.makePerson('reader@example.com', ['READ_ONLY_ADMINISTRATOR']);
    logReader = await server.makePerson('log@example.com', ['READ_ONLY_SYSTEM_LOGS']);
    domain = (await server.importData('domino')).people[0]?.email.split('@')[1] ?? '';
  });
  afterAll(() => server.stop());

  const search = async (body: object) => (await admin('POST', '/api/v1/search/users', { pageSize: 100, ...body })).body;

  it('are searched and listed in pages, with their view', async () => {
    const first = (await admin('GET', '/api/v1/users?page_size=50')).body;
    const rest = (await admin('GET', `/api/v1/users?page_size=100&page_token=${encodeURIComponent(first.nextPageToken)}`)).body;
    expect(first.list.length + rest.list.length).toBe(79 + 5);
    expect(rest.nextPageToken).toBe('');
    expect(first.expanded).toEqual([]);
    const { list } = await search({ email: `U1@${domain}` });
    expect(list).toHaveLength(1);
    expect(list[0].user).toMatchObject({
      email: `u1@${domain}`,
      displayName: 'User 1',
      department: 'Legal',
      origin: 'USER_ORIGIN_DIRECTORY',
      roleIds: [ROLES.BASIC_USER.id],
    });
    expect(list[0]).toMatchObject({ userId: list[0].user.id, rolesPath: '', managersPath: '', objectPermissions: { read: true } });
    expect((await admin('GET', `/api/v1/users/${list[0].userId}`)).body.userView.user).toEqual(list[0].user);
    const reports = await search({ managerIds: [list[0].userId] });
    expect(reports.list.length).toBeGreaterThan(0);
    expect(reports.list.every((view: Loose) => view.user.managerIds[0] === list[0].userId)).toBe(true);
  });

  it('expand what was asked for, each once, and point at it', async () => {
    const { list, expanded } = await search({ query: domain, expandMask: { paths: ['manager_ids', 'role_ids'] } });
    const managed = list.find((view: Loose) => view.user.managerIds.length > 0);
    const place = Number(/^\$\.expanded\[(\d+)\]$/.exec(managed.managersPath)?.[1]);
    expect(expanded[place]).toMatchObject({ '@type': 'type.googleapis.com/c1.api.user.v1.User', id: managed.user.managerIds[0] });
    const role = Number(/^\$\.expanded\[(\d+)\]$/.exec(managed.rolesPath)?.[1]);
    expect(expanded[role]).toMatchObject({ '@type': 'type.googleapis.com/c1.api.iam.v1.Role', id: ROLES.BASIC_USER.id });
    expect(new Set(expanded.map((object: Loose) => object.id)).size).toBe(expanded.length);
  });

  it('are found by every filter that has data, and by none that has not', async () => {
    expect((await search({ departments: ['Legal'] })).list.every((view: Loose) => view.user.department === 'Legal')).toBe(true);
    expect((await search({ roleIds: [ROLES.CAMPAIGN_ADMINISTRATOR.id] })).list.map((view: Loose) => view.userId)).toEqual([campaigner.id]);
    expect((await search({ origins: ['USER_ORIGIN_LOCAL'] })).list).toHaveLength(5);
    expect((await search({ userStatuses: ['DISABLED'] })).list.every((view: Loose) => view.user.employmentStatus === 'TERMINATED')).toBe(
      true,
    );
    expect((await search({ userStatuses: ['DELETED'] })).list).toEqual([]);
    expect((await search({ delegateStatus: 'DELEGATE_STATUS_HAS_DELEGATE' })).list).toEqual([]);
    expect((await search({ refs: [{ id: basic.id }], excludeIds: [basic.id] })).list).toEqual([]);
    expect((await admin('POST', '/api/v1/search/users', { userStatuses: ['SLEEPING'] })).status).toBe(400);
  });

  it('are found by each filter exactly as their fields say', async () => {
    const everybody = [...(await search({})).list, ...(await search({ pageToken: (await search({})).nextPageToken })).list]
      .map((view: Loose) => view.user)
      .filter((user: Loose, index: number, all: Loose[]) => all.findIndex((one) => one.id === user.id) === index);
    const managed = everybody.find((user: Loose) => user.managerIds.length > 0);
    const cases: [object, (user: Loose) => boolean][] = [
      [{ departments: ['Legal', 'Sales'] }, (user) => ['Legal', 'Sales'].includes(user.department)],
      [{ jobTitles: [managed.jobTitle] }, (user) => user.jobTitle === managed.jobTitle],
      [{ managerIds: managed.managerIds }, (user) => user.managerIds[0] === managed.managerIds[0]],
      [{ ids: [managed.id, basic.id], refs: [{ id: reader.id }] }, (user) => [managed.id, basic.id, reader.id].includes(user.id)],
      [{ excludeIds: [managed.id] }, (user) => user.id !== managed.id],
      [{ origins: ['USER_ORIGIN_DIRECTORY'] }, (user) => user.origin === 'USER_ORIGIN_DIRECTORY'],
      [{ excludeOrigins: ['USER_ORIGIN_DIRECTORY'] }, (user) => user.origin !== 'USER_ORIGIN_DIRECTORY'],
      [{ excludeTypes: ['USER_TYPE_HUMAN'] }, () => false],
      [{ excludeTypes: ['USER_TYPE_SYSTEM', 'USER_TYPE_AGENT'] }, () => true],
      [{ userStatuses: ['ENABLED'] }, (user) => user.status === 'ENABLED'],
      [{ roleIds: [ROLES.READ_ONLY_ADMINISTRATOR.id] }, (user) => user.roleIds.includes(ROLES.READ_ONLY_ADMINISTRATOR.id)],
      [{ roleIds: [ROLES.BASIC_USER.id] }, () => true],
      [{ delegateStatus: 'DELEGATE_STATUS_NO_DELEGATE' }, () => true],
      [{ isDelegate: true }, () => false],
      [{ delegatedUserIds: [basic.id] }, () => false],
      [{ email: ' READER@example.com ' }, (user) => user.id === reader.id],
    ];
    expect(everybody.length).toBeGreaterThan(79);
    for (const [filter, holds] of cases) {
      const found = (await search(filter)).list.map((view: Loose) => view.userId);
      const wanted = everybody.filter(holds).map((user: Loose) => user.id);
      expect([filter, found]).toEqual([filter, wanted.sort()]);
    }
  });

  it('belong to the directories in which they own a live account', async () => {
    const { list } = await search({ email: `u1@${domain}` });
    const apps = (await admin('GET', '/api/v1/apps?page_size=100')).body.list;
    const appId = apps.find((app: Loose) => app.displayName === 'domino').id;
    const context = server.system();
    await context.db.run('INSERT INTO directories (tenant_id, app_id, created_at, updated_at) VALUES ($1, $2, $3, $3)', [
      server.id,
      appId,
      context.now,
    ]);
    const [before] = (await search({ ids: [list[0].userId], expandMask: { paths: ['directory_ids'] } })).list;
    expect(before).toMatchObject({ directoriesPath: '$.expanded[0]', user: { directoryIds: [appId] } });
    expect((await search({ ids: [list[0].userId], sourceAppIds: [appId] })).list).toHaveLength(1);
    expect((await search({ ids: [basic.id], sourceAppIds: [appId] })).list).toEqual([]);
    await context.db.run('UPDATE accounts SET deleted_at = $3 WHERE tenant_id = $1 AND user_id = $2', [
      server.id,
      list[0].userId,
      context.now,
    ]);
    const [after] = (await search({ ids: [list[0].userId] })).list;
    expect(after.user.directoryIds).toEqual([]);
    expect((await search({ ids: [list[0].userId], sourceAppIds: [appId] })).list).toEqual([]);
  });

  it('have no profile types, and nobody does who is not there', async () => {
    expect(await admin('GET', `/api/v1/users/${basic.id}/profile-types`)).toEqual({ status: 200, body: { profileTypes: [] } });
    expect((await as(basic, 'GET', `/api/v1/users/${basic.id}/profile-types`)).status).toBe(200);
    expect((await as(basic, 'GET', `/api/v1/users/${reader.id}/profile-types`)).status).toBe(404);
    expect((await admin('GET', '/api/v1/users/nobody/profile-types')).status).toBe(404);
    expect((await request(other, other.admin, 'GET', `/api/v1/users/${basic.id}/profile-types`)).status).toBe(404);
  });

  it("read only themselves without an administrator's role", async () => {
    for (const person of [basic]) {
      expect((await as(person, 'GET', '/api/v1/users')).status).toBe(403);
      expect((await as(person, 'POST', '/api/v1/search/users', {})).status).toBe(403);
      expect((await as(person, 'GET', `/api/v1/users/${person.id}`)).status).toBe(200);
      expect((await as(person, 'GET', `/api/v1/users/${server.admin.id}`)).status).toBe(404);
      expect((await as(person, 'GET', '/api/v1/iam/roles')).status).toBe(403);
      expect((await as(person, 'GET', `/api/v1/users/${person.id}/roles`)).status).toBe(403);
    }
    for (const person of [campaigner, reader]) {
      expect((await as(person, 'GET', `/api/v1/users/${basic.id}`)).status).toBe(200);
      expect((await as(person, 'GET', '/api/v1/iam/roles')).status).toBe(200);
    }
    expect((await request(other, other.admin, 'GET', `/api/v1/users/${basic.id}`)).status).toBe(404);
  });

  it('introspect themselves', async () => {
    const self = await as(basic, 'POST', '/api/v1/users/introspect', { expandMask: { paths: ['*'] } });
    expect(self.body.userView.user).toMatchObject({ id: basic.id, email: basic.email });
    expect(self.body.expanded).toEqual([expect.objectContaining({ id: ROLES.BASIC_USER.id })]);
    const auth = await as(campaigner, 'GET', '/api/v1/auth/introspect');
    expect(auth.body).toMatchObject({
      principleId: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
      userId: campaigner.id,
      tenantId: server.id,
      roles: ['role/c1.api.accessreview.v1.AccessReviewService:owner', 'role/c1.api.auth.v1.Auth:reflection'],
      roleIds: [ROLES.BASIC_USER.id, ROLES.CAMPAIGN_ADMINISTRATOR.id],
      features: [],
    });
    // The beginnings by which public clients know an administrator; nobody else may have one.
    const administers = /^role\/c1\.api\.(tenant\.v1\.Tenant|auth\.v1\.Auth|app\.v1\.Apps|app\.v1\.AppEntitlements):owner/;
    for (const [person, isAdministrator] of [
      [server.admin, true],
      [campaigner, false],
      [basic, false],
    ] as const) {
      const { roles } = (await as(person, 'GET', '/api/v1/auth/introspect')).body;
      expect(roles.some((role: string) => administers.test(role))).toBe(isAdministrator);
    }
    expect(auth.body.permissions).toEqual(expect.arrayContaining(['reviews.create', 'inventory.read']));
    expect(auth.body.permissions).not.toContain('imports.write');
  });

  it('have five fixed roles', async () => {
    const { body } = await admin('GET', '/api/v1/iam/roles');
    expect(body.list.map((role: Loose) => role.id)).toEqual(allRoles.map((role) => role.id));
    expect(body.nextPageToken).toBe('');
    const one = await admin('GET', `/api/v1/iam/roles/${ROLES.SUPER_ADMINISTRATOR.id}`);
    expect(one.body.role).toMatchObject({ displayName: 'Super Administrator', systemBuiltin: true });
    expect((await admin('GET', '/api/v1/iam/roles/nothing')).status).toBe(404);
  });

  it('have roles that nobody changes, though they may be sent back as they are', async () => {
    const to = `/api/v1/iam/roles/${ROLES.CAMPAIGN_ADMINISTRATOR.id}`;
    const { role } = (await admin('GET', to)).body;
    expect(role.permissions).toEqual(expect.arrayContaining(['reviews.create', 'inventory.read']));
    expect(role.permissions).not.toContain('inventory.write');
    expect(await admin('POST', to, { role })).toEqual({ status: 200, body: { role } });
    expect((await admin('POST', to, {})).body).toEqual({ role });
    expect((await admin('POST', to, { role: { displayName: role.displayName }, updateMask: 'display_name' })).body).toEqual({ role });
    for (const changed of [{ displayName: 'Boss' }, { permissions: [] }, { serviceRoles: ['x'] }]) {
      const answer = await admin('POST', to, { role: changed });
      expect([changed, answer.status, answer.body.message]).toEqual([changed, 400, expect.stringContaining('fixed')]);
    }
    expect((await admin('POST', to, { role: {}, updateMask: 'displayName' })).body.message).toMatch(/displayName cannot be changed/);
    for (const updateMask of ['id', 'systemBuiltin', 'name', 'nonsense']) {
      expect([updateMask, (await admin('POST', to, { role, updateMask })).status]).toEqual([updateMask, 400]);
    }
    expect((await admin('POST', '/api/v1/iam/roles/nothing', { role })).status).toBe(404);
    expect((await as(reader, 'POST', to, { role })).status).toBe(403);
    expect((await admin('GET', to)).body.role).toEqual(role);
  });

  it('are given roles by a Super Administrator, who is never the last one to go', async () => {
    const person = await server.makePerson('changing@example.com');
    const to = `/api/v1/users/${person.id}/roles`;
    expect((await admin('GET', to)).body).toEqual({ userId: person.id, roleIds: [ROLES.BASIC_USER.id] });
    const set = await admin('PUT', to, { roleIds: [ROLES.READ_ONLY_ADMINISTRATOR.id] });
    expect(set.body).toEqual({ userId: person.id, roleIds: [ROLES.BASIC_USER.id, ROLES.READ_ONLY_ADMINISTRATOR.id].sort() });
    expect(violatedFields(await admin('PUT', to, { roleIds: ['x'] }))).toEqual(['roleIds[0]']);
    for (const other_ of [campaigner, reader, basic]) {
      expect((await as(other_, 'PUT', to, { roleIds: [ROLES.SUPER_ADMINISTRATOR.id] })).status).toBe(403);
    }
    expect((await admin('PUT', '/api/v1/users/nobody/roles', { roleIds: [] })).status).toBe(404);
    expect((await request(other, other.admin, 'PUT', to, { roleIds: [] })).status).toBe(404);
    const last = await admin('PUT', `/api/v1/users/${server.admin.id}/roles`, { roleIds: [] });
    expect(last.status).toBe(400);
    expect(last.body.message).toMatch(/last active Super Administrator/);
  });

  it('leave events, which Super Administrators and log readers list', async () => {
    await server.issueClient(basic.id);
    const { status, body } = await as(logReader, 'POST', '/api/v1/systemlog/events', { pageSize: 10 });
    expect(status).toBe(200);
    expect(body.list).toHaveLength(10);
    expect(body.list[0]).toMatchObject({ class_uid: 6003, message: 'tenant.created' });
    const newest = await admin('POST', '/api/v1/systemlog/events', { sortDirection: 'SORT_DIRECTION_DESC', pageSize: 100 });
    const kinds = newest.body.list.map((event: Loose) => event.message);
    expect(kinds).toEqual(expect.arrayContaining(['user.roles_changed', 'credential.issued']));
    const changed = newest.body.list.find(
      (event: Loose) => event.message === 'user.roles_changed' && event.actor.user.uid === server.admin.id,
    );
    expect(changed).toMatchObject({
      src_endpoint: { ip: '127.0.0.1' },
      unmapped: { target_type: 'user', data: { added: [ROLES.READ_ONLY_ADMINISTRATOR.id] } },
    });

    const seen: string[] = [];
    for (let pageToken = ''; ; ) {
      const page = await admin('POST', '/api/v1/systemlog/events', { pageSize: 10, pageToken });
      seen.push(...page.body.list.map((event: Loose) => event.metadata.uid));
      pageToken = page.body.nextPageToken;
      if (pageToken === '') {
        break;
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual([...seen].sort());
    const after = await admin('POST', '/api/v1/systemlog/events', { sinceEventUid: seen[2], untilEventUid: seen[5] });
    expect(after.body.list.map((event: Loose) => event.metadata.uid)).toEqual([seen[3], seen[4]]);
    const future = await admin('POST', '/api/v1/systemlog/events', { since: '2999-01-01T00:00:00Z' });
    expect(future.body).toEqual({ list: [], nextPageToken: '' });
    for (const person of [reader, campaigner, basic]) {
      expect((await as(person, 'POST', '/api/v1/systemlog/events', {})).status).toBe(403);
    }
    const theirs = await request(other, other.admin, 'POST', '/api/v1/systemlog/events', { pageSize: 100 });
    expect(JSON.stringify(theirs.body)).not.toContain(server.admin.id);
  });

  it('read nothing but the log through a credential narrowed to it', async () => {
    const own = await as(logReader, 'POST', '/api/v1/iam/personal_clients', {
      displayName: 'Collector',
      scopedRoles: [ROLES.READ_ONLY_SYSTEM_LOGS.id],
    });
    const collector: TestPerson = { ...logReader, credential: { clientId: own.body.client.clientId, clientSecret: own.body.clientSecret } };
    expect((await as(collector, 'POST', '/api/v1/systemlog/events', {})).status).toBe(200);
    for (const to of [
      `/api/v1/users/${logReader.id}`,
      '/api/v1/auth/introspect',
      '/api/v1/access_reviews',
      '/api/v1/iam/personal_clients',
    ]) {
      expect((await as(collector, 'GET', to)).status).toBe(403);
    }
  });
});
