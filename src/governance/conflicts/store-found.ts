/**
 * Pieces of SQL that say who is in conflict now: what monitors look for, who holds any of it, and who holds what they forbid. A principal is a
 * person over all their accounts, or an account without owner by itself. store-detect.ts makes alerts of it.
 */
import type { Context } from '../../context.ts';
import { empty, fixed, type Sql, sql } from '../../lib/sql.ts';

/**
 * For a look at everybody: one pass over what is held, and hash tables in memory. The planner knows nothing of what is found on the way, and would
 * loop over all that is held once for each conflict.
 */
export const wholeSettings = `SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off;
  SET LOCAL enable_sort = off; SET LOCAL jit = off; SET LOCAL work_mem = '64MB'`;

/** Back to what other statements of the transaction expect. */
export const usualSettings = `SET LOCAL plan_cache_mode TO DEFAULT; SET LOCAL enable_nestloop TO DEFAULT; SET LOCAL enable_mergejoin TO DEFAULT;
  SET LOCAL enable_sort TO DEFAULT; SET LOCAL jit TO DEFAULT; SET LOCAL work_mem TO DEFAULT`;

/** The principal of an account of this alias: its owner, or itself. */
export function getPrincipalSql(alias: string): Sql {
  return fixed(`coalesce(${alias}.user_id, ${alias}.app_id || '/' || ${alias}.id)`);
}

/**
 * Finds what monitors look for: `monitor_id`, `app_id`, `entitlement_id`, `side`, `negate_group_b`. Entitlements of deleted apps are held by
 * nobody.
 */
function getSides(tenantId: string, monitorIds: readonly string[]): Sql {
  return sql`SELECT s.monitor_id, s.app_id, s.entitlement_id, s.side, m.negate_group_b
    FROM conflict_monitors m
    JOIN conflict_entitlements s ON s.tenant_id = ${tenantId} AND s.monitor_id = m.id
    JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = s.app_id AND p.deleted_at IS NULL
    WHERE m.tenant_id = ${tenantId} AND m.id = ANY (${[...monitorIds]})`;
}

/** Finds what anybody's accounts hold of `sides`: `principal`, `app_id`, `account_id`, `entitlement_id`. Reads `sides`. */
function getHeldSql(tenantId: string): Sql {
  return sql`SELECT ${getPrincipalSql('a')} AS principal, g.app_id, g.account_id, g.entitlement_id
    FROM (SELECT DISTINCT s.app_id, s.entitlement_id FROM sides s) r
    JOIN grants_held g ON g.tenant_id = ${tenantId} AND g.app_id = r.app_id AND g.entitlement_id = r.entitlement_id
    JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = g.app_id AND a.id = g.account_id AND a.status <> 'DELETED'`;
}

/** The same for some principals, in proportion to what those hold: `touched` has `principal`. */
function getHeldByTouched(tenantId: string): Sql {
  const held = (accounts: Sql): Sql => sql`SELECT t.principal, g.app_id, g.account_id, g.entitlement_id
    FROM touched t
    JOIN accounts_public a ON a.tenant_id = ${tenantId} AND ${accounts} AND a.status <> 'DELETED'
    CROSS JOIN LATERAL (SELECT x.app_id, x.account_id, x.entitlement_id FROM grants_held x
      WHERE x.tenant_id = ${tenantId} AND x.app_id = a.app_id AND x.account_id = a.id) g
    JOIN (SELECT DISTINCT s.app_id, s.entitlement_id FROM sides s) r ON r.app_id = g.app_id AND r.entitlement_id = g.entitlement_id`;
  return sql`${held(sql`a.user_id = t.principal`)}
    UNION ALL
    ${held(sql`a.user_id IS NULL AND a.app_id = split_part(t.principal, '/', 1) AND a.id = split_part(t.principal, '/', 2)`)}`;
}

