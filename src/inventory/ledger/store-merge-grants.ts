/** SQL that finds what entitlements give which go on as others: grants, paths that lead through them, and links that sources told of. */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import type { AccessChange } from './store-grants.ts';
import { getMergesSql, getNamesMergedSql, getRenamedSql, type Merge } from './store-merge.ts';

/** What is held of those that go and not of the oldest by the same account, as `insertGrants` wants it: given as it was. */
export function getTakenGrantsSql({ tenantId }: Context, { appId }: AccessChange, merges: readonly Merge[]): Sql {
  return sql`SELECT DISTINCT ON (m.into_id, g.account_id) m.into_id AS entitlement_id, g.account_id, g.source_no, g.is_derived, g.granted_at,
      g.last_used_at, g.deprovision_at, ${getRenamedSql(sql`g.paths`, merges)} AS paths
    FROM (${getMergesSql(merges)}) AS m
    JOIN grants g ON g.tenant_id = ${tenantId} AND g.app_id = ${appId} AND g.entitlement_id = m.from_id AND g.removed_revision IS NULL
    WHERE NOT EXISTS (SELECT FROM grants o WHERE o.tenant_id = ${tenantId} AND o.app_id = ${appId} AND o.entitlement_id = m.into_id
      AND o.account_id = g.account_id AND o.removed_revision IS NULL)
    ORDER BY m.into_id, g.account_id, g.granted_at NULLS LAST, m.from_id`;
}

/** True if anything of the app is inherited by way of these. Whoever passes nothing on costs one look. */
export async function hasPathsThrough({ db, tenantId }: Context, appId: string, entitlementIds: readonly string[]): Promise<boolean> {
  const row = await db.maybe(
    sql`SELECT FROM entitlement_links l WHERE l.tenant_id = ${tenantId} AND l.app_id = ${appId} AND l.from_entitlement_id = ANY (${entitlementIds})
      AND l.removed_revision IS NULL LIMIT 1`,
  );
  return row !== undefined;
}

/** The open grants of before this revision whose paths lead through those that go, as `updateGrants` wants them. */
export function getRenamedPathsSql({ tenantId }: Context, { appId, revision }: AccessChange, merges: readonly Merge[]): Sql {
  return sql`SELECT o.entitlement_id, o.account_id, o.added_revision, o.granted_at, o.last_used_at, o.deprovision_at,
      ${getRenamedSql(sql`o.paths`, merges)} AS paths, o.granted_at AS old_granted_at, o.last_used_at AS old_last_used_at,
      o.deprovision_at AS old_deprovision_at, o.paths AS old_paths
    FROM grants o
    WHERE o.tenant_id = ${tenantId} AND o.app_id = ${appId} AND o.removed_revision IS NULL AND o.paths IS NOT NULL AND o.added_revision < ${revision}
      AND ${getNamesMergedSql(sql`o.paths`, merges)}`;
}

/** The links that sources told of from or to those that go, taken back and told of the oldest, as `updateToldLinks` wants them. */
export function getToldAnewSql({ tenantId }: Context, appId: string, merges: readonly Merge[]): Sql {
  const named = sql`SELECT l.source_no, l.from_entitlement_id AS from_id, l.to_entitlement_id AS to_id, coalesce(f.into_id, l.from_entitlement_id) AS from_now,
      coalesce(t.into_id, l.to_entitlement_id) AS to_now
    FROM source_links l
    LEFT JOIN (${getMergesSql(merges)}) AS f ON f.from_id = l.from_entitlement_id
    LEFT JOIN (${getMergesSql(merges)}) AS t ON t.from_id = l.to_entitlement_id
    WHERE l.tenant_id = ${tenantId} AND l.app_id = ${appId} AND (f.into_id IS NOT NULL OR t.into_id IS NOT NULL)`;
  return sql`SELECT n.source_no, n.from_id, n.to_id, -1 AS step FROM (${named}) AS n
    UNION ALL SELECT DISTINCT n.source_no, n.from_now, n.to_now, 1 FROM (${named}) AS n
    WHERE n.from_now <> n.to_now AND NOT EXISTS (SELECT FROM source_links o WHERE o.tenant_id = ${tenantId} AND o.app_id = ${appId}
      AND o.source_no = n.source_no AND o.from_entitlement_id = n.from_now AND o.to_entitlement_id = n.to_now)`;
}

/** How many grants each of the oldest was given by this revision. */
export function listGained(
  { db, tenantId }: Context,
  { appId, revision }: AccessChange,
  merges: readonly Merge[],
): Promise<{ readonly id: string; readonly gained: number }[]> {
  return db.rows(
    sql`SELECT g.entitlement_id AS id, count(*) AS gained FROM grants g
      WHERE g.tenant_id = ${tenantId} AND g.added_revision = ${revision} AND g.app_id = ${appId}
        AND g.entitlement_id = ANY (${[...new Set(merges.map((one) => one.intoId))]})
      GROUP BY g.entitlement_id`,
  );
}

/** The same as the catalog counts them. */
export function getGainedSql(gained: readonly { readonly id: string; readonly gained: number }[]): Sql {
  return sql`SELECT * FROM unnest(${gained.map((one) => one.id)}::text[], ${gained.map((one) => one.gained)}::bigint[]) AS n (id, gained)`;
}

/** By how many grants each of these has fewer, as the catalog counts them. */
export function getLostSql({ tenantId }: Context, { appId, revision }: AccessChange, entitlementIds: readonly string[]): Sql {
  return sql`SELECT g.entitlement_id AS id, -count(*) AS gained FROM grants g
    WHERE g.tenant_id = ${tenantId} AND g.removed_revision = ${revision} AND g.app_id = ${appId} AND g.entitlement_id = ANY (${entitlementIds})
    GROUP BY g.entitlement_id`;
}
