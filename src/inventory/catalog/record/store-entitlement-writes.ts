/**
 * SQL that changes entitlements manually. What sources deliver is written in store-delivered.ts.
 */
import type { Context } from '../../../context.ts';
import type { EntitlementRow } from './store-entitlements.ts';

/** Stored part of what a client wrote. */
export type EntitlementContent = Pick<
  EntitlementRow,
  | 'displayName'
  | 'description'
  | 'certifyPolicyId'
  | 'alias'
  | 'slug'
  | 'purpose'
  | 'riskLevelValueId'
  | 'complianceFrameworkValueIds'
  | 'document'
>;

const valuesOf = (content: EntitlementContent): unknown[] => [
  content.displayName,
  content.description,
  content.certifyPolicyId,
  content.alias,
  content.slug,
  content.purpose,
  content.riskLevelValueId,
  content.complianceFrameworkValueIds,
  JSON.stringify(content.document),
];

/** Adds an entitlement made manually; its own id stands for the name a source would have for it. */
export async function insertEntitlement(
  context: Context,
  row: EntitlementContent & Pick<EntitlementRow, 'id' | 'appId' | 'resourceTypeId' | 'resourceId'>,
): Promise<void> {
  await context.db.run(
    `INSERT INTO entitlements (tenant_id, app_id, id, external_id, resource_type_id, resource_id, is_manual, created_at, updated_at,
       display_name, description, certify_policy_id, alias, slug, purpose, risk_level_value_id, compliance_framework_value_ids, document)
     VALUES ($1, $2, $3, $3, $4, $5, true, $6, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [context.tenantId, row.appId, row.id, row.resourceTypeId, row.resourceId, context.now, ...valuesOf(row)],
  );
}

/** Changes what an entitlement is made of. */
export async function updateEntitlement(
  context: Context,
  row: Pick<EntitlementRow, 'id' | 'appId'>,
  content: EntitlementContent,
): Promise<void> {
  await context.db.run(
    `UPDATE entitlements SET updated_at = $4, display_name = $5, description = $6, certify_policy_id = $7, alias = $8, slug = $9,
       purpose = $10, risk_level_value_id = $11, compliance_framework_value_ids = $12, document = $13
     WHERE tenant_id = $1 AND app_id = $2 AND id = $3`,
    [context.tenantId, row.appId, row.id, context.now, ...valuesOf(content)],
  );
}

/** Marks an entitlement deleted; nobody holds it any more. */
export async function removeEntitlement(context: Context, row: Pick<EntitlementRow, 'id' | 'appId'>): Promise<void> {
  await context.db.run(
    `UPDATE entitlements SET deleted_at = $4, updated_at = $4, grant_count = 0 WHERE tenant_id = $1 AND app_id = $2 AND id = $3`,
    [context.tenantId, row.appId, row.id, context.now],
  );
}
