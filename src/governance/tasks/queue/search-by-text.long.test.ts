/**
 * Text search over more tasks than are looked at before the index of texts is asked: what is rare, what was renamed since the snapshot, and what
 * many have, in every order, against plain TypeScript over the same tasks.
 */
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { addAssignment, addPerson, addTasksOf, scopeOf, testNow } from '../../../../test/support/tasks.ts';
import { TaskSearchRequestSchema, TaskSearchSortBy } from '../../../gen/c1/api/task/v1/task_service_pb.js';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/types.ts';
import { searchTasks } from './search.ts';

const tenantId = 'TenantA';
const count = 5300;
/** Those after it are about one entitlement, of which too many are there to be sorted for a page. */
const usual = 2600;
let test: TestDatabase;
let db: Db;
let owner: string;
let ann: string;
let stranger: string;
let review: string;

interface Plain {
  readonly id: string;
  readonly text: string;
  readonly byAnn: boolean;
}
let all: Plain[] = [];

beforeAll(async () => {
  test = await openTestDatabase();
  db = test.database.tenant(tenantId);
  owner = await addPerson(db, tenantId, 'owner');
  ann = await addPerson(db, tenantId, 'ann');
  stranger = await addPerson(db, tenantId, 'stranger');
  review = await addTasksOf(db, tenantId, { managerIds: [owner] });
  const assignment = await addAssignment(db, tenantId, review, [ann]);
  const fill = [tenantId, review, count, testNow];
  await db.run('UPDATE reviews SET sources_frozen_at = $2 WHERE tenant_id = $1', [tenantId, new Date()]);
  // Accounts 2 to a person; the last ones are those that are looked for, behind all that is looked at first.
  await db.run(
    `INSERT INTO users (tenant_id, id, email, email_key, display_name, created_at, updated_at)
     SELECT $1, 'u' || lpad(n::text, 5, '0'), 'p' || n || '@example.com', 'p' || n || '@example.com', 'Zoë Person ' || n, $3, $3
     FROM generate_series(1, $2::int / 2) n`,
    [tenantId, count, testNow],
  );
  await db.run(
    `INSERT INTO accounts (tenant_id, app_id, id, external_id, user_id, created_at, updated_at)
     SELECT $1, 'app', 'a' || lpad(n::text, 5, '0'), CASE WHEN n > 2600 THEN 'zlogin' ELSE 'login' END || n, 'u' || lpad(((n + 1) / 2)::text, 5, '0'), $3, $3 FROM generate_series(1, $2::int) n`,
    [tenantId, count, testNow],
  );
  await db.run(
    `INSERT INTO review_accounts (tenant_id, review_id, app_id, account_id, external_id, account_type, account_status, user_id, user_email, user_display_name)
     SELECT $1, $2, 'app', a.id, a.external_id, 'USER', 'ENABLED', u.id, u.email, u.display_name
     FROM accounts a JOIN users u ON u.tenant_id = $1 AND u.id = a.user_id WHERE a.tenant_id = $1`,
    [tenantId, review],
  );
  await db.run(
    `INSERT INTO review_entitlements (tenant_id, review_id, app_id, entitlement_id, app_display_name, resource_type_id, resource_type_display_name,
       resource_id, resource_display_name, display_name, description, policy_id)
     SELECT $1, $2, 'app', 'e' || n, 'Payroll', 'type', 'Role', 'r' || n % 7, 'Vault ' || n % 7, CASE n WHEN 40 THEN 'Seldom' WHEN 41 THEN 'Rarely' ELSE 'Clerk ' || n END, '', 'policy'
     FROM generate_series(1, 41) n`,
    [tenantId, review],
  );
  await db.run(
    `INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, user_id, policy_id, assignment_id, created_at,
       updated_at, account_key, owner_key, place_key, in_order)
     SELECT $1, 't' || lpad(n::text, 5, '0'), $2, n, 'app', e.entitlement_id, a.account_id, a.user_id, 'policy', CASE WHEN n % 5 = 0 THEN $5 END, $4, $4,
       a.account_key, a.owner_key, e.place_key, n % 2 = 0
     FROM generate_series(1, $3::int) n
     JOIN review_accounts a ON a.tenant_id = $1 AND a.review_id = $2 AND a.account_id = 'a' || lpad(n::text, 5, '0')
     JOIN review_entitlements e ON e.tenant_id = $1 AND e.review_id = $2 AND e.entitlement_id = 'e' || CASE WHEN n > 2600 THEN 41 WHEN n > 2580 THEN 40 ELSE 1 + n % 39 END`,
    [...fill, assignment],
  );
  await db.run(
    `INSERT INTO task_numbers (tenant_id, first_number, last_number, first_id, review_id) SELECT $1, t.numeric_id, t.numeric_id, t.id, t.review_id FROM tasks t
     ON CONFLICT DO NOTHING`,
    [tenantId],
  );
  // As the end of a prepare does.
  await test.admin('ANALYZE');
  // Renamed after the snapshot: the index of texts knows the new names alone.
  await db.run(`UPDATE users SET display_name = 'Somebody Else', email = 'else@example.com' WHERE tenant_id = $1 AND id = 'u01298'`, [
    tenantId,
  ]);
  await db.run(`UPDATE accounts SET external_id = 'another' WHERE tenant_id = $1 AND id = 'a02590'`, [tenantId]);
  await db.run(`DELETE FROM accounts WHERE tenant_id = $1 AND id = 'a02591'`, [tenantId]);
  all = await db.rows<Plain>(
    `SELECT t.id, lower(translate(a.external_id || ' ' || a.user_display_name || ' ' || a.user_email || ' ' || e.app_display_name || ' ' ||
       e.resource_display_name || ' ' || e.display_name, 'ë', 'e')) AS text, t.assignment_id IS NOT NULL AS "byAnn"
     FROM tasks t JOIN review_accounts a ON a.tenant_id = $1 AND a.review_id = t.review_id AND a.account_id = t.account_id
     JOIN review_entitlements e ON e.tenant_id = $1 AND e.review_id = t.review_id AND e.entitlement_id = t.entitlement_id WHERE t.tenant_id = $1`,
    [tenantId],
  );
});
afterAll(() => test.close());

