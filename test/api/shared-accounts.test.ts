/**
 * Accounts that several sources of one app report: a file and an identity provider. The account stays as long as one of them does, and is
 * that one's. What each source may say of it is tested with the source.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { connectScim, patch, type ScimClient } from '../support/scim.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let provider: ScimClient;
let counter = 0;
beforeAll(async () => {
  server = await useTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  provider = await connectScim(server, `Shared ${++counter}`);
});

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';
const upload = (...accounts: string[]): Promise<Answer> => {
  const path = `/api/v1/imports/grants?app=Shared%20${counter}&allow_removals=true`;
  return sendFile(server, server.admin, path, [header, ...accounts.map((one) => `${one},,USER,ENABLED,role,r,e,,`)].join('\n'));
};
/** Origin of each account: the kind of its source. */
async function accounts(): Promise<Loose> {
  const rows = await server.test.admin(
    `SELECT a.external_id AS name, CASE WHEN a.status = 'DELETED' THEN 'gone' ELSE coalesce(c.kind, 'by hand') END AS whose
     FROM accounts a LEFT JOIN sources c ON c.tenant_id = $1 AND c.app_id = a.app_id AND c.source_no = a.source_no
     WHERE a.tenant_id = $1 AND a.app_id = $2`,
    [server.id, provider.appId],
  );
  return Object.fromEntries(rows.map(({ name, whose }) => [name, whose]));
}

it('a file that leaves out an account which a provider pushes hands it over', async () => {
  expect((await upload('both', 'file')).status).toBe(200);
  const id = await provider.addUser('both');
  expect(await accounts()).toEqual({ both: 'FILE', file: 'FILE' });
  expect((await upload('other')).status).toBe(200);
  expect(await accounts()).toEqual({ both: 'SCIM', file: 'gone', other: 'FILE' });
  const group = await provider.addGroup('Team', [id]);
  expect((await provider.ok('GET', `/Groups/${group}`)).members).toHaveLength(1);
  await checkInventory(server.test.admin, server.id);
});

it('a source of files that is deleted leaves what a provider pushes', async () => {
  const { body } = await upload('both', 'file');
  await provider.addUser('both');
  const path = `/api/v1/apps/${provider.appId}/connectors/${body.import.connectorId}`;
  expect((await request(server, server.admin, 'DELETE', path)).status).toBe(200);
  expect(await accounts()).toEqual({ both: 'SCIM', file: 'gone' });
  await checkInventory(server.test.admin, server.id);
});

it('a provider that lets go leaves what a file names, and ends what none names any more', async () => {
  const both = await provider.addUser('both');
  const pushed = await provider.addUser('pushed');
  await upload('both', 'file');
  await provider.ok('DELETE', `/Users/${both}`, undefined, 204);
  await provider.ok('DELETE', `/Users/${pushed}`, undefined, 204);
  expect(await accounts()).toEqual({ both: 'FILE', file: 'FILE', pushed: 'gone' });
  await upload('other');
  expect(await accounts()).toEqual({ both: 'gone', file: 'gone', pushed: 'gone', other: 'FILE' });
  await checkInventory(server.test.admin, server.id);
});

it('an account that came back under a provider and is dropped by the file in between stays in its groups', async () => {
  const id = await provider.addUser('both');
  const group = await provider.addGroup('Team', [id]);
  await upload('both');
  await upload('other');
  await provider.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'title', value: 'Clerk' }));
  expect((await provider.ok('GET', `/Groups/${group}`)).members).toHaveLength(1);
  expect(await accounts()).toEqual({ both: 'SCIM', other: 'FILE' });
  await checkInventory(server.test.admin, server.id);
});
