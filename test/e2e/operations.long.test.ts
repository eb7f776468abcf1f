/** The statements of docs/operations.md, as an operator pastes them: into a superuser's session on the database of a running server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppUserService } from '../../src/gen/c1/api/app/v1/app_user_service_pb.js';
import { UserService } from '../../src/gen/c1/api/user/v1/user_service_pb.js';
import { grantsHeader, peopleHeader } from '../support/inventory.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const [roles = '', unforce = '', reindex = '', fillAnew = '', unlock = '', ...more] = [...document.matchAll(/^```sql\n(.*?)^```$/gms)].map(
  ([, sql = '']) => sql,
);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await sendFile(server, server.admin, '/api/v1/imports/people', `${peopleHeader}\nzoe@x.example,Zoë Müller,,,,ACTIVE`);
  const grants = [grantsHeader, 'zoe,zoe@x.example,USER,ENABLED,space,Handbook,Read,,'].join('\n');
  await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', grants);
});
afterAll(() => server.stop());

const statements = (sql: string): string[] =>
  sql
    .split(/;\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

async function texts(): Promise<unknown[]> {
  return server.test.admin('SELECT kind, id, text FROM countersign.search_texts ORDER BY kind, id');
}

describe('docs/operations.md', () => {
  it('has five pieces of SQL', () => {
    expect(more).toEqual([]);
    // These two are tried with roles and databases of their own, in src/db/roles.test.ts and src/db/dump.test.ts.
    expect(roles).toMatch(/^CREATE ROLE countersign_owner LOGIN BYPASSRLS /);
    expect(unforce).toMatch(/NO FORCE ROW LEVEL SECURITY/);
    expect(reindex).toMatch(/^REINDEX /);
    expect(unlock).toMatch(/^DELETE FROM countersign\.session_settings /);
  });

  it('rebuilds the index of texts', async () => {
    await server.test.admin(reindex);
    const { list } = await server.admin.client.call(AppUserService.method.search, { query: 'zoe' });
    expect(list).toHaveLength(1);
  });

  it('fills the table of texts anew, exactly as the triggers had', async () => {
    const before = await texts();
    expect(new Set((before as { kind: string }[]).map(({ kind }) => kind))).toEqual(
      new Set(['ACCOUNT', 'ENTITLEMENT', 'RESOURCE', 'USER']),
    );
    await server.test.admin('TRUNCATE countersign.search_texts');
    expect(await texts()).toEqual([]);
    await server.test.admin(statements(fillAnew).join(';\n'));
    expect(await texts()).toEqual(before);
    // And the triggers go on from there.
    await sendFile(server, server.admin, '/api/v1/imports/people?source=more', `${peopleHeader}\nnoa@x.example,Noa Nagel,,,,ACTIVE`);
    const { list } = await server.admin.client.call(UserService.method.search, { query: 'nagel' });
    expect(list).toMatchObject([{ user: { email: 'noa@x.example' } }]);
  });

  it('lets in whom session settings lock out, of that tenant alone', async () => {
    const other = await server.makeTenant('other.example');
    for (const tenant of [server, other]) {
      await server.test.admin(
        `INSERT INTO countersign.session_settings (tenant_id, document, updated_at)
         VALUES ($1, '{"pccAdminSource": {"enabled": true, "sourceCidr": ["10.0.0.0/8"]}}', now())`,
        [tenant.id],
      );
    }
    const tryBoth = async () => {
      const status = (tenant: typeof other) =>
        tenant.admin.client.call(UserService.method.list, {}).then(
          () => 200,
          (error: { status: number }) => error.status,
        );
      return [await status(server), await status(other)];
    };
    await expect.poll(tryBoth, { timeout: 60_000 }).toEqual([401, 401]);
    const [{ host } = { host: '' }] = (await server.test.admin('SELECT host FROM countersign.tenant_hosts WHERE tenant_id = $1', [
      server.id,
    ])) as { host: string }[];
    await server.test.admin(unlock.replace('reviews.example.com', host));
    await expect.poll(tryBoth, { timeout: 60_000 }).toEqual([200, 401]);
  });
});
