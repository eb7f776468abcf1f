/** Resource types, resources and their owners over HTTP: made manually beside imported ones, searched, expanded, changed, deleted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const people = 'email,display_name,manager_email,department,job_title,employment_status\nann@x.example,Ann,,,,\nbob@x.example,Bob,,,,\n';
const grants = `account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at
ann,ann@x.example,USER,ENABLED,Role,Éditions 100%,read,,
bob,bob@x.example,USER,ENABLED,room,Lab,enter,,
`;
const absent = '0'.repeat(27);

describe('resources over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let reader: TestPerson;
  let app: string;
  let roleType: string;
  let editions: string;
  let ann: string;
  let bob: string;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const done = async (method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await admin(method, path, body);
    expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 200, undefined]);
    return answer.body;
  };
  const search = (body: object) => done('POST', '/api/v1/search/app_resources', { appIds: [app], ...body });
  const found = async (body: object): Promise<string[]> =>
    (await search(body)).list.map((view: Loose) => view.appResource.displayName).sort();
  const searchTypes = async (body: object): Promise<string[]> =>
    (await done('POST', '/api/v1/search/app_resource_types', { appIds: [app], ...body })).list
      .map((type: Loose) => type.displayName)
      .sort();
  const makeType = async (displayName: string, resourceType?: string): Promise<Loose> =>
    (await done('POST', `/api/v1/apps/${app}/resource_types`, { displayName, resourceType })).appResourceType;
  const makeResource = async (typeId: string, fields: object): Promise<Loose> =>
    (await done('POST', `/api/v1/apps/${app}/resource_types/${typeId}/resources`, fields)).appResource;
  const typePath = (id: string): string => `/api/v1/apps/${app}/resource_types/${id}`;
  const events = async (id: string): Promise<Loose[]> =>
    server.test.admin('SELECT kind, data FROM events WHERE target_id = $1 ORDER BY id', [id]);

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    reader = await server.makePerson('reader@x.example', ['READ_ONLY_ADMINISTRATOR']);
    await sendFile(server, server.admin, '/api/v1/imports/people', people);
    app = (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', grants)).body.import.appId;
    [ann, bob] = await Promise.all(
      ['ann@x.example', 'bob@x.example'].map(async (email) => (await done('POST', '/api/v1/search/users', { email })).list[0].user.id),
    );
    const [view] = (await search({ query: 'editions' })).list;
    editions = view.appResource.id;
    roleType = view.appResource.appResourceTypeId;
  });
  afterAll(() => server.stop());

  it('makes a type of each kind, whose trait is its word', async () => {
    const words = ['ROLE', 'GROUP', 'LICENSE', 'PROJECT', 'CATALOG', 'CUSTOM', 'VAULT', 'PROFILE_TYPE', 'SESSION_POLICY', 'CLAW_AGENT'];
    for (const word of words) {
      expect(await makeType(`Kind ${word}`, word)).toMatchObject({
        appId: app,
        displayName: `Kind ${word}`,
        traitIds: [word.toLowerCase()],
      });
    }
    expect((await makeType('No kind')).traitIds).toEqual(['role']);
    expect(await searchTypes({ resourceTypeTraitIds: ['vault', 'group'] })).toEqual(['Kind GROUP', 'Kind VAULT']);
    expect(await searchTypes({ query: 'kind', excludeResourceTypeTraitIds: words.slice(2).map((word) => word.toLowerCase()) })).toEqual([
      'Kind GROUP',
      'Kind ROLE',
      'No kind',
    ]);
    expect(await searchTypes({ resourceTypeTraitIds: ['role'], query: 'ROLE' })).toEqual(['Kind ROLE', 'Role']);
    expect(await searchTypes({ resourceTypeTraitIds: ['role'], displayName: 'Role' })).toEqual(['Role']);
    expect((await admin('POST', `/api/v1/apps/${app}/resource_types`, { displayName: 'X', resourceType: 'DRAWER' })).status).toBe(400);
  });

  it('refuses types without a name, for no app and from whoever may only read', async () => {
    const path = `/api/v1/apps/${app}/resource_types`;
    for (const displayName of [undefined, '', '  ', 'x'.repeat(201)]) {
      expect(violatedFields(await admin('POST', path, { displayName }))).toEqual(['displayName']);
    }
    // A taken name is that type again.
    expect((await admin('POST', path, { displayName: ' ROOM ' })).body.appResourceType.displayName).toBe('room');
    expect((await admin('POST', `/api/v1/apps/${absent}/resource_types`, { displayName: 'X' })).status).toBe(404);
    expect((await request(other, other.admin, 'POST', path, { displayName: 'X' })).status).toBe(404);
    expect((await request(server, reader, 'POST', path, { displayName: 'X' })).status).toBe(403);
  });

  it('changes types by mask in both spellings, imported ones too, and keeps that through a sync', async () => {
    const made = await makeType('Drawer', 'CUSTOM');
    const changed = await done('POST', typePath(made.id), {
      appResourceType: { displayName: 'Locker', traitIds: ['vault'] },
      updateMask: 'trait_ids',
    });
    expect(changed.appResourceType).toMatchObject({ displayName: 'Drawer', traitIds: ['vault'] });
    await done('POST', typePath(made.id), { appResourceType: { displayName: 'Locker' }, updateMask: 'displayName' });
    await done('POST', typePath(made.id), { appResourceType: { displayName: 'Locker', id: 'echo', appId: 'echo' } });
    expect((await events(made.id)).map(({ kind }) => kind)).toEqual([
      'resource_type.created',
      'resource_type.updated',
      'resource_type.updated',
    ]);
    for (const [body, status, fields] of [
      [{ appResourceType: { displayName: '' } }, 400, ['appResourceType.displayName']],
      [{ appResourceType: { traitIds: ['role', 'drawer'] } }, 400, ['appResourceType.traitIds[1]']],
      [{ appResourceType: {}, updateMask: 'appId' }, 400, ['updateMask']],
      [{ appResourceType: {}, updateMask: 'nothing' }, 400, ['updateMask']],
      [{ appResourceType: { displayName: 'room' } }, 409, []],
    ] as const) {
      const answer = await admin('POST', typePath(made.id), body);
      expect([body, answer.status, violatedFields(answer)]).toEqual([body, status, fields]);
    }
    await done('POST', typePath(roleType), { appResourceType: { displayName: 'Roles', traitIds: ['group'] } });
    await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', grants);
    const view = (await done('GET', typePath(roleType))).appResourceTypeView;
    expect(view.appResourceType).toMatchObject({ displayName: 'Roles', traitIds: ['group'] });
    await done('POST', typePath(roleType), { appResourceType: { displayName: 'Role', traitIds: [] } });
    expect((await done('GET', typePath(roleType))).appResourceTypeView.appResourceType.traitIds).toEqual(['role']);
  });

  it('deletes types made manually, once nothing is of them', async () => {
    const refused = await admin('DELETE', typePath(roleType), {});
    expect([refused.status, refused.body.code]).toEqual([400, 9]);
    expect(refused.body.message).toContain('comes from a source');
    const { id } = await makeType('Shelf', 'CUSTOM');
    const resource = await makeResource(id, { displayName: 'Top' });
    const full = await admin('DELETE', typePath(id));
    expect([full.status, full.body.code]).toEqual([400, 9]);
    expect(full.body.message).toContain('(1)');
    await done('DELETE', `${typePath(id)}/resources/${resource.id}`);
    await done('DELETE', typePath(id));
    expect((await admin('DELETE', typePath(id))).status).toBe(404);
    expect((await admin('GET', typePath(id))).status).toBe(404);
    expect((await admin('GET', `${typePath(id)}/resources`)).status).toBe(404);
    expect(await searchTypes({ resourceTypeIds: [id] })).toEqual([]);
    expect((await makeType('shelf')).id).not.toBe(id);
  });

  it('makes resources of any type, with owners', async () => {
    const made = await makeResource(roleType, {
      displayName: ' Archive ',
      description: 'Old things',
      annotations: { floor: '2' },
      match_baton_id: 'm',
      resourceOwnerUserIds: [ann, bob, ann],
    });
    expect(made).toMatchObject({
      appId: app,
      appResourceTypeId: roleType,
      displayName: 'Archive',
      description: 'Old things',
      annotations: { floor: '2' },
      matchBatonId: 'm',
      externalId: made.id,
      grantCount: '0',
      customDescription: '',
    });
    const path = `${typePath(roleType)}/resource/${made.id}`;
    expect((await done('GET', `${path}/ownerids`)).userIds).toEqual([ann, bob].sort());
    const resources = `${typePath(roleType)}/resources`;
    expect(violatedFields(await admin('POST', resources, { displayName: ' ', description: 'x'.repeat(10_001) }))).toEqual([
      'displayName',
      'description',
    ]);
    const nobody = await admin('POST', resources, { displayName: 'X', resourceOwnerUserIds: [ann, absent] });
    expect([nobody.status, violatedFields(nobody)]).toEqual([400, ['resourceOwnerUserIds[1]']]);
    expect((await admin('POST', `${typePath(absent)}/resources`, { displayName: 'X' })).status).toBe(404);
    expect((await request(other, other.admin, 'POST', resources, { displayName: 'X' })).status).toBe(404);
    expect((await request(server, reader, 'POST', resources, { displayName: 'X' })).status).toBe(403);
    expect(await found({ query: 'archive' })).toEqual(['Archive']);
    await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', grants);
    expect(await found({ resourceIds: [made.id] })).toEqual(['Archive']);
  });

  it('changes resources by mask in both spellings, and expands what the reply is related to', async () => {
    const made = await makeResource(roleType, { displayName: 'Desk', description: 'Oak', annotations: { a: 'b' } });
    const path = `${typePath(roleType)}/resources/${made.id}`;
    const { appResourceView, expanded } = await done('POST', path, {
      appResource: { displayName: 'Table', customDescription: 'Round' },
      updateMask: 'custom_description,annotations',
      expandMask: { paths: ['app_id', 'app_resource_type_id'] },
    });
    expect(appResourceView.appResource).toMatchObject({
      displayName: 'Desk',
      description: 'Oak',
      customDescription: 'Round',
      annotations: {},
    });
    expect([appResourceView.appPath, appResourceView.resourceTypePath]).toEqual(['$.expanded[0]', '$.expanded[1]']);
    expect(expanded.map((one: Loose) => [one['@type'], one.id])).toEqual([
      ['type.googleapis.com/c1.api.app.v1.App', app],
      ['type.googleapis.com/c1.api.app.v1.AppResourceType', roleType],
    ]);
    const echoed = await done('POST', path, { appResource: { ...appResourceView.appResource, grantCount: '7', secretTrait: {} } });
    expect(echoed.appResourceView.appResource).toEqual(appResourceView.appResource);
    expect((await events(made.id)).map(({ kind }) => kind)).toEqual(['resource.created', 'resource.updated']);
    for (const updateMask of ['id', 'app_id', 'grantCount', 'externalId', 'secretTrait', 'agentTrait.status', 'nothing']) {
      const answer = await admin('POST', path, { appResource: {}, updateMask });
      expect([updateMask, answer.status, violatedFields(answer)]).toEqual([updateMask, 400, ['updateMask']]);
    }
    expect(violatedFields(await admin('POST', path, { appResource: {}, updateMask: 'displayName' }))).toEqual(['appResource.displayName']);
    expect(violatedFields(await admin('POST', path, { appResource: {}, updateMask: '*' }))).toEqual(['appResource.displayName']);
    const whole = await done('POST', path, { appResource: { displayName: 'Chair' }, updateMask: '*' });
    expect(whole.appResourceView.appResource).toMatchObject({ displayName: 'Chair', description: '', customDescription: '' });
    expect((await request(other, other.admin, 'POST', path, { appResource: {} })).status).toBe(404);
    expect((await request(server, reader, 'POST', path, { appResource: {} })).status).toBe(403);
  });

  it('puts resources below others, never below themselves', async () => {
    const [top, middle, bottom] = await Promise.all(
      ['top', 'middle', 'bottom'].map(async (displayName) => makeResource(roleType, { displayName })),
    );
    const put = (child: Loose, parent: string, fields: object = {}): Promise<Answer> =>
      admin('POST', `${typePath(roleType)}/resources/${child.id}`, {
        appResource: { parentAppResourceId: parent, ...fields },
        expandMask: { paths: ['*'] },
      });
    const { appResourceView, expanded } = (await put(middle, top.id)).body;
    expect(appResourceView.appResource).toMatchObject({ parentAppResourceId: top.id, parentAppResourceTypeId: roleType });
    expect(expanded[Number(/\d+/.exec(appResourceView.parentResourcePath)?.[0])].id).toBe(top.id);
    expect(expanded[Number(/\d+/.exec(appResourceView.parentResourceTypePath)?.[0])].id).toBe(roleType);
    expect((await put(bottom, middle.id)).status).toBe(200);
    for (const [child, parent, fields, field] of [
      [top, bottom.id, {}, 'appResource.parentAppResourceId'],
      [top, top.id, {}, 'appResource.parentAppResourceId'],
      [top, absent, {}, 'appResource.parentAppResourceId'],
      [top, editions, { parentAppResourceTypeId: absent }, 'appResource.parentAppResourceTypeId'],
    ] as const) {
      expect(violatedFields(await put(child, parent, fields))).toEqual([field]);
    }
    await done('DELETE', `${typePath(roleType)}/resources/${middle.id}`);
    const orphan = (await done('GET', `${typePath(roleType)}/resources/${bottom.id}`)).appResourceView;
    expect(orphan.appResource).toMatchObject({ parentAppResourceId: '', parentAppResourceTypeId: '' });
  });

  it("shows the parent that a file names, which stays the source's until somebody says another, or none", async () => {
    const file = (parent: string): string =>
      `account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at,parent_resource,parent_resource_type
a,,USER,ENABLED,repo,Site,read,,,${parent},org\n`;
    const importId = async (text: string): Promise<string> =>
      (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Below', text)).body.import.appId;
    const appId = await importId(file('Acme'));
    const find = async (query: string): Promise<Loose> =>
      (await done('POST', '/api/v1/search/app_resources', { appIds: [appId], query })).list[0].appResource;
    const acme = await find('Acme');
    const site = await find('Site');
    expect(site).toMatchObject({ parentAppResourceId: acme.id, parentAppResourceTypeId: acme.appResourceTypeId });
    const path = `/api/v1/apps/${appId}/resource_types/${site.appResourceTypeId}/resources/${site.id}`;
    // Sent back as it was read, with something else: the next file still moves it.
    await done('POST', path, { appResource: { ...site, customDescription: 'Ours' } });
    await importId(file('Other'));
    const other = await find('Other');
    expect(await find('Site')).toMatchObject({ parentAppResourceId: other.id, customDescription: 'Ours' });
    await done('POST', path, { appResource: { parentAppResourceId: acme.id } });
    await importId(file('Third'));
    expect(await find('Site')).toMatchObject({ parentAppResourceId: acme.id });
    await done('POST', path, { appResource: { parentAppResourceId: '' } });
    expect(await find('Site')).toMatchObject({ parentAppResourceId: '', parentAppResourceTypeId: '' });
  });

  it('lets imported resources be described, keeps that through a sync, and does not delete them', async () => {
    const path = `${typePath(roleType)}/resources/${editions}`;
    await done('POST', path, { appResource: { displayName: 'Editions', customDescription: 'All of them' } });
    await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', grants);
    const { appResourceView } = await done('GET', path);
    expect(appResourceView.appResource).toMatchObject({
      displayName: 'Editions',
      customDescription: 'All of them',
      externalId: 'Éditions 100%',
      grantCount: '1',
    });
    expect(appResourceView.objectPermissions).toEqual({ read: true, edit: true, delete: false, extra: {} });
    expect((await request(server, reader, 'GET', path)).body.appResourceView.objectPermissions.edit).toBe(false);
    const refused = await admin('DELETE', path, {});
    expect([refused.status, refused.body.code]).toEqual([400, 9]);
  });

  it('deletes a resource made manually with what it offers, but not while somebody holds it', async () => {
    const made = await makeResource(roleType, { displayName: 'Safe' });
    const path = `${typePath(roleType)}/resources/${made.id}`;
    const { db, now } = server.system();
    await db.run(
      `INSERT INTO entitlements (tenant_id, app_id, id, resource_type_id, resource_id, external_id, display_name, is_manual, grant_count, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, 'open', 'open', true, 2, $6, $6)`,
      [server.id, app, 'safe-open', roleType, made.id, now],
    );
    const held = await admin('DELETE', path);
    expect([held.status, held.body.code]).toEqual([400, 9]);
    expect(held.body.message).toContain('2 grants');
    await db.run('UPDATE entitlements SET grant_count = 0 WHERE tenant_id = $1 AND id = $2', [server.id, 'safe-open']);
    await done('DELETE', path);
    expect((await admin('GET', path)).status).toBe(404);
    const { body: past } = await admin('GET', `/api/v1/apps/${app}/entitlements/safe-open`);
    expect(past.appEntitlementView.appEntitlement).toHaveProperty('deletedAt');
    expect(await found({ resourceIds: [made.id] })).toEqual([]);
    expect((await events(made.id)).at(-1)).toMatchObject({ kind: 'resource.deleted', data: { entitlementCount: 1 } });
  });

  it('finds resources by every member of the search', async () => {
    const type = await makeType('Field', 'PROJECT');
    const meadow = await makeResource(type.id, { displayName: 'Meadow', description: 'green', resourceOwnerUserIds: [ann] });
    const marsh = await makeResource(type.id, { displayName: 'Marsh' });
    const of = (body: object) => found({ resourceTypeIds: [type.id], ...body });
    const accounts: Loose[] = (await done('POST', '/api/v1/search/app_users', { appId: app })).list.map((view: Loose) => view.appUser);
    const account = accounts.find(({ username }) => username === 'bob').id;
    expect(await of({})).toEqual(['Marsh', 'Meadow']);
    expect(await of({ appId: absent })).toEqual([]);
    expect(await of({ appIds: [absent] })).toEqual([]);
    expect(await of({ resourceIds: [marsh.id] })).toEqual(['Marsh']);
    expect(await of({ excludeResourceIds: [marsh.id] })).toEqual(['Meadow']);
    expect(await of({ query: 'GREEN' })).toEqual(['Meadow']);
    expect(await of({ query: marsh.id })).toEqual(['Marsh']);
    expect(await of({ ownerUserIds: [ann] })).toEqual(['Meadow']);
    expect(await of({ ownerUserIds: [bob] })).toEqual([]);
    expect(await of({ unownedOnly: true })).toEqual(['Marsh']);
    expect(await of({ resourceTypeTraitIds: ['project'] })).toEqual(['Marsh', 'Meadow']);
    expect(await of({ resourceTypeTraitIds: ['vault'] })).toEqual([]);
    expect(await of({ excludeResourceTypeTraitIds: ['project', 'vault'] })).toEqual([]);
    expect(await of({ refs: [{ appId: app, appResourceTypeId: type.id, id: meadow.id }] })).toEqual(['Meadow']);
    expect(await of({ refs: [{ appId: app, id: meadow.id }] })).toEqual(['Meadow']);
    expect(await of({ refs: [{ appId: app, appResourceTypeId: roleType, id: meadow.id }] })).toEqual([]);
    expect(await found({ appUserIds: [account] })).toEqual(['Lab']);
    expect(await searchTypes({ appUserIds: [account] })).toEqual(['room']);
    expect(await searchTypes({ resourceTypeIds: [type.id], excludeResourceTypeIds: [type.id] })).toEqual([]);
    expect(
      await of({ excludeDeletedApps: true, excludeDeletedResourceBindings: true, sortField: 'APP_RESOURCE_SORT_FIELD_LAST_USED_AT' }),
    ).toEqual(['Marsh', 'Meadow']);
  });

  it.each([
    [{ agentStatuses: ['AGENT_STATUS_READY'] }],
    [{ nhiTypes: ['NHI_TYPE_MANAGED_IDENTITY'] }],
    [{ credentialTypes: ['CREDENTIAL_TYPE_CERTIFICATE'] }],
    [{ secretAging: { lastUsedBefore: '2030-01-01T00:00:00Z' } }],
    [{ withOpenFindings: true }],
  ])('finds nothing of a kind that nothing is of: %j', async (filter) => {
    expect(await found(filter)).toEqual([]);
  });

  it('takes no kind for no filter, and "unspecified" for all, which are so', async () => {
    const all = await found({});
    expect(all.length).toBeGreaterThan(2);
    expect(await found({ secretAging: {}, nhiTypes: ['NHI_TYPE_UNSPECIFIED', 'NHI_TYPE_APP_REGISTRATION'] })).toEqual(all);
  });

  it('pages up and down through every resource once', async () => {
    const type = await makeType('Many');
    for (let number = 0; number < 23; number++) {
      await makeResource(type.id, { displayName: `Number ${number}` });
    }
    const all = async (body: object): Promise<string[]> => {
      const ids: string[] = [];
      for (let pageToken = ''; ; ) {
        const page = await search({ resourceTypeIds: [type.id], pageSize: 10, pageToken, ...body });
        ids.push(...page.list.map((view: Loose) => view.appResource.id));
        pageToken = page.nextPageToken;
        if (pageToken === '') {
          return ids;
        }
      }
    };
    const up = await all({});
    expect(new Set(up).size).toBe(23);
    expect(up).toEqual([...up].sort());
    expect(await all({ direction: 'SORT_DIRECTION_DESC' })).toEqual([...up].reverse());
    expect(await all({ direction: 'SORT_DIRECTION_DESC', query: 'number' })).toEqual([...up].reverse());
    expect(await all({ query: 'number' })).toEqual(up);
  });

  it('keeps owners of resources', async () => {
    const made = await makeResource(roleType, { displayName: 'Owned' });
    const path = `${typePath(roleType)}/resource/${made.id}`;
    const ids = async (): Promise<string[]> => (await done('GET', `${path}/ownerids`)).userIds;
    expect(await done('POST', `${path}/owners`, { userId: ann })).toEqual({});
    await done('POST', `${path}/owners`, { userId: ann });
    expect(await ids()).toEqual([ann]);
    const list = await done('GET', `${path}/owners`);
    expect(list).toMatchObject({ list: [{ id: ann, displayName: 'Ann' }], immutableUserIds: [], nextPageToken: '' });
    await done('PUT', `${path}/owners`, { userIds: [bob, ann] });
    expect(await ids()).toEqual([bob, ann]);
    await done('DELETE', `${path}/owners`, { userId: ann });
    await done('DELETE', `${path}/owners`, { userId: ann });
    expect(await ids()).toEqual([bob]);
    await done('PUT', `${path}/owners`, { user_ids: [ann, bob] });
    expect(await done('DELETE', `${path}/ownerids`)).toEqual({});
    expect(await ids()).toEqual([]);
    const changes = (await events(made.id)).slice(1);
    expect(changes.map(({ kind }) => kind)).toEqual(Array(5).fill('resource.owners_changed'));
    expect(changes[2].data).toMatchObject({ appId: app, added: [], removed: [ann] });
    for (const [method, body, field] of [
      ['POST', { userId: absent }, 'userId'],
      ['POST', {}, 'userId'],
      ['DELETE', { userId: absent }, 'userId'],
      ['PUT', { userIds: [ann, absent] }, 'userIds[1]'],
      ['PUT', { userIds: Array.from({ length: 1001 }, (_, number) => String(number)) }, 'userIds'],
    ] as const) {
      const answer = await admin(method, `${path}/owners`, body);
      expect([method, answer.status, violatedFields(answer)]).toEqual([method, 400, [field]]);
    }
    for (const wrong of [`${typePath(absent)}/resource/${made.id}`, `${typePath(roleType)}/resource/${absent}`]) {
      expect((await admin('POST', `${wrong}/owners`, { userId: ann })).status).toBe(404);
      expect((await admin('GET', `${wrong}/owners`)).status).toBe(404);
    }
    expect((await request(other, other.admin, 'GET', `${path}/owners`)).status).toBe(404);
    expect((await request(server, reader, 'PUT', `${path}/owners`, { userIds: [] })).status).toBe(403);
  });
});
