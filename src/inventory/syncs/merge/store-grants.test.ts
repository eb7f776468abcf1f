/** Order in which the grants of a file are written. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../../../test/support/database.ts';
import { makeTenant, openFixture } from '../../../../test/support/inventory.ts';
import { getGrantsToWrite } from './store-grants.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openFixture();
});
afterAll(() => test.close());

it('is that of their ids, whatever number the file gave them, and app access is the last', async () => {
  const rows = await makeTenant(test)
    .context()
    .db.transaction(async (db) => {
      for (const table of [
        'import_entitlement_ids (no integer, id text COLLATE "C")',
        'import_accounts (no integer, id text COLLATE "C")',
        `import_changes (change "char", key bigint, granted_at timestamptz, last_used_at timestamptz, deprovision_at timestamptz, paths jsonb)`,
      ]) {
        await db.run(`CREATE TEMP TABLE ${table} ON COMMIT DROP`, []);
      }
      // Ids in another order than numbers.
      await db.run("INSERT INTO import_entitlement_ids SELECT no, 'e' || no * 7 % 11 FROM generate_series(0, 9) AS no", []);
      await db.run("INSERT INTO import_accounts SELECT no, 'a' || 100 + no FROM generate_series(1, 100) AS no", []);
      await db.run(
        `INSERT INTO import_changes SELECT 'A', (e.no::bigint << 40) | a.no FROM import_entitlement_ids e CROSS JOIN import_accounts a
         ORDER BY random()`,
        [],
      );
      // Joins as of a large file, whose tables have statistics.
      await db.run('ANALYZE import_entitlement_ids; ANALYZE import_accounts; ANALYZE import_changes');
      await db.run('SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off');
      return db.rows<{ entitlement_id: string; account_id: string }>(getGrantsToWrite(1).added ?? '');
    });
  const written = rows.map((row) => `${row.entitlement_id} ${row.account_id}`);
  // Number 0 is that of app access.
  const access = written.filter((pair) => pair.startsWith('e0 '));
  const others = written.filter((pair) => !pair.startsWith('e0 '));
  expect(access).toHaveLength(100);
  expect(others).toHaveLength(900);
  expect(written).toEqual([...others.toSorted(), ...access.toSorted()]);
});
