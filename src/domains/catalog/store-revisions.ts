/**
 * SQL of the inventory's revisions: the tenant's counter, and what made each.
 */
import type { Context } from '../../context.ts';

/** What makes a revision: a file, somebody manually, an identity provider, or the end of a grant's time (`inventory_revisions.cause`). */
export type RevisionCause = 'IMPORT' | 'MANUAL' | 'SCIM' | 'EXPIRY';

/** Counts the tenant's revision up, writes down what makes it, and returns it. The counter stays locked until the transaction ends. */
export async function insertRevision(context: Context, appId: string, cause: RevisionCause, syncId: string): Promise<number> {
  const { value } = await context.db.one<{ value: number }>(
    `INSERT INTO tenant_counters (tenant_id, name, value) VALUES ($1, 'inventory_revision', 1)
     ON CONFLICT (tenant_id, name) DO UPDATE SET value = tenant_counters.value + 1 RETURNING value`,
    [context.tenantId],
  );
  await context.db.run(
    `INSERT INTO inventory_revisions (tenant_id, revision, app_id, cause, sync_id, actor_id, made_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [context.tenantId, value, appId, cause, syncId, context.actor.userId, context.now],
  );
  return value;
}

/** The tenant's inventory revision, 0 before the first change. */
export async function findRevision(context: Context): Promise<number> {
  const row = await context.db.maybe<{ value: number }>(
    `SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = 'inventory_revision'`,
    [context.tenantId],
  );
  return row?.value ?? 0;
}