/** Finds conflicts: `monitor_id`, `principal`. Reads `sides` and `held`. */
const getFoundSql = (): Sql => sql`SELECT s.monitor_id, h.principal FROM held h
  JOIN sides s ON s.app_id = h.app_id AND s.entitlement_id = h.entitlement_id
  GROUP BY s.monitor_id, h.principal
  HAVING bool_or(s.side = 'A') AND bool_or(s.side = 'B') <> bool_or(s.negate_group_b)`;

/** Finds what is held, by monitor: `monitor_id`, `principal`, `app_id`, `account_id`, `entitlement_id`, `side`. Reads `sides` and `held`. */
export const getMatchedSql = (): Sql => sql`SELECT s.monitor_id, h.principal, h.app_id, h.account_id, h.entitlement_id, s.side
  FROM held h JOIN sides s ON s.app_id = h.app_id AND s.entitlement_id = h.entitlement_id`;

/** The CTEs `sides`, `held` and `found` of these monitors; with `touched`, which selects `principal`, of those principals alone. */
export function getFoundTablesSql(tenantId: string, monitorIds: readonly string[], touched?: Sql): Sql {
  return sql`sides AS MATERIALIZED (${getSides(tenantId, monitorIds)}),
    ${touched === undefined ? empty : sql`touched AS MATERIALIZED (${touched}),`}
    held AS MATERIALIZED (${touched === undefined ? getHeldSql(tenantId) : getHeldByTouched(tenantId)}),
    found AS MATERIALIZED (${getFoundSql()})`;
}

/**
 * The grants that make conflicts of these monitors now, whatever alerts say, but for those that are exempted at this moment: `monitor_id`,
 * `app_id`, `account_id`, `entitlement_id`.
 */
export function getDetectedGrantsSql({ tenantId, now }: Context, monitorIds: readonly string[]): Sql {
  return sql`WITH ${getFoundTablesSql(tenantId, monitorIds)}
    SELECT w.monitor_id, w.app_id, w.account_id, w.entitlement_id
    FROM found f JOIN (${getMatchedSql()} OFFSET 0) w ON w.monitor_id = f.monitor_id AND w.principal = f.principal
    WHERE NOT EXISTS (SELECT FROM conflict_alerts c WHERE c.tenant_id = ${tenantId} AND c.monitor_id = f.monitor_id AND c.principal = f.principal
      AND c.state = 'EXEMPTED' AND (c.exempt_until IS NULL OR c.exempt_until > ${now}))`;
}

/** The principals whose access or accounts changed after one revision and up to another, as far as `sides` looks at it. */
export function getTouchedSql(tenantId: string, after: number, until: number): Sql {
  const changed = (column: 'added_revision' | 'removed_revision'): Sql => sql`SELECT g.app_id, g.account_id AS id FROM grants_public g
    JOIN sides s ON s.app_id = g.app_id AND s.entitlement_id = g.entitlement_id
    WHERE g.tenant_id = ${tenantId} AND g.${fixed(column)} > ${after} AND g.${fixed(column)} <= ${until}`;
  const said = sql`SELECT x.app_id, x.account_id AS id, x.before ->> 'userId' AS user_id FROM revisions_public v
    JOIN account_changes_public x ON x.tenant_id = ${tenantId} AND x.app_id = v.app_id AND x.revision = v.revision
    WHERE v.tenant_id = ${tenantId} AND v.revision > ${after} AND v.revision <= ${until} AND v.app_id IN (SELECT s.app_id FROM sides s)`;
  return sql`SELECT ${getPrincipalSql('a')} AS principal
    FROM (${changed('added_revision')} UNION ${changed('removed_revision')} UNION SELECT y.app_id, y.id FROM (${said}) y) c
    JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = c.app_id AND a.id = c.id
    UNION SELECT coalesce(b.user_id, b.app_id || '/' || b.id) FROM (${said}) b
    UNION SELECT d.app_id || '/' || d.id FROM (${said}) d`;
}
