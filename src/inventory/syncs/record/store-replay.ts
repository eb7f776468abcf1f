/**
 * SQL that says what the grants of an app were at any of its revisions: a grant and its account as they are now, unless a later revision
 * changed them, which kept what they said before. What is changed between two revisions is in store-changes.ts.
 */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getAccountContent } from '../../ledger/index.ts';

/** Content that an account had. */
export interface AccountContent {
  /** Its name in the source: an identity provider may have changed it since. */
  readonly externalId: string;
  readonly userId: string | null;
  readonly accountType: string;
  readonly status: string;
  readonly email: string;
}

/** Content of one grant at a revision. */
export interface PastGrant {
  readonly grantedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly deprovisionAt: Date | null;
  /** Ids of entitlements; null for directly. */
  readonly paths: readonly (readonly string[])[] | null;
  readonly account: AccountContent;
}

/** Place of a grant in lists: by entitlement, then by account. */
export interface GrantKey {
  readonly entitlementId: string;
  readonly accountId: string;
}

/** Grants that are looked at: those of one source, or all of the app. */
export interface GrantsOf {
  readonly appId: string;
  /** Null for all sources. */
  readonly sourceNo: number | null;
}

/** Condition that a grant is reported by the source, or by anybody, and not derived. */
export const isToldSql = (alias: 'g' | 'x', { sourceNo }: GrantsOf): Sql =>
  sql`NOT ${fixed(alias)}.is_derived AND (${sourceNo}::smallint IS NULL OR ${fixed(alias)}.source_no = ${sourceNo})`;

/** A revision of an app. */
interface Moment {
  readonly tenantId: string;
  readonly appId: string;
  readonly revision: number;
}

/** The account of the grant `g` as of a revision, as an expression. */
function getAccountAt({ tenantId, appId, revision }: Moment): Sql {
  return sql`(SELECT coalesce((
      SELECT x.before FROM account_changes_public x
      WHERE x.tenant_id = ${tenantId} AND x.app_id = ${appId} AND x.account_id = g.account_id AND x.revision > ${revision} ORDER BY x.revision LIMIT 1),
      ${fixed(getAccountContent('a'))})
    FROM accounts_public a WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.id = g.account_id)`;
}

/** Joins to a grant `g` what it said at a revision: `c`, null where it says the same now. */
function getEarlier({ tenantId, appId, revision }: Moment): Sql {
  return sql`LEFT JOIN LATERAL (
      SELECT x.revision, x.granted_at, x.last_used_at, x.deprovision_at, x.paths FROM grant_changes_public x
      WHERE x.tenant_id = ${tenantId} AND x.app_id = ${appId} AND x.entitlement_id = g.entitlement_id AND x.account_id = g.account_id
        AND x.revision > ${revision} AND (g.removed_revision IS NULL OR x.revision < g.removed_revision)
      ORDER BY x.revision LIMIT 1) AS c ON true`;
}

const pastColumns = fixed(
  ['granted_at', 'last_used_at', 'deprovision_at', 'paths']
    .map((column) => `CASE WHEN c.revision IS NULL THEN g.${column} ELSE c.${column} END AS ${column}`)
    .join(', '),
);

/** Condition that the grant `g` was there at a revision. */
const isThereAt = ({ tenantId, appId, revision }: Moment): Sql =>
  sql`g.tenant_id = ${tenantId} AND g.app_id = ${appId} AND g.added_revision <= ${revision}
    AND (g.removed_revision IS NULL OR g.removed_revision > ${revision})`;

/**
 * For each of the `keys` (a relation `k` with entitlement_id and account_id) what its grant said at two revisions: `b` and `n`, null where it
 * was not there, each with its account.
 */
export function getStatesSql(tenantId: string, of: GrantsOf, revisions: readonly [before: number, after: number], keys: Sql): Sql {
  const [before, after] = revisions.map((revision) => {
    const moment = { tenantId, appId: of.appId, revision };
    return sql`LEFT JOIN LATERAL (
      SELECT true AS is_there, ${pastColumns}, ${getAccountAt(moment)} AS account
      FROM grants_public g ${getEarlier(moment)}
      WHERE ${isThereAt(moment)} AND g.entitlement_id = k.entitlement_id AND g.account_id = k.account_id AND ${isToldSql('g', of)}
      -- There is one at most; said so that each key is looked up, rather than all grants joined.
      LIMIT 1)`;
  });
  return sql`${keys} ${before} AS b ON true ${after} AS n ON true`;
}

/** A grant of a sync. */
export type SyncGrantRow = GrantKey & PastGrant;

/** A page of the grants as of a revision, by entitlement and account. Goes through those that ended before, too, in the order of the key. */
export function listGrantsAt(
  context: Context,
  of: GrantsOf,
  revision: number,
  after: readonly string[] | undefined,
  limit: number,
): Promise<SyncGrantRow[]> {
  const moment = { tenantId: context.tenantId, appId: of.appId, revision };
  return context.db.rows<SyncGrantRow>(
    sql`SELECT g.entitlement_id AS "entitlementId", g.account_id AS "accountId", g.granted_at AS "grantedAt",
       g.last_used_at AS "lastUsedAt", g.deprovision_at AS "deprovisionAt", g.paths, ${getAccountAt(moment)} AS account
     FROM (
       SELECT g.entitlement_id, g.account_id, ${pastColumns}
       FROM (
         SELECT * FROM grants_public g
         WHERE ${isThereAt(moment)} AND ${isToldSql('g', of)} AND (g.entitlement_id, g.account_id) > (${after?.[0] ?? ''}, ${after?.[1] ?? ''})
         ORDER BY g.entitlement_id, g.account_id LIMIT ${limit}) AS g
       ${getEarlier(moment)}) AS g
     ORDER BY g.entitlement_id, g.account_id`,
  );
}

/** An entitlement as files name it. */
export interface EntitlementName {
  readonly id: string;
  readonly resourceType: string;
  readonly resource: string;
  readonly entitlement: string;
}

/** The names of these entitlements of an app. The app is compared after the ids: together, all of the app were read where tables have no statistics. */
export function listEntitlementNames(context: Context, appId: string, ids: readonly string[]): Promise<EntitlementName[]> {
  return context.db.rows<EntitlementName>(
    `SELECT e.id, coalesce(t.external_id, '') AS "resourceType", coalesce(r.external_id, '') AS resource, e.external_id AS entitlement
     FROM (SELECT * FROM entitlements_public e WHERE e.tenant_id = $1 AND e.id = ANY ($3) OFFSET 0) AS e
     LEFT JOIN resources_public r ON r.tenant_id = $1 AND r.id = e.resource_id
     LEFT JOIN resource_types_public t ON t.tenant_id = $1 AND t.id = e.resource_type_id
     WHERE e.app_id = $2`,
    [context.tenantId, appId, ids],
  );
}
