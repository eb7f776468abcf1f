/** Files over HTTP of an app that a release before stored under two spellings: after the job, neither spelling adds or ends anything. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { adminOf, sendFile } from '../support/world.ts';

let server: TestServer;
let admin: ReturnType<typeof adminOf>;
beforeAll(async () => {
  server = await useTestServer();
  admin = adminOf(server);
});
afterAll(() => server.stop());

const [nfc, nfd] = ['B\u00fcro', 'Bu\u0308ro'];
const header = 'account,email,resource_type,resource,entitlement';
const crowd = [0, 1, 2, 3].map((n) => `u${n},u${n}@corp.test,role,Hall,Gate`);

async function send(rows: readonly string[]): Promise<unknown> {
  const { status, body } = await sendFile(
    server,
    server.admin,
    '/api/v1/imports/grants?app=Desk&allow_removals=true',
    [header, ...crowd, ...rows].join('\n'),
  );
  expect([status, status === 200 || body]).toEqual([200, true]);
  const { added, removed, counts } = (body as { import: { added: string; removed: string; counts: Record<string, { added: string }> } })
    .import;
  return {
    added,
    removed,
    entitlements: counts['entitlements']?.added,
    resources: counts['resources']?.added,
    types: counts['resourceTypes']?.added,
  };
}

it('are read as the same', async () => {
  const first = ['u0,u0@corp.test,t1,r1,e1', 'u1,u1@corp.test,t1,r1,e1'];
  await send(first);
  await send([...first, 'u0,u0@corp.test,t2,r2,e2', 'u2,u2@corp.test,t2,r2,e2', 'u3,u3@corp.test,t2,r2,Wiki']);
  for (const [table, letter] of [
    ['resource_types', 't'],
    ['resources', 'r'],
    ['entitlements', 'e'],
  ] as const) {
    await server.test.admin(
      `UPDATE ${table} SET external_id = n.name, display_name = n.name, twin = n.twin FROM (VALUES ($2, $4, 0), ($3, $5, $6::int)) AS n (was, name, twin)
       WHERE tenant_id = $1 AND external_id = n.was`,
      [server.id, `${letter}1`, `${letter}2`, nfc, nfd, letter === 't' ? 1 : 0],
    );
  }
  const looksTheSame = async (): Promise<string[]> =>
    (await admin('GET', '/api/v1/identity/look_alikes?page_size=100')).list.map(({ kind }: { kind: string }) => kind);
  expect(await looksTheSame()).toEqual(['LOOK_ALIKE_KIND_RESOURCE_TYPE']);
  await server.test.admin(
    `INSERT INTO jobs (id, tenant_id, kind, subject_id, state, run_at, created_at, updated_at)
     VALUES (md5(random()::text), $1, 'names.merge', $1, 'CALLED', now(), now(), now())`,
    [server.id],
  );
  await until(async () => {
    const rows = await server.test.admin(
      `SELECT kind FROM events WHERE tenant_id = $1 AND kind LIKE '%.merged' ORDER BY (data ->> 'revision')::int`,
      [server.id],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['resource_type.merged', 'resource.merged', 'entitlement.merged']);
  });
  expect(await looksTheSame()).toEqual([]);
  for (const name of [nfd, nfc]) {
    const rows = ['u0', 'u1', 'u2'].map((account) => `${account},${account}@corp.test,${name},${name},${name}`);
    expect(await send([...rows, `u3,u3@corp.test,${name},${name},Wiki`])).toEqual({
      added: '0',
      removed: '0',
      entitlements: '0',
      resources: '0',
      types: '0',
    });
  }
});
