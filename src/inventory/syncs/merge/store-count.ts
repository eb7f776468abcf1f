/**
 * SQL that counts how the grants of an app differ between two of its revisions. Few changes are looked up one by one (store-changes.ts); where they
 * are many, both states are made whole and held against each other, which costs one pass over the grants of the app and over what changed.
 */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getAccountContent } from '../../ledger/index.ts';
import { type Span, getTouchedSql, isToldSql } from '../record/index.ts';
import type { KindCounts } from '../values/index.ts';

/** From so many grants on, it is quicker to look at all: looking one up takes as long as passing by a hundred. */
const many = 5000;

/** True if the revisions between touched many grants; looks at no more than it takes to know. */
export function hasManyChanges({ db, tenantId }: Context, span: Span): Promise<boolean> {
  return db.value<boolean>(sql`SELECT count(*) > ${many} AS "isMany" FROM (${getTouchedSql(tenantId, span, sql`LIMIT ${many + 1}`)}) AS k`);
}

/** The grants there were at a revision, with the first changes after it that kept what they and their accounts said. */
function getStateSql(tenantId: string, of: Span, at: number): Sql {
  const { appId } = of;
  const revision = sql`${at}::bigint`;
  return sql`SELECT g.entitlement_id, g.account_id, true AS is_there, x.revision AS account_change, x.before,
      CASE WHEN c.revision IS NULL THEN g.granted_at ELSE c.granted_at END AS granted_at,
      CASE WHEN c.revision IS NULL THEN g.last_used_at ELSE c.last_used_at END AS last_used_at,
      CASE WHEN c.revision IS NULL THEN g.deprovision_at ELSE c.deprovision_at END AS deprovision_at,
      CASE WHEN c.revision IS NULL THEN g.paths ELSE c.paths END AS paths
    FROM grants_public g
    LEFT JOIN (
      SELECT DISTINCT ON (entitlement_id, account_id) * FROM grant_changes_public
      WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND revision > ${revision} ORDER BY entitlement_id, account_id, revision) AS c
      ON c.entitlement_id = g.entitlement_id AND c.account_id = g.account_id AND (g.removed_revision IS NULL OR c.revision < g.removed_revision)
    LEFT JOIN (
      SELECT DISTINCT ON (account_id) account_id, revision, before FROM account_changes_public
      WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND revision > ${revision} ORDER BY account_id, revision) AS x
      ON x.account_id = g.account_id
    WHERE g.tenant_id = ${tenantId} AND g.app_id = ${appId} AND g.added_revision <= ${revision}
      AND (g.removed_revision IS NULL OR g.removed_revision > ${revision}) AND ${isToldSql('g', of)}`;
}

const content = fixed(getAccountContent('a'));

/** Condition that what both say differs. The texts of accounts are only made where a change of one lies between. */
const differs = sql`((b.granted_at, b.last_used_at, b.deprovision_at, b.paths) IS DISTINCT FROM (n.granted_at, n.last_used_at, n.deprovision_at, n.paths)
  OR CASE WHEN b.account_change IS NOT DISTINCT FROM n.account_change THEN false
    ELSE coalesce(b.before, ${content}) IS DISTINCT FROM coalesce(n.before, ${content}) END)`;

/**
 * Counts the grants that were added, changed and removed, as countChanges says it; inside a transaction, since the joins of everything with
 * everything must not be made one by one.
 */
export async function countAllChanges({ db, tenantId }: Context, span: Span): Promise<KindCounts> {
  await db.run(
    `SET LOCAL enable_nestloop = off; SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL work_mem = '32MB'; SET LOCAL jit = off`,
  );
  return db.one<KindCounts>(
    sql`SELECT count(*) FILTER (WHERE is_added) AS added, count(*) FILTER (WHERE is_removed) AS removed, count(*) FILTER (WHERE is_changed) AS changed,
       count(*) FILTER (WHERE is_added OR is_removed OR is_changed) AS total
     FROM (
       SELECT b.is_there IS NULL AS is_added, n.is_there IS NULL AS is_removed, b.is_there AND n.is_there AND ${differs} AS is_changed
       FROM (${getStateSql(tenantId, span, span.from)}) AS b
       FULL JOIN (${getStateSql(tenantId, span, span.to)}) AS n ON n.entitlement_id = b.entitlement_id AND n.account_id = b.account_id
       LEFT JOIN accounts_public a
         ON a.tenant_id = ${tenantId} AND a.app_id = ${span.appId} AND a.id = b.account_id AND b.account_change IS DISTINCT FROM n.account_change) AS d`,
  );
}
