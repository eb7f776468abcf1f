/** Apps and what belongs to them over HTTP: made, read, listed, searched, expanded, changed, deleted, and by whom. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

const people = `email,display_name,manager_email,department,job_title,employment_status
ann@x.example,Ann,,Legal,Clerk,ACTIVE
bob@x.example,Bob,ann@x.example,Legal,Clerk,TERMINATED
`;
const grants = `account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at
ann,ann@x.example,USER,ENABLED,role,Wiki 100%,read,2024-01-01T00:00:00Z,2025-01-01T00:00:00Z
ann,ann@x.example,USER,ENABLED,role,Wiki 100%,write,,
bob,bob@x.example,USER,DISABLED,role,Wiki 100%,read,,
robot,,SERVICE_ACCOUNT,ENABLED,group,ops,member,,
`;

/** Sends a file as the administrator of a tenant. */
async function upload(tenant: ServedTenant, path: string, text: string): Promise<Answer> {
  const { token } = { token: await tenant.admin.client.token() };
  const response = await tenant.fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: text,
  });
  return { status: response.status, body: await response.json() };
}

describe('the catalog over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let wiki: string;
  let reader: TestPerson;
  let basic: TestPerson;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const get = async (path: string): Promise<Loose> => (await admin('GET', path)).body;
  const search = async (what: string, body: object): Promise<Loose> => (await admin('POST', `/api/v1/search/${what}`, body)).body;
  const names = (list: Loose[], pick: (item: Loose) => string): string[] => list.map(pick).sort();

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    reader = await server.makePerson('reader@x.example', ['READ_ONLY_ADMINISTRATOR']);
    basic = await server.makePerson('basic@x.example');
    expect((await upload(server, '/api/v1/imports/people', people)).status).toBe(200);
    const imported = await upload(server, '/api/v1/imports/grants?app=Wiki', grants);
    expect(imported).toMatchObject({
      status: 200,
      body: { import: { kind: 'IMPORT_KIND_GRANTS', source: 'Wiki', rows: '4', added: '4', warnings: [] } },
    });
    wiki = imported.body.import.appId;
  });
  afterAll(() => server.stop());

  it('keeps imports: get, list, refusals', async () => {
    const { list } = await get('/api/v1/imports');
    expect(list.map((view: Loose) => view.import.kind)).toEqual(['IMPORT_KIND_GRANTS', 'IMPORT_KIND_PEOPLE']);
    expect((await get(`/api/v1/imports/${list[0].import.id}`)).import).toEqual(list[0].import);
    expect((await request(other, other.admin, 'GET', `/api/v1/imports/${list[0].import.id}`)).status).toBe(404);
    const refused = await upload(server, '/api/v1/imports/people?source=x', 'mail\nx\n');
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain('the header lacks email');
    expect(violatedFields(refused)).toEqual(['line 1']);
    expect((await upload(server, '/api/v1/imports/grants', grants)).status).toBe(400);
    const guarded = await upload(server, '/api/v1/imports/grants?app=%20Wiki', grants.split('\n').slice(0, 3).join('\n'));
    expect(guarded.status).toBe(400);
    expect(guarded.body.message).toContain('end 2 of the 4 grants');
    expect((await request(server, reader, 'POST', '/api/v1/imports/people')).status).toBe(403);
    expect((await request(server, basic, 'GET', '/api/v1/imports')).status).toBe(403);
  });

  it('shows the app with its counts', async () => {
    expect((await get(`/api/v1/apps/${wiki}`)).app).toMatchObject({
      id: wiki,
      displayName: 'Wiki',
      userCount: '3',
      appOwners: [],
      annotations: {},
      isDirectory: false,
    });
    expect((await request(server, reader, 'GET', `/api/v1/apps/${wiki}`)).status).toBe(200);
    // Nothing in it concerns this person, who may read what does.
    expect((await request(server, basic, 'GET', `/api/v1/apps/${wiki}`)).status).toBe(404);
    expect((await request(other, other.admin, 'GET', `/api/v1/apps/${wiki}`)).status).toBe(404);
    expect((await request(other, other.admin, 'GET', '/api/v1/apps')).body.list).toEqual([]);
  });

  it('lists resource types, resources and entitlements', async () => {
    const types = (await get(`/api/v1/apps/${wiki}/resource_types`)).list;
    expect(names(types, (view) => view.appResourceType.displayName)).toEqual(['group', 'role']);
    const role = types.find((view: Loose) => view.appResourceType.displayName === 'role').appResourceType.id;
    expect((await get(`/api/v1/apps/${wiki}/resource_types/${role}`)).appResourceTypeView.appResourceType).toMatchObject({
      id: role,
      appId: wiki,
      traitIds: ['role'],
    });
    const resources = (await get(`/api/v1/apps/${wiki}/resource_types/${role}/resources`)).list;
    expect(resources).toMatchObject([
      { appResource: { displayName: 'Wiki 100%', externalId: 'Wiki 100%', grantCount: '3', appResourceTypeId: role }, appPath: '' },
    ]);
    const resource = resources[0].appResource.id;
    expect((await get(`/api/v1/apps/${wiki}/resource_types/${role}/resources/${resource}`)).appResourceView.appResource.id).toBe(resource);
    const entitlements = (await get(`/api/v1/apps/${wiki}/entitlements`)).list;
    expect(names(entitlements, (view) => `${view.appEntitlement.displayName}: ${view.appEntitlement.grantCount}`)).toEqual([
      'App access: 3',
      'Wiki 100% read: 2',
      'Wiki 100% write: 1',
      'ops member: 1',
    ]);
    expect(entitlements.find((view: Loose) => view.appEntitlement.systemBuiltin).appEntitlement).toMatchObject({
      appResourceId: '',
      appResourceTypeId: '',
      externalId: '',
    });
    const ofResource = (await get(`/api/v1/apps/${wiki}/entitlements/resource_types/${role}/resources/${resource}`)).list;
    expect(names(ofResource, (view) => view.appEntitlement.externalId)).toEqual(['read', 'write']);
    const one = ofResource[0].appEntitlement.id;
    expect((await get(`/api/v1/apps/${wiki}/entitlements/${one}`)).appEntitlementView.appEntitlement).toEqual(ofResource[0].appEntitlement);
    for (const path of [
      `resource_types/${one}`,
      `resource_types/${role}/resources/${one}`,
      `entitlements/${role}`,
      `entitlements/users/${role}`,
      `entitlements/${role}/grants`,
    ]) {
      expect((await admin('GET', `/api/v1/apps/${wiki}/${path}`)).status).toBe(404);
    }
    for (const path of [
      'resource_types',
      'entitlements',
      `entitlements/${one}`,
      `entitlements/${one}/users`,
      'app_users',
      'owners',
      'ownerids',
    ]) {
      expect((await request(other, other.admin, 'GET', `/api/v1/apps/${wiki}/${path}`)).status).toBe(404);
    }
  });

  it('lists accounts, what they hold and who holds what', async () => {
    const accounts = (await get(`/api/v1/apps/${wiki}/app_users`)).list;
    expect(names(accounts, (view) => `${view.appUser.username} ${view.appUser.status.status} ${view.appUser.appUserType}`)).toEqual([
      'ann STATUS_ENABLED APP_USER_TYPE_USER',
      'bob STATUS_DISABLED APP_USER_TYPE_USER',
      'robot STATUS_ENABLED APP_USER_TYPE_SERVICE_ACCOUNT',
    ]);
    const ann = accounts.find((view: Loose) => view.appUser.username === 'ann').appUser;
    expect((await get(`/api/v1/apps/${wiki}/users/${ann.identityUserId}/app_users`)).list).toMatchObject([
      { appUser: { id: ann.id, email: 'ann@x.example' } },
    ]);
    const held = (await get(`/api/v1/apps/${wiki}/entitlements/users/${ann.id}`)).list;
    expect(names(held, (view) => view.appEntitlement.externalId)).toEqual(['', 'read', 'write']);
    const read = held.find((view: Loose) => view.appEntitlement.externalId === 'read').appEntitlement.id;
    const holders = (await get(`/api/v1/apps/${wiki}/entitlements/${read}/users`)).list;
    expect(names(holders, (view) => view.appUser.appUser.username)).toEqual(['ann', 'bob']);
    expect(holders.find((view: Loose) => view.appUserId === ann.id)).toMatchObject({
      appId: wiki,
      appEntitlementId: read,
      appEntitlementUserBindingCreatedAt: '2024-01-01T00:00:00Z',
    });
    const history = (await get(`/api/v1/apps/${wiki}/entitlements/${read}/grants`)).list;
    expect(names(history, (item) => `${item.appUser.username} ${item.user.displayName} ${item.expired ?? 'open'}`)).toEqual([
      'ann Ann open',
      'bob Bob open',
    ]);
  });

  it('reports grants that ended', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => `a${index},,USER,ENABLED,role,r,e,,`);
    const header = grants.split('\n')[0];
    const appId = (await upload(server, '/api/v1/imports/grants?app=History', [header, ...rows].join('\n'))).body.import.appId;
    await upload(server, '/api/v1/imports/grants?app=History', [header, ...rows.slice(1)].join('\n'));
    await upload(server, '/api/v1/imports/grants?app=History', [header, ...rows].join('\n'));
    const [entitlement] = (await search('entitlements', { appIds: [appId], displayName: 'r e' })).list;
    expect(entitlement.appEntitlement.grantCount).toBe('10');
    const path = `/api/v1/apps/${appId}/entitlements/${entitlement.appEntitlement.id}/grants`;
    const first = await get(`${path}?page_size=10`);
    expect(first.list).toHaveLength(10);
    const second = await get(`${path}?page_size=10&page_token=${first.nextPageToken}`);
    const all = [...first.list, ...second.list];
    expect(second.nextPageToken).toBe('');
    expect(all.filter((item: Loose) => item.appUser.username === 'a0').map((item: Loose) => item.expired !== undefined)).toEqual([
      true,
      false,
    ]);
    expect(all).toHaveLength(11);
  });

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['App access', 'Wiki 100% read', 'Wiki 100% write', 'ops member']],
    ['parts of the name, wildcards literal', { query: '0% REA' }, ['Wiki 100% read']],
    ['the whole name', { displayName: 'ops member' }, ['ops member']],
    ['a part of the name', { displayName: 'ops' }, []],
    ['a percent sign that is not there', { query: 'w%i' }, []],
    ['risk levels', { riskLevelIds: ['x'] }, []],
    ['owners', { membershipType: ['APP_ENTITLEMENT_MEMBERSHIP_TYPE_OWNER'] }, []],
    ['members', { membershipType: ['APP_ENTITLEMENT_MEMBERSHIP_TYPE_MEMBER'], query: 'ops' }, ['ops member']],
    ['expiring ones', { onlyGetExpiring: true }, []],
    ['an unknown review', { accessReviewId: 'x' }, []],
    ['a policy nothing names', { policyRefs: [{ id: 'x' }] }, []],
  ])('finds entitlements by %s', async (_name, filter, expected) => {
    const { list } = await search('entitlements', { appIds: [wiki], ...filter });
    expect(names(list, (view) => view.appEntitlement.displayName)).toEqual(expected);
  });

  it('finds entitlements by what they belong to and who holds them', async () => {
    const all = (await search('entitlements', { appIds: [wiki] })).list.map((view: Loose) => view.appEntitlement);
    const read = all.find((one: Loose) => one.externalId === 'read');
    const accounts = (await search('app_users', { appId: wiki })).list.map((view: Loose) => view.appUser);
    const of = (name: string) => accounts.find((one: Loose) => one.username === name).id;
    const found = async (filter: object) =>
      names((await search('entitlements', { appIds: [wiki], ...filter })).list, (view) => view.appEntitlement.externalId);
    expect(await found({ resourceTypeIds: [read.appResourceTypeId] })).toEqual(['read', 'write']);
    expect(await found({ excludeResourceTypeIds: [read.appResourceTypeId] })).toEqual(['', 'member']);
    expect(await found({ resourceIds: [read.appResourceId] })).toEqual(['read', 'write']);
    expect(await found({ refs: [{ appId: wiki, id: read.id }] })).toEqual(['read']);
    expect(await found({ refs: [{ appId: 'another', id: read.id }] })).toEqual([]);
    expect(await found({ excludedEntitlementRefs: [{ appId: wiki, id: read.id }] })).toEqual(['', 'member', 'write']);
    expect(await found({ appUserIds: [of('bob')] })).toEqual(['', 'read']);
    expect(await found({ excludeAppUserIds: [of('bob')] })).toEqual(['member', 'write']);
    expect(await found({ excludeAppIds: [wiki] })).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['ann', 'bob', 'robot']],
    ['status', { appUserStatuses: ['STATUS_DISABLED'] }, ['bob']],
    ['type', { appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'] }, ['robot']],
    ['a part of the address', { query: 'X.EXAMPLE' }, ['ann', 'bob']],
    ['having no owner', { withoutResponsibleParty: true }, ['robot']],
    ['external domains', { appUserDomains: ['APP_USER_DOMAIN_EXTERNAL'] }, []],
    ['agents', { agentStatuses: ['APP_USER_AGENT_STATUS_READY'] }, []],
    ['findings', { withOpenFindings: true }, []],
    ['several apps, sorted by app', { appId: '', appIds: ['x'], sortBy: 'APP_USER_SEARCH_SORT_BY_APP' }, []],
  ])('finds accounts by %s', async (_name, filter, expected) => {
    const { list } = await search('app_users', { appId: wiki, ...filter });
    expect(names(list, (view) => view.appUser.username)).toEqual(expected);
  });

  it('expands what was asked for', async () => {
    const { list, expanded } = await search('app_users', { appId: wiki, expandMask: { paths: ['app_id', 'identity_user_id'] } });
    const ann = list.find((view: Loose) => view.appUser.username === 'ann');
    const at = (path: string) => expanded[Number(/\[(\d+)\]/.exec(path)?.[1])];
    expect(at(ann.appPath)).toMatchObject({ '@type': 'type.googleapis.com/c1.api.app.v1.App', id: wiki });
    expect(at(ann.identityUserPath)).toMatchObject({ '@type': 'type.googleapis.com/c1.api.user.v1.User', email: 'ann@x.example' });
    expect(list.find((view: Loose) => view.appUser.username === 'robot').identityUserPath).toBe('');
    const entitlements = await search('entitlements', { appIds: [wiki], expandMask: { paths: ['*'] } });
    expect(entitlements.expanded).toHaveLength(1 + 2 + 2);
    expect((await search('entitlements', { appIds: [wiki] })).expanded).toEqual([]);
  });

  it('pages by app and by id without losing or doubling anything', async () => {
    for (const body of [{}, { sortBy: 'APP_USER_SEARCH_SORT_BY_APP' }]) {
      const seen: string[] = [];
      for (let pageToken = ''; ; ) {
        const page = await search('app_users', { ...body, pageSize: 10, pageToken });
        seen.push(...page.list.map((view: Loose) => view.appUser.id));
        pageToken = page.nextPageToken;
        if (pageToken === '') {
          break;
        }
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toHaveLength(
        (await server.test.admin(`SELECT 1 FROM accounts WHERE status <> 'DELETED' AND tenant_id = $1`, [server.id])).length,
      );
    }
  });

  it('makes, changes and deletes apps', async () => {
    const owner = (await search('users', { email: 'ann@x.example' })).list[0].user.id;
    const made = await admin('POST', '/api/v1/apps', {
      displayName: ' HR ',
      description: 'd',
      monthly_cost_usd: 3,
      owners: [owner],
      annotations: { a: 'b' },
    });
    expect(made.body.app).toMatchObject({
      displayName: 'HR',
      description: 'd',
      monthlyCostUsd: 3,
      annotations: { a: 'b' },
      appOwners: [{ id: owner }],
      userCount: '0',
    });
    const path = `/api/v1/apps/${made.body.app.id}`;
    expect((await admin('POST', '/api/v1/apps', { displayName: ' HR\u00a0' })).status).toBe(409);
    expect(violatedFields(await admin('POST', '/api/v1/apps', { displayName: ' ' }))).toEqual(['displayName']);
    expect(violatedFields(await admin('POST', '/api/v1/apps', { displayName: 'X', owners: ['nobody'] }))).toEqual(['owners[0]']);
    expect((await admin('POST', path, { app: { description: 'e', id: 'x', userCount: '7' } })).body.app).toMatchObject({
      description: 'e',
      displayName: 'HR',
      userCount: '0',
    });
    const masked = await admin('POST', path, {
      app: { displayName: 'People', description: 'kept' },
      updateMask: 'display_name,monthlyCostUsd',
    });
    expect(masked.body.app).toMatchObject({ displayName: 'People', description: 'e', monthlyCostUsd: 0 });
    expect((await admin('POST', path, { app: { displayName: ' Wiki ' } })).status).toBe(409);
    expect((await admin('POST', path, { app: {}, updateMask: 'userCount' })).status).toBe(400);
    expect((await admin('POST', path, { app: {}, updateMask: 'nothing' })).status).toBe(400);
    expect((await request(server, reader, 'POST', path, { app: { description: 'x' } })).status).toBe(403);
    expect((await request(other, other.admin, 'POST', path, { app: { description: 'x' } })).status).toBe(404);
    expect(names((await search('apps', { query: 'PEO' })).list, (app) => app.displayName)).toEqual(['People']);
    expect((await search('apps', { appIds: [made.body.app.id], excludeAppIds: [made.body.app.id] })).list).toEqual([]);
    expect((await search('apps', { onlyDirectories: true })).list).toEqual([]);
    expect((await admin('DELETE', path, {})).status).toBe(200);
    expect((await admin('DELETE', path)).status).toBe(404);
    expect((await admin('GET', path)).status).toBe(404);
    expect((await search('apps', { query: 'people' })).list).toEqual([]);
    expect((await admin('POST', '/api/v1/apps', { displayName: 'people' })).status).toBe(200);
    const events = await server.test.admin(`SELECT kind FROM events WHERE target_id = $1 ORDER BY id`, [made.body.app.id]);
    expect(events.map((event) => event.kind)).toEqual(['app.created', 'app.updated', 'app.updated', 'app.deleted']);
  });

  it('keeps owners', async () => {
    const [ann, bob] = await Promise.all(
      ['ann@x.example', 'bob@x.example'].map(async (email) => (await search('users', { email })).list[0].user.id),
    );
    const path = `/api/v1/apps/${wiki}`;
    const ids = async () => (await get(`${path}/ownerids`)).userIds;
    expect((await admin('POST', `${path}/owners/${ann}`, {})).body).toEqual({});
    expect((await admin('POST', `${path}/owners/${ann}`, {})).status).toBe(200);
    expect((await admin('POST', `${path}/owners/nobody`, {})).status).toBe(404);
    expect(await ids()).toEqual([ann]);
    expect((await get(`${path}/owners`)).list).toMatchObject([{ id: ann, displayName: 'Ann' }]);
    await admin('PUT', `${path}/owners`, { userIds: [ann, bob, ann] });
    expect(await ids()).toEqual([ann, bob].sort());
    expect(violatedFields(await admin('PUT', `${path}/owners`, { userIds: [ann, 'nobody'] }))).toEqual(['userIds[1]']);
    await admin('DELETE', `${path}/owners/${ann}`);
    expect(await ids()).toEqual([bob]);
    await admin('DELETE', `${path}/owners`, { userIds: [] });
    expect(await ids()).toEqual([bob]);
    await admin('DELETE', `${path}/owners`, { userIds: [bob] });
    expect(await ids()).toEqual([]);
    await admin('PUT', `${path}/owners`, { userIds: [ann] });
    await admin('PUT', `${path}/owners`, { userIds: [] });
    expect(await ids()).toEqual([]);
    const events = await server.test.admin(`SELECT data FROM events WHERE kind = 'app.owners_changed' AND target_id = $1 ORDER BY id`, [
      wiki,
    ]);
    expect(events).toHaveLength(6);
    expect(events[2]?.data).toEqual({ added: [], removed: [ann] });
  });
});
