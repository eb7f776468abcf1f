/** Owners of the second version over HTTP: the same life for whatever has owners, roles, entitlements that own, and what of it the first version shows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const people = 'email,display_name\nann@x.example,Ann\nbob@x.example,Bob\ncyn@x.example,Cyn\n';
const grants = `account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at
ann,ann@x.example,USER,ENABLED,role,Page,read,,
bob,bob@x.example,USER,ENABLED,role,Page,write,,
`;
const absent = '0'.repeat(27);

let server: TestServer;
let other: ServedTenant;
let ids: Readonly<Record<'ann' | 'bob' | 'cyn', string>>;
let appId: string;
let read: Loose;
let write: Loose;
/** Places of the things that have owners, by the name of their kind. */
let places: Readonly<Record<string, string>>;

const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
const done = async (method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await admin(method, path, body);
  expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 200, undefined]);
  return answer.body;
};
const eventsOf = (id: string): Promise<Loose[]> =>
  server.test.admin('SELECT kind, data FROM events WHERE target_id = $1 ORDER BY id', [id]) as Promise<Loose[]>;

beforeAll(async () => {
  server = await useTestServer();
  other = await server.makeTenant('other');
  await sendFile(server, server.admin, '/api/v1/imports/people', people);
  appId = (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Owned', grants)).body.import.appId;
  const idOf = async (email: string): Promise<string> => (await done('POST', '/api/v1/search/users', { email })).list[0].user.id;
  ids = { ann: await idOf('ann@x.example'), bob: await idOf('bob@x.example'), cyn: await idOf('cyn@x.example') };
  const found = (await done('POST', '/api/v1/search/entitlements', { appIds: [appId] })).list.map((view: Loose) => view.appEntitlement);
  read = found.find(({ externalId }: Loose) => externalId === 'read');
  write = found.find(({ externalId }: Loose) => externalId === 'write');
  const account = (await done('POST', '/api/v1/search/app_users', { appIds: [appId], query: 'ann' })).list[0].appUser;
  const source = (await done('GET', `/api/v1/apps/${appId}/connectors`)).list[0].connector;
  places = {
    app: `/api/v2/apps/${appId}`,
    entitlement: `/api/v2/apps/${appId}/entitlements/${read.id}`,
    resource: `/api/v2/apps/${appId}/resource_types/${read.appResourceTypeId}/resources/${read.appResourceId}`,
    account: `/api/v2/apps/${appId}/users/${account.id}`,
    connector: `/api/v2/apps/${appId}/connectors/${source.id}`,
    user: `/api/v2/users/${ids.cyn}`,
  };
});
afterAll(() => server.stop());

const kinds = ['app', 'entitlement', 'resource', 'account', 'connector', 'user'];
/** Kinds of which one owner can be read by itself. */
const read1 = ['app', 'entitlement', 'resource', 'connector'];

describe.each(kinds)('owners of an object of the kind %s', (kind) => {
  const at = (rest: string): string => `${places[kind]}/owners${rest}`;
  const person = (id: string, role = 'owner'): string => at(`/users/${role}/${id}`);
  const entitlement = (one: Loose, role = 'owner'): string => at(`/entitlements/${role}/${one.appId}/${one.id}`);
  const rowsOf = async (sort: 'users' | 'entitlements', query = ''): Promise<string[]> =>
    (await done('GET', at(`/${sort}${query}`))).list.map(
      (row: Loose) => `${row.roleSlug} ${sort === 'users' ? row.user.displayName : row.appEntitlement.displayName}`,
    );

  it('are made, read, listed and taken away again, each as often as one likes', async () => {
    const made = (await done('POST', person(ids.ann), { userRef: { id: ids.ann } })) as Record<string, Loose>;
    const [row] = Object.values(made);
    expect(row).toMatchObject({ roleSlug: 'owner', createdAt: expect.any(String), user: { id: ids.ann, displayName: 'Ann' } });
    expect(await done('POST', person(ids.ann), {})).toEqual(made);
    const owning = (await done('POST', entitlement(write), { appEntitlementRef: { appId: write.appId, id: write.id } })) as Record<
      string,
      Loose
    >;
    expect(Object.values(owning)[0]).toMatchObject({ roleSlug: 'owner', appEntitlement: { id: write.id, appId: write.appId } });
    expect(await done('POST', entitlement(write))).toEqual(owning);
    if (read1.includes(kind)) {
      expect(await done('GET', person(ids.ann))).toEqual(made);
      expect(await done('GET', entitlement(write))).toEqual(owning);
      expect((await admin('GET', person(ids.ann, 'steward'))).status).toBe(404);
    }
    expect(await rowsOf('entitlements')).toEqual([`owner ${write.displayName}`]);
    expect(await rowsOf('users')).toContain('owner Ann');
    expect(await done('DELETE', person(ids.ann), {})).toEqual({});
    expect(await done('DELETE', person(ids.ann))).toEqual({});
    expect(await done('DELETE', entitlement(write))).toEqual({});
    expect(await done('DELETE', entitlement(write), {})).toEqual({});
    if (read1.includes(kind)) {
      expect((await admin('GET', person(ids.ann))).status).toBe(404);
      expect((await admin('GET', entitlement(write))).status).toBe(404);
    }
    expect(await rowsOf('entitlements')).toEqual([]);
    expect(await rowsOf('users')).not.toContain('owner Ann');
  });

  it('are replaced role by role, in the order in which they were sent', async () => {
    const refs = (...all: string[]): Loose[] => all.map((id) => ({ id }));
    const both = [write, read].map((one) => ({ appId: one.appId, id: one.id }));
    await done('PUT', at(''), { userRefs: refs(ids.bob, ids.ann), appEntitlementRefs: both });
    await done('PUT', at(''), { roleSlug: 'steward', userRefs: refs(ids.ann) });
    expect(await rowsOf('users')).toEqual(['owner Bob', 'owner Ann', 'steward Ann']);
    expect(await rowsOf('users', '?role_slug=steward')).toEqual(['steward Ann']);
    expect(await rowsOf('entitlements')).toEqual([`owner ${write.displayName}`, `owner ${read.displayName}`]);
    await done('PUT', at(''), { userRefs: refs(ids.ann) });
    expect(await rowsOf('users')).toEqual(['owner Ann', 'steward Ann']);
    expect(await rowsOf('entitlements')).toEqual([]);
    await done('PUT', at(''), { roleSlug: 'steward' });
    await done('PUT', at(''), {});
    expect(await rowsOf('users')).toEqual([]);
  });

  it('are refused where they are not there, with every wrong one named', async () => {
    expect((await admin('POST', person(absent))).status).toBe(404);
    expect((await admin('DELETE', person(absent))).status).toBe(404);
    expect((await admin('POST', entitlement({ appId, id: absent }))).status).toBe(404);
    expect((await admin('DELETE', entitlement({ appId: absent, id: read.id }))).status).toBe(404);
    expect(violatedFields(await admin('POST', person(ids.ann, '!')))).toEqual(['roleSlug']);
    expect(violatedFields(await admin('POST', person(ids.ann), { userRef: { id: ids.bob } }))).toEqual(['userRef.id']);
    expect(violatedFields(await admin('POST', entitlement(read), { appEntitlementRef: { id: write.id } }))).toEqual(['appEntitlementRef']);
    const wrongPeople = { userRefs: [{ id: ids.ann }, { id: absent }] };
    expect(violatedFields(await admin('PUT', at(''), wrongPeople))).toEqual(['userRefs[1]']);
    const wrongEntitlements = {
      appEntitlementRefs: [
        { appId: absent, id: read.id },
        { appId, id: absent },
      ],
    };
    expect(violatedFields(await admin('PUT', at(''), wrongEntitlements))).toEqual(['appEntitlementRefs[0]', 'appEntitlementRefs[1]']);
    expect(await rowsOf('users')).toEqual([]);
  });

  it('are those of one tenant, and of an object that is there', async () => {
    const asOther = (method: string, path: string): Promise<Answer> =>
      request(other, other.admin, method, path, method === 'GET' ? undefined : {});
    for (const [method, path] of [
      ['GET', at('/users')],
      ['GET', at('/entitlements')],
      ['POST', person(ids.ann)],
      ['PUT', at('')],
      ['DELETE', person(ids.ann)],
    ] as const) {
      expect([method, path, (await asOther(method, path)).status]).toEqual([method, path, 404]);
    }
    const gone = (places[kind] ?? '').replace(/[^/]+$/, absent);
    expect((await admin('PUT', `${gone}/owners`, {})).status).toBe(404);
    expect((await admin('GET', `${gone}/owners/users`)).status).toBe(404);
    const reader = await server.makePerson(`reader-${kind}@x.example`, ['READ_ONLY_ADMINISTRATOR']);
    expect((await request(server, reader, 'PUT', at(''), {})).status).toBe(403);
    expect((await request(server, reader, 'GET', at('/users'))).status).toBe(200);
  });

  it('change with one event each, and none where nothing changes', async () => {
    const id = places[kind]?.split('/').at(-1) ?? '';
    const before = (await eventsOf(id)).length;
    await done('PUT', at(''), { roleSlug: 'steward', userRefs: [{ id: ids.ann }], appEntitlementRefs: [{ appId, id: read.id }] });
    await done('PUT', at(''), { roleSlug: 'steward', userRefs: [{ id: ids.ann }], appEntitlementRefs: [{ appId, id: read.id }] });
    await done('DELETE', person(ids.ann, 'steward'));
    await done('DELETE', person(ids.ann, 'steward'));
    await done('PUT', at(''), { roleSlug: 'steward' });
    const events = (await eventsOf(id)).slice(before);
    expect(events.map((event) => event.kind)).toEqual(Array(3).fill(`${kind}.owners_changed`));
    expect(events.map(({ data }) => [data.roleSlug, data.added, data.removed, data.entitlements])).toEqual([
      ['steward', [ids.ann], [], { added: [`${appId}/${read.id}`], removed: [] }],
      ['steward', [], [ids.ann], undefined],
      ['steward', [], [], { added: [], removed: [`${appId}/${read.id}`] }],
    ]);
  });
});

describe('the first version', () => {
  it('reads and writes the people of the default role, and leaves the rest as it is', async () => {
    const v2 = places.app ?? '';
    const v1 = `/api/v1/apps/${appId}/owners`;
    await done('PUT', `${v2}/owners`, { userRefs: [{ id: ids.ann }], appEntitlementRefs: [{ appId, id: read.id }] });
    await done('PUT', `${v2}/owners`, { roleSlug: 'steward', userRefs: [{ id: ids.bob }] });
    expect((await done('GET', v1)).list.map(({ id }: Loose) => id)).toEqual([ids.ann]);
    expect((await done('GET', `/api/v1/apps/${appId}`)).app.appOwners.map(({ id }: Loose) => id)).toEqual([ids.ann]);
    await done('PUT', v1, { userIds: [ids.cyn] });
    const rows = (await done('GET', `${v2}/owners/users`)).list.map((row: Loose) => [row.roleSlug, row.user.id]);
    expect(rows).toEqual([
      ['owner', ids.cyn],
      ['steward', ids.bob],
    ]);
    expect((await done('GET', `${v2}/owners/entitlements`)).list).toHaveLength(1);
    await done('DELETE', v1, { userIds: [ids.cyn] });
    const owned = (await done('POST', '/api/v1/search/user-ownership', { userId: ids.bob })).list;
    expect(owned.map((entry: Loose) => entry.appId)).toEqual([appId]);
  });

  it('shows the people of a source as those of its default role', async () => {
    const at = places.connector ?? '';
    const one = at.replace('/api/v2', '/api/v1');
    await done('PUT', `${at}/owners`, { userRefs: [{ id: ids.bob }] });
    expect((await done('GET', one)).connectorView.connector.userIds).toEqual([ids.bob]);
    await done('POST', one, { connector: { userIds: [ids.ann] }, updateMask: 'userIds' });
    expect((await done('GET', `${at}/owners/users`)).list.map((row: Loose) => row.user.id)).toEqual([ids.ann]);
  });

  it('takes a resource that an entitlement owns for owned', async () => {
    const at = places.resource ?? '';
    const unowned = async (): Promise<string[]> =>
      (await done('POST', '/api/v1/search/app_resources', { appIds: [appId], unownedOnly: true })).list.map(
        (view: Loose) => view.appResource.id,
      );
    await done('PUT', `${at}/owners`, {});
    const before = await unowned();
    expect(before).toContain(read.appResourceId);
    await done('PUT', `${at}/owners`, { roleSlug: 'steward', appEntitlementRefs: [{ appId, id: write.id }] });
    expect(await unowned()).toEqual(before.filter((id) => id !== read.appResourceId));
    await done('PUT', `${at}/owners`, { roleSlug: 'steward' });
    expect(await unowned()).toEqual(before);
  });
});
