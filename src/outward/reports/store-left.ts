/** SQL of what reviews leave out, and of items that no person decided. */
import type { Context } from '../../context.ts';
import { accountNameSql, ownerNameSql } from './items/index.ts';
import { fixed, sql } from '../../lib/sql.ts';
import type { EndReason, TaskOutcome } from '../../governance/tasks/index.ts';

/** Place of an exclusion in their order. */
export interface ExclusionKey {
  readonly kind: 'ACCOUNT' | 'ENTITLEMENT';
  readonly appId: string;
  readonly id: string;
}

/** An account or an entitlement that was left out; what it is not has an empty name. */
export interface ExclusionRow extends ExclusionKey {
  readonly appName: string;
  readonly account: string;
  readonly owner: string;
  /** Its id; '' for none. */
  readonly ownerId: string;
  readonly entitlement: string;
  /** The first filter that left it out (`snapshot_accounts.excluded_by`). */
  readonly reason: string;
}

/** A page of what a review left out, accounts before entitlements; read along the keys of the snapshot. */
export function listExclusions(
  context: Context,
  reviewId: string,
  after: ExclusionKey | undefined,
  limit: number,
): Promise<ExclusionRow[]> {
  const { tenantId } = context;
  const { kind, appId, id } = after ?? { kind: 'ACCOUNT', appId: '', id: '' };
  const isBehindAccounts = kind === 'ENTITLEMENT';
  const entitlementKey = isBehindAccounts ? { appId, id } : { appId: '', id: '' };
  return context.db.rows<ExclusionRow>(
    sql`SELECT x.*, coalesce(p.display_name, x."appId") AS "appName" FROM (
      (SELECT 'ACCOUNT' AS kind, a.app_id AS "appId", a.account_id AS id, ${fixed(accountNameSql)} AS account,
          coalesce(nullif(${fixed(ownerNameSql)}, ''), a.user_email) AS owner, coalesce(a.user_id, '') AS "ownerId", '' AS entitlement, a.excluded_by AS reason
        FROM snapshot_accounts a WHERE a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.excluded_by <> '' AND NOT ${isBehindAccounts}
          AND (a.app_id, a.account_id) > (${appId}, ${id}) ORDER BY a.app_id, a.account_id LIMIT ${limit})
      UNION ALL
      (SELECT 'ENTITLEMENT', e.app_id, e.entitlement_id, '', '', '', e.display_name, 'EXCLUDED_BY_LIST'
        FROM snapshot_entitlements e WHERE e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.is_excluded AND NOT e.is_carrier
          AND (e.app_id, e.entitlement_id) > (${entitlementKey.appId}, ${entitlementKey.id}) ORDER BY e.app_id, e.entitlement_id LIMIT ${limit})
      ) x LEFT JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = x."appId"
      ORDER BY x.kind, x."appId", x.id LIMIT ${limit}`,
  );
}

/** Counts what a review froze. */
export interface FrozenCounts {
  readonly apps: number;
  readonly entitlements: number;
  readonly entitlementsLeftOut: number;
  readonly accounts: number;
  readonly accountsLeftOut: number;
}

/** Counts the accounts and entitlements of a snapshot, those that carry access to others apart. */
export function countFrozen({ db, tenantId }: Context, reviewId: string): Promise<FrozenCounts> {
  return db.one<FrozenCounts>(
    sql`SELECT e.*, a.* FROM (
        SELECT count(DISTINCT e.app_id) AS apps, count(*) FILTER (WHERE NOT e.is_excluded) AS entitlements,
          count(*) FILTER (WHERE e.is_excluded) AS "entitlementsLeftOut"
        FROM snapshot_entitlements e WHERE e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND NOT e.is_carrier) e,
      (SELECT count(*) FILTER (WHERE a.excluded_by = '') AS accounts, count(*) FILTER (WHERE a.excluded_by <> '') AS "accountsLeftOut"
        FROM snapshot_accounts a WHERE a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.principal_kind = 'A') a`,
  );
}

/** Counts what a review left out. */
export function countExclusions({ db, tenantId }: Context, reviewId: string): Promise<number> {
  return db.value<number>(
    sql`SELECT (SELECT count(*) FROM snapshot_accounts a WHERE a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.excluded_by <> '')
      + (SELECT count(*) FROM snapshot_entitlements e WHERE e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.is_excluded AND NOT e.is_carrier)
      AS count`,
  );
}

/** An item that no person decided. */
export interface ExceptionRow {
  readonly taskId: string;
  readonly number: number;
  readonly account: string;
  readonly appName: string;
  readonly entitlement: string;
  readonly state: 'OPEN' | 'CLOSED';
  readonly outcome: TaskOutcome;
  readonly endReason: EndReason;
}

/** The condition that no person decided the task `t`. */
const isException = sql`(t.state = 'OPEN' OR t.end_reason <> 'DECIDED' OR t.decided_by_id IS NULL)`;

/** A page of the items that no person decided, in the order of their tasks. */
export function listExceptions({ db, tenantId }: Context, reviewId: string, after: string, limit: number): Promise<ExceptionRow[]> {
  return db.rows<ExceptionRow>(
    sql`SELECT t.id AS "taskId", t.numeric_id AS number, ${fixed(accountNameSql)} AS account, coalesce(e.app_display_name, '') AS "appName",
        coalesce(e.display_name, '') AS entitlement, t.state, t.outcome, t.end_reason AS "endReason"
      FROM (SELECT * FROM tasks_public t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.id > ${after} AND ${isException}
        ORDER BY t.id LIMIT ${limit}) t
      LEFT JOIN snapshot_accounts a ON a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.app_id = t.app_id AND a.account_id = t.account_id
      LEFT JOIN snapshot_entitlements e
        ON e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id
      ORDER BY t.id`,
  );
}

/** Counts them. */
export function countExceptions({ db, tenantId }: Context, reviewId: string): Promise<number> {
  return db.value<number>(
    sql`SELECT count(*) AS count FROM tasks_public t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND ${isException}`,
  );
}