function as(name: string): Context {
  const [userId, roles] = name === 'super' ? ['nobody', ['SUPER_ADMINISTRATOR' as const]] : [{ owner, ann, stranger }[name] ?? '', []];
  return scopeOf(db, tenantId, userId, { roles });
}

async function find(context: Context, query: string, sortBy: TaskSearchSortBy): Promise<string[]> {
  const request = create(TaskSearchRequestSchema, { query, sortBy });
  const ids: string[] = [];
  let after: readonly string[] | undefined;
  do {
    const page = await searchTasks(context, request, { size: 100, after });
    ids.push(...page.tasks.map((task) => task.id));
    after = page.nextKey;
  } while (after !== undefined);
  return ids;
}

const queries: readonly [string, string, number][] = [
  ['what nothing has', 'nowhere', 0],
  ['the name of one account', 'LOGIN2599', 1],
  ['the name of a person', 'zoë p1299@', 2],
  ['a person who was renamed since', 'p1298@', 2],
  ['an account that was renamed since', 'login2590', 1],
  ['an account that is gone', 'login2591', 1],
  ['what a person is called now', 'somebody else', 0],
  ['an entitlement of few tasks', 'seldom', 20],
  ['an entitlement of many tasks behind others', 'rarely', count - usual],
  ['words of an account and of an entitlement of many tasks', 'rarely zlogin5299', 1],
  ['words of an account and of an entitlement', 'seldom login2598', 1],
  ['a number', '#2577', 1],
  ['what all have', 'payroll', count],
];
const orders = [
  TaskSearchSortBy.UNSPECIFIED,
  TaskSearchSortBy.ACCOUNT,
  TaskSearchSortBy.ACCOUNT_OWNER,
  TaskSearchSortBy.RESOURCE,
  TaskSearchSortBy.APP_RESOURCE_ID_AND_APP_ENTITLEMENT,
  TaskSearchSortBy.REVERSE_TICKET_ID,
];

describe.each(queries)('%s', (_what, query, expected) => {
  it.each(['super', 'owner', 'ann', 'stranger'])('as %s', async (name) => {
    const words = query.toLowerCase().replace('ë', 'e').split(' ');
    const has = (task: Plain) =>
      query.startsWith('#') ? task.id === `t0${query.slice(1)}` : words.every((word) => task.text.includes(word));
    const visible = all.filter((task) => has(task) && name !== 'stranger' && (name !== 'ann' || task.byAnn)).map(({ id }) => id);
    if (name === 'super') {
      expect(visible).toHaveLength(expected);
    }
    for (const sortBy of orders) {
      expect((await find(as(name), query, sortBy)).toSorted()).toEqual(visible.toSorted());
    }
  });
});
