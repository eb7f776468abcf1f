/**
 * SQL of the population of a snapshot: every grant that the accounts of its apps held as of its revision, each with one verdict. Counts and pages of it
 * ask through these pieces.
 */
import { fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { endOnePass, setOnePass } from '../scope/index.ts';
import { getJudgedGrantsSql, type SnapshotItems } from './store-items.ts';
import { placeOf, type Verdict, verdicts } from './types-verdicts.ts';

/** The columns of accounts that verdicts on their grants read. */
const principalColumns = fixed('f.app_id, f.account_id, f.principal_kind, f.user_id, f.access_profile_ids, f.excluded_by, f.verdict');

const place = (verdict: Verdict): Sql => fixed(String(placeOf(verdict)));

/**
 * Selects the grants of the accounts `principals` of a snapshot with the number of their verdict: `app_id`, `account_id`, `entitlement_id`,
 * `principal_kind`, `verdict_no` and what `getJudgedGrantsSql` has. `principals` selects accounts with the columns of `review_accounts` that verdicts
 * read.
 *
 * @public
 */
export function getPopulationSql(context: Context, items: SnapshotItems, principals: Sql): Sql {
  const isOf = (...some: Verdict[]): Sql => joinSql(some.map(place));
  // OFFSET 0: otherwise accounts would be paired with entitlements of their app before their grants are joined.
  return sql`SELECT h.*, CASE
      WHEN e.entitlement_id IS NULL ${items.ofConflicts ? fixed('') : fixed('OR NOT h.is_chosen')} THEN ${place('ENTITLEMENT_NOT_CHOSEN')}
      WHEN h.verdict_of_account IN (${isOf('ACCOUNT_FILTER', 'ACCOUNT_EXPRESSION', 'USER_FILTER', 'USER_EXPRESSION')}) THEN h.verdict_of_account
      WHEN NOT (h.passes AND (${items.ofEntitlement})) THEN ${place('GRANT_FILTER')}
      WHEN NOT h.is_chosen THEN ${place('CONFLICT')}
      WHEN h.verdict_of_account <> ${place('IN')} THEN h.verdict_of_account
      WHEN e.is_excluded OR h.is_listed THEN ${place('EXCLUDED_SELECTION')}
      ELSE ${place('IN')} END AS verdict_no
    FROM (SELECT c.app_id, c.account_id, c.principal_kind, c.access_profile_ids, c.verdict_of_account, h.*
      FROM (SELECT p.*, array_position(${[...verdicts]}::text[], p.verdict) - 1 AS verdict_of_account FROM (${principals}) p OFFSET 0) c
      CROSS JOIN LATERAL (${getJudgedGrantsSql(context, items)}) h OFFSET 0) h
    LEFT JOIN review_entitlements e ON e.tenant_id = ${context.tenantId} AND e.review_id = ${items.id} AND e.app_id = h.app_id
      AND e.entitlement_id = h.entitlement_id`;
}

/** Grants of an app, or links of resources in it, by verdict. */
export interface VerdictCount {
  readonly appId: string;
  readonly kind: 'A' | 'R';
  readonly verdict: Verdict;
  readonly grants: number;
}

/**
 * Counts the population of a snapshot that was just frozen and that the planner knows, keeps the counts with it, and returns them. One pass over the
 * grants of its apps, and no row is kept of a grant.
 */
export async function insertVerdicts(context: Context, items: SnapshotItems): Promise<VerdictCount[]> {
  const { db, tenantId } = context;
  const principals = sql`SELECT ${principalColumns} FROM review_accounts f WHERE f.tenant_id = ${tenantId} AND f.review_id = ${items.id}`;
  await setOnePass(context);
  const rows = await db.rows<VerdictCount>(
    sql`INSERT INTO review_verdicts (tenant_id, review_id, app_id, principal_kind, verdict, grants)
     SELECT ${tenantId}, ${items.id}, n.app_id, n.principal_kind, (${[...verdicts]}::text[])[n.verdict_no + 1], count(*)
     FROM (${getPopulationSql(context, items, principals)}) n GROUP BY n.app_id, n.principal_kind, n.verdict_no
     RETURNING app_id AS "appId", principal_kind AS kind, verdict, grants`,
  );
  await endOnePass(context);
  return rows;
}

/** Returns the counts that were kept with a snapshot, by app. */
export function listVerdicts({ db, tenantId }: Context, snapshotId: string): Promise<VerdictCount[]> {
  return db.rows<VerdictCount>(
    sql`SELECT v.app_id AS "appId", v.principal_kind AS kind, v.verdict, v.grants FROM review_verdicts v
      WHERE v.tenant_id = ${tenantId} AND v.review_id = ${snapshotId} ORDER BY v.app_id, v.principal_kind, v.verdict`,
  );
}
