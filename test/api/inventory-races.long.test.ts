/**
 * Two who change one inventory at the same moment, over HTTP, pair by pair: whatever comes first, both answers are honest and what is left
 * holds together. Many at once and everything mixed is in test/resilience.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { connectScim, patch, urn } from '../support/scim.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
/** Accounts from..to-1, each with two entitlements. */
const grantsOf = (from: number, to: number): string =>
  [
    header,
    ...upTo(to - from).flatMap((n) =>
      ['e', 'f'].map((name) => `p${from + n}@races.example,p${from + n}@races.example,USER,ENABLED,role,r,${name},,`),
    ),
  ].join('\n');
const peopleOf = (from: number, to: number): string =>
  [
    'email,display_name,manager_email,department,job_title,employment_status',
    ...upTo(to - from).map((n) => `p${from + n}@races.example,Person ${from + n},,,,ACTIVE`),
  ].join('\n');

describe('at the same moment, in one inventory', () => {
  let server: TestServer;
  let userIds: string[];
  let counter = 0;

  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const upload = (path: string, file: string): Promise<Answer> => sendFile(server, server.admin, `/api/v1/imports/${path}`, file);
  const importInto = (app: string, from: number, to: number, more = ''): Promise<Answer> =>
    upload(`grants?app=${app}&allow_removals=true${more}`, grantsOf(from, to));
  const rows = (sql: string, ...values: unknown[]): Promise<Loose[]> => server.test.admin(sql, [server.id, ...values]);
  const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();

  /** An app of its own, from a first file of 20 people. */
  async function makeApp(): Promise<{ id: string; name: string; manualId: string; sourceId: string }> {
    const name = `app${counter++}`;
    const { body } = await importInto(name, 0, 20);
    const id: string = body.import.appId;
    const made = await admin('POST', `/api/v1/apps/${id}/entitlements`, { displayName: 'By hand' });
    return { id, name, manualId: made.body.appEntitlementView.appEntitlement.id, sourceId: body.import.connectorId };
  }
  const openOf = async (appId: string): Promise<string[]> =>
    (
      await rows(
        `SELECT a.external_id || ' ' || coalesce(nullif(e.external_id, ''), e.display_name) AS name FROM grants g
         JOIN accounts a ON a.tenant_id = $1 AND a.id = g.account_id JOIN entitlements e ON e.tenant_id = $1 AND e.id = g.entitlement_id
         WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.removed_revision IS NULL AND NOT g.is_derived ORDER BY 1`,
        appId,
      )
    ).map(({ name }) => name);

  beforeAll(async () => {
    server = await startTestServer();
    expect((await upload('people', peopleOf(0, 40))).status).toBe(200);
    userIds = (await rows(`SELECT id FROM users WHERE tenant_id = $1 AND email_key LIKE 'p%' ORDER BY substr(email_key, 2, 2)`)).map(
      ({ id }) => id,
    );
  });
  afterEach(() => checkInventory(server.test.admin, server.id));
  afterAll(() => server.stop());

  it('files into one app are taken one after the other, each whole', async () => {
    const { id, name } = await makeApp();
    const answers = await Promise.all([
      importInto(name, 0, 10),
      importInto(name, 5, 25),
      importInto(name, 10, 30),
      importInto(name, 0, 30),
    ]);
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
    const syncs = answers.map(({ body }) => body.import);
    // A chain: each follows another one, and the last one's file is what is there.
    const followed = new Set(syncs.map(({ previousId }) => previousId));
    expect(followed.size).toBe(4);
    const [last] = syncs.filter(({ id: one }) => !followed.has(one));
    expect(await openOf(id)).toHaveLength(Number(last?.rows));
  });

  it('files into two apps do not wait for each other', async () => {
    const [one, two] = [await makeApp(), await makeApp()];
    const answers = await Promise.all(upTo(6).map((n) => importInto(n % 2 === 0 ? one.name : two.name, n, 20 + n)));
    expect(statusesOf(answers)).toEqual(upTo(6).map(() => 200));
  });

  it('the first files of an app nobody has made yet make one app and one source', async () => {
    const name = `new${counter++}`;
    const answers = await Promise.all(upTo(4).map((n) => importInto(name, 0, 10 + n)));
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.import.appId)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.import.connectorId)).size).toBe(1);
  });

  it('what is granted manually beside a file stays, what is taken is gone', async () => {
    const { id, name, manualId } = await makeApp();
    const path = `/api/v1/apps/${id}/entitlements/${manualId}`;
    const answers = await Promise.all([
      importInto(name, 0, 30),
      ...upTo(5).map((n) => admin('POST', `${path}/add-manual-user`, { userIds: userIds.slice(n * 8, n * 8 + 8) })),
      importInto(name, 10, 40),
    ]);
    expect(statusesOf(answers)).toEqual(answers.map(() => 200));
    const byHand = (): Promise<Loose[]> =>
      rows(
        `SELECT account_id AS id FROM grants WHERE tenant_id = $1 AND entitlement_id = $2 AND removed_revision IS NULL ORDER BY 1`,
        manualId,
      );
    const held = await byHand();
    expect(held).toHaveLength(40);
    const taken = await Promise.all([
      importInto(name, 0, 10),
      ...held.slice(0, 10).map((one) => admin('DELETE', `${path}/remove-membership`, { appUserId: one.id })),
      importInto(name, 20, 40),
    ]);
    expect(statusesOf(taken)).toEqual(taken.map(() => 200));
    expect(await byHand()).toHaveLength(30);
  });

  it('the same grant given ten times at once is given once', async () => {
    const { id, manualId } = await makeApp();
    const answers = await Promise.all(
      upTo(10).map(() => admin('POST', `/api/v1/apps/${id}/entitlements/${manualId}/add-manual-user`, { userIds: [userIds[30]] })),
    );
    expect(statusesOf(answers)).toEqual(answers.map(() => 200));
    const revisions = await rows(
      `SELECT count(*)::int AS count FROM inventory_revisions WHERE tenant_id = $1 AND app_id = $2 AND cause = 'MANUAL'`,
      id,
    );
    expect(revisions).toEqual([{ count: 1 }]);
  });

  it('an app that is deleted while files come in: each file is in the old one or in a new one of its name', async () => {
    const { id, name } = await makeApp();
    const answers = await Promise.all([
      importInto(name, 0, 25),
      admin('DELETE', `/api/v1/apps/${id}`),
      importInto(name, 5, 30),
      admin('DELETE', `/api/v1/apps/${id}`),
    ]);
    // Whatever refuses one says why.
    expect([answers[0], answers[2]].map((one) => (one?.status === 200 ? 200 : one?.body))).toEqual([200, 200]);
    expect(statusesOf([answers[1], answers[3]] as Answer[])).toEqual([200, 404]);
    await expect
      .poll(() => rows(`SELECT 1 AS open FROM grants WHERE tenant_id = $1 AND app_id = $2 AND removed_revision IS NULL LIMIT 1`, id), {
        timeout: 60_000,
      })
      .toEqual([]);
    expect((await admin('GET', `/api/v1/apps/${id}`)).status).toBe(404);
  });

  it('a time that runs out while files come in ends what was granted manually and nothing else', async () => {
    const { id, name, manualId } = await makeApp();
    const path = `/api/v1/apps/${id}/entitlements/${manualId}`;
    await admin('POST', `${path}/add-manual-user`, { userIds: userIds.slice(0, 30) });
    const held = await rows(
      `SELECT account_id AS id FROM grants WHERE tenant_id = $1 AND entitlement_id = $2 AND removed_revision IS NULL`,
      manualId,
    );
    const newDeprovisionAt = new Date(Date.now() + 150).toISOString();
    const answers = await Promise.all([
      ...held.map((one) => admin('POST', `${path}/users/${one.id}/update-grant-duration`, { newDeprovisionAt })),
      ...upTo(6).map((n) => importInto(name, n, 20 + n)),
    ]);
    // Whoever is served after that moment hears that it has passed, or that the grant is gone.
    expect(statusesOf(answers).filter((status) => ![200, 400, 404].includes(status))).toEqual([]);
    const dated = answers.slice(0, held.length).filter(({ status }) => status === 200).length;
    await expect
      .poll(
        () =>
          rows(
            `SELECT count(*)::int AS count FROM grants WHERE tenant_id = $1 AND entitlement_id = $2 AND removed_revision IS NULL`,
            manualId,
          ),
        {
          timeout: 60_000,
        },
      )
      .toEqual([{ count: 30 - dated }]);
    // What came with the last file, beside manual grants whose date came too late.
    expect((await openOf(id)).filter((one) => / [ef]$/.test(one))).toHaveLength(40);
  });

  it('an identity provider pushes while files come into the same app', async () => {
    const provider = await connectScim(server, `app${counter++}`);
    const { body } = await admin('GET', `/api/v1/apps/${provider.appId}`);
    const name: string = body.app.displayName;
    const push = (n: number): Promise<{ status: number }> =>
      provider.send('POST', '/Users', {
        schemas: [urn.user],
        userName: `p${n}@races.example`,
        emails: [{ value: `p${n}@races.example`, primary: true }],
      });
    const group = await provider.addGroup('Team');
    const answers = await Promise.all([...upTo(12).map(push), importInto(name, 0, 8), ...upTo(12).map(push), importInto(name, 4, 20)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...upTo(2).map(() => 200),
      ...upTo(12).map(() => 201),
      ...upTo(12).map(() => 409),
    ]);
    const { Resources } = await provider.ok('GET', '/Users?count=100');
    const members = Resources.map(({ id }: Loose) => ({ value: id }));
    const patched = await Promise.all([
      ...members.map((one: Loose) => provider.send('PATCH', `/Groups/${group}`, patch({ op: 'add', path: 'members', value: [one] }))),
      importInto(name, 0, 3),
      importInto(name, 0, 30),
      provider.send('PATCH', `/Users/${members[0]?.value}`, patch({ op: 'replace', path: 'active', value: false })),
    ]);
    expect(patched.map(({ status }) => status).filter((status) => ![200, 204].includes(status))).toEqual([]);
    expect((await provider.ok('GET', `/Groups/${group}`)).members).toHaveLength(12);
  });

  it('owners are set while people come in who match otherwise: what was said manually stays', async () => {
    const { id } = await makeApp();
    const accounts = await rows(`SELECT id FROM accounts WHERE tenant_id = $1 AND app_id = $2 ORDER BY external_id`, id);
    const answers = await Promise.all([
      upload('people?allow_removals=true', peopleOf(0, 35)),
      ...accounts.map((one, n) => admin('PUT', `/api/v1/apps/${id}/app_users/${one.id}/owner`, { userId: userIds[(n + 7) % 20] })),
      upload('people?allow_removals=true', peopleOf(0, 40)),
    ]);
    expect(statusesOf(answers)).toEqual(answers.map(() => 200));
    const owned = await rows(`SELECT user_id FROM accounts WHERE tenant_id = $1 AND app_id = $2 ORDER BY external_id`, id);
    expect(owned.map(({ user_id }) => user_id)).toEqual(accounts.map((_one, n) => userIds[(n + 7) % 20]));
  });

  it('a source that is deleted or paused while its files come in', async () => {
    const { id, name, sourceId } = await makeApp();
    const answers = await Promise.all([
      importInto(name, 0, 30, `&source=other`),
      importInto(name, 0, 30),
      admin('DELETE', `/api/v1/apps/${id}/connectors/${sourceId}`),
      importInto(name, 10, 40),
    ]);
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
    const left = await rows(
      `SELECT count(*)::int AS count FROM sources WHERE tenant_id = $1 AND app_id = $2 AND deleted_at IS NULL AND id = $3`,
      id,
      sourceId,
    );
    expect(left).toEqual([{ count: 0 }]);
    const [second] = await rows(
      `SELECT id FROM sources WHERE tenant_id = $1 AND app_id = $2 AND deleted_at IS NULL AND name_key = 'other'`,
      id,
    );
    const paused = await Promise.all([
      admin('POST', `/api/v1/apps/${id}/connectors/${second?.id}/pause`, {}),
      importInto(name, 0, 5, '&source=other'),
    ]);
    // Taken before, or refused with the reason.
    expect(paused[0]?.status).toBe(200);
    expect([200, 400]).toContain(paused[1]?.status);
    expect(await importInto(name, 0, 6, '&source=other')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('paused') },
    });
  });

  it('matching is asked for and its order changed while files come in', async () => {
    const { id, name, sourceId } = await makeApp();
    const answers = await Promise.all([
      importInto(name, 0, 30),
      admin('POST', `/api/v1/apps/${id}/connectors/${sourceId}/force_sync`, {}),
      admin('PUT', `/api/v1/connectors/${sourceId}/match_order`, { order: ['MATCH_RULE_USERNAME'] }),
      upload('people?allow_removals=true', peopleOf(0, 38)),
      admin('POST', '/api/v1/directories', {
        appId: id,
        mergeConfig: { matchCases: [{ appUserKeyCel: 'appUser.email', userKeyCel: 'user.email' }] },
      }),
      importInto(name, 0, 25),
    ]);
    expect(statusesOf(answers)).toEqual(answers.map(() => 200));
  });

  it('an access profile is filled, shown and deleted at once with what it gives', async () => {
    const { id, manualId } = await makeApp();
    const made = await admin('POST', '/api/v1/catalogs', { displayName: 'Starter', published: true });
    const profile: string = made.body.requestCatalogView.requestCatalog.id;
    const refs = (await rows(`SELECT app_id, id FROM entitlements WHERE tenant_id = $1 AND app_id = $2 AND deleted_at IS NULL`, id)).map(
      (one) => ({
        appId: one.app_id,
        id: one.id,
      }),
    );
    const path = `/api/v1/catalogs/${profile}`;
    const answers = await Promise.all([
      admin('POST', `${path}/requestable_entries`, { appEntitlements: refs }),
      admin('POST', `${path}/requestable_entries`, { appEntitlements: refs.toReversed() }),
      admin('POST', `${path}/visibility_bindings`, { accessEntitlements: refs }),
      admin('DELETE', `/api/v1/apps/${id}/entitlements/${manualId}`),
      admin('DELETE', `${path}/requestable_entries`, { appEntitlements: refs.slice(0, 2) }),
      admin('POST', path, { catalog: { description: 'Changed' } }),
    ]);
    expect(statusesOf(answers).filter((status) => ![200, 400, 404].includes(status))).toEqual([]);
    const shown = await admin('GET', `${path}/requestable_entitlements?page_size=100`);
    expect(JSON.stringify(shown.body)).not.toContain(manualId);
    const gone = await Promise.all([
      admin('DELETE', path),
      admin('POST', `${path}/requestable_entries`, { appEntitlements: refs }),
      admin('DELETE', path),
    ]);
    expect(statusesOf(gone).filter((status) => ![200, 400, 404].includes(status))).toEqual([]);
    expect((await admin('GET', path)).status).toBe(404);
  });
});
