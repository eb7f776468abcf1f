/** SQL of what an import leaves for somebody to look at: accounts without an owner, and apps of nearly the same name. */
import type { Context } from '../../../context.ts';

/** Counts the accounts of a source that have no owner, and those of them that several people match. */
export function countUnowned(
  context: Context,
  appId: string,
  sourceNo: number,
): Promise<{ readonly unowned: number; readonly ambiguous: number }> {
  return context.db.one<{ unowned: number; ambiguous: number }>(
    `SELECT count(*) AS unowned, count(*) FILTER (WHERE match_count > 1) AS ambiguous FROM accounts_public
     WHERE tenant_id = $1 AND app_id = $2 AND source_no = $3 AND status <> 'DELETED' AND user_id IS NULL AND NOT owner_by_hand`,
    [context.tenantId, appId, sourceNo],
  );
}

/** Names of apps other than this one, about as long as its name. */
export async function listOtherAppNames(context: Context, appId: string, length: number): Promise<string[]> {
  const rows = await context.db.rows<{ name: string }>(
    `SELECT display_name AS name FROM apps_public
     WHERE tenant_id = $1 AND id <> $2 AND deleted_at IS NULL AND length(display_name) BETWEEN $3 - 3 AND $3 + 3
     ORDER BY display_name LIMIT 10000`,
    [context.tenantId, appId, length],
  );
  return rows.map(({ name }) => name);
}
