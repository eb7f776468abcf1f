/**
 * SQL that reads entitlements. They are written by imports, and the built-in one with its app (store-apps.ts).
 */
import type { Scope } from '../../scope.ts';
import { type Condition, whereOf } from '../../lib/where.ts';

/** An entitlement of an app. */
export interface EntitlementRow {
  readonly id: string;
  readonly appId: string;
  /** Both ids are '' for app access. */
  readonly resourceTypeId: string;
  readonly resourceId: string;
  readonly externalId: string;
  readonly isAppAccess: boolean;
  readonly displayName: string;
  readonly description: string;
  readonly certifyPolicyId: string;
  /** Open grants. */
  readonly grantCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

const columns = `e.id, e.app_id AS "appId", e.resource_type_id AS "resourceTypeId", e.resource_id AS "resourceId", e.external_id AS "externalId",
  e.is_app_access AS "isAppAccess", e.display_name AS "displayName", e.description, e.certify_policy_id AS "certifyPolicyId",
  e.grant_count AS "grantCount", e.created_at AS "createdAt", e.updated_at AS "updatedAt", e.deleted_at AS "deletedAt"`;

/** The entitlement with this id in this app. */
export function findEntitlement(scope: Scope, appId: string, id: string): Promise<EntitlementRow | undefined> {
  return scope.db.maybe<EntitlementRow>(
    `SELECT ${columns} FROM entitlements e WHERE e.tenant_id = $1 AND e.app_id = $2 AND e.id = $3 AND e.deleted_at IS NULL`,
    [scope.tenantId, appId, id],
  );
}

/** The entitlements with these ids by id, whatever their app. */
export async function listEntitlementsByIds(scope: Scope, ids: readonly string[]): Promise<Map<string, EntitlementRow>> {
  const rows = await scope.db.rows<EntitlementRow>(`SELECT ${columns} FROM entitlements e WHERE e.tenant_id = $1 AND e.id = ANY ($2)`, [
    scope.tenantId,
    [...new Set(ids)],
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Which entitlements; a member that is undefined filters nothing. Those of deleted apps are never among them. */
export interface EntitlementFilter {
  readonly appId?: string | undefined;
  readonly appIds?: readonly string[] | undefined;
  readonly excludeAppIds?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  /** 'app id/entitlement id'. */
  readonly refs?: readonly string[] | undefined;
  readonly excludeRefs?: readonly string[] | undefined;
  readonly resourceTypeIds?: readonly string[] | undefined;
  readonly excludeResourceTypeIds?: readonly string[] | undefined;
  readonly resourceId?: string | undefined;
  readonly resourceIds?: readonly string[] | undefined;
  /** Held by one of these accounts. */
  readonly accountIds?: readonly string[] | undefined;
  /** Held by none of these accounts. */
  readonly excludeAccountIds?: readonly string[] | undefined;
  /** Part of the name. */
  readonly displayName?: string | undefined;
  /** Part of its name, description, or its name in the source. */
  readonly query?: string | undefined;
  readonly policyIds?: readonly string[] | undefined;
  /** Chosen by a review, or in its snapshot. */
  readonly reviewId?: string | undefined;
  /** Deleted ones, too, where true. */
  readonly includeDeleted?: boolean | undefined;
}

const heldBy = `SELECT g.app_id, g.entitlement_id FROM accounts a
  JOIN grants g ON g.tenant_id = $1 AND g.app_id = a.app_id AND g.account_id = a.id AND g.removed_revision IS NULL
  WHERE a.tenant_id = $1 AND a.id = ANY (?)`;

const conditions: Record<keyof EntitlementFilter, Condition> = {
  appId: { sql: 'e.app_id = ?' },
  appIds: { sql: 'e.app_id = ANY (?)' },
  excludeAppIds: { sql: 'e.app_id <> ALL (?)' },
  ids: { sql: 'e.id = ANY (?)' },
  refs: { sql: `e.app_id || '/' || e.id = ANY (?)` },
  excludeRefs: { sql: `e.app_id || '/' || e.id <> ALL (?)` },
  resourceTypeIds: { sql: 'e.resource_type_id = ANY (?)' },
  excludeResourceTypeIds: { sql: 'e.resource_type_id <> ALL (?)' },
  resourceId: { sql: 'e.resource_id = ?' },
  resourceIds: { sql: 'e.resource_id = ANY (?)' },
  accountIds: { sql: `(e.app_id, e.id) IN (${heldBy})` },
  excludeAccountIds: { sql: `NOT EXISTS (SELECT FROM (${heldBy}) h WHERE h.app_id = e.app_id AND h.entitlement_id = e.id)` },
  displayName: { sql: 'e.display_name ILIKE ?', isText: true },
  query: { sql: '(e.display_name ILIKE ? OR e.description ILIKE ? OR e.external_id ILIKE ?)', isText: true },
  policyIds: { sql: 'e.certify_policy_id = ANY (?)' },
  reviewId: {
    sql: `(EXISTS (SELECT FROM review_entitlements r WHERE r.tenant_id = $1 AND r.review_id = ? AND r.app_id = e.app_id AND r.entitlement_id = e.id)
      OR EXISTS (SELECT FROM review_setup_entitlements s WHERE s.tenant_id = $1 AND s.review_id = ? AND s.app_id = e.app_id AND s.entitlement_id = e.id))`,
  },
  includeDeleted: { sql: '(e.deleted_at IS NULL OR ?)' },
};

/** A page of entitlements by id. */
export function listEntitlements(scope: Scope, filter: EntitlementFilter, after: string, limit: number): Promise<EntitlementRow[]> {
  const values: unknown[] = [scope.tenantId, after, limit];
  const where = [
    'e.tenant_id = $1',
    'e.id > $2',
    'EXISTS (SELECT FROM apps p WHERE p.tenant_id = $1 AND p.id = e.app_id AND p.deleted_at IS NULL)',
    ...whereOf({ includeDeleted: false, ...filter }, conditions, values),
  ];
  return scope.db.rows<EntitlementRow>(`SELECT ${columns} FROM entitlements e WHERE ${where.join(' AND ')} ORDER BY e.id LIMIT $3`, values);
}
