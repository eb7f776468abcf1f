/**
 * SQL of which entitlements carry a classification.
 */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/**
 * Takes a classification away from every entitlement that carries it and returns their ids, in order. Risk levels have an index; frameworks
 * are looked for in all entitlements of the tenant, of which there are far fewer than grants.
 */
export async function updateDeclassified(context: Context, valueId: string): Promise<string[]> {
  const { tenantId } = context;
  const found = await context.db.column<string>(
    sql`WITH carrying AS MATERIALIZED (
        SELECT app_id, id FROM entitlements
        WHERE tenant_id = ${tenantId}
          AND ((risk_level_value_id = ${valueId} AND risk_level_value_id <> '') OR ${valueId} = ANY (compliance_framework_value_ids))
        ORDER BY app_id, id FOR UPDATE
      )
      UPDATE entitlements e SET updated_at = ${context.now},
        risk_level_value_id = CASE WHEN e.risk_level_value_id = ${valueId} THEN '' ELSE e.risk_level_value_id END,
        compliance_framework_value_ids = array_remove(e.compliance_framework_value_ids, ${valueId})
      FROM carrying c WHERE e.tenant_id = ${tenantId} AND e.app_id = c.app_id AND e.id = c.id RETURNING e.id`,
  );
  return found.sort();
}
