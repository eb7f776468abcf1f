/**
 * SQL that says how the grants of an app differ between two of its revisions. It looks at what the revisions between them touched, through
 * indexes that begin with the revision, and at nothing else: the cost is that of the change, however long the history is.
 */
import type { Context } from '../../context.ts';
import { type GrantKey, type GrantsOf, getStatesSql, type PastGrant } from './store-replay.ts';
import type { KindCounts } from './types.ts';

/** Two revisions of one app, in the order of the comparison: `from` may be the later one. */
export interface Span extends GrantsOf {
  readonly from: number;
  readonly to: number;
}

const between = '> least($4::bigint, $5::bigint)';
const until = '<= greatest($4::bigint, $5::bigint)';

/** The revisions of the app between the two. */
const revisions = `(SELECT r.revision FROM inventory_revisions r
  WHERE r.tenant_id = $1 AND r.app_id = $2 AND r.revision ${between} AND r.revision ${until}) AS v`;

/** Reported by the source, or by anybody. */
const isTold = 'AND NOT x.is_derived AND ($3::smallint IS NULL OR x.source_no = $3)';

/** The keys that the revisions touched; `rest` is put behind each part of the search: where to go on, and how far. */
export function getTouchedSql(rest: (alias: string) => string): string {
  const ofRevision = (table: string, column: string, more = ''): string =>
    `SELECT s.entitlement_id, s.account_id FROM ${revisions} CROSS JOIN LATERAL (
       SELECT x.entitlement_id, x.account_id FROM ${table} x
       WHERE x.tenant_id = $1 AND x.${column} = v.revision AND x.app_id = $2 ${more} ${rest('x')}) AS s`;
  return `${ofRevision('grants', 'added_revision', isTold)}
    UNION ${ofRevision('grants', 'removed_revision', isTold)}
    UNION ${ofRevision('grant_changes', 'revision')}
    UNION SELECT s.entitlement_id, s.account_id
      FROM (SELECT DISTINCT c.account_id FROM account_changes c
        WHERE c.tenant_id = $1 AND c.app_id = $2 AND c.revision ${between} AND c.revision ${until}) AS v
      CROSS JOIN LATERAL (SELECT x.entitlement_id, x.account_id FROM grants x
        WHERE x.tenant_id = $1 AND x.app_id = $2 AND x.account_id = v.account_id ${isTold} ${rest('x')}) AS s`;
}

const difference = `(b.granted_at, b.last_used_at, b.deprovision_at, b.paths, b.account)
  IS DISTINCT FROM (n.granted_at, n.last_used_at, n.deprovision_at, n.paths, n.account)`;

/**
 * How many grants were added, changed and removed; `total` is how many there are of all. `OFFSET 0` keeps each revision a search of its own:
 * joined freely, all grants of the app were read to find those of one revision.
 */
export function countChanges(context: Context, span: Span): Promise<KindCounts> {
  return context.db.one<KindCounts>(
    `SELECT count(*) FILTER (WHERE b.is_there IS NULL AND n.is_there) AS added, count(*) FILTER (WHERE b.is_there AND n.is_there IS NULL) AS removed,
       count(*) FILTER (WHERE b.is_there AND n.is_there AND ${difference}) AS changed,
       count(*) FILTER (WHERE (b.is_there OR n.is_there) AND (b.is_there IS NULL OR n.is_there IS NULL OR ${difference})) AS total
     FROM ${getStatesSql(`(${getTouchedSql(() => 'OFFSET 0')}) AS k`)}`,
    [context.tenantId, span.appId, span.sourceNo, span.from, span.to],
  );
}

/** The next keys that the revisions between touched, by entitlement and account; some of them may say the same before and after. */
export function listTouched(context: Context, span: Span, after: GrantKey, limit: number): Promise<GrantKey[]> {
  const next = (x: string): string =>
    `AND (${x}.entitlement_id, ${x}.account_id) > ($6, $7) ORDER BY ${x}.entitlement_id, ${x}.account_id LIMIT $8`;
  return context.db.rows<GrantKey>(
    `SELECT t.entitlement_id AS "entitlementId", t.account_id AS "accountId"
     FROM (${getTouchedSql(next)}) AS t
     ORDER BY t.entitlement_id, t.account_id LIMIT $8`,
    [context.tenantId, span.appId, span.sourceNo, span.from, span.to, after.entitlementId, after.accountId, limit],
  );
}

/** One grant that differs: null where it was not there. */
export interface ChangedGrant extends GrantKey {
  readonly before: PastGrant | null;
  readonly after: PastGrant | null;
}

/** Those of these grants that differ, in the order of their keys. */
export async function listChanges(context: Context, span: Span, keys: readonly GrantKey[]): Promise<ChangedGrant[]> {
  const columns = (alias: string, name: string): string =>
    `${alias}.is_there AS "${name}IsThere", ${alias}.granted_at AS "${name}GrantedAt", ${alias}.last_used_at AS "${name}LastUsedAt",
     ${alias}.deprovision_at AS "${name}DeprovisionAt", ${alias}.paths AS "${name}Paths", ${alias}.account AS "${name}Account"`;
  const rows = await context.db.rows<Record<string, unknown>>(
    `SELECT k.entitlement_id AS "entitlementId", k.account_id AS "accountId", ${columns('b', 'before')}, ${columns('n', 'after')}
     FROM ${getStatesSql('unnest($6::text[], $7::text[]) AS k (entitlement_id, account_id)')}
     WHERE (b.is_there OR n.is_there) AND (b.is_there IS NULL OR n.is_there IS NULL OR ${difference})
     ORDER BY k.entitlement_id COLLATE "C", k.account_id COLLATE "C"`,
    [
      context.tenantId,
      span.appId,
      span.sourceNo,
      span.from,
      span.to,
      keys.map(({ entitlementId }) => entitlementId),
      keys.map(({ accountId }) => accountId),
    ],
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
