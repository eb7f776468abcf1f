/** SQL of what a policy is tested with: an entitlement, an account and its owner as they are now. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { type AccountFacts, accountFacts, type EntitlementFields } from '../../policies/index.ts';

/** True if there is an app with this id. */
export async function hasApp({ db, tenantId }: Context, appId: string): Promise<boolean> {
  const found = await db.maybe(
    sql`SELECT a.id FROM apps_public a WHERE a.tenant_id = ${tenantId} AND a.id = ${appId} AND a.deleted_at IS NULL`,
  );
  return found !== undefined;
}

/** An entitlement of an app as expressions see it. */
export function findLiveEntitlement({ db, tenantId }: Context, appId: string, id: string): Promise<EntitlementFields | undefined> {
  return db.maybe<EntitlementFields>(
    sql`SELECT e.id, e.app_id AS "appId", e.resource_id AS "appResourceId", e.resource_type_id AS "appResourceTypeId",
        coalesce(t.display_name, '') AS "appResourceType", e.display_name AS "displayName", e.description, e.alias, e.slug, e.purpose,
        e.risk_level_value_id AS "riskLevelValueId", e.compliance_framework_value_ids AS "complianceFrameworkValueIds"
      FROM entitlements_public e LEFT JOIN resource_types_public t ON t.tenant_id = ${tenantId} AND t.app_id = e.app_id AND t.id = e.resource_type_id
      WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.id = ${id} AND e.deleted_at IS NULL`,
  );
}

/** An account of an app; the one that a person has there, rather one that holds the entitlement, where its id is empty. */
export function findTestedAccount(
  { db, tenantId }: Context,
  { appId, appEntitlementId, appUserId, userId }: { appId: string; appEntitlementId: string; appUserId: string; userId: string },
): Promise<AccountFacts | undefined> {
  const which = appUserId === '' ? sql`a.user_id = ${userId}` : sql`a.id = ${appUserId}`;
  return db.maybe<AccountFacts>(
    sql`SELECT ${accountFacts} FROM accounts_public a
      WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND ${which} AND a.deleted_at IS NULL
      ORDER BY EXISTS (SELECT FROM grants_held g WHERE g.tenant_id = ${tenantId} AND g.app_id = a.app_id AND g.account_id = a.id
        AND g.entitlement_id = ${appEntitlementId}) DESC, a.id LIMIT 1`,
  );
}

/** People by name. */
export function listTestedPeople(
  { db, tenantId }: Context,
  ids: readonly string[],
): Promise<{ userId: string; displayName: string; email: string }[]> {
  return db.rows(sql`SELECT u.id AS "userId", u.display_name AS "displayName", u.email FROM users_public u
    WHERE u.tenant_id = ${tenantId} AND u.id = ANY (${ids}::text[]) ORDER BY u.display_name, u.id`);
}
