/**
 * SQL of the lists of what does not fit. Each walks a partial index that holds nothing else, so a page costs what it shows, however many
 * people and accounts there are; where only some of them are wanted, it costs what is passed over besides.
 */
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { getKeysSql, type MatchRule } from './store-match.ts';

/** Somebody who left, with the number of their enabled accounts. */
export interface LeaverRow {
  readonly userId: string;
  readonly accountCount: number;
}

/** The people who left, or are not enabled, and own an enabled account, by id. Passes over those who own none. */
export function listLeavers(context: Context, appId: string | undefined, after: string, limit: number): Promise<LeaverRow[]> {
  const live = `FROM accounts_public a JOIN apps_public p ON p.tenant_id = a.tenant_id AND p.id = a.app_id AND p.deleted_at IS NULL
    WHERE a.tenant_id = u.tenant_id AND a.user_id = u.id AND a.status = 'ENABLED' AND ($4::text IS NULL OR a.app_id = $4)`;
  return context.db.rows<LeaverRow>(
    `SELECT u.id AS "userId", (SELECT count(*) ${live}) AS "accountCount" FROM users_public u
     WHERE u.tenant_id = $1 AND u.id > $2 AND u.user_type = 'HUMAN' AND (u.status <> 'ENABLED' OR u.employment_status = 'TERMINATED')
       AND EXISTS (SELECT ${live})
     ORDER BY u.id LIMIT $3`,
    [context.tenantId, after, limit, appId ?? null],
  );
}

/** The place of an account in a list of accounts. */
export interface AccountPlace {
  readonly appId: string;
  readonly id: string;
}

/** An account in a list. */
export interface ListedAccount extends AccountPlace {
  readonly matchCount: number;
}

const which = {
  unowned: sql`a.user_id IS NULL AND a.status <> 'DELETED'`,
  ambiguous: sql`a.match_count > 1 AND a.user_id IS NULL AND NOT a.owner_by_hand AND a.status <> 'DELETED'`,
} as const;

/** The accounts that nobody owns, or of those the ones that match several people, by app and id. Passes over those of deleted apps. */
export function listUnowned(
  context: Context,
  kind: keyof typeof which,
  appId: string | undefined,
  after: AccountPlace,
  limit: number,
): Promise<ListedAccount[]> {
  const { tenantId } = context;
  // Said apart, so that either way the planner sees where in the index to begin.
  const place =
    appId === undefined ? sql`(a.app_id, a.id) > (${after.appId}, ${after.id})` : sql`a.app_id = ${appId} AND a.id > ${after.id}`;
  return context.db.rows<ListedAccount>(
    sql`SELECT a.app_id AS "appId", a.id, a.match_count AS "matchCount" FROM accounts_public a
     WHERE a.tenant_id = ${tenantId} AND ${which[kind]} AND ${place}
       AND EXISTS (SELECT FROM apps_public p WHERE p.tenant_id = ${tenantId} AND p.id = a.app_id AND p.deleted_at IS NULL)
     ORDER BY a.app_id, a.id LIMIT ${limit}`,
  );
}

/** An entitlement that nobody described. */
export interface UndescribedRow {
  readonly appId: string;
  readonly appName: string;
  readonly id: string;
  readonly name: string;
  readonly resource: string | null;
  readonly holders: number;
}

/** The entitlements `e` without a description, in apps `p` that are there. App access is described by us. */
const undescribed = (tenantId: string, appId: string | undefined) => sql`entitlements_public e
  JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = e.app_id AND p.deleted_at IS NULL
  WHERE e.tenant_id = ${tenantId} AND e.description = '' AND e.deleted_at IS NULL AND NOT e.is_app_access
    AND ${appId === undefined ? sql`TRUE` : sql`e.app_id = ${appId}`}`;

/** A page of entitlements without a description, those with most holders first. All of them are sorted, and no others. */
export function listUndescribed(
  { db, tenantId }: Context,
  appId: string | undefined,
  after: { readonly holders: number; readonly id: string } | undefined,
  limit: number,
): Promise<UndescribedRow[]> {
  const behind = after === undefined ? sql`TRUE` : sql`(-e.grant_count, e.id) > (${-after.holders}, ${after.id})`;
  return db.rows<UndescribedRow>(
    sql`SELECT e.*, (SELECT r.display_name FROM resources_public r WHERE r.tenant_id = ${tenantId} AND r.app_id = e."appId" AND r.id = e.resource_id) AS resource
      FROM (SELECT e.app_id AS "appId", p.display_name AS "appName", e.id, e.display_name AS name, e.resource_id, e.grant_count AS holders
        FROM ${undescribed(tenantId, appId)} AND ${behind} ORDER BY -e.grant_count, e.id LIMIT ${limit}) AS e
      ORDER BY -e.holders, e.id`,
  );
}

/** Counts entitlements that nobody described. */
export function countUndescribed({ db, tenantId }: Context, appId: string | undefined): Promise<number> {
  return db.value<number>(sql`SELECT count(*) AS count FROM ${undescribed(tenantId, appId)}`);
}

/** Things of one app whose names look the same, or apps. */
export interface LookAlikeRow {
  readonly appId: string;
  readonly appName: string;
  readonly kind: 'ACCOUNT' | 'RESOURCE_TYPE' | 'RESOURCE' | 'ENTITLEMENT' | 'APP';
  readonly resource: string;
  readonly count: number;
  /** The first five, by id. */
  readonly ids: string[];
  readonly names: string[];
}

