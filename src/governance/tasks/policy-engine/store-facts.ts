/** SQL of what expressions of policies read about tasks: person, account and entitlement, when their access began and ends, and owners of apps. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getOwnerPeopleSql } from '../../../inventory/catalog/index.ts';
import { type AccountFacts, accountFacts, type EntitlementFields, type PersonFacts, personFacts } from '../../policies/index.ts';
import type { Task } from '../task/index.ts';

/** Key to look something up by among what was listed. */
export function getPlaceKey(...ids: readonly string[]): string {
  return ids.join('/');
}

/** People as they are now, by id. */
export async function listPersonFacts({ db, tenantId }: Context, ids: readonly string[]): Promise<Map<string, PersonFacts>> {
  const rows = await db.rows<PersonFacts>(
    sql`SELECT ${personFacts} FROM users_public u LEFT JOIN users_public m ON m.tenant_id = ${tenantId} AND m.id = u.manager_id
      WHERE u.tenant_id = ${tenantId} AND u.id = ANY (${ids}::text[])`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** A person as they are now; undefined for nobody. */
export async function findPersonFacts(context: Context, { userId }: Pick<Task, 'userId'>): Promise<PersonFacts | undefined> {
  return userId === null ? undefined : (await listPersonFacts(context, [userId])).get(userId);
}

type Place = Pick<Task, 'appId' | 'accountId' | 'entitlementId'>;

/** The accounts of tasks as they are now, by app and id. */
export async function listAccountFacts({ db, tenantId }: Context, places: readonly Place[]): Promise<Map<string, AccountFacts>> {
  const rows = await db.rows<AccountFacts>(
    sql`SELECT ${accountFacts} FROM (SELECT DISTINCT * FROM unnest(${places.map(({ appId }) => appId)}::text[], ${places.map(({ accountId }) => accountId)}::text[])) AS n (app_id, id)
      JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = n.app_id AND a.id = n.id`,
  );
  return new Map(rows.map((row) => [getPlaceKey(row.appId, row.id), row]));
}

/** The owners of apps who were not deleted, by app. */
export async function listOwnersOfApps({ db, tenantId }: Context, appIds: readonly string[]): Promise<Map<string, PersonFacts[]>> {
  const rows = await db.rows<PersonFacts & { appId: string }>(
    sql`SELECT w.app_id AS "appId", ${personFacts}
      FROM (SELECT DISTINCT o.app_id, o.user_id FROM (${getOwnerPeopleSql({ tenantId }, 'app', sql`SELECT x, x FROM unnest(${appIds}::text[]) AS x`)}) o) w
      JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = w.user_id AND u.status <> 'DELETED' AND u.deleted_at IS NULL
      LEFT JOIN users_public m ON m.tenant_id = ${tenantId} AND m.id = u.manager_id
      ORDER BY w.app_id, u.id`,
  );
  return Map.groupBy(rows, ({ appId }) => appId);
}

/** The entitlements of tasks as their reviews froze them, by review, app and id. */
export async function listEntitlementFields(
  { db, tenantId }: Context,
  tasks: readonly Pick<Task, 'reviewId' | 'appId' | 'entitlementId'>[],
): Promise<Map<string, EntitlementFields>> {
  const [reviewIds, appIds, ids] = [
    tasks.map(({ reviewId }) => reviewId),
    tasks.map(({ appId }) => appId),
    tasks.map(({ entitlementId }) => entitlementId),
  ];
  const rows = await db.rows<EntitlementFields & { reviewId: string }>(
    sql`SELECT e.review_id AS "reviewId", e.entitlement_id AS id, e.app_id AS "appId", e.resource_id AS "appResourceId", e.resource_type_id AS "appResourceTypeId",
        e.resource_type_display_name AS "appResourceType", e.display_name AS "displayName", e.description, e.alias, e.slug, e.purpose,
        e.risk_level_value_id AS "riskLevelValueId", e.compliance_framework_value_ids AS "complianceFrameworkValueIds"
      FROM (SELECT DISTINCT * FROM unnest(${reviewIds}::text[], ${appIds}::text[], ${ids}::text[])) AS n (review_id, app_id, id)
      JOIN snapshot_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = n.review_id AND e.app_id = n.app_id AND e.entitlement_id = n.id`,
  );
  return new Map(rows.map(({ reviewId, ...row }) => [getPlaceKey(reviewId, row.appId, row.id), row]));
}

/** Times a grant began, as far as that is known, and ends; null for never. */
export interface GrantTimes {
  readonly appId: string;
  readonly entitlementId: string;
  readonly accountId: string;
  readonly grantedAt: Date | null;
  readonly endsAt: Date | null;
}

/** The times of grants that are there now, by app, entitlement and account. */
export async function listGrantTimes({ db, tenantId }: Context, places: readonly Place[]): Promise<Map<string, GrantTimes>> {
  const [appIds, entitlementIds, accountIds] = [
    places.map(({ appId }) => appId),
    places.map(({ entitlementId }) => entitlementId),
    places.map(({ accountId }) => accountId),
  ];
  const rows = await db.rows<GrantTimes>(
    sql`SELECT g.app_id AS "appId", g.entitlement_id AS "entitlementId", g.account_id AS "accountId", coalesce(g.granted_at, g.created_at) AS "grantedAt",
        g.deprovision_at AS "endsAt"
      FROM (SELECT DISTINCT * FROM unnest(${appIds}::text[], ${entitlementIds}::text[], ${accountIds}::text[])) AS n (app_id, entitlement_id, account_id)
      JOIN grants_held g ON g.tenant_id = ${tenantId} AND g.app_id = n.app_id AND g.entitlement_id = n.entitlement_id AND g.account_id = n.account_id`,
  );
  return new Map(rows.map((row) => [getPlaceKey(row.appId, row.entitlementId, row.accountId), row]));
}
