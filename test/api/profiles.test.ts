/** Access profiles over HTTP: made, changed, filled, expanded, counted, searched by those who look for access, deleted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, requestGood, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const grants = `account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at
p1,p1@x.example,USER,ENABLED,role,A,read,2024-01-01T00:00:00Z,
p1,p1@x.example,USER,ENABLED,role,A,write,,
p2,p2@x.example,USER,ENABLED,role,A,read,,
p3,,USER,ENABLED,role,B 100%,member,,
`;

describe('access profiles over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let p1: TestPerson;
  let p2: TestPerson;
  let appId: string;
  let read: Loose;
  let write: Loose;
  let member: Loose;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const ok = (method: string, path: string, body?: unknown): Promise<Loose> => requestGood(server, server.admin, method, path, body);
  const make = async (body: object = {}): Promise<string> =>
    (await ok('POST', '/api/v1/catalogs', { displayName: 'Starter', ...body })).requestCatalogView.requestCatalog.id;
  const view = async (id: string): Promise<Loose> => (await ok('GET', `/api/v1/catalogs/${id}`)).requestCatalogView;
  const refsOf = async (id: string): Promise<string[]> =>
    (await ok('GET', `/api/v1/catalogs/${id}/requestable_entitlementIDs`)).refs.map((ref: Loose) => ref.id).sort();
  const offers = async (person: TestPerson, body: object = {}): Promise<Loose[]> => {
    const answer = await request(server, person, 'POST', '/api/v1/search/request_catalog/entitlements', body);
    expect(answer.status).toBe(200);
    return answer.body.list;
  };
  const namesOf = (list: Loose[]): string[] => list.map(({ entitlement }: Loose) => entitlement.appEntitlement.id).sort();

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    p1 = await server.makePerson('p1@x.example');
    p2 = await server.makePerson('p2@x.example');
    const imported = await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', grants);
    expect(imported.status).toBe(200);
    appId = imported.body.import.appId;
    const { list } = await ok('GET', `/api/v1/apps/${appId}/entitlements?page_size=100`);
    const of = (externalId: string): Loose => {
      const { id } = list.map(({ appEntitlement }: Loose) => appEntitlement).find((one: Loose) => one.externalId === externalId);
      return { appId, id };
    };
    [read, write, member] = [of('read'), of('write'), of('member')];
  });
  afterAll(() => server.stop());

  it('are made, read, changed by mask in both spellings, and deleted', async () => {
    const made = await ok('POST', '/api/v1/catalogs', {
      displayName: '  Engineers ',
      description: 'All of it',
      annotations: { team: 'a' },
      enrollmentBehavior: 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY',
      expandMask: { paths: ['created_by_user_id'] },
    });
    const { id } = made.requestCatalogView.requestCatalog;
    expect(made.requestCatalogView).toMatchObject({
      createdByUserPath: '$.expanded[0]',
      accessEntitlementsPath: '',
      memberCount: '0',
      requestCatalog: {
        displayName: 'Engineers',
        description: 'All of it',
        annotations: { team: 'a' },
        published: false,
        visibleToEveryone: false,
        accessEntitlements: [],
        createdByUserId: server.admin.id,
        enrollmentBehavior: 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY',
      },
    });
    expect(made.expanded[0]).toMatchObject({ '@type': 'type.googleapis.com/c1.api.user.v1.User', id: server.admin.id });
    expect((await view(id)).requestCatalog).toEqual(made.requestCatalogView.requestCatalog);
    const update = (body: object) => admin('POST', `/api/v1/catalogs/${id}`, body);
    await update({ catalog: { published: true, description: 'ignored' }, updateMask: 'published' });
    await update({ catalog: { visible_to_everyone: true, display_name: 'ignored' }, update_mask: 'visible_to_everyone' });
    await update({ catalog: { description: 'New' } });
    expect((await view(id)).requestCatalog).toMatchObject({
      displayName: 'Engineers',
      description: 'New',
      published: true,
      visibleToEveryone: true,
      createdByUserId: server.admin.id,
    });
    expect(violatedFields(await update({ catalog: { displayName: ' ' } }))).toEqual(['catalog.displayName']);
    expect(violatedFields(await update({ catalog: {}, updateMask: 'createdAt' }))).toEqual(['updateMask']);
    expect(violatedFields(await update({ catalog: {}, updateMask: 'nothing' }))).toEqual(['updateMask']);
    expect(await ok('DELETE', `/api/v1/catalogs/${id}`)).toEqual({});
    expect((await admin('GET', `/api/v1/catalogs/${id}`)).status).toBe(404);
    expect((await update({ catalog: { description: 'x' } })).status).toBe(404);
    expect((await admin('DELETE', `/api/v1/catalogs/${id}`)).status).toBe(404);
  });

  it('refuse what cannot be, every field at once', async () => {
    const answer = await admin('POST', '/api/v1/catalogs', { displayName: 'x'.repeat(201), description: 'x'.repeat(4001) });
    expect(answer.status).toBe(400);
    expect(violatedFields(answer).sort()).toEqual(['description', 'displayName']);
    const id = await make();
    const bad = await admin('POST', `/api/v1/catalogs/${id}/requestable_entries`, {
      appEntitlements: [read, { appId, id: 'none' }, { appId: 'none', id: write.id }],
    });
    expect(violatedFields(bad)).toEqual(['appEntitlements[1]', 'appEntitlements[2]']);
    expect(await refsOf(id)).toEqual([]);
  });

  it('give entitlements: added, set, taken out, one by one', async () => {
    const id = await make();
    const at = `/api/v1/catalogs/${id}`;
    await ok('POST', `${at}/requestable_entries`, { appEntitlements: [read, write, read], createRequests: true });
    await ok('POST', `${at}/requestable_entries`, { appEntitlements: [read] });
    expect(await refsOf(id)).toEqual([read.id, write.id].sort());
    const { list, nextPageToken } = await ok('GET', `${at}/requestable_entitlements`);
    expect(list.map((one: Loose) => one.appEntitlement.id).sort()).toEqual([read.id, write.id].sort());
    expect(nextPageToken).toBe('');
    await ok('DELETE', `${at}/requestable_entries`, { appEntitlements: [write, member] });
    expect(await refsOf(id)).toEqual([read.id]);
    const entry = `${at}/requestable_entries/${appId}/${member.id}`;
    expect((await admin('GET', entry)).status).toBe(404);
    expect((await ok('PUT', entry, {})).requestableEntry).toEqual({ catalogId: id, appId, entitlementId: member.id });
    expect((await ok('PUT', entry)).requestableEntry.entitlementId).toBe(member.id);
    expect((await ok('GET', entry)).requestableEntry).toEqual({ catalogId: id, appId, entitlementId: member.id });
    expect(await ok('DELETE', entry)).toEqual({});
    expect((await admin('DELETE', entry)).status).toBe(404);
    await ok('POST', `${at}/requestable_entitlements/update`, { appEntitlements: [write, member] });
    expect(await refsOf(id)).toEqual([write.id, member.id].sort());
    await ok('POST', `${at}/requestable_entitlements/update`, { appEntitlements: [] });
    expect(await refsOf(id)).toEqual([]);
  });

  it('are bounded', async () => {
    const id = await make();
    const { list } = await ok('GET', `/api/v1/apps/${appId}/entitlements`);
    expect(list.length).toBeGreaterThan(0);
    const refs = Array.from({ length: 1001 }, () => read);
    // The same a thousand times is one.
    await ok('POST', `/api/v1/catalogs/${id}/requestable_entries`, { appEntitlements: refs });
    expect(await refsOf(id)).toEqual([read.id]);
  });

  it('carry and expand who sees them, and count who holds all they give', async () => {
    const id = await make({ published: true });
    await ok('POST', `/api/v1/catalogs/${id}/visibility_bindings`, { accessEntitlements: [write] });
    await ok('POST', `/api/v1/catalogs/${id}/requestable_entries`, { appEntitlements: [read] });
    expect(await view(id)).toMatchObject({ memberCount: '2', requestCatalog: { accessEntitlements: [{ id: write.id }] } });
    await ok('POST', `/api/v1/catalogs/${id}/requestable_entries`, { appEntitlements: [write] });
    expect((await view(id)).memberCount).toBe('1');
    const changed = await ok('POST', `/api/v1/catalogs/${id}`, { catalog: {}, expandMask: { paths: ['*'] } });
    expect(changed.expanded.map((one: Loose) => one['@type'].split('.').at(-1)).sort()).toEqual(['App', 'AppEntitlement', 'User']);
    const place = Number(/\d+/.exec(changed.requestCatalogView.accessEntitlementsPath)?.[0]);
    expect(changed.expanded[place].id).toBe(write.id);
    await ok('POST', `/api/v1/catalogs/${id}/visibility_bindings`, { accessEntitlements: [member] });
    const both = await ok('POST', `/api/v1/catalogs/${id}`, { catalog: {}, expandMask: { paths: ['access_entitlements'] } });
    expect(both.requestCatalogView.accessEntitlementsPath).toBe('$.expanded[0,1]');
    expect(both.expanded.map((one: Loose) => one.id)).toEqual([write.id, member.id]);
    await ok('DELETE', `/api/v1/catalogs/${id}/visibility_bindings`, { accessEntitlements: [member] });
    const seen = await ok('GET', `/api/v1/catalogs/${id}/visibility_entitlements`);
    expect(seen.list.map((one: Loose) => one.appEntitlement.id)).toEqual([write.id]);
    await ok('DELETE', `/api/v1/catalogs/${id}/visibility_bindings`, { accessEntitlements: [write] });
    expect((await view(id)).requestCatalog.accessEntitlements).toEqual([]);
  });

  it('are found by those who see them', async () => {
    await ok('POST', '/api/v1/catalogs', { displayName: 'Unpublished', visibleToEveryone: true });
    const open = await make({ published: true, visibleToEveryone: true });
    const closed = await make({ published: true });
    await ok('POST', `/api/v1/catalogs/${open}/requestable_entries`, { appEntitlements: [read] });
    await ok('POST', `/api/v1/catalogs/${closed}/requestable_entries`, { appEntitlements: [member] });
    await ok('POST', `/api/v1/catalogs/${closed}/visibility_bindings`, { accessEntitlements: [write] });
    // Only p1 holds what the second one asks for.
    expect(namesOf(await offers(p1))).toEqual([read.id, member.id, write.id].filter((id) => id !== write.id).sort());
    expect(namesOf(await offers(p2))).toEqual([read.id]);
    const [held] = await offers(p2, { grantedStatus: 'GRANTED' });
    expect(held.appEntitlementUserBindings).toMatchObject([{ appId, appEntitlementId: read.id, grantSources: [] }]);
    expect(namesOf(await offers(p1, { grantedStatus: 'NOT_GRANTED' }))).toEqual([member.id]);
    expect(namesOf(await offers(p1, { query: '100%' }))).toEqual([member.id]);
    expect(namesOf(await offers(p1, { query: '100_' }))).toEqual([]);
    expect(namesOf(await offers(p1, { appDisplayName: 'wiki' }))).toEqual([read.id, member.id].sort());
    expect(namesOf(await offers(p1, { appDisplayName: 'wik' }))).toEqual([]);
    expect(namesOf(await offers(p1, { entitlementAlias: 'none' }))).toEqual([]);
    const expanded = await request(server, p1, 'POST', '/api/v1/search/request_catalog/entitlements', {
      expandMask: { paths: ['app_id'] },
    });
    expect(expanded.body.expanded.map((one: Loose) => one.id)).toEqual([appId]);
    await ok('DELETE', `/api/v1/catalogs/${open}`);
    expect(namesOf(await offers(p2))).toEqual([]);
  });

  it('are administrators’ to write, and another tenant’s are nowhere', async () => {
    const id = await make();
    expect((await request(server, p1, 'POST', '/api/v1/catalogs', { displayName: 'x' })).status).toBe(403);
    expect((await request(server, p1, 'GET', `/api/v1/catalogs/${id}`)).status).toBe(403);
    expect((await request(other, other.admin, 'GET', `/api/v1/catalogs/${id}`)).status).toBe(404);
    expect((await request(other, other.admin, 'POST', `/api/v1/catalogs/${id}/requestable_entries`, { appEntitlements: [] })).status).toBe(
      404,
    );
    const theirs = await request(other, other.admin, 'POST', '/api/v1/catalogs', { displayName: 'x' });
    const theirId = theirs.body.requestCatalogView.requestCatalog.id;
    const mixed = await request(other, other.admin, 'POST', `/api/v1/catalogs/${theirId}/requestable_entries`, { appEntitlements: [read] });
    expect(violatedFields(mixed)).toEqual(['appEntitlements[0]']);
  });

  it('leave an event for each change, and none where nothing changed', async () => {
    const id = await make();
    await ok('POST', `/api/v1/catalogs/${id}`, { catalog: { displayName: 'Starter' } });
    await ok('POST', `/api/v1/catalogs/${id}/requestable_entries`, { appEntitlements: [] });
    await ok('POST', `/api/v1/catalogs/${id}/requestable_entries`, { appEntitlements: [read] });
    const { db } = server.system();
    const kinds = await db.rows<{ kind: string }>('SELECT kind FROM events WHERE target_id = $1 ORDER BY id', [id]);
    expect(kinds.map(({ kind }) => kind)).toEqual(['access_profile.created', 'access_profile.entitlements_changed']);
  });
});
