/**
 * Content of a tenant's tables, short enough to compare before and after. What is to be done and when, and when a credential was last used, is left
 * out.
 */
import type { TestDatabase } from './database.ts';

/** Written by what works in the background, after the events that it follows: jobs, calls for them, and the sealed log. Events themselves stay. */
const leftOut = ['jobs', 'logs', 'log_leaves', 'log_nodes', 'log_reviews', 'log_seals', 'log_checkpoints', 'log_checks'];

const prepared = new WeakMap<TestDatabase, Promise<unknown>>();

/** One statement over all tables, planned once: it is run before and after each request. */
async function prepare(test: TestDatabase): Promise<void> {
  const tables = await test.admin(
    `SELECT c.relname AS name, EXISTS (SELECT FROM pg_attribute u WHERE u.attrelid = c.oid AND u.attname = 'last_used_at') AS "isUsed"
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
     WHERE c.relkind = 'r' AND c.relnamespace = 'countersign'::regnamespace AND c.relname <> ALL ($1) ORDER BY 1`,
    [leftOut],
  );
  // A row that is written anew has another transaction in its xmin.
  const written = 'coalesce(sum(t.xmin::text::bigint), 0)::text';
  // A sum needs no order: sorting rows by their text took most of the time of a file.
  const values = "sum(hashtextextended((to_jsonb(t) - 'last_used_at')::text, 0)::numeric)::text";
  const selects = tables.map(
    ({ name, isUsed }) =>
      `SELECT '${String(name)}' AS name, count(*) || ' ' || ${isUsed === true ? values : written} AS print
       FROM countersign."${String(name)}" t WHERE t.tenant_id = ANY ($1) HAVING count(*) > 0`,
  );
  await test.admin(`PREPARE fingerprint (text[]) AS ${selects.join(' UNION ALL ')}`);
  await test.admin("SET plan_cache_mode = 'force_generic_plan'");
}

/** The number of rows and what changes with any of them, for each table that has rows of one of the tenants. */
export async function fingerprint(test: TestDatabase, ...tenantIds: readonly string[]): Promise<Record<string, unknown>> {
  const ready = prepared.get(test) ?? prepare(test);
  prepared.set(test, ready);
  await ready;
  const rows = await test.admin(`EXECUTE fingerprint ('{${tenantIds.join(',')}}')`);
  if (rows.length === 0) {
    throw new Error('there is nothing to compare');
  }
  return Object.fromEntries(rows.map(({ name, print }) => [String(name), print]));
}
