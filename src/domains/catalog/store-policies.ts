/**
 * SQL that asks whether policies are there. All else about them is a later module's business.
 */
import type { Context } from '../../context.ts';

/** The types of those of the policies that are there, by id. They are kept from being deleted until the transaction ends. */
export async function lockPolicyTypes(context: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await context.db.rows<{ id: string; type: string }>(
    `SELECT id, policy_type AS type FROM policies WHERE tenant_id = $1 AND id = ANY ($2) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE`,
    [context.tenantId, [...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row.type]));
}
