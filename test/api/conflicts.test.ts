/** Access conflicts over HTTP: monitors and their entitlements, the alerts that follow each change of access, and exemptions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, tokenOf, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

const monitors = '/api/v1/accessconflict';
const bindings = '/api/v1/appentitlementmonitorbinding';
const alerts = '/api/v1/conflict_alerts';
const never = 'x'.repeat(27);
const A = 'ENTITLEMENT_GROUP_A';
const B = 'ENTITLEMENT_GROUP_B';

describe('access conflicts over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let basic: TestPerson;
  let appId: string;
  const ids: Record<string, string> = {};
  const users: Record<string, string> = {};
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const call = async (method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await admin(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body;
  };
  const importCsv = async (path: string, lines: readonly string[]): Promise<void> => {
    const headers = { authorization: `Bearer ${await tokenOf(server, server.admin)}`, 'content-type': 'text/csv' };
    const response = await server.fetch(path, { method: 'POST', headers, body: lines.join('\n') });
    expect([response.status, await response.json()]).toEqual([200, expect.anything()]);
  };
  const importGrants = (rows: readonly string[]): Promise<void> =>
    importCsv('/api/v1/imports/grants?app=Bank&allow_removals=true', [
      'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at',
      ...rows.map((row) => {
        const [account = '', entitlement = ''] = row.split(' ');
        return `${account},${account.startsWith('s') ? '' : `${account.slice(0, 3)}@corp.test`},USER,ENABLED,role,Bank,${entitlement},,`;
      }),
    ]);
  const makeMonitor = async (displayName: string, sides: Readonly<Record<string, string>>, more: object = {}): Promise<Loose> => {
    const made = await call('POST', monitors, { displayName });
    for (const [name, entitlementGroup] of Object.entries(sides)) {
      await call('POST', bindings, { monitorId: made.id, appId, appEntitlementId: ids[name], entitlementGroup });
    }
    return call('POST', `${monitors}/${made.id}`, more);
  };
  const listed = async (query: string): Promise<Loose[]> => (await call('GET', `${alerts}?page_size=100&${query}`)).list;
  const statesOf = async (monitorId: string): Promise<string[]> =>
    (await listed(`monitor_id=${monitorId}`)).map((one) => `${one.principalDisplayName} ${one.state.slice(21)} ${one.generation}`).sort();
  const untilStates = (monitorId: string, wanted: readonly string[]): Promise<void> =>
    expect.poll(() => statesOf(monitorId), { timeout: 60_000, interval: 200 }).toEqual(wanted);
  const held = ['ann pay', 'ann2 approve', 'bob pay', 'sys pay', 'sys approve', 'cyn approve'];

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    basic = await server.makePerson('basic@x.example');
    await importCsv('/api/v1/imports/people', ['email,display_name', 'ann@corp.test,Ann', 'bob@corp.test,Bob', 'cyn@corp.test,Cyn']);
    await importGrants(held);
    const { db, tenantId } = server.system();
    appId = (await db.one<{ id: string }>('SELECT a.id FROM apps a WHERE a.tenant_id = $1', [tenantId])).id;
    for (const { id, name } of await db.rows<{ id: string; name: string }>(
      'SELECT e.id, e.external_id AS name FROM entitlements e WHERE e.tenant_id = $1 AND NOT e.is_app_access',
      [tenantId],
    )) {
      ids[name] = id;
    }
    for (const { id, name } of await db.rows<{ id: string; name: string }>(
      'SELECT u.id, u.display_name AS name FROM users u WHERE u.tenant_id = $1',
      [tenantId],
    )) {
      users[name] = id;
    }
  });
  afterAll(() => server.stop());

  it('makes, reads, changes, lists and deletes monitors', async () => {
    const made = await call('POST', monitors, { displayName: ' Pays and approves ', description: 'Four eyes' });
    expect(made).toMatchObject({ displayName: 'Pays and approves', description: 'Four eyes', enabled: false, negateGroupB: false });
    expect(new Set([made.id, made.entitlementSetAId, made.entitlementSetBId]).size).toBe(3);
    expect(await call('GET', `${monitors}/${made.id}`)).toEqual(made);
    const notificationConfig = {
      emailNotifications: { enabled: true, identityUserIds: [users['Ann']] },
      slackNotifications: { enabled: true, channelId: 'C1', channelName: 'risk' },
    };
    const changed = await call('POST', `${monitors}/${made.id}`, { notificationConfig, negateGroupB: true });
    expect(changed).toMatchObject({ displayName: 'Pays and approves', description: 'Four eyes', negateGroupB: true, notificationConfig });
    expect((await call('POST', `${monitors}/${made.id}`, { negateGroupB: false })).negateGroupB).toBe(false);
    expect((await call('GET', `${monitors}?query=APPROVES%20pays`)).list.map((one: Loose) => one.id)).toEqual([made.id]);
    expect(violatedFields(await admin('POST', monitors, { displayName: ' ', description: 'x'.repeat(10_001) }))).toEqual([
      'displayName',
      'description',
    ]);
    const people = 'notificationConfig.emailNotifications.identityUserIds';
    const mail = (identityUserIds: string[]) => ({ displayName: 'M', notificationConfig: { emailNotifications: { identityUserIds } } });
    expect(violatedFields(await admin('POST', monitors, mail([never])))).toEqual([`${people}[0]`]);
    expect(violatedFields(await admin('POST', monitors, mail(Array(101).fill(never))))).toEqual([people]);
    for (const [person, path] of [
      [other.admin, `${monitors}/${made.id}`],
      [server.admin, `${monitors}/${never}`],
    ] as const) {
      const tenant = person === other.admin ? other : server;
      expect((await request(tenant, person, 'GET', path)).status).toBe(404);
      expect((await request(tenant, person, 'POST', path, { description: 'x' })).status).toBe(404);
      expect((await request(tenant, person, 'POST', `${path}/action/enable`, {})).status).toBe(404);
    }
    expect((await request(server, basic, 'GET', `${monitors}/${made.id}`)).status).toBe(403);
    expect(await call('DELETE', `${monitors}/${made.id}`)).toEqual({});
    expect((await admin('GET', `${monitors}/${made.id}`)).status).toBe(404);
    expect((await admin('DELETE', `${monitors}/${made.id}`)).status).toBe(404);
  });

  it('keeps an entitlement in one group, of a monitor that is enabled only with something to find', async () => {
    const { id } = await makeMonitor('Groups', {});
    const key = (name: string, entitlementGroup?: string) => ({
      monitorId: id,
      appId,
      appEntitlementId: ids[name] ?? name,
      entitlementGroup,
    });
    expect(violatedFields(await admin('POST', `${monitors}/${id}/action/enable`, {}))).toEqual(['entitlementSetAId', 'entitlementSetBId']);
    expect(await call('POST', bindings, key('pay', A))).toMatchObject(key('pay', A));
    expect((await admin('POST', bindings, key('pay', A))).status).toBe(409);
    expect(violatedFields(await admin('POST', bindings, key('pay', B)))).toEqual(['appEntitlementId']);
    expect(violatedFields(await admin('POST', bindings, key('approve')))).toEqual(['entitlementGroup']);
    expect((await admin('POST', bindings, key(never, A))).status).toBe(404);
    expect((await admin('POST', bindings, { ...key('approve', A), monitorId: never })).status).toBe(404);
    expect((await call('POST', `${bindings}/get`, key('pay', A))).createdAt).toEqual(expect.any(String));
    expect((await admin('POST', `${bindings}/get`, key('pay', B))).status).toBe(404);
    expect(violatedFields(await admin('POST', `${monitors}/${id}/action/enable`, {}))).toEqual(['entitlementSetBId']);
    expect((await call('GET', `${monitors}/${id}/entitlements`)).list).toEqual([expect.objectContaining(key('pay', A))]);
    expect(await call('DELETE', bindings, key('pay', A))).toEqual({});
    expect((await admin('DELETE', bindings, key('pay', A))).status).toBe(404);
    const { db, tenantId } = server.system();
    await db.run(
      `INSERT INTO conflict_entitlements (tenant_id, monitor_id, app_id, entitlement_id, side, created_at)
       SELECT $1, $2, $3, 'e' || n, 'A', now() FROM generate_series(1, 32) AS g(n)`,
      [tenantId, id, appId],
    );
    expect(violatedFields(await admin('POST', bindings, key('pay', A)))).toEqual(['entitlementGroup']);
    await call('POST', bindings, key('pay', B));
    expect((await call('POST', `${monitors}/${id}/action/enable`, {})).conflictMonitor.enabled).toBe(true);
    expect((await call('POST', `${monitors}/${id}/action/disable`, {})).conflictMonitor.enabled).toBe(false);
  });

  it('finds who is in conflict, follows each change, and says everything that became of an alert', async () => {
    const { id } = await makeMonitor('Pays and approves', { pay: A, approve: B });
    await call('POST', `${monitors}/${id}/action/enable`, {});
    await untilStates(id, ['Ann ACTIVE 1', 'sys ACTIVE 1']);
    const [ann] = await listed(`monitor_id=${id}&user_id=${users['Ann']}`);
    expect(ann).toMatchObject({
      monitorDisplayName: 'Pays and approves',
      userId: users['Ann'],
      appId: '',
      appUserId: '',
      entitlements: expect.arrayContaining([
        { appId, appEntitlementId: ids['pay'], entitlementGroup: A },
        { appId, appEntitlementId: ids['approve'], entitlementGroup: B },
      ]),
    });
    const read = await call('GET', `${alerts}/${ann.id}`);
    expect(read.conflictAlert).toEqual(ann);
    expect(read.grants.map((one: Loose) => [one.appEntitlementId, one.entitlementGroup]).sort()).toEqual(
      [
        [ids['pay'], A],
        [ids['approve'], B],
      ].sort(),
    );
    for (const [query, wanted] of [
      [`query=ann%20PAYS`, [ann.id]],
      [`query=${ann.id}`, [ann.id]],
      [`query=nobody`, []],
      [`monitor_id=${id}&app_id=${appId}&state=ACTIVE&user_id=${users['Ann']}`, [ann.id]],
      [`monitor_id=${id}&app_id=${never}`, []],
      [`monitor_id=${id}&state=EXEMPTED`, []],
    ] as const) {
      expect([query, (await listed(query)).map((one) => one.id)]).toEqual([query, wanted]);
    }

    // Exempted, and taken back; what forbids either.
    const act = (action: string, body: object = {}) => admin('POST', `${alerts}/${ann.id}/action/${action}`, body);
    expect(violatedFields(await act('exempt', { reason: ' ', until: '2020-01-01T00:00:00Z' }))).toEqual(['reason', 'until']);
    expect(violatedFields(await act('exempt', { reason: 'x'.repeat(1001) }))).toEqual(['reason']);
    expect((await act('withdraw')).status).toBe(400);
    const until = '2099-01-01T00:00:00Z';
    const exempted = (await act('exempt', { reason: 'Small firm', until })).body.conflictAlert;
    expect(exempted).toMatchObject({
      state: 'CONFLICT_ALERT_STATE_EXEMPTED',
      exemption: { reason: 'Small firm', userId: server.admin.id, accessReviewId: '', until },
    });
    expect((await act('exempt', { reason: 'Again' })).status).toBe(400);
    expect((await request(server, basic, 'POST', `${alerts}/${ann.id}/action/exempt`, { reason: 'x' })).status).toBe(403);
    expect((await request(other, other.admin, 'POST', `${alerts}/${ann.id}/action/exempt`, { reason: 'x' })).status).toBe(404);
    expect((await act('withdraw')).body.conflictAlert).toMatchObject({ state: 'CONFLICT_ALERT_STATE_ACTIVE', generation: 1 });
    await act('exempt', { reason: 'Small firm' });

    // Access that goes resolves; access that comes back is a new generation, and no exemption is carried over.
    await importGrants(held.filter((row) => row !== 'ann pay'));
    await untilStates(id, ['Ann RESOLVED 1', 'sys ACTIVE 1']);
    expect((await act('exempt', { reason: 'x' })).status).toBe(400);
    await importGrants([...held, 'cyn pay']);
    await untilStates(id, ['Ann ACTIVE 2', 'Cyn ACTIVE 1', 'sys ACTIVE 1']);
    expect((await call('GET', `${alerts}/${ann.id}`)).conflictAlert.exemption).toBeUndefined();

    // An owner makes a conflict of two accounts, each without one.
    const { db, tenantId } = server.system();
    const { id: accountId } = await db.one<{ id: string }>('SELECT a.id FROM accounts a WHERE a.tenant_id = $1 AND a.external_id = $2', [
      tenantId,
      'sys',
    ]);
    await call('PUT', `/api/v1/apps/${appId}/app_users/${accountId}/owner`, { userId: users['Bob'] });
    await untilStates(id, ['Ann ACTIVE 2', 'Bob ACTIVE 1', 'Cyn ACTIVE 1', 'sys RESOLVED 1']);

    // The other rule: who pays without being able to approve.
    await call('POST', `${monitors}/${id}`, { negateGroupB: true });
    await untilStates(id, ['Ann RESOLVED 2', 'Bob RESOLVED 1', 'Cyn RESOLVED 1', 'sys RESOLVED 1']);
    expect((await listed(`monitor_id=${id}`))[0]).toMatchObject({ resolution: 'CONFLICT_RESOLUTION_MONITOR_CHANGED' });
    await call('POST', `${monitors}/${id}`, { negateGroupB: false });
    await untilStates(id, ['Ann ACTIVE 3', 'Bob ACTIVE 2', 'Cyn ACTIVE 2', 'sys RESOLVED 1']);
    await call('POST', `${monitors}/${id}/action/disable`, {});
    expect((await listed(`monitor_id=${id}&state=RESOLVED`)).length).toBe(4);

    const events = await db.rows<{ kind: string; data: Loose }>(
      `SELECT e.kind, e.data FROM events e WHERE e.tenant_id = $1 AND e.target_id = $2 ORDER BY e.id`,
      [tenantId, ann.id],
    );
    expect(events.map(({ kind, data }) => `${kind.slice(15)} ${data.generation} ${data.resolution}`.trim())).toEqual([
      'activated 1',
      'exempted 1',
      'exemption_withdrawn 1',
      'exempted 1',
      'resolved 1 NO_LONGER_HELD',
      'activated 2',
      'resolved 2 MONITOR_CHANGED',
      'activated 3',
      'resolved 3 MONITOR_DISABLED',
    ]);
    expect(events[0]?.data).toMatchObject({
      monitorId: id,
      monitor: 'Pays and approves',
      userId: users['Ann'],
      entitlements: expect.arrayContaining([{ appId, appEntitlementId: ids['pay'], group: 'A' }]),
    });
    await call('DELETE', `${monitors}/${id}`);
    expect((await call('GET', `${alerts}/${ann.id}`)).conflictAlert.monitorDisplayName).toBe('Pays and approves');
  });

  it('are never exempted by whom they are about', async () => {
    const rows = ['pay', 'approve'].map((held) => `chief,${server.admin.email},USER,ENABLED,role,Safe,${held},,`);
    const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';
    await importCsv('/api/v1/imports/grants?app=Safe', [header, ...rows]);
    const { db, tenantId } = server.system();
    const entitlements = await db.rows<{ appId: string; id: string; name: string }>(
      `SELECT e.app_id AS "appId", e.id, e.external_id AS name FROM entitlements e JOIN apps a ON a.tenant_id = $1 AND a.id = e.app_id
       WHERE e.tenant_id = $1 AND a.display_name = 'Safe' AND NOT e.is_app_access`,
      [tenantId],
    );
    expect(entitlements).toHaveLength(2);
    const { id } = await call('POST', monitors, { displayName: 'Own' });
    for (const one of entitlements) {
      const entitlementGroup = one.name === 'pay' ? A : B;
      await call('POST', bindings, { monitorId: id, appId: one.appId, appEntitlementId: one.id, entitlementGroup });
    }
    await call('POST', `${monitors}/${id}/action/enable`);
    await untilStates(id, ['Administrator ACTIVE 1']);
    const [alert] = await listed(`monitor_id=${id}`);
    const exempt = `${alerts}/${alert?.id}/action/exempt`;
    const other = await server.makePerson('another@x.example', ['SUPER_ADMINISTRATOR']);
    const own = await admin('POST', exempt, { reason: 'I take care' });
    expect([own.status, own.body.message]).toEqual([403, expect.stringContaining('your own access')]);
    expect((await request(server, other, 'POST', exempt, { reason: 'She takes care' })).status).toBe(200);
    // Taking it back is for everybody: it opens a question and answers none.
    expect((await admin('POST', exempt.replace('exempt', 'withdraw'), {})).status).toBe(200);
  });
});
