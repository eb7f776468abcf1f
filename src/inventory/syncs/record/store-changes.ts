/**
 * SQL that says how the grants of an app differ between two of its revisions. It looks at what the revisions between them touched, through
 * indexes that begin with the revision, and at nothing else: the cost is that of the change, however long the history is.
 */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { type GrantKey, type GrantsOf, getStatesSql, isToldSql, type PastGrant } from './store-replay.ts';
import type { KindCounts } from '../values/index.ts';

/** Two revisions of one app, in the order of the comparison: `from` may be the later one. */
export interface Span extends GrantsOf {
  readonly from: number;
  readonly to: number;
}

/** Condition that a revision is one of those between the two. */
function isBetween(column: string, { from, to }: Span): Sql {
  const revision = fixed(column);
  return sql`${revision} > ${Math.min(from, to)}::bigint AND ${revision} <= ${Math.max(from, to)}::bigint`;
}

/**
 * The keys that the revisions touched; `rest` is put behind each part of the search, over `x`: where to go on, and how far. Grants are looked up by the
 * revision alone, which is one app's: with the app besides, all grants of the app were read where tables have no statistics.
 */
export function getTouchedSql(tenantId: string, span: Span, rest: Sql): Sql {
  const { appId } = span;
  const revisions = sql`(SELECT r.revision FROM revisions_public r
    WHERE r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND ${isBetween('r.revision', span)}) AS v`;
  const told = sql`AND ${isToldSql('x', span)}`;
  const ofRevision = (table: string, column: string, more: Sql): Sql =>
    sql`SELECT s.entitlement_id, s.account_id FROM ${revisions} CROSS JOIN LATERAL (
       SELECT x.entitlement_id, x.account_id FROM ${fixed(table)} x
       WHERE x.tenant_id = ${tenantId} AND x.${fixed(column)} = v.revision ${more} ${rest}) AS s`;
  return sql`${ofRevision('grants_public', 'added_revision', told)}
    UNION ${ofRevision('grants_public', 'removed_revision', told)}
    UNION ${ofRevision('grant_changes_public', 'revision', sql`AND x.app_id = ${appId}`)}
    UNION SELECT s.entitlement_id, s.account_id
      FROM (SELECT DISTINCT c.account_id FROM account_changes_public c
        WHERE c.tenant_id = ${tenantId} AND c.app_id = ${appId} AND ${isBetween('c.revision', span)}) AS v
      CROSS JOIN LATERAL (SELECT x.entitlement_id, x.account_id FROM grants_public x
        WHERE x.tenant_id = ${tenantId} AND x.app_id = ${appId} AND x.account_id = v.account_id ${told} ${rest}) AS s`;
}

const difference = sql`(b.granted_at, b.last_used_at, b.deprovision_at, b.paths, b.account)
  IS DISTINCT FROM (n.granted_at, n.last_used_at, n.deprovision_at, n.paths, n.account)`;

/**
 * Counts the grants that were added, changed and removed; `total` is how many there are of all. `OFFSET 0` keeps each revision a search of its own:
 * joined freely, all grants of the app were read to find those of one revision.
 */
export function countChanges({ db, tenantId }: Context, span: Span): Promise<KindCounts> {
  const keys = sql`(${getTouchedSql(tenantId, span, sql`OFFSET 0`)}) AS k`;
  return db.one<KindCounts>(
    sql`SELECT count(*) FILTER (WHERE b.is_there IS NULL AND n.is_there) AS added, count(*) FILTER (WHERE b.is_there AND n.is_there IS NULL) AS removed,
       count(*) FILTER (WHERE b.is_there AND n.is_there AND ${difference}) AS changed,
       count(*) FILTER (WHERE (b.is_there OR n.is_there) AND (b.is_there IS NULL OR n.is_there IS NULL OR ${difference})) AS total
     FROM ${getStatesSql(tenantId, span, [span.from, span.to], keys)}`,
  );
}

/** The next keys that the revisions between touched, by entitlement and account; some of them may say the same before and after. */
export function listTouched({ db, tenantId }: Context, span: Span, after: GrantKey, limit: number): Promise<GrantKey[]> {
  const next = sql`AND (x.entitlement_id, x.account_id) > (${after.entitlementId}, ${after.accountId})
    ORDER BY x.entitlement_id, x.account_id LIMIT ${limit}`;
  return db.rows<GrantKey>(
    sql`SELECT t.entitlement_id AS "entitlementId", t.account_id AS "accountId"
     FROM (${getTouchedSql(tenantId, span, next)}) AS t
     ORDER BY t.entitlement_id, t.account_id LIMIT ${limit}`,
  );
}

/** One grant that differs: null where it was not there. */
export interface ChangedGrant extends GrantKey {
  readonly before: PastGrant | null;
  readonly after: PastGrant | null;
}

/** Those of these grants that differ, in the order of their keys. */
export async function listChanges(context: Context, span: Span, keys: readonly GrantKey[]): Promise<ChangedGrant[]> {
  const columns = (alias: string, name: string): Sql =>
    fixed(`${alias}.is_there AS "${name}IsThere", ${alias}.granted_at AS "${name}GrantedAt", ${alias}.last_used_at AS "${name}LastUsedAt",
     ${alias}.deprovision_at AS "${name}DeprovisionAt", ${alias}.paths AS "${name}Paths", ${alias}.account AS "${name}Account"`);
  const [entitlementIds, accountIds] = [keys.map(({ entitlementId }) => entitlementId), keys.map(({ accountId }) => accountId)];
  const wanted = sql`unnest(${entitlementIds}::text[], ${accountIds}::text[]) AS k (entitlement_id, account_id)`;
  const rows = await context.db.rows<Record<string, unknown>>(
    sql`SELECT k.entitlement_id AS "entitlementId", k.account_id AS "accountId", ${columns('b', 'before')}, ${columns('n', 'after')}
     FROM ${getStatesSql(context.tenantId, span, [span.from, span.to], wanted)}
     WHERE (b.is_there OR n.is_there) AND (b.is_there IS NULL OR n.is_there IS NULL OR ${difference})
     ORDER BY k.entitlement_id COLLATE "C", k.account_id COLLATE "C"`,
  );
  const pastOf = (row: Record<string, unknown>, name: string): PastGrant | null =>
    row[`${name}IsThere`] === null
      ? null
      : ({
          grantedAt: row[`${name}GrantedAt`],
          lastUsedAt: row[`${name}LastUsedAt`],
          deprovisionAt: row[`${name}DeprovisionAt`],
          paths: row[`${name}Paths`],
          account: row[`${name}Account`],
        } as PastGrant);
  return rows.map((row) => ({
    entitlementId: String(row.entitlementId),
    accountId: String(row.accountId),
    before: pastOf(row, 'before'),
    after: pastOf(row, 'after'),
  }));
}
