/**
 * An app that somebody works on for long, as a large file does: those who want to change it wait, and nobody else does. Neither they nor files
 * that come meanwhile hold the connections that all tenants share.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { connectScim, patch, type ScimClient, urn } from '../support/scim.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const poolSize = 6;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const file = [
  'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at',
  ...upTo(10).map((n) => `a${n},,USER,ENABLED,role,r,e,,`),
].join('\n');

describe('an app under a long change', () => {
  let server: TestServer;
  let provider: ScimClient;
  let userIds: string[];

  beforeAll(async () => {
    server = await startTestServer({ config: { poolSize } });
    provider = await connectScim(server, 'Busy');
    userIds = (await Promise.all(upTo(20).map((n) => server.makePerson(`p${n}@busy.example`)))).map(({ id }) => id);
    expect((await sendFile(server, server.admin, '/api/v1/imports/grants?app=Busy', file)).status).toBe(200);
  });
  afterAll(() => server.stop());

  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);

  /** Begins `work` while the app is locked, looks how others fare, and lets go. */
  async function whileLocked<T>(work: () => readonly Promise<T>[]): Promise<T[]> {
    await server.test.admin('BEGIN');
    try {
      await server.test.admin('SELECT FROM apps WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [server.id, provider.appId]);
      const working = work();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const begun = performance.now();
      expect((await admin('GET', '/api/v1/apps')).status).toBe(200);
      expect((await admin('POST', '/api/v1/apps', { displayName: `Other ${Math.random()}` })).status).toBe(200);
      expect(performance.now() - begun).toBeLessThan(4000);
      await server.test.admin('COMMIT');
      return await Promise.all(working);
    } catch (error) {
      await server.test.admin('ROLLBACK');
      throw error;
    }
  }

  it('stops nobody else, however many give and take in it manually', async () => {
    const made = await admin('POST', `/api/v1/apps/${provider.appId}/entitlements`, { displayName: 'By hand' });
    const path = `/api/v1/apps/${provider.appId}/entitlements/${made.body.appEntitlementView.appEntitlement.id}`;
    const answers = await whileLocked(() => userIds.map((id) => admin('POST', `${path}/add-manual-user`, { userIds: [id] })));
    expect(answers.map(({ status }) => status)).toEqual(userIds.map(() => 200));
    const held = await admin('GET', `${path}/users?page_size=100`);
    expect(held.body.list).toHaveLength(userIds.length);
    await checkInventory(server.test.admin, server.id);
  });

  it('stops nobody else while an identity provider pushes into it', async () => {
    const group = await provider.addGroup('Team');
    const answers = await whileLocked(() => [
      ...upTo(10).map((n) => provider.send('POST', '/Users', { schemas: [urn.user], userName: `s${n}` })),
      ...upTo(10).map((n) => provider.send('PATCH', `/Groups/${group}`, patch({ op: 'replace', path: 'displayName', value: `Team ${n}` }))),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([...upTo(10).map(() => 201), ...upTo(10).map(() => 204)]);
    await checkInventory(server.test.admin, server.id);
  });

  it('stops nobody else while the same file comes again and again', async () => {
    const answers: Answer[] = await whileLocked(() =>
      upTo(12).map(() => sendFile(server, server.admin, '/api/v1/imports/grants?app=Busy', file)),
    );
    expect(answers.map(({ status }) => status)).toEqual(upTo(12).map(() => 200));
    const syncs: Loose[] = answers.map(({ body }) => body.import);
    expect(syncs.map(({ added, removed }) => [added, removed])).toEqual(syncs.map(() => ['0', '0']));
    expect(new Set(syncs.map(({ previousId }) => previousId)).size).toBe(12);
    await checkInventory(server.test.admin, server.id);
  });
});
