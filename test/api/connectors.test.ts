/** Connectors over HTTP: made, changed by mask, paused, guarding, deleted with what they delivered. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, requestGood, violatedFields } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at\n';
const grants = `${header}a,,USER,ENABLED,role,A,read,,
b,,USER,ENABLED,role,A,read,,
b,,USER,ENABLED,role,A,write,,
`;

describe('connectors over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let basic: TestPerson;
  let appId: string;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const ok = (method: string, path: string, body?: unknown): Promise<Loose> => requestGood(server, server.admin, method, path, body);
  const at = (id = ''): string => `/api/v1/apps/${appId}/connectors${id && `/${id}`}`;
  const make = async (displayName: string): Promise<string> => (await ok('POST', at(), { displayName })).connectorView.connector.id;
  const read = async (id: string): Promise<Loose> => (await ok('GET', at(id))).connectorView.connector;

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    basic = await server.makePerson('basic@x.example');
    appId = (await ok('POST', '/api/v1/apps', { displayName: 'Wiki' })).app.id;
  });
  afterAll(() => server.stop());

  it('are made with and without a name, read, listed, expanded', async () => {
    const first = await ok('POST', `${at()}/create`, {
      catalogId: 'csv',
      description: 'By hand',
      userIds: [basic.id],
      config: { '@type': 'type.googleapis.com/c1.svc.Config', region: 'eu', auth: { user: 'u', password: 'not to be kept' } },
      expandMask: { paths: ['app_id', 'user_ids'] },
    });
    const { connector } = first.connectorView;
    expect(connector).toMatchObject({
      appId,
      catalogId: 'csv',
      description: 'By hand',
      userIds: [basic.id],
      canResumeSync: false,
      disableCheckBadSync: false,
      status: { status: 'SYNC_STATUS_UNSPECIFIED', lastError: '' },
    });
    expect(connector.config).toEqual({ '@type': 'type.googleapis.com/c1.svc.Config', region: 'eu', auth: { user: 'u' } });
    expect(connector.configUpdatedAt).toBe(connector.createdAt);
    expect(connector.displayName).toMatch(/^Source \d+$/);
    expect(JSON.stringify(first)).not.toContain('not to be kept');
    const placed = (path: string): Loose => first.expanded[Number(/\d+/.exec(path)?.[0])];
    expect(placed(first.connectorView.appPath).id).toBe(appId);
    expect(placed(first.connectorView.usersPath).id).toBe(basic.id);
    const two = await ok('POST', at(connector.id), {
      connector: { userIds: [basic.id, server.admin.id] },
      updateMask: 'userIds',
      expandMask: { paths: ['user_ids'] },
    });
    expect(two.connectorView).toMatchObject({ usersPath: '$.expanded[0,1]', appPath: '' });
    expect(two.expanded.map((one: Loose) => one.id)).toEqual([basic.id, server.admin.id]);
    await ok('POST', at(connector.id), { connector: { userIds: [basic.id] } });
    const second = await make('HR export');
    const { list } = await ok('GET', at());
    expect(list.map((view: Loose) => view.connector.id)).toEqual([connector.id, second]);
    expect(await read(connector.id)).toEqual({
      ...connector,
      updatedAt: expect.any(String),
      status: { ...connector.status, updatedAt: expect.any(String) },
    });
  });

  it('refuse a name that is taken, people who are not there, and owners they do not know', async () => {
    await make('Taken');
    expect((await admin('POST', at(), { displayName: ' TAKEN ' })).status).toBe(409);
    expect(violatedFields(await admin('POST', at(), { displayName: 'x', userIds: ['nobody'] }))).toEqual(['userIds[0]']);
    expect(violatedFields(await admin('POST', at(), { displayName: 'x', appEntitlementOwnerRefs: [{ appId, id: 'e' }] }))).toEqual([
      'appEntitlementOwnerRefs',
    ]);
    expect((await admin('POST', '/api/v1/apps/none/connectors', { displayName: 'x' })).status).toBe(404);
  });

  it('are changed by mask in both spellings, on both routes', async () => {
    const id = await make('To change');
    await ok('POST', at(id), { connector: { description: 'One', displayName: 'ignored' }, updateMask: 'description' });
    await ok('POST', `${at(id)}/delegated`, {
      connector: { display_name: 'Changed', description: 'ignored' },
      update_mask: 'display_name',
    });
    await ok('POST', at(id), { connector: { profileAllowList: ['team'], connectorSyncCronSchedule: { cronSpec: '0 3 * * *' } } });
    expect(await read(id)).toMatchObject({
      displayName: 'Changed',
      description: 'One',
      profileAllowList: ['team'],
      connectorSyncCronSchedule: { cronSpec: '0 3 * * *' },
    });
    expect(violatedFields(await admin('POST', at(id), { connector: {}, updateMask: 'status' }))).toEqual(['updateMask']);
    expect(violatedFields(await admin('POST', at(id), { connector: { displayName: '' } }))).toEqual(['connector.displayName']);
    expect((await admin('POST', at(id), { connector: { displayName: 'Taken' } })).status).toBe(409);
    expect((await read(id)).displayName).toBe('Changed');
  });

  it('keep their config as it is sent, but for secrets, which are nowhere', async () => {
    const id = await make('Configured');
    expect(await read(id)).not.toHaveProperty('config');
    expect(await read(id)).not.toHaveProperty('configUpdatedAt');
    const type = 'type.googleapis.com/google.protobuf.Struct';
    const update = (connector: object, updateMask?: string): Promise<Answer> => admin('POST', at(id), { connector, updateMask });
    const config = { '@type': type, value: { baseUrl: 'https://a.example', apiKey: 'hidden-1', list: [1, null, { deep: true }] } };
    expect((await update({ config, description: 'ignored' }, 'config')).status).toBe(200);
    const first = await read(id);
    expect(first.config).toEqual({ '@type': type, value: { baseUrl: 'https://a.example', list: [1, null, { deep: true }] } });
    expect(first.description).toBe('');
    await update({ description: 'Another' });
    expect(await read(id)).toMatchObject({ config: first.config, configUpdatedAt: first.configUpdatedAt, description: 'Another' });
    // What is read can be sent back, and is no change.
    expect((await update(await read(id))).body.connectorView.connector).toMatchObject({ config: first.config });
    await update({ config: { '@type': type, value: { baseUrl: 'https://b.example' } } });
    expect((await read(id)).config.value).toEqual({ baseUrl: 'https://b.example' });
    expect(violatedFields(await update({ config: { value: 1 } }))).toEqual(['connector.config']);
    expect(violatedFields(await update({ config: 'text' }))).toEqual(['connector.config']);
    expect(violatedFields(await update({}, 'config.value'))).toEqual(['updateMask']);
    const large = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`n${index}`, 'x'.repeat(4000)]));
    expect(violatedFields(await update({ config: { '@type': type, value: large } }))).toEqual(['connector.config']);
    await update({}, 'config');
    expect(await read(id)).not.toHaveProperty('config');
    const { db } = server.system();
    const events = await db.rows<{ data: Loose }>('SELECT data FROM events WHERE target_id = $1 ORDER BY id', [id]);
    expect(events.map(({ data }) => data.fields)).toEqual([undefined, ['config'], ['description'], ['config'], ['config']]);
    const kept = JSON.stringify([events, await db.rows('SELECT * FROM sources WHERE id = $1', [id])]);
    expect(kept).not.toContain('hidden-1');
    expect(kept).not.toContain('b.example');
  });

  it('hold the share that a file may take away; switching the check off is all of it', async () => {
    const id = await make('Guarded');
    const share = async (): Promise<number> => (await ok('GET', `/api/v1/sources/${id}`)).source.removalShare;
    expect(await share()).toBe(20);
    expect((await ok('PUT', `/api/v1/sources/${id}/removal_share`, { removalShare: 5 })).source.removalShare).toBe(5);
    expect(violatedFields(await admin('PUT', `/api/v1/sources/${id}/removal_share`, { removalShare: 101 }))).toEqual(['removalShare']);
    expect(violatedFields(await admin('PUT', `/api/v1/sources/${id}/removal_share`, { removalShare: -1 }))).toEqual(['removalShare']);
    await ok('POST', at(id), { connector: { disableCheckBadSync: true } });
    expect(await share()).toBe(100);
    expect((await read(id)).disableCheckBadSync).toBe(true);
    await ok('POST', at(id), { connector: { disableCheckBadSync: false } });
    expect(await share()).toBe(20);
    expect((await admin('GET', '/api/v1/sources/none')).status).toBe(404);
  });

  it('are paused, which refuses their files, and resumed', async () => {
    const id = await make('Paused');
    await ok('POST', `${at(id)}/pause`, {});
    await ok('POST', `${at(id)}/pause`);
    expect(await read(id)).toMatchObject({
      canResumeSync: true,
      status: { status: 'SYNC_STATUS_DISABLED' },
      syncDisabledCategory: 'paused',
    });
    const refused = await sendFile(server, server.admin, `/api/v1/imports/grants?app=Wiki&connector_id=${id}`, grants);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain('paused');
    await ok('POST', `${at(id)}/resume`);
    expect((await read(id)).syncDisabledAt).toBeUndefined();
    const imported = await sendFile(server, server.admin, `/api/v1/imports/grants?app=Wiki&connector_id=${id}`, grants);
    expect(imported.status).toBe(200);
    expect((await read(id)).status.status).toBe('SYNC_STATUS_DONE');
  });

  it('match accounts again when a sync is asked for, and say that it was', async () => {
    const app = (await ok('POST', '/api/v1/apps', { displayName: 'Matched' })).app.id;
    const file = `${header}late,late@x.example,USER,ENABLED,role,A,read,,\n`;
    const imported = await sendFile(server, server.admin, '/api/v1/imports/grants?app=Matched', file);
    expect(imported.status).toBe(200);
    const [source] = (await ok('GET', `/api/v1/apps/${app}/connectors`)).list;
    const path = `/api/v1/apps/${app}/connectors/${source.connector.id}`;
    const owner = async (): Promise<string> => (await ok('GET', `/api/v1/apps/${app}/app_users`)).list[0].appUser.identityUserId;
    expect(await owner()).toBe('');
    const late = await server.makePerson('late@x.example');
    expect(await ok('POST', `${path}/force_sync`)).toEqual({});
    expect(await owner()).toBe(late.id);
    await ok('POST', `${path}/pause`);
    expect((await admin('POST', `${path}/force_sync`)).status).toBe(400);
    const { db } = server.system();
    const events = await db.rows<{ data: Loose }>(`SELECT data FROM events WHERE kind = 'connector.sync_requested' AND target_id = $1`, [
      source.connector.id,
    ]);
    expect(events.map(({ data }) => data.changedAccounts)).toEqual([1]);
  });

  it('end what they delivered when they are deleted', async () => {
    const made = await ok('POST', '/api/v1/apps', { displayName: 'Second' });
    const app = made.app.id;
    const imported = await sendFile(server, server.admin, '/api/v1/imports/grants?app=Second', grants);
    expect(imported.status).toBe(200);
    const { list } = await ok('GET', `/api/v1/apps/${app}/connectors`);
    expect(list.length).toBe(1);
    await ok('DELETE', `/api/v1/apps/${app}/connectors/${list[0].connector.id}`);
    expect((await ok('GET', `/api/v1/apps/${app}/connectors`)).list).toEqual([]);
    const gone = await ok('GET', `/api/v1/apps/${app}/connectors/${list[0].connector.id}`);
    expect(gone.connectorView.connector).toHaveProperty('deletedAt');
    expect((await ok('GET', `/api/v1/apps/${app}`)).app.userCount).toBe('0');
    const entitlements = (await ok('GET', `/api/v1/apps/${app}/entitlements`)).list;
    expect(entitlements.map((one: Loose) => one.appEntitlement.grantCount)).toEqual(['0', '0', '0']);
    const { db } = server.system();
    const open = await db.one<{ count: number }>('SELECT count(*) FROM grants WHERE app_id = $1 AND removed_revision IS NULL', [app]);
    expect(open.count).toBe(0);
    const [event] = await db.rows<{ data: Loose }>(`SELECT data FROM events WHERE kind = 'connector.deleted' AND target_id = $1`, [
      list[0].connector.id,
    ]);
    expect(event?.data).toMatchObject({ grantsEnded: 3, accounts: 2 });
    // The same file again brings it all back, as a source of its own.
    const again = await sendFile(server, server.admin, '/api/v1/imports/grants?app=Second', grants);
    expect(again.body.import).toMatchObject({ added: '3', removed: '0' });
    expect((await ok('GET', `/api/v1/apps/${app}`)).app.userCount).toBe('2');
  });

  describe('deleted', () => {
    const rows = (sql: string, ...values: unknown[]): Promise<Loose[]> => server.test.admin(sql, [server.id, ...values]);
    const upload = (app: string, source: string, accounts: readonly string[]): Promise<Answer> => {
      const lines = accounts.map((account) => `${account},,USER,ENABLED,role,A,${source},,`);
      const path = `/api/v1/imports/grants?app=${app}&source=${source}&allow_removals=true`;
      return sendFile(server, server.admin, path, `${header}${lines.join('\n')}`);
    };
    const accountsOf = async (id: string): Promise<Loose> =>
      Object.fromEntries(
        (
          await rows(
            `SELECT a.external_id AS name, CASE WHEN a.status = 'DELETED' THEN 'gone' ELSE coalesce(c.display_name, 'by hand') END AS whose
             FROM accounts a LEFT JOIN sources c ON c.tenant_id = $1 AND c.app_id = a.app_id AND c.source_no = a.source_no
             WHERE a.tenant_id = $1 AND a.app_id = $2`,
            id,
          )
        ).map(({ name, whose }) => [name, whose]),
      );

    it('take accounts with them that others brought first, and leave those that others took over', async () => {
      const first = (await upload('Shared', 'one', ['both', 'moved', 'mine'])).body.import;
      await upload('Shared', 'two', ['both', 'moved', 'theirs']);
      await upload('Shared', 'one', ['both', 'mine']);
      expect(await accountsOf(first.appId)).toMatchObject({ both: 'one', moved: 'two', mine: 'one', theirs: 'two' });
      await ok('DELETE', `/api/v1/apps/${first.appId}/connectors/${first.connectorId}`);
      expect(await accountsOf(first.appId)).toMatchObject({ both: 'two', moved: 'two', mine: 'gone', theirs: 'two' });
      await checkInventory(server.test.admin, server.id);
      // Nobody delivers it any more: it ends with the next file of the one who had taken it over.
      await upload('Shared', 'two', ['theirs']);
      expect(await accountsOf(first.appId)).toMatchObject({ both: 'gone', moved: 'gone', theirs: 'two' });
      await checkInventory(server.test.admin, server.id);
    });

    it('end the app access of accounts that were made manually before a file named them', async () => {
      const first = (await upload('Adopted', 'one', ['a'])).body.import;
      const [access] = await rows('SELECT id FROM entitlements WHERE tenant_id = $1 AND app_id = $2 AND is_app_access', first.appId);
      await ok('POST', `/api/v1/apps/${first.appId}/entitlements/${access?.id}/add-manual-user`, { userIds: [basic.id] });
      await upload('Adopted', 'one', ['a', 'basic@x.example']);
      expect(await accountsOf(first.appId)).toMatchObject({ 'basic@x.example': 'one' });
      await ok('DELETE', `/api/v1/apps/${first.appId}/connectors/${first.connectorId}`);
      expect(await accountsOf(first.appId)).toEqual({ a: 'gone', 'basic@x.example': 'gone' });
      await checkInventory(server.test.admin, server.id);
    });
  });

  it('are administrators’ to write, and another tenant’s are nowhere', async () => {
    const id = await make('Ours');
    expect((await request(server, basic, 'GET', at(id))).status).toBe(404);
    expect((await request(server, basic, 'POST', at(id), {})).status).toBe(403);
    expect((await request(other, other.admin, 'GET', at(id))).status).toBe(404);
    expect((await request(other, other.admin, 'GET', `/api/v1/sources/${id}`)).status).toBe(404);
    const otherApp = (await ok('POST', '/api/v1/apps', { displayName: 'Not Wiki' })).app.id;
    expect((await admin('GET', `/api/v1/apps/${otherApp}/connectors/${id}`)).status).toBe(404);
    expect((await admin('POST', `/api/v1/apps/${otherApp}/connectors/${id}/pause`)).status).toBe(404);
  });
});
