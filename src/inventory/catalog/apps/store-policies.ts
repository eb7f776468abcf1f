/**
 * SQL about the policies that apps and entitlements choose: who chooses one. All else about policies is a later module's business.
 */
import type { Context } from '../../../context.ts';
import { fixed, type Sql, sql } from '../../../lib/sql.ts';

/** The members of the documents of apps and entitlements that name a policy; that of reviews has a column. */
const documented = ['grantPolicyId', 'revokePolicyId', 'emergencyGrantPolicyId'];

/** True if the row chooses the policy at all. */
const chooses = (policyId: string): Sql =>
  sql`(certify_policy_id = ${policyId} OR ${policyId} IN (${fixed(documented.map((member) => `document ->> '${member}'`).join(', '))}))`;

/** Takes the policy out of up to `limit` of the apps, or the entitlements, that choose it, deleted ones aside, and returns their ids in order. */
export async function updateChoices(context: Context, table: 'apps' | 'entitlements', policyId: string, limit: number): Promise<string[]> {
  const isChooser = sql`tenant_id = ${context.tenantId} AND deleted_at IS NULL AND ${chooses(policyId)}`;
  const found = await context.db.column<string>(
    sql`UPDATE ${fixed(table)} SET updated_at = ${context.now},
        certify_policy_id = CASE WHEN certify_policy_id = ${policyId} THEN '' ELSE certify_policy_id END,
        document = document || (SELECT coalesce(jsonb_object_agg(m.name, ''), '{}') FROM unnest(${documented}::text[]) AS m (name)
          WHERE document ->> m.name = ${policyId})
      WHERE ${isChooser} AND id = ANY (ARRAY(SELECT id FROM ${fixed(table)} WHERE ${isChooser} ORDER BY id LIMIT ${limit})) RETURNING id`,
  );
  return found.sort();
}
