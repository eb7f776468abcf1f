/** History of grants, over HTTP: the feed, past grants, and our own list with the syncs between which each appeared and vanished. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, requestGood, violatedFields } from '../support/api.ts';
import { insertEntitlement } from '../support/manual-app.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { untilLater } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';
const line = (account: string, entitlement: string): string => `${account},,USER,ENABLED,role,Wiki,${entitlement},2024-01-01T00:00:00Z,`;
const grants = (held: Readonly<Record<string, readonly string[]>>): string =>
  [header, ...Object.entries(held).flatMap(([account, names]) => names.map((name) => line(account, name)))].join('\n');

describe('the history of grants over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let reader: TestPerson;
  let basic: TestPerson;
  let wiki: string;
  const imports: string[] = [];
  const names = new Map<string, string>();
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const ok = (method: string, path: string, body?: unknown): Promise<Loose> => requestGood(server, server.admin, method, path, body);
  const feed = async (filter: object): Promise<string[]> =>
    (await ok('POST', '/api/v1/grants/feed', { ...filter, pageSize: 100 })).list.map(
      ({ feed: event }: Loose) =>
        `${event.eventType.replace('GRANT_EVENT_TYPE_', '')} ${names.get(event.appUserId)} ${names.get(event.appEntitlementId)}`,
    );
  const past = async (filter: object): Promise<string[]> =>
    (await ok('POST', '/api/v1/search/past-grants', { ...filter, pageSize: 100 })).list.map(
      ({ history }: Loose) => `${names.get(history.appUserId)} ${names.get(history.appEntitlementId)}`,
    );
  const idOf = (name: string): string => [...names].find(([, value]) => value === name)?.[0] ?? '';
  const readNames = async (): Promise<void> => {
    for (const { appUser } of (await ok('POST', '/api/v1/search/app_users', { appIds: [wiki], pageSize: 100 })).list) {
      names.set(appUser.id, appUser.displayName);
    }
    for (const { appEntitlement } of (await ok('GET', `/api/v1/apps/${wiki}/entitlements?page_size=100`)).list) {
      names.set(appEntitlement.id, appEntitlement.systemBuiltin ? 'access' : appEntitlement.displayName.replace('Wiki ', ''));
    }
  };
  const sync = async (held: Readonly<Record<string, readonly string[]>>): Promise<void> => {
    const { body } = await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki&allow_removals=true', grants(held));
    imports.push(body.import.id);
    wiki = body.import.appId;
    await readNames();
  };
  let middle: string;

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    reader = await server.makePerson('reader@x.example', ['READ_ONLY_ADMINISTRATOR']);
    basic = await server.makePerson('basic@x.example');
    await sync({ ann: ['read', 'write'], bob: ['read'] });
    await sync({ ann: ['read', 'write'], bob: ['read'] });
    await sync({ ann: ['read'], bob: ['read', 'write'] });
    await untilLater();
    middle = new Date().toISOString();
    await sync({ ann: ['read', 'write'] });
    const badge = await insertEntitlement(server.system(), wiki, 'badge');
    await readNames();
    await ok('POST', `/api/v1/apps/${wiki}/entitlements/${badge}/add-manual-user`, { userIds: [basic.id] });
    await readNames();
  });
  afterAll(() => server.stop());

  it('is a feed of each addition and removal, newest first, without the app access that follows', async () => {
    const all = await feed({});
    expect(all[0]).toBe('ADDED basic badge');
    expect(all.slice(1, 4).sort()).toEqual(['ADDED ann write', 'REMOVED bob read', 'REMOVED bob write']);
    expect(all.slice(4, 6).sort()).toEqual(['ADDED bob write', 'REMOVED ann write']);
    expect(all.slice(6).sort()).toEqual(['ADDED ann read', 'ADDED ann write', 'ADDED bob read']);
    expect(await feed({ appRefs: [{ id: wiki }] })).toEqual(all);
    expect(await feed({ appRefs: [{ id: '0'.repeat(27) }] })).toEqual([]);
    expect(await feed({ appUserRefs: [{ appId: wiki, id: idOf('bob') }] })).toEqual(all.filter((one) => one.includes(' bob ')));
    expect(await feed({ userRefs: [{ id: basic.id }] })).toEqual(['ADDED basic badge']);
    const write = { appId: wiki, id: idOf('write') };
    expect(await feed({ appEntitlementRefs: [write] })).toEqual(all.filter((one) => one.endsWith(' write')));
    expect(await feed({ appEntitlementRefs: [write], appUserRefs: [{ appId: wiki, id: idOf('ann') }] })).toEqual([
      'ADDED ann write',
      'REMOVED ann write',
      'ADDED ann write',
    ]);
    expect((await feed({ appEntitlementRefs: [{ appId: wiki, id: idOf('access') }] })).sort()).toEqual([
      'ADDED ann access',
      'ADDED basic access',
      'ADDED bob access',
      'REMOVED bob access',
    ]);
    const withExpanded = await ok('POST', '/api/v1/grants/feed', { expandMask: { paths: ['*'] }, pageSize: 10 });
    const [{ feed: event, appPath, appUserPath, entitlementPath, ticketPath }] = withExpanded.list;
    const at = (path: string): Loose => withExpanded.expanded[Number(/\[(\d+)\]/.exec(path)?.[1])];
    expect([at(appPath).id, at(appUserPath).id, at(entitlementPath).id]).toEqual([event.appId, event.appUserId, event.appEntitlementId]);
    expect([event.ticketId, ticketPath]).toEqual(['', '']);
    const one = await ok('POST', '/api/v1/grants/feed', { expandMask: { paths: ['app_user'] }, pageSize: 10 });
    expect([one.list[0].appPath, one.list[0].appUserPath]).toEqual(['', '$.expanded[0]']);
  });

  it('is cut by time: from a moment on, and before one', async () => {
    const all = await feed({});
    expect(await feed({ after: middle })).toEqual(all.slice(0, 4));
    expect(await feed({ before: middle })).toEqual(all.slice(4));
    const { list } = await ok('POST', '/api/v1/grants/feed', { pageSize: 100 });
    const dates: string[] = list.map(({ feed: event }: Loose) => event.date);
    expect(dates).toEqual(dates.toSorted().reverse());
    // The start belongs to it, the end does not.
    expect(await feed({ after: dates[4], before: dates[1] })).toEqual(all.slice(4, 6));
    expect(await feed({ after: dates[0], before: dates[0] })).toEqual([]);
    expect(await feed({ after: dates[4], userRefs: [{ id: basic.id }] })).toEqual(['ADDED basic badge']);
    expect(violatedFields(await admin('POST', '/api/v1/grants/feed', { after: 'yesterday' }))).toEqual(['after']);
  });

  it('keeps every grant that ended, each life once', async () => {
    const all = await past({});
    expect(all.slice(0, 2).sort()).toEqual(['bob read', 'bob write']);
    expect(all.slice(2)).toEqual(['ann write']);
    expect(await past({ appIds: [wiki] })).toEqual(all);
    expect(await past({ appIds: ['0'.repeat(27)] })).toEqual([]);
    expect(await past({ appUserRefs: [{ appId: wiki, id: idOf('ann') }] })).toEqual(['ann write']);
    expect((await past({ appEntitlementRefs: [{ appId: wiki, id: idOf('write') }] })).sort()).toEqual(['ann write', 'bob write']);
    const { list } = await ok('POST', '/api/v1/search/past-grants', { expandMask: { paths: ['entitlement'] } });
    expect(new Set(list.map(({ history }: Loose) => history.id)).size).toBe(3);
    expect(list[0]).toMatchObject({
      history: {
        id: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
        appId: wiki,
        grantedAt: '2024-01-01T00:00:00Z',
        revokedAt: expect.any(String),
      },
      entitlementPath: '$.expanded[0]',
      appPath: '',
    });
  });

  it('says of each grant between which syncs it appeared and vanished', async () => {
    const list = async (query: string): Promise<Loose[]> =>
      (await ok('GET', `/api/v1/apps/${wiki}/grants?page_size=100&${query}`)).list.map(({ grant }: Loose) => grant);
    const write = idOf('write');
    const [first, second] = (await list(`entitlement_id=${write}&account_id=${idOf('ann')}&include_ended=true`)).sort((a, b) =>
      a.appearedAt.localeCompare(b.appearedAt),
    );
    expect(first).toMatchObject({
      appDisplayName: 'Wiki',
      entitlement: { id: write },
      account: { id: idOf('ann') },
      isDirect: true,
      isDerived: false,
      paths: [],
      grantedAt: '2024-01-01T00:00:00Z',
      connectorId: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
      appearedCause: 'GRANT_CHANGE_CAUSE_IMPORT',
      appearedByUserId: server.admin.id,
      appearedInImportId: imports[0],
      absentFromImportId: '',
      vanishedCause: 'GRANT_CHANGE_CAUSE_IMPORT',
      vanishedInImportId: imports[2],
      lastSeenInImportId: imports[1],
      endedAt: expect.any(String),
    });
    expect(second).toMatchObject({
      appearedInImportId: imports[3],
      absentFromImportId: imports[2],
      vanishedInImportId: '',
      lastSeenInImportId: '',
    });
    expect(second.endedAt).toBeUndefined();
    expect(second.owner).toBeUndefined();

    const [byHand] = await list(`user_id=${basic.id}&entitlement_id=${idOf('badge')}`);
    expect(byHand).toMatchObject({
      connectorId: '',
      appearedCause: 'GRANT_CHANGE_CAUSE_MANUAL',
      appearedByUserId: server.admin.id,
      appearedInImportId: '',
      owner: { id: basic.id },
      vanishedCause: 'GRANT_CHANGE_CAUSE_UNSPECIFIED',
    });
    expect(await list('')).toHaveLength(5);
    expect((await list('include_ended=true')).length).toBe(5 + 4);
    expect((await list(`user_id=${basic.id}`)).map(({ isDerived }) => isDerived).sort()).toEqual([false, true]);
    expect((await admin('GET', `/api/v1/apps/${'0'.repeat(27)}/grants`)).status).toBe(404);
    expect((await request(other, other.admin, 'GET', `/api/v1/apps/${wiki}/grants`)).status).toBe(404);
    expect((await request(server, basic, 'GET', `/api/v1/apps/${wiki}/grants`)).status).toBe(404);
    expect((await request(server, reader, 'GET', `/api/v1/apps/${wiki}/grants`)).status).toBe(200);
  });

  it('shows through which entitlements a grant is inherited, and each of them as a reason', async () => {
    const [read, write] = [idOf('read'), idOf('write')];
    await server
      .system()
      .db.run(
        'UPDATE grants SET paths = $4 WHERE tenant_id = $1 AND entitlement_id = $2 AND account_id = $3 AND removed_revision IS NULL',
        [server.id, read, idOf('ann'), JSON.stringify([[], [write], [idOf('badge'), write]])],
      );
    const [{ grant }] = (await ok('GET', `/api/v1/apps/${wiki}/grants?entitlement_id=${read}`)).list;
    const ref = (id: string) => ({ appId: wiki, id });
    expect(grant).toMatchObject({
      isDirect: true,
      paths: [{ entitlements: [ref(write)] }, { entitlements: [ref(idOf('badge')), ref(write)] }],
    });
    const path = `/api/v1/apps/${wiki}/entitlements/${read}`;
    expect((await ok('GET', `${path}/users`)).list[0].grantSources).toEqual([ref(write)]);
    const row = (await ok('GET', `${path}/grants`)).list.find(({ appUserId }: Loose) => appUserId === idOf('ann'));
    expect(row.grantSources).toEqual([ref(write)]);
    expect(row.grantReasons.map(({ derivedIdType, derivedIdData }: Loose) => [derivedIdType, derivedIdData])).toEqual([
      ['CONNECTOR', grant.connectorId],
      ['ENTITLEMENT', write],
    ]);
    const search = await ok('POST', '/api/v1/search/grants', { entitlementRefs: [ref(read)] });
    expect(search.list[0].appEntitlementUserBinding.grantSources).toEqual([ref(write)]);
  });

  it('is for those who may read the inventory, of their own tenant', async () => {
    for (const path of ['/api/v1/grants/feed', '/api/v1/search/past-grants']) {
      expect((await request(server, basic, 'POST', path, {})).status).toBe(403);
      expect((await request(server, reader, 'POST', path, {})).status).toBe(200);
      expect((await request(other, other.admin, 'POST', path, {})).body.list).toEqual([]);
    }
  });
});
