/**
 * SQL about what a template chooses entitlement by entitlement and resource type by resource type: the tables `template_entitlements` and
 * `template_resource_types`. Ids in them are as they were sent; some may be of nothing.
 */
import type { Context } from '../../../context.ts';
import type { ChosenEntitlement, ChosenResourceType } from '../../reviews/index.ts';
import type { Replaced, ReviewPolicy, SetupEntitlementRow } from '../../snapshots/index.ts';

/** A page of the chosen entitlements by app and entitlement id. */
export function listEntitlements(
  context: Context,
  templateId: string,
  policy: ReviewPolicy,
  after: readonly [string, string],
  limit: number,
): Promise<SetupEntitlementRow[]> {
  return context.db.rows<SetupEntitlementRow>(
    `SELECT s.app_id AS "appId", s.entitlement_id AS "entitlementId", coalesce(e.resource_id, '') AS "resourceId",
       coalesce(e.resource_type_id, '') AS "resourceTypeId", '' AS "customPolicyId",
       coalesce(CASE WHEN $6 THEN coalesce(nullif(e.certify_policy_id, ''), nullif(a.certify_policy_id, '')) END, $7) AS "policyId",
       s.created_at AS "createdAt", s.created_at AS "updatedAt"
     FROM template_entitlements s
     LEFT JOIN entitlements_public e ON e.tenant_id = $1 AND e.app_id = s.app_id AND e.id = s.entitlement_id
     LEFT JOIN apps_public a ON a.tenant_id = $1 AND a.id = s.app_id
     WHERE s.tenant_id = $1 AND s.template_id = $2 AND (s.app_id, s.entitlement_id) > ($3, $4)
     ORDER BY s.app_id, s.entitlement_id LIMIT $5`,
    [context.tenantId, templateId, after[0], after[1], limit, policy.usePolicyOverride, policy.policyId],
  );
}

/** All chosen entitlements, as a review gets them. */
export function listChosenEntitlements(context: Context, templateId: string): Promise<ChosenEntitlement[]> {
  return context.db.rows<ChosenEntitlement>(
    `SELECT s.app_id AS "appId", s.entitlement_id AS "entitlementId" FROM template_entitlements s
     WHERE s.tenant_id = $1 AND s.template_id = $2 ORDER BY s.app_id, s.entitlement_id`,
    [context.tenantId, templateId],
  );
}

/** All chosen resource types, as a review gets them. */
export function listChosenResourceTypes(context: Context, templateId: string): Promise<ChosenResourceType[]> {
  return context.db.rows<ChosenResourceType>(
    `SELECT s.app_id AS "appId", s.resource_type_id AS "resourceTypeId" FROM template_resource_types s
     WHERE s.tenant_id = $1 AND s.template_id = $2 ORDER BY s.app_id, s.resource_type_id`,
    [context.tenantId, templateId],
  );
}

/** Makes these the chosen entitlements of a template. */
export async function updateEntitlements(context: Context, templateId: string, chosen: readonly ChosenEntitlement[]): Promise<Replaced> {
  const values = [context.tenantId, templateId, chosen.map((one) => one.appId), chosen.map((one) => one.entitlementId)];
  const removed = await context.db.run(
    `DELETE FROM template_entitlements s WHERE s.tenant_id = $1 AND s.template_id = $2 AND NOT EXISTS (
       SELECT FROM unnest($3::text[], $4::text[]) AS c (app_id, entitlement_id)
       WHERE c.app_id = s.app_id AND c.entitlement_id = s.entitlement_id)`,
    values,
  );
  const added = await context.db.run(
    `INSERT INTO template_entitlements (tenant_id, template_id, app_id, entitlement_id, created_at)
     SELECT $1, $2, c.app_id, c.entitlement_id, $5 FROM unnest($3::text[], $4::text[]) AS c (app_id, entitlement_id) ON CONFLICT DO NOTHING`,
    [...values, context.now],
  );
  return { added, removed };
}

/** Makes these the chosen resource types of a template. */
export async function updateResourceTypes(context: Context, templateId: string, chosen: readonly ChosenResourceType[]): Promise<Replaced> {
  const values = [context.tenantId, templateId, chosen.map((one) => one.appId), chosen.map((one) => one.resourceTypeId)];
  const removed = await context.db.run(
    `DELETE FROM template_resource_types s WHERE s.tenant_id = $1 AND s.template_id = $2 AND NOT EXISTS (
       SELECT FROM unnest($3::text[], $4::text[]) AS c (app_id, resource_type_id)
       WHERE c.app_id = s.app_id AND c.resource_type_id = s.resource_type_id)`,
    values,
  );
  const added = await context.db.run(
    `INSERT INTO template_resource_types (tenant_id, template_id, app_id, resource_type_id, created_at)
     SELECT $1, $2, c.app_id, c.resource_type_id, $5 FROM unnest($3::text[], $4::text[]) AS c (app_id, resource_type_id) ON CONFLICT DO NOTHING`,
    [...values, context.now],
  );
  return { added, removed };
}
