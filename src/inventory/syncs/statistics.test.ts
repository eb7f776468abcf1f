/** Statistics after an import: the planner knows the tables of a small company at once, and large ones are not read for a few rows. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { makeTenant, openFixture, type TestTenant } from '../../../test/support/inventory.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openFixture();
  tenant = makeTenant(test);
  for (const table of ['grants', 'accounts']) {
    await test.admin(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  }
});
afterAll(() => test.close());

/** Imports a file of so many accounts, each with one grant, into an app. */
async function take(app: string, accounts: number): Promise<void> {
  const rows = Array.from({ length: accounts }, (_, n) => `a${n},,USER,ENABLED,group,Staff,member,,`);
  await tenant.grants(rows, { app });
}

/** The rows that the planner takes a table to have; -1 where nothing ever said. */
async function rowsKnown(table: string): Promise<unknown> {
  const [row] = await test.admin('SELECT reltuples AS rows FROM pg_class WHERE oid = $1::regclass', [table]);
  return row?.rows;
}

it('are renewed from a hundred changed rows on, where these are a tenth of a table', async () => {
  await take('few', 99);
  expect(await rowsKnown('accounts')).toBe(-1);
  await take('more', 100);
  expect(await rowsKnown('accounts')).toBe(199);
  // App access is a grant as well.
  expect(await rowsKnown('grants')).toBe(398);
  await test.admin("UPDATE pg_class SET reltuples = 1001 WHERE oid IN ('grants'::regclass, 'accounts'::regclass)");
  await take('a part', 100);
  expect(await rowsKnown('accounts')).toBe(1001);
});
