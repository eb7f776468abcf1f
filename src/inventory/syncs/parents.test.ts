/** Place of resources below others: what files say of it, what people say, and which of them holds. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { bodyOf, grantsHeader, makeTenant, openFixture, refusalOf, type TestTenant } from '../../../test/support/inventory.ts';
import { importGrants } from './import-grants.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openFixture();
});
afterAll(() => test.close());
beforeEach(() => {
  tenant = makeTenant(test);
});

const line = (resource: string, parent = '', type = ''): string => `a,,USER,ENABLED,repo,${resource},read,,,${parent},${type}`;
const send = (...lines: string[]) =>
  importGrants(
    tenant.context(),
    { app: 'Wiki', allowRemovals: true },
    { body: bodyOf(`${[`${grantsHeader},parent_resource,parent_resource_type`, ...lines].join('\n')}\n`), encoding: '' },
  );
/** Each resource with its type and the one it lies below. */
const tree = async (): Promise<string[]> => {
  const rows = await test.admin(
    `SELECT t.external_id || ' ' || r.external_id || coalesce(' < ' || p.external_id, '') AS text FROM resources r
     JOIN resource_types t ON t.tenant_id = r.tenant_id AND t.app_id = r.app_id AND t.id = r.resource_type_id
     LEFT JOIN resources p ON p.tenant_id = r.tenant_id AND p.app_id = r.app_id AND p.id = r.parent_id
     WHERE r.tenant_id = $1`,
    [tenant.tenantId],
  );
  return rows.map(({ text }) => String(text)).sort();
};

it('is said by files, adds parents that nobody holds anything on, and changes with a small file', async () => {
  const rest = Array.from({ length: 30 }, (_, n) => line(`r${n}`));
  const first = await send(...rest, line('site', 'acme', 'org'), line('fork', 'site'));
  expect(first.counts.resources).toMatchObject({ added: 33 });
  const others = Array.from({ length: 30 }, (_, n) => `repo r${n}`);
  expect(await tree()).toEqual(['org acme', 'repo fork < site', ...others, 'repo site < acme'].sort());
  const second = await send(...rest, line('site', 'other', 'org'), line('fork'));
  // The new parent is one more resource; what a row says nothing of stays.
  expect(second.counts.resources).toMatchObject({ added: 1, changed: 1 });
  expect(second).toMatchObject({ added: 0, changed: 0, removed: 0 });
  expect(await tree()).toEqual(['org acme', 'org other', 'repo fork < site', ...others, 'repo site < other'].sort());
});

it('is what people say where they say anything', async () => {
  await send(line('site', 'acme', 'org'), line('fork'));
  const id = `(SELECT id FROM resources WHERE tenant_id = '${tenant.tenantId}' AND external_id = 'fork')`;
  await test.admin(
    `UPDATE resources SET document = jsonb_build_object('parentAppResourceId', ${id}) WHERE tenant_id = '${tenant.tenantId}' AND external_id = 'site'`,
  );
  await send(line('site', 'other', 'org'), line('fork'));
  expect(await tree()).toContain('repo site < fork');
});

it('is refused where a resource would lie below two, or below itself', async () => {
  const told = await refusalOf(send(line('site', 'acme', 'org'), line('site', 'other', 'org'), line('fork', 'fork')));
  expect(told.violations).toEqual(['line 4, parent_resource: names the resource itself']);
  const twice = await refusalOf(send(line('site', 'acme', 'org'), line('site', 'other', 'org').replace('read', 'write')));
  expect(twice.violations).toEqual(['line 3, parent_resource: "site" lies below "acme" on line 2 already']);
});