/** A page of what looks the same, by app, kind and first id. Each page is one pass over the keys, which are grouped. */
export function listLookAlikes(
  { db, tenantId }: Context,
  appId: string | undefined,
  after: readonly string[] | undefined,
  limit: number,
): Promise<LookAlikeRow[]> {
  const ofApp = appId === undefined ? sql`TRUE` : sql`x.app_id = ${appId}`;
  const group = (kind: LookAlikeRow['kind'], from: Sql, beside: Sql): Sql =>
    sql`SELECT x.app_id, ${fixed(`'${kind}'`)} AS kind, ${beside} AS beside, count(*) AS count,
        (array_agg(x.id ORDER BY x.id))[1:5] AS ids, (array_agg(x.external_id ORDER BY x.id))[1:5] AS names
      FROM ${from} AND x.tenant_id = ${tenantId} AND ${ofApp} GROUP BY x.app_id, ${beside}, x.look_alike_key HAVING count(*) > 1`;
  const apps = sql`SELECT min(x.id) AS app_id, 'APP' AS kind, '' AS beside, count(*) AS count, (array_agg(x.id ORDER BY x.id))[1:5] AS ids,
      (array_agg(x.display_name ORDER BY x.id))[1:5] AS names
    FROM apps_public x WHERE x.tenant_id = ${tenantId} AND x.deleted_at IS NULL GROUP BY look_alike_key(x.display_name)
    HAVING count(*) > 1 AND ${appId === undefined ? sql`TRUE` : sql`bool_or(x.id = ${appId})`}`;
  const behind = after === undefined ? sql`TRUE` : sql`(n.app_id, n.kind, n.ids[1]) > (${after[0]}, ${after[1]}, ${after[2]})`;
  return db.rows<LookAlikeRow>(
    sql`SELECT n.app_id AS "appId", p.display_name AS "appName", n.kind, n.count, n.ids, n.names,
        CASE WHEN n.kind = 'ENTITLEMENT' THEN coalesce((SELECT r.display_name FROM resources_public r
          WHERE r.tenant_id = ${tenantId} AND r.app_id = n.app_id AND r.id = n.beside), '') ELSE '' END AS resource
      FROM (${group('ACCOUNT', sql`accounts_public x WHERE x.status <> 'DELETED'`, sql`''::text`)}
        UNION ALL ${group('RESOURCE_TYPE', sql`resource_types_public x WHERE x.deleted_at IS NULL`, sql`''::text`)}
        UNION ALL ${group('RESOURCE', sql`resources_public x WHERE x.deleted_at IS NULL`, sql`x.resource_type_id`)}
        UNION ALL ${group('ENTITLEMENT', sql`entitlements_public x WHERE x.deleted_at IS NULL AND NOT x.is_app_access`, sql`x.resource_id`)}
        UNION ALL ${apps}) AS n
      JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = n.app_id AND p.deleted_at IS NULL
      WHERE ${behind} ORDER BY n.app_id, n.kind, n.ids[1] LIMIT ${limit}`,
  );
}

/** A person whom a rule finds for an account. */
export interface CandidateRow {
  readonly accountId: string;
  readonly rule: MatchRule;
  readonly userId: string;
}

/**
 * For each of these accounts the first people whom the rule that decides finds, by id: at most `each`. An address is one person's, so only
 * the other rules can find several. One statement: a few probes of indexes for each account.
 */
export function listCandidates({ db, tenantId }: Context, accountIds: readonly string[], each: number): Promise<CandidateRow[]> {
  const found = (rule: MatchRule, key: 'employee_id' | 'username_key'): Sql =>
    sql`(SELECT ${fixed(`'${rule}'`)} AS rule, x.id FROM (
        SELECT y.id, y.is_live, bool_or(y.is_live) OVER () AS is_any FROM (${getKeysSql(tenantId, key, (column) => fixed(`${column} = c.${key}`))}) AS y) AS x
      WHERE x.is_live OR NOT x.is_any ORDER BY x.id LIMIT ${each})`;
  return db.rows<CandidateRow>(
    sql`SELECT c.id AS "accountId", f.rule, f.id AS "userId"
     FROM (
       SELECT a.id, a.employee_id, a.username_key, coalesce(n.match_order, '{EMAIL,EMPLOYEE_ID,USERNAME}') AS match_order
       FROM accounts_public a
       LEFT JOIN sources_public n ON n.tenant_id = a.tenant_id AND n.app_id = a.app_id AND n.source_no = a.source_no
       WHERE a.tenant_id = ${tenantId} AND a.id = ANY (${accountIds}) OFFSET 0) AS c
     CROSS JOIN LATERAL (${found('EMPLOYEE_ID', 'employee_id')} UNION ALL ${found('USERNAME', 'username_key')}) AS f
     WHERE f.rule = ANY (c.match_order)
     ORDER BY c.id, array_position(c.match_order, f.rule), f.id`,
  );
}

/**
 * The enabled people without a manager who can be asked about them, by id: they have none, or theirs is not enabled. A page also looks at the reports of
 * everybody who is not enabled.
 */
export function listWithoutManager(context: Context, after: string, limit: number): Promise<string[]> {
  const person = `u.tenant_id = $1 AND u.id > $2 AND u.status = 'ENABLED' AND u.user_type = 'HUMAN'`;
  return context.db.column<string>(
    `(SELECT u.id FROM users_public u WHERE ${person} AND u.manager_id IS NULL ORDER BY u.id LIMIT $3)
     UNION ALL
     (SELECT r.id FROM users_public m
      CROSS JOIN LATERAL (SELECT u.id FROM users_public u WHERE ${person} AND u.manager_id = m.id ORDER BY u.id LIMIT $3) AS r
      WHERE m.tenant_id = $1 AND m.status <> 'ENABLED' ORDER BY r.id LIMIT $3)
     ORDER BY id LIMIT $3`,
    [context.tenantId, after, limit],
  );
}
