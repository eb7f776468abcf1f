/** Grants over HTTP: the search for grants, an entitlement's holders, giving and taking manually, and until when. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, requestGood, violatedFields } from '../support/api.ts';
import { insertEntitlement } from '../support/manual-app.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

const people = `email,display_name,manager_email,department,job_title,employment_status
ann@x.example,Ann,,Legal,Clerk,ACTIVE
bob@x.example,Bob,ann@x.example,Legal,Clerk,ACTIVE
cid@x.example,Cid,ann@x.example,Legal,Clerk,ACTIVE
`;
const grants = `account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at
ann,ann@x.example,USER,ENABLED,role,Wiki,read,2024-01-01T00:00:00Z,2025-01-01T00:00:00Z
ann,ann@x.example,USER,ENABLED,role,Wiki,write,,
bob,bob@x.example,USER,ENABLED,role,Wiki,read,,
robot,,SERVICE_ACCOUNT,ENABLED,group,ops,member,,
`;
const nobody = '0'.repeat(27);

describe('grants over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let reader: TestPerson;
  let basic: TestPerson;
  let wiki: string;
  const users: Record<string, string> = {};
  const accounts: Record<string, string> = {};
  /** By resource and name; app access is ''. */
  const entitlements: Record<string, Loose> = {};
  /** Made manually, in the Wiki. */
  let badge: string;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const ok = (method: string, path: string, body?: unknown): Promise<Loose> => requestGood(server, server.admin, method, path, body);
  const search = async (filter: object): Promise<string[]> => {
    const { list } = await ok('POST', '/api/v1/search/grants', { ...filter, pageSize: 100 });
    const nameOf = (known: Readonly<Record<string, string>>, id: string) => Object.keys(known).find((name) => known[name] === id) ?? id;
    return list
      .map(({ entitlement, appEntitlementUserBinding }: Loose) => {
        expect(entitlement.appEntitlement.id).toBe(appEntitlementUserBinding.appEntitlementId);
        return `${nameOf(accounts, appEntitlementUserBinding.appUserId)} ${entitlement.appEntitlement.displayName}`;
      })
      .sort();
  };
  const pathOf = (entitlementId: string, rest: string): string => `/api/v1/apps/${wiki}/entitlements/${entitlementId}/${rest}`;
  const add = (entitlementId: string, userIds: readonly string[]): Promise<Answer> =>
    admin('POST', pathOf(entitlementId, 'add-manual-user'), { userIds });
  const remove = (entitlementId: string, appUserId: string): Promise<Answer> =>
    admin('DELETE', pathOf(entitlementId, 'remove-membership'), { appUserId });
  const holdersOf = async (entitlementId: string): Promise<string[]> =>
    (await ok('GET', pathOf(entitlementId, 'users'))).list.map(({ appUser }: Loose) => appUser.appUser.id);
  const events = async (kind: string): Promise<Loose[]> =>
    server.system().db.rows('SELECT kind, actor_id, data FROM events WHERE tenant_id = $1 AND kind = $2 ORDER BY id', [server.id, kind]);

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    reader = await server.makePerson('reader@x.example', ['READ_ONLY_ADMINISTRATOR']);
    basic = await server.makePerson('basic@x.example');
    await sendFile(server, server.admin, '/api/v1/imports/people', people);
    wiki = (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', grants)).body.import.appId;
    for (const { user } of (await ok('POST', '/api/v1/search/users', { pageSize: 100 })).list) {
      users[user.email.split('@')[0]] = user.id;
    }
    for (const { appUser } of (await ok('GET', `/api/v1/apps/${wiki}/app_users?page_size=100`)).list) {
      accounts[appUser.username] = appUser.id;
    }
    badge = await insertEntitlement(server.system(), wiki, 'badge');
    for (const { appEntitlement } of (await ok('GET', `/api/v1/apps/${wiki}/entitlements?page_size=100`)).list) {
      entitlements[appEntitlement.systemBuiltin ? 'access' : appEntitlement.displayName] = appEntitlement;
    }
  });
  afterAll(() => server.stop());

  it('are found by each filter, and by all of them together', async () => {
    const everything = await search({});
    expect(everything).toEqual(
      [
        'ann App access',
        'ann Wiki read',
        'ann Wiki write',
        'bob App access',
        'bob Wiki read',
        'robot App access',
        'robot ops member',
      ].sort(),
    );
    expect(await search({ appIds: [wiki], appUserIds: [], userId: '' })).toEqual(everything);
    expect(await search({ appIds: [nobody] })).toEqual([]);
    expect(await search({ appUserIds: [accounts['bob']] })).toEqual(['bob App access', 'bob Wiki read']);
    expect(await search({ userId: users['ann'] })).toEqual(['ann App access', 'ann Wiki read', 'ann Wiki write']);
    expect(await search({ userId: users['ann'], appUserIds: [accounts['bob']] })).toEqual([]);
    const read = entitlements['Wiki read'];
    expect(await search({ entitlementRefs: [{ appId: wiki, id: read.id }] })).toEqual(['ann Wiki read', 'bob Wiki read']);
    expect(await search({ entitlementRefs: [{ appId: nobody, id: read.id }] })).toEqual([]);
    expect(await search({ entitlementRefs: [{ appId: wiki, id: read.id }], userId: users['bob'] })).toEqual(['bob Wiki read']);
    expect(await search({ entitlementSlugs: ['write', 'no such'] })).toEqual(['ann Wiki write']);
    expect(await search({ resourceIds: [read.appResourceId] })).toEqual(['ann Wiki read', 'ann Wiki write', 'bob Wiki read']);
    expect(await search({ resourceTypeIds: [entitlements['ops member'].appResourceTypeId] })).toEqual(['robot ops member']);
    expect(await search({ purpose: ['APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT'] })).toEqual(everything);
    expect(await search({ purpose: ['APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP'] })).toEqual([]);
    expect(
      await search({
        appIds: [wiki],
        appUserIds: [accounts['ann']],
        userId: users['ann'],
        entitlementSlugs: ['read'],
        resourceIds: [read.appResourceId],
        resourceTypeIds: [read.appResourceTypeId],
        purpose: ['APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT'],
      }),
    ).toEqual(['ann Wiki read']);
    expect((await request(server, reader, 'POST', '/api/v1/search/grants', {})).status).toBe(200);
    // A Basic User finds what is their own, which is nothing here.
    expect(await request(server, basic, 'POST', '/api/v1/search/grants', {})).toMatchObject({ status: 200, body: { list: [] } });
    expect((await request(server, basic, 'POST', '/api/v1/search/grants', { userId: users['ann'] })).status).toBe(403);
    expect((await request(other, other.admin, 'POST', '/api/v1/search/grants', {})).body.list).toEqual([]);
    expect(violatedFields(await admin('POST', '/api/v1/search/grants', { purpose: ['NO_SUCH'] }))).toEqual(['purpose[0]']);
  });

  it('point at what was asked to be expanded', async () => {
    const expandMask = { paths: ['app_id', 'app_resource_id', 'identity_user_id'] };
    const body = await ok('POST', '/api/v1/search/grants', { userId: users['ann'], entitlementSlugs: ['read'], expandMask });
    const [{ entitlement, appEntitlementUserBinding }] = body.list;
    const at = (path: string): Loose => body.expanded[Number(/\[(\d+)\]/.exec(path)?.[1])];
    expect(at(entitlement.appPath)).toMatchObject({ '@type': 'type.googleapis.com/c1.api.app.v1.App', id: wiki });
    expect(at(entitlement.appResourcePath)).toMatchObject({ displayName: 'Wiki' });
    expect(entitlement.appResourceTypePath).toBe('');
    expect(at(appEntitlementUserBinding.appUser.identityUserPath)).toMatchObject({ id: users['ann'] });
    expect(appEntitlementUserBinding).toMatchObject({
      appId: wiki,
      appUserId: accounts['ann'],
      appEntitlementUserBindingCreatedAt: '2024-01-01T00:00:00Z',
      grantSources: [],
      originatingTicketId: '',
    });
    expect(body.expanded).toHaveLength(3);
  });

  it('are granted manually: to accounts that are there, to new ones, once, with reasons for who cannot', async () => {
    const service = await server.makePerson('gone@x.example');
    await server.system().db.run(`UPDATE users SET user_type = 'SERVICE' WHERE tenant_id = $1 AND id = $2`, [server.id, service.id]);
    const before = await ok('GET', `/api/v1/apps/${wiki}`);
    const answer = await add(badge, [users['ann'] ?? '', users['cid'] ?? '', users['cid'] ?? '', nobody, service.id]);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        bulkActionId: '',
        failedUsersErrorMap: {
          [nobody]: expect.stringContaining('no such user'),
          [service.id]: expect.stringContaining('service principal'),
        },
      },
    });
    expect(Object.keys(answer.body.failedUsersErrorMap)).toHaveLength(2);
    const made = (await ok('GET', `/api/v1/apps/${wiki}/app_users?page_size=100`)).list
      .map(({ appUser }: Loose) => appUser)
      .filter(({ identityUserId }: Loose) => identityUserId === users['cid']);
    expect(made).toMatchObject([{ email: 'cid@x.example', displayName: 'Cid', username: 'cid@x.example' }]);
    accounts['cid'] = made[0].id;
    expect((await holdersOf(badge)).sort()).toEqual([accounts['ann'], accounts['cid']].sort());
    expect(await search({ userId: users['cid'] })).toEqual(['cid App access', 'cid badge']);
    expect(Number((await ok('GET', `/api/v1/apps/${wiki}`)).app.userCount)).toBe(Number(before.app.userCount) + 1);
    const { appEntitlement } = (await ok('GET', `/api/v1/apps/${wiki}/entitlements/${badge}`)).appEntitlementView;
    expect(appEntitlement.grantCount).toBe('2');
    expect(await events('entitlement.members_added')).toMatchObject([
      {
        actor_id: server.admin.id,
        data: { appId: wiki, members: [{ userId: users['ann'] }, { userId: users['cid'] }], accountsMade: [accounts['cid']] },
      },
    ]);
    // Again: nothing happens, and nothing is said to have happened.
    expect(await add(badge, [users['ann'] ?? '', users['cid'] ?? ''])).toMatchObject({ status: 200, body: { failedUsersErrorMap: {} } });
    expect(await events('entitlement.members_added')).toHaveLength(1);
  });

  it('are refused with the way out', async () => {
    expect(violatedFields(await add(badge, []))).toEqual(['userIds']);
    expect(
      violatedFields(
        await add(
          badge,
          Array.from({ length: 1001 }, () => nobody),
        ),
      ),
    ).toEqual(['userIds']);
    const read = entitlements['Wiki read'].id;
    expect(await add(read, [users['cid'] ?? ''])).toMatchObject({
      status: 400,
      body: { code: 9, message: expect.stringContaining('source') },
    });
    expect((await add(nobody, [users['cid'] ?? ''])).status).toBe(404);
    expect(await remove(read, accounts['ann'] ?? '')).toMatchObject({
      status: 400,
      body: { code: 9, message: expect.stringContaining('source') },
    });
    expect(await remove(entitlements['access'].id, accounts['ann'] ?? '')).toMatchObject({ status: 400, body: { code: 9 } });
    expect((await remove(badge, accounts['bob'] ?? '')).status).toBe(404);
    expect((await remove(badge, nobody)).status).toBe(404);
    for (const [method, rest, body] of [
      ['POST', 'add-manual-user', { userIds: [users['ann']] }],
      ['DELETE', 'remove-membership', { appUserId: accounts['ann'] }],
      ['POST', `users/${accounts['ann']}/update-grant-duration`, { newDeprovisionAt: '2999-01-01T00:00:00Z' }],
      ['POST', `users/${accounts['ann']}/remove-grant-duration`, {}],
    ] as const) {
      expect((await request(server, reader, method, pathOf(badge, rest), body)).status).toBe(403);
      expect((await request(other, other.admin, method, pathOf(badge, rest), body)).status).toBe(404);
    }
    // An account of that name that is somebody else's is not taken over.
    const dee = await server.makePerson('dee@x.example');
    await server
      .system()
      .db.run('UPDATE accounts SET external_id = $3 WHERE tenant_id = $1 AND id = $2', [server.id, accounts['robot'], 'dee@x.example']);
    expect((await add(badge, [dee.id])).body.failedUsersErrorMap).toEqual({ [dee.id]: expect.stringContaining('do not own') });
    await server
      .system()
      .db.run(`UPDATE accounts SET external_id = 'robot' WHERE tenant_id = $1 AND id = $2`, [server.id, accounts['robot']]);
  });

  it('have an end that is set, shown, kept where it is the same, and taken away', async () => {
    const at = (rest: string) => pathOf(badge, `users/${accounts['ann']}/${rest}`);
    const newDeprovisionAt = '2999-01-01T00:00:00Z';
    const { binding } = await ok('POST', at('update-grant-duration'), { newDeprovisionAt });
    expect(binding).toMatchObject({
      appId: wiki,
      appEntitlementId: badge,
      appUserId: accounts['ann'],
      deprovisionAt: newDeprovisionAt,
      grantSources: [],
    });
    await ok('POST', at('update-grant-duration'), { newDeprovisionAt });
    expect(await events('grant.duration_changed')).toMatchObject([
      { data: { accountId: accounts['ann'], from: '', to: '2999-01-01T00:00:00.000Z' } },
    ]);
    const shown = (await ok('GET', pathOf(badge, 'users'))).list.find(({ appUserId }: Loose) => appUserId === accounts['ann']);
    expect(shown.appEntitlementUserBindingDeprovisionAt).toBe(newDeprovisionAt);
    const { bindings } = await ok('GET', pathOf(badge, `users/${users['ann']}/grants`));
    expect(bindings).toMatchObject([{ appUserId: accounts['ann'], deprovisionAt: newDeprovisionAt }]);
    expect((await admin('GET', pathOf(badge, `users/${nobody}/grants`))).status).toBe(404);
    expect((await ok('GET', pathOf(badge, `users/${users['bob']}/grants`))).bindings).toEqual([]);
    expect((await ok('POST', at('remove-grant-duration'), {})).binding.deprovisionAt).toBeUndefined();
    for (const wrong of [{ newDeprovisionAt: '2001-01-01T00:00:00Z' }, {}]) {
      expect(violatedFields(await admin('POST', at('update-grant-duration'), wrong))).toEqual(['newDeprovisionAt']);
    }
    expect((await admin('POST', pathOf(badge, `users/${accounts['bob']}/update-grant-duration`), { newDeprovisionAt })).status).toBe(404);
    // Of a source: the date is kept and shown, and the grant stays until the source takes it away.
    const read = entitlements['Wiki read'].id;
    await ok('POST', pathOf(read, `users/${accounts['bob']}/update-grant-duration`), { newDeprovisionAt });
    const story = (await ok('GET', `/api/v1/apps/${wiki}/grants?account_id=${accounts['bob']}&entitlement_id=${read}`)).list;
    expect(story).toMatchObject([{ grant: { deprovisionAt: newDeprovisionAt, appearedCause: 'GRANT_CHANGE_CAUSE_IMPORT' } }]);
  });

  it('end by themselves when their time is over', async () => {
    await ok('POST', pathOf(badge, 'add-manual-user'), { userIds: [users['bob']] });
    const newDeprovisionAt = await until(async () => {
      const at = new Date(Date.now() + 1500).toISOString();
      await ok('POST', pathOf(badge, `users/${accounts['bob']}/update-grant-duration`), { newDeprovisionAt: at });
      return at;
    });
    const before = await holdersOf(badge);
    // A busy machine may look too late.
    expect(before.includes(accounts['bob'] ?? '') || new Date() > new Date(newDeprovisionAt)).toBe(true);
    await expect.poll(() => holdersOf(badge), { timeout: 60_000, interval: 200 }).not.toContain(accounts['bob']);
    expect(await events('grants.expired')).toMatchObject([
      { actor_id: '', data: { count: 1, grants: [{ entitlementId: badge, accountId: accounts['bob'] }] } },
    ]);
    const story = (await ok('GET', `/api/v1/apps/${wiki}/grants?account_id=${accounts['bob']}&entitlement_id=${badge}&include_ended=true`))
      .list;
    expect(story).toMatchObject([
      { grant: { vanishedCause: 'GRANT_CHANGE_CAUSE_EXPIRY', appearedCause: 'GRANT_CHANGE_CAUSE_MANUAL', connectorId: '' } },
    ]);
  });

  it('are removed manually: one, or a manual account with all it holds', async () => {
    expect(await remove(badge, accounts['ann'] ?? '')).toMatchObject({ status: 200, body: { revokeTaskId: '' } });
    expect(await holdersOf(badge)).toEqual([accounts['cid']]);
    expect((await remove(badge, accounts['ann'] ?? '')).status).toBe(404);
    expect((await remove(entitlements['access'].id, accounts['cid'] ?? '')).status).toBe(200);
    expect(await holdersOf(badge)).toEqual([]);
    expect(await search({ appUserIds: [accounts['cid']] })).toEqual([]);
    expect(await events('account.deleted')).toMatchObject([{ data: { entitlementIds: [badge, entitlements['access'].id].sort() } }]);
    // Who comes back is the same account again; app access alone makes one, too.
    expect((await add(entitlements['access'].id, [users['cid'] ?? ''])).body.failedUsersErrorMap).toEqual({});
    expect(await search({ userId: users['cid'] })).toEqual(['cid App access']);
    const { list } = await ok('GET', pathOf(badge, 'grants'));
    expect(list.map(({ appUserId, expired }: Loose) => [appUserId, expired !== undefined]).sort()).toEqual(
      [
        [accounts['ann'], true],
        [accounts['bob'], true],
        [accounts['cid'], true],
      ].sort(),
    );
    expect(list[0]).toMatchObject({
      discovered: expect.any(String),
      grantReasons: [{ derivedIdType: 'MANUAL', derivedIdData: '', referenceStrength: 'GRANT_REASON_REFERENCE_STRENGTH_STRONG' }],
      user: { id: expect.any(String) },
    });
  });
});
