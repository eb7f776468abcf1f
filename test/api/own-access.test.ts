/** A Basic User's view of the inventory: own accounts and grants, what they name, and what their tasks ask about. Nothing of others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES } from '../../src/foundation/directory/index.ts';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

const people = `email,display_name,manager_email,department,job_title,employment_status
mia@example.com,Mia Manager,,Finance,Head,ACTIVE
tom@example.com,Tom Teller,mia@example.com,Finance,Clerk,ACTIVE
sue@example.com,Sue Sender,mia@example.com,Finance,Clerk,ACTIVE
`;
const ledger = `account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at
tom,tom@example.com,USER,ENABLED,ledger,Invoices,Read,,
tom,tom@example.com,USER,ENABLED,ledger,Payments,Release,,
sue,sue@example.com,USER,ENABLED,ledger,Payroll,Change,,
`;
const vault = `account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at
sue,sue@example.com,USER,ENABLED,vault,Safe,Open,,
`;

describe('what concerns oneself', () => {
  let server: TestServer;
  let other: ServedTenant;
  let [tom, mia]: TestPerson[] = [];
  const ids: Record<string, string> = {};
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const as = (person: TestPerson | undefined, method: string, path: string, body?: unknown) => request(server, person, method, path, body);
  const statusOf = async (person: TestPerson | undefined, method: string, path: string, body?: unknown) =>
    (await as(person, method, path, body)).status;
  const personOf = async (email: string): Promise<string> =>
    (await admin('POST', '/api/v1/search/users', { email })).body.list[0].userView?.userId ??
    (await admin('POST', '/api/v1/search/users', { email })).body.list[0].userId;
  const through = async (userId: string): Promise<TestPerson> => {
    const { body } = await admin('POST', `/api/v1/users/${userId}/personal_clients`, { displayName: 'k' });
    return { ...server.admin, id: userId, credential: { clientId: body.client.clientId, clientSecret: body.clientSecret } };
  };
  const upload = async (path: string, csv: string) => {
    const token = await server.admin.client.token();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
    const answer = await server.fetch(path, { method: 'POST', headers, body: csv });
    expect([answer.status, await answer.json()]).toMatchObject([200, {}]);
  };

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other.example');
    await upload('/api/v1/imports/people', people);
    await upload('/api/v1/imports/grants?app=Ledger', ledger);
    await upload('/api/v1/imports/grants?app=Vault', vault);
    for (const app of (await admin('GET', '/api/v1/apps?page_size=100')).body.list) {
      ids[app.displayName] = app.id;
    }
    for (const { appUser } of (await admin('POST', '/api/v1/search/app_users', { pageSize: 100 })).body.list) {
      ids[`${appUser.appId === ids['Vault'] ? 'vault' : 'ledger'} ${appUser.displayName}`] = appUser.id;
    }
    for (const { appEntitlement } of (await admin('POST', '/api/v1/search/entitlements', { pageSize: 100 })).body.list) {
      ids[appEntitlement.displayName] = appEntitlement.id;
    }
    for (const name of ['tom', 'sue', 'mia']) {
      ids[name] = await personOf(`${name}@example.com`);
    }
    tom = await through(ids['tom'] ?? '');
    mia = await through(ids['mia'] ?? '');
  });
  afterAll(() => server.stop());

  const release = () => Object.keys(ids).find((name) => /Release/.test(name)) ?? '';
  const change = () => Object.keys(ids).find((name) => /Change/.test(name)) ?? '';

  it('is own accounts and grants, in searches that name nobody else', async () => {
    const accounts = (await as(tom, 'POST', '/api/v1/search/app_users', {})).body.list;
    expect(accounts.map(({ appUser }: Loose) => appUser.identityUserId)).toEqual([ids['tom']]);
    expect((await as(tom, 'POST', '/api/v1/search/app_users', { userIds: [ids['tom']] })).body.list).toEqual(accounts);
    expect((await as(tom, 'POST', '/api/v1/search/app_users', { query: 'sue' })).body.list).toEqual([]);
    expect((await as(tom, 'POST', '/api/v1/search/app_users', { withoutResponsibleParty: true })).body.list).toEqual([]);
    const grants = (await as(tom, 'POST', '/api/v1/search/grants', { expandMask: { paths: ['*'] } })).body;
    // Two of the file, and access to the app itself.
    expect(grants.list).toHaveLength(3);
    expect(grants.list.every((one: Loose) => one.appEntitlementUserBinding.appUser?.appUser?.identityUserId !== ids['sue'])).toBe(true);
    expect(JSON.stringify(grants)).not.toContain('sue@example.com');
    expect((await as(tom, 'POST', '/api/v1/search/grants', { userId: ids['tom'] })).body.list).toHaveLength(3);
    expect((await as(tom, 'POST', '/api/v1/search/grants', { appIds: [ids['Vault']] })).body.list).toEqual([]);
    expect((await as(tom, 'POST', '/api/v1/search/grants', { appUserIds: [ids['ledger sue']] })).body.list).toEqual([]);
    for (const [path, body] of [
      ['app_users', { userIds: [ids['sue']] }],
      ['app_users', { userIds: [ids['tom'], ids['sue']] }],
      ['grants', { userId: ids['sue'] }],
    ] as const) {
      expect([path, await statusOf(tom, 'POST', `/api/v1/search/${path}`, body)]).toEqual([path, 403]);
    }
    expect(violatedFields(await as(tom, 'POST', '/api/v1/search/app_users', { pageSize: 'x' }))).toEqual(['pageSize']);
    expect((await as(mia, 'POST', '/api/v1/search/app_users', {})).body.list).toEqual([]);
  });

  it('is the apps and entitlements that own grants name, read one by one', async () => {
    const app = `/api/v1/apps/${ids['Ledger']}`;
    expect((await as(tom, 'GET', app)).body.app.displayName).toBe('Ledger');
    const entitlement = await as(tom, 'GET', `${app}/entitlements/${ids[release()]}`);
    expect(entitlement.body.appEntitlementView.appEntitlement.displayName).toBe(release());
    expect((await as(tom, 'GET', `${app}/users/${ids['tom']}/app_users`)).body.list).toHaveLength(1);
    // Whoever has an account may ask for its credentials, as cone does; none are kept.
    const credentials = await as(tom, 'GET', `${app}/app_users/${ids['ledger tom']}/credentials`);
    expect([credentials.status, credentials.body]).toMatchObject([200, { list: [], nextPageToken: '' }]);
    const bindings = await as(tom, 'GET', `${app}/entitlements/${ids[release()]}/users/${ids['tom']}/grants`);
    expect(bindings.body.bindings).toHaveLength(1);
    for (const prefix of ['/api/v1', '/api/v1/search']) {
      const held = await as(tom, 'GET', `${prefix}/apps/${ids['Ledger']}/entitlements/users/${ids['ledger tom']}`);
      expect([prefix, held.status, held.body.list?.length]).toEqual([prefix, 200, 3]);
    }
  });

  it('looks like nothing where it is about others, another tenant, or what never was', async () => {
    const never = 'x'.repeat(27);
    const [app, foreign] = [`/api/v1/apps/${ids['Ledger']}`, `/api/v1/apps/${ids['Vault']}`];
    const pairs: [string, string][] = [
      [foreign, `/api/v1/apps/${never}`],
      [`${app}/entitlements/${ids[change()]}`, `${app}/entitlements/${never}`],
      [`${app}/entitlements/${ids[change()]}/users/${ids['tom']}/grants`, `${app}/entitlements/${never}/users/${ids['tom']}/grants`],
      [`${app}/users/${ids['sue']}/app_users`, `${app}/users/${never}/app_users`],
      [`${foreign}/users/${ids['tom']}/app_users`, `/api/v1/apps/${never}/users/${ids['tom']}/app_users`],
      [`${app}/entitlements/users/${ids['ledger sue']}`, `${app}/entitlements/users/${never}`],
      [`${app}/app_users/${ids['ledger sue']}/credentials`, `${app}/app_users/${never}/credentials`],
      [`${foreign}/entitlements/users/${ids['vault sue']}`, `/api/v1/apps/${never}/entitlements/users/${ids['vault sue']}`],
      [`${app}/entitlements/${ids[release()]}/users/${ids['sue']}/grants`, `${app}/entitlements/${ids[release()]}/users/${never}/grants`],
    ];
    for (const [path, like] of pairs) {
      const [answer, unknown] = [await as(tom, 'GET', path), await as(tom, 'GET', like)];
      expect([path, answer.status, answer.body.message]).toEqual([path, 404, unknown.body.message]);
      expect([like, unknown.status]).toEqual([like, 404]);
      expect((await request(other, other.admin, 'GET', path)).status).toBe(404);
      const noToken = await server.fetch(path);
      expect([path, noToken.status]).toEqual([path, 401]);
    }
    // Owners of an app read these; whoever has an account in it does not.
    for (const part of ['entitlements', 'app_users', 'owners', 'ownerids', 'resource_types', 'grants', 'entitlement_activity']) {
      const answer = await as(tom, 'GET', `${app}/${part}`);
      expect([part, answer.status, answer.body.message]).toEqual([part, 404, 'There is no such app.']);
    }
    expect((await as(tom, 'GET', '/api/v1/apps')).body.list).toEqual([]);
    expect(await statusOf(tom, 'GET', '/api/v1/policies')).toBe(403);
  });

  it('is what a task asks about, for whoever is asked, whoever owns the review, and as long as it is shown', async () => {
    const entitlement = `/api/v1/apps/${ids['Vault']}/entitlements/${Object.entries(ids).find(([name]) => /Open/.test(name))?.[1]}`;
    const read = async (person: TestPerson | undefined) =>
      [await statusOf(person, 'GET', `/api/v1/apps/${ids['Vault']}`), await statusOf(person, 'GET', entitlement)] as const;
    expect([await read(tom), await read(mia)]).toEqual([
      [404, 404],
      [404, 404],
    ]);
    const policy = await admin('POST', '/api/v1/policies', {
      displayName: 'Managers',
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: { certify: { steps: [{ approval: { manager: { fallback: true, fallbackUserIds: [server.admin.id] } } }] } },
    });
    const review = await admin('POST', '/api/v1/access_review', {
      displayName: 'Vault',
      ownerIds: [ids['tom']],
      policyId: policy.body.policy?.id,
    });
    const reviewId = review.body.accessReview.accessReview.id;
    const path = `/api/v1/access_review/${reviewId}`;
    await admin('POST', path, { accessReview: { singleApp: { appId: ids['Vault'] } } });
    await admin('POST', `${path}/action/prepare`, {});
    const state = async () => (await admin('GET', path)).body.accessReview.accessReview.state;
    await expect.poll(state, { timeout: 60_000 }).toBe('ACCESS_REVIEW_STATE_REVIEW');
    expect(await read(mia)).toEqual([404, 404]);
    await admin('POST', `${path}/action/start`, {});
    await expect.poll(state, { timeout: 60_000 }).toBe('ACCESS_REVIEW_STATE_OPEN');
    expect([await read(tom), await read(mia)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    // Being asked about it shows no account but one's own.
    expect((await as(mia, 'POST', '/api/v1/search/app_users', {})).body.list).toEqual([]);
  });

  it('is the whole of an app that one owns, and nothing of another', async () => {
    const app = `/api/v1/apps/${ids['Vault']}`;
    expect(await statusOf(server.admin, 'PUT', `${app}/owners`, { userIds: [ids['mia']] })).toBe(200);
    const list = async (person: TestPerson | undefined, path: string) => (await as(person, 'GET', `${app}/${path}`)).body.list;
    expect((await as(mia, 'GET', app)).body.app.displayName).toBe('Vault');
    expect((await as(mia, 'GET', '/api/v1/apps')).body.list.map(({ id }: Loose) => id)).toEqual([ids['Vault']]);
    expect((await as(mia, 'POST', '/api/v1/search/apps', { query: 'ledger' })).body.list).toEqual([]);
    const entitlements = await list(mia, 'entitlements');
    expect(entitlements.map(({ appEntitlement }: Loose) => appEntitlement.displayName).toSorted()).toEqual(['App access', 'Safe Open']);
    const held = (await list(mia, 'grants')).map(({ grant }: Loose) => [grant.entitlement.displayName, grant.account.displayName]);
    expect(held.toSorted()).toEqual([
      ['App access', 'sue'],
      ['Safe Open', 'sue'],
    ]);
    expect(await list(mia, `entitlements/${ids['Safe Open']}/users`)).toHaveLength(1);
    expect(await list(mia, `entitlements/${ids['Safe Open']}/grants`)).toHaveLength(1);
    expect((await list(mia, 'app_users')).map(({ appUser }: Loose) => appUser.displayName)).toEqual(['sue']);
    expect((await list(mia, 'owners')).map(({ id }: Loose) => id)).toEqual([ids['mia']]);
    const [type] = await list(mia, 'resource_types');
    expect(await list(mia, `resource_types/${type.appResourceType.id}/resources`)).toHaveLength(1);
    const search = async (path: string, body: object) => as(mia, 'POST', `/api/v1/search/${path}`, body);
    expect((await search('grants', { appIds: [ids['Vault']] })).body.list).toHaveLength(2);
    expect((await search('grants', { appIds: [ids['Vault']], userId: ids['sue'] })).body.list).toHaveLength(2);
    expect((await search('grants', { appIds: [ids['Vault'], ids['Ledger']], userId: ids['sue'] })).status).toBe(403);
    expect((await search('app_users', { appIds: [ids['Vault']] })).body.list).toHaveLength(1);
    expect((await search('app_users', { appId: ids['Vault'] })).body.list).toHaveLength(1);
    expect((await search('entitlements', {})).body.list).toHaveLength(2);
    expect((await search('entitlements', { appIds: [ids['Ledger']] })).body.list).toEqual([]);
    for (const path of ['entitlements', 'grants', 'app_users', 'owners']) {
      expect([path, await statusOf(mia, 'GET', `/api/v1/apps/${ids['Ledger']}/${path}`)]).toEqual([path, 404]);
    }
    // Reading is not changing.
    expect(await statusOf(mia, 'POST', app, { app: { displayName: 'Mine' } })).toBe(403);
    await admin('PUT', `${app}/owners`, { userIds: [] });
    expect([await statusOf(mia, 'GET', `${app}/grants`), (await as(mia, 'GET', '/api/v1/apps')).body.list]).toEqual([404, []]);
  });

  it('is what one owns in an app: an entitlement with its holders', async () => {
    const app = `/api/v1/apps/${ids['Ledger']}`;
    const read = (path: string) => statusOf(mia, 'GET', `${app}${path}`);
    const paths = [
      '',
      `/entitlements/${ids[release()]}`,
      `/entitlements/${ids[release()]}/users`,
      '/entitlements',
      `/entitlements/${ids[change()]}/users`,
    ];
    expect(await Promise.all(paths.map(read))).toEqual([404, 404, 404, 404, 404]);
    await admin('PUT', `${app}/entitlements/${ids[release()]}/owners`, { userIds: [ids['mia']] });
    expect(await Promise.all(paths.map(read))).toEqual([200, 200, 200, 404, 404]);
  });

  it('needs more than the role for the system log, and less than an administrator', async () => {
    const logReader = await server.makePerson('log@example.com', ['READ_ONLY_SYSTEM_LOGS']);
    const { body } = await as(logReader, 'GET', '/api/v1/auth/introspect');
    expect(body.roleIds).toContain(ROLES.BASIC_USER.id);
    expect(body.permissions).toContain('inventory.concern');
    const campaigner = await server.makePerson('campaigner@example.com', ['CAMPAIGN_ADMINISTRATOR']);
    expect((await as(campaigner, 'POST', '/api/v1/search/app_users', { userIds: [ids['sue']] })).body.list).toHaveLength(2);
  });
});
