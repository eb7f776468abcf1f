/**
 * SQL about what was chosen entitlement by entitlement and resource type by resource type: the tables `review_setup_entitlements` and
 * `review_setup_resource_types`. Ids in them are as they were sent; some may be of nothing.
 */
import type { Context } from '../../../context.ts';

/** A chosen entitlement. */
export interface SetupEntitlementRow {
  readonly appId: string;
  readonly entitlementId: string;
  /** Empty where the entitlement is not there, and for app access. */
  readonly resourceId: string;
  readonly resourceTypeId: string;
  readonly customPolicyId: string;
  /** The policy that would decide: the custom one, those of entitlement and app where the review prefers them, else the review's. */
  readonly policyId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Choice of policy for an entitlement that has none of its own. */
export interface ReviewPolicy {
  readonly policyId: string;
  readonly usePolicyOverride: boolean;
}

/** Counts what stands in both lists. */
export function countSetup(context: Context, reviewId: string): Promise<{ entitlements: number; resourceTypes: number }> {
  return context.db.one(
    `SELECT (SELECT count(*) FROM review_setup_entitlements s WHERE s.tenant_id = $1 AND s.review_id = $2) AS entitlements,
       (SELECT count(*) FROM review_setup_resource_types t WHERE t.tenant_id = $1 AND t.review_id = $2) AS "resourceTypes"`,
    [context.tenantId, reviewId],
  );
}

/** The resource types as they were chosen, by app. */
export function listSetupResourceTypes({ db, tenantId }: Context, reviewId: string): Promise<{ appId: string; resourceTypeId: string }[]> {
  return db.rows(
    `SELECT t.app_id AS "appId", t.resource_type_id AS "resourceTypeId"
     FROM review_setup_resource_types t WHERE t.tenant_id = $1 AND t.review_id = $2 ORDER BY t.app_id, t.resource_type_id`,
    [tenantId, reviewId],
  );
}

/** Both lists as they were chosen, for what must know all of them. */
export async function listSetupRows(context: Context, reviewId: string) {
  const { db, tenantId } = context;
  const values = [tenantId, reviewId];
  return {
    entitlements: await db.rows<{ appId: string; entitlementId: string; customPolicyId: string }>(
      `SELECT s.app_id AS "appId", s.entitlement_id AS "entitlementId", s.custom_policy_id AS "customPolicyId"
       FROM review_setup_entitlements s WHERE s.tenant_id = $1 AND s.review_id = $2 ORDER BY s.app_id, s.entitlement_id`,
      values,
    ),
    resourceTypes: await listSetupResourceTypes(context, reviewId),
  };
}

/** A page of the chosen entitlements by app and entitlement id. */
export function listSetupEntitlements(
  context: Context,
  reviewId: string,
  policy: ReviewPolicy,
  after: readonly [string, string],
  limit: number,
): Promise<SetupEntitlementRow[]> {
  return context.db.rows<SetupEntitlementRow>(
    `SELECT s.app_id AS "appId", s.entitlement_id AS "entitlementId", coalesce(e.resource_id, '') AS "resourceId",
       coalesce(e.resource_type_id, '') AS "resourceTypeId", s.custom_policy_id AS "customPolicyId",
       coalesce(nullif(s.custom_policy_id, ''), CASE WHEN $6 THEN coalesce(nullif(e.certify_policy_id, ''), nullif(a.certify_policy_id, '')) END, $7)
         AS "policyId",
       s.created_at AS "createdAt", s.updated_at AS "updatedAt"
     FROM review_setup_entitlements s
     LEFT JOIN entitlements_public e ON e.tenant_id = $1 AND e.app_id = s.app_id AND e.id = s.entitlement_id
     LEFT JOIN apps_public a ON a.tenant_id = $1 AND a.id = s.app_id
     WHERE s.tenant_id = $1 AND s.review_id = $2 AND (s.app_id, s.entitlement_id) > ($3, $4)
     ORDER BY s.app_id, s.entitlement_id LIMIT $5`,
    [context.tenantId, reviewId, after[0], after[1], limit, policy.usePolicyOverride, policy.policyId],
  );
}

/** Numbers of rows a replacement added and removed; those in both stay as they are. */
export interface Replaced {
  readonly added: number;
  readonly removed: number;
}

/** Makes these the chosen entitlements of a review. */
export async function updateSetupEntitlements(
  context: Context,
  reviewId: string,
  chosen: readonly { appId: string; entitlementId: string }[],
): Promise<Replaced> {
  const values = [context.tenantId, reviewId, chosen.map((one) => one.appId), chosen.map((one) => one.entitlementId)];
  const removed = await context.db.run(
    `DELETE FROM review_setup_entitlements s WHERE s.tenant_id = $1 AND s.review_id = $2 AND NOT EXISTS (
       SELECT FROM unnest($3::text[], $4::text[]) AS c (app_id, entitlement_id)
       WHERE c.app_id = s.app_id AND c.entitlement_id = s.entitlement_id)`,
    values,
  );
  const added = await context.db.run(
    `INSERT INTO review_setup_entitlements (tenant_id, review_id, app_id, entitlement_id, created_at, updated_at)
     SELECT $1, $2, c.app_id, c.entitlement_id, $5, $5 FROM unnest($3::text[], $4::text[]) AS c (app_id, entitlement_id)
     ON CONFLICT DO NOTHING`,
    [...values, context.now],
  );
  return { added, removed };
}

/** Makes these the chosen resource types of a review. */
export async function updateSetupResourceTypes(
  context: Context,
  reviewId: string,
  chosen: readonly { appId: string; resourceTypeId: string }[],
): Promise<Replaced> {
  const values = [context.tenantId, reviewId, chosen.map((one) => one.appId), chosen.map((one) => one.resourceTypeId)];
  const removed = await context.db.run(
    `DELETE FROM review_setup_resource_types s WHERE s.tenant_id = $1 AND s.review_id = $2 AND NOT EXISTS (
       SELECT FROM unnest($3::text[], $4::text[]) AS c (app_id, resource_type_id)
       WHERE c.app_id = s.app_id AND c.resource_type_id = s.resource_type_id)`,
    values,
  );
  const added = await context.db.run(
    `INSERT INTO review_setup_resource_types (tenant_id, review_id, app_id, resource_type_id, created_at)
     SELECT $1, $2, c.app_id, c.resource_type_id, $5 FROM unnest($3::text[], $4::text[]) AS c (app_id, resource_type_id)
     ON CONFLICT DO NOTHING`,
    [...values, context.now],
  );
  return { added, removed };
}

/** Copies both lists from one review to another that has none yet. */
export async function insertSetupCopy(context: Context, fromId: string, toId: string): Promise<void> {
  const values = [context.tenantId, fromId, toId, context.now];
  await context.db.run(
    `INSERT INTO review_setup_entitlements (tenant_id, review_id, app_id, entitlement_id, custom_policy_id, created_at, updated_at)
     SELECT s.tenant_id, $3, s.app_id, s.entitlement_id, s.custom_policy_id, $4, $4
     FROM review_setup_entitlements s WHERE s.tenant_id = $1 AND s.review_id = $2`,
    values,
  );
  await context.db.run(
    `INSERT INTO review_setup_resource_types (tenant_id, review_id, app_id, resource_type_id, created_at)
     SELECT s.tenant_id, $3, s.app_id, s.resource_type_id, $4 FROM review_setup_resource_types s WHERE s.tenant_id = $1 AND s.review_id = $2`,
    values,
  );
}

/** The apps the two lists of a review name, each once. */
export function listSetupAppIds(context: Context, reviewId: string): Promise<string[]> {
  return context.db.column<string>(
    `SELECT s.app_id AS "appId" FROM review_setup_entitlements s WHERE s.tenant_id = $1 AND s.review_id = $2
     UNION SELECT t.app_id FROM review_setup_resource_types t WHERE t.tenant_id = $1 AND t.review_id = $2 ORDER BY 1`,
    [context.tenantId, reviewId],
  );
}
