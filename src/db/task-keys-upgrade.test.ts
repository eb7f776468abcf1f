/** A database of the release before task keys: its tasks are sorted and searched like new ones, also by what was renamed since their snapshot. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { openDatabaseBefore } from '../../test/support/upgrade.ts';
import { addPerson, addTask, addTasksOf } from '../../test/support/tasks.ts';
import { silentLogger } from '../context.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openDatabaseBefore('_task_keys.sql');
});
afterAll(() => test.close());

it('gives the tasks of every tenant their keys, and knows who was renamed', async () => {
  const made: Record<string, string> = {};
  for (const tenantId of ['TenantA', 'TenantB']) {
    const db = test.database.tenant(tenantId);
    const reviewId = await addTasksOf(db, tenantId, { hasRoutes: false });
    const userId = await addPerson(db, tenantId, `Zoë of ${tenantId}`);
    made[tenantId] = userId;
    for (const accountName of ['Éva', 'dan', 'FAY']) {
      await addTask(db, tenantId, { reviewId, userId, accountName, hasNumber: false });
    }
  }
  await migrate(test.database, silentLogger);
  expect(
    await test.admin('SELECT tenant_id, account_key, place_key LIKE $1 AS placed FROM tasks ORDER BY 1, 2', ['payroll clerk member-%']),
  ).toEqual(
    ['TenantA', 'TenantB'].flatMap((tenant_id) => ['dan', 'eva', 'fay'].map((account_key) => ({ tenant_id, account_key, placed: true }))),
  );
  // The snapshot of this test has no names of owners, so that its people count as renamed, and none of its accounts is there.
  const renamed = await test.admin(
    "SELECT tenant_id, kind, count(*)::int AS count, max(id) FILTER (WHERE kind = 'USER') AS id FROM search_renames GROUP BY 1, 2",
  );
  expect(renamed.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual(
    ['TenantA', 'TenantB'].flatMap((tenant_id) => [
      { tenant_id, kind: 'ACCOUNT', count: 3, id: null },
      { tenant_id, kind: 'USER', count: 1, id: made[tenant_id] },
    ]),
  );
});
