/**
 * SQL of the numbers that count up within a tenant.
 */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Things counted: changes of who has what, and tasks. */
export type CounterName = 'inventory_revision' | 'task_number';

/** Adds to a counter, which begins at 0, and returns what it says then. It stays locked until the transaction ends. */
export function updateCounter(context: Context, name: CounterName, count: number): Promise<number> {
  return context.db.value<number>(
    sql`INSERT INTO tenant_counters (tenant_id, name, value) VALUES (${context.tenantId}, ${name}, ${count})
      ON CONFLICT (tenant_id, name) DO UPDATE SET value = tenant_counters.value + excluded.value RETURNING value`,
  );
}

/** Reads a counter, locked until the transaction ends; undefined where somebody else has it. One that never counted is 0 and not locked. */
export async function lockCounter(context: Context, name: CounterName): Promise<number | undefined> {
  const row = await context.db.maybe<{ value: number }>(
    sql`SELECT value FROM tenant_counters WHERE tenant_id = ${context.tenantId} AND name = ${name} FOR UPDATE SKIP LOCKED`,
  );
  const isThere = sql`SELECT FROM tenant_counters WHERE tenant_id = ${context.tenantId} AND name = ${name}`;
  return row?.value ?? ((await context.db.maybe(isThere)) === undefined ? 0 : undefined);
}

/** Reads a counter; 0 before it first counted. */
export async function findCounter(context: Context, name: CounterName): Promise<number> {
  const found = await context.db.maybeValue<number>(
    sql`SELECT value FROM tenant_counters WHERE tenant_id = ${context.tenantId} AND name = ${name}`,
  );
  return found ?? 0;
}
