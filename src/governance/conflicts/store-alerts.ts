/** SQL of the table `conflict_alerts`: reading alerts, exempting them, and ending those of a monitor. What monitors find is store-detect.ts. */
import type { Context } from '../../context.ts';
import { allSql, type Sql, sql } from '../../lib/sql.ts';
import { type Conditions, listConditions } from '../../lib/where.ts';
import { nameAtSql } from '../../foundation/directory/index.ts';
import { containsTextOrIs } from '../../foundation/search/index.ts';
import type { AlertState, Resolution } from './states.ts';
import type { Side } from './store-entitlements.ts';
import { getPrincipalSql } from './store-found.ts';
import { conflictSlot } from './slots.ts';

/** An entitlement in an alert. */
export interface AlertEntitlement {
  readonly appId: string;
  readonly appEntitlementId: string;
  readonly group: Side;
}

/** An alert. */
export interface AlertRow {
  readonly id: string;
  readonly monitorId: string;
  readonly monitorName: string;
  readonly userId: string;
  readonly appId: string;
  readonly accountId: string;
  readonly principalName: string;
  readonly state: AlertState;
  readonly generation: number;
  readonly entitlements: readonly AlertEntitlement[];
  readonly activatedAt: Date;
  readonly resolvedAt: Date | null;
  readonly resolution: Resolution;
  readonly exemptReason: string;
  readonly exemptedById: string;
  readonly exemptedByReviewId: string;
  readonly exemptedAt: Date | null;
  readonly exemptUntil: Date | null;
}

const principalName = `coalesce(nullif(u.display_name, ''), u.email, nullif(a.display_name, ''), a.external_id, '')`;

/** The name of the principal as long as the conflict is there, and the one of then once it is resolved. */
const nameThen = (tenantId: string): Sql =>
  sql`coalesce(${nameAtSql(tenantId, 'c.user_id', 'c.resolved_at')}, nullif(a.display_name, ''), a.external_id, '')`;

const columns = (
  tenantId: string,
): Sql => sql`c.id, c.monitor_id AS "monitorId", m.display_name AS "monitorName", c.user_id AS "userId", c.app_id AS "appId",
  c.account_id AS "accountId", ${nameThen(tenantId)} AS "principalName", c.state, c.generation, c.entitlements, c.activated_at AS "activatedAt",
  c.resolved_at AS "resolvedAt", c.resolution, c.exempt_reason AS "exemptReason", c.exempted_by_id AS "exemptedById",
  c.exempted_by_review_id AS "exemptedByReviewId", c.exempted_at AS "exemptedAt", c.exempt_until AS "exemptUntil"`;

/** Alerts `c` with their monitor and principal. */
const from = (tenantId: string): Sql => sql`FROM conflict_alerts c
  JOIN conflict_monitors m ON m.tenant_id = ${tenantId} AND m.id = c.monitor_id
  LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = c.user_id AND c.user_id <> ''
  LEFT JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = c.app_id AND a.id = c.account_id AND c.account_id <> ''`;

/** Alert search; a member that is undefined filters nothing. */
export interface AlertFilter {
  readonly monitorId?: string | undefined;
  readonly state?: AlertState | undefined;
  readonly userId?: string | undefined;
  /** An app with an entitlement that made the alert. */
  readonly appId?: string | undefined;
  /** Its id, or words of the name of the person, account or monitor. */
  readonly query?: string | undefined;
}

const conditions: Conditions<AlertFilter> = {
  monitorId: (id) => sql`c.monitor_id = ${id}`,
  state: (state) => sql`c.state = ${state}`,
  userId: (id) => sql`c.user_id <> '' AND c.user_id = ${id}`,
  appId: (id) => sql`c.entitlements @> jsonb_build_array(jsonb_build_object('appId', ${id}::text))`,
  query: containsTextOrIs(`concat_ws(' ', m.display_name, ${principalName}, u.email, a.email)`, 'c.id'),
};

/** A page of alerts by id. */
export function listAlerts(context: Context, filter: AlertFilter, after: string, limit: number): Promise<AlertRow[]> {
  const { tenantId } = context;
  const where = [sql`c.tenant_id = ${tenantId} AND c.id > ${after}`, ...listConditions(filter, conditions)];
  return context.db.rows<AlertRow>(sql`SELECT ${columns(tenantId)} ${from(tenantId)} WHERE ${allSql(where)} ORDER BY c.id LIMIT ${limit}`);
}

/** The alert with this id. */
export function findAlert(context: Context, id: string): Promise<AlertRow | undefined> {
  return context.db.maybe<AlertRow>(
    sql`SELECT ${columns(context.tenantId)} ${from(context.tenantId)} WHERE c.tenant_id = ${context.tenantId} AND c.id = ${id}`,
  );
}

/** The same, locked until the transaction ends. */
export function lockAlert(context: Context, id: string): Promise<AlertRow | undefined> {
  return context.db.maybe<AlertRow>(
    sql`SELECT ${columns(context.tenantId)} ${from(context.tenantId)} WHERE c.tenant_id = ${context.tenantId} AND c.id = ${id} FOR UPDATE OF c`,
  );
}

/** A grant that makes an alert. */
export interface ConflictGrantRow {
  readonly appId: string;
  readonly accountId: string;
  readonly entitlementId: string;
  readonly group: Side;
}

/** The grants that make an alert now, the first ones of them. */
export function listAlertGrants(
  context: Context,
  { monitorId, userId, appId, accountId }: AlertRow,
  limit: number,
): Promise<ConflictGrantRow[]> {
  const { tenantId } = context;
  const principal = userId === '' ? sql`a.user_id IS NULL AND a.app_id = ${appId} AND a.id = ${accountId}` : sql`a.user_id = ${userId}`;
  return context.db.rows<ConflictGrantRow>(
    sql`SELECT g.app_id AS "appId", g.account_id AS "accountId", g.entitlement_id AS "entitlementId", s.side AS "group"
      FROM accounts_public a
      JOIN grants_held g ON g.tenant_id = ${tenantId} AND g.app_id = a.app_id AND g.account_id = a.id
      JOIN conflict_entitlements s ON s.tenant_id = ${tenantId} AND s.monitor_id = ${monitorId} AND s.app_id = g.app_id AND s.entitlement_id = g.entitlement_id
      WHERE a.tenant_id = ${tenantId} AND ${principal} AND a.status <> 'DELETED'
      ORDER BY g.app_id, g.account_id, g.entitlement_id LIMIT ${limit}`,
  );
}

/** Reason for exemption, by whom, and until when. */
export interface Exemption {
  readonly reason: string;
  readonly byId: string;
  readonly until: Date | null;
}

/** Exempts an alert, or with null takes the exemption back. The caller has locked it. */
export async function updateExemption(context: Context, id: string, changeId: string, exemption: Exemption | null): Promise<void> {
  const { tenantId, now } = context;
  await context.db.run(
    sql`UPDATE conflict_alerts SET state = ${exemption === null ? 'ACTIVE' : 'EXEMPTED'}, exempt_reason = ${exemption?.reason ?? ''},
        exempted_by_id = ${exemption?.byId ?? ''}, exempted_by_review_id = '', exempted_at = ${exemption === null ? null : now},
        exempt_until = ${exemption?.until ?? null}, change_id = ${changeId}, updated_at = ${now}
      WHERE tenant_id = ${tenantId} AND id = ${id}`,
  );
}

/** Makes active again what was exempted until now, as many as `limit`; how many. */
export function updateEndedExemptions(context: Context, changeId: string, limit: number): Promise<number> {
  const { tenantId, now } = context;
  return context.db.run(
    sql`UPDATE conflict_alerts c SET state = 'ACTIVE', exempt_reason = '', exempted_by_id = '', exempted_by_review_id = '', exempted_at = NULL,
        exempt_until = NULL, change_id = ${changeId}, updated_at = ${now}
      WHERE c.tenant_id = ${tenantId} AND c.state = 'EXEMPTED' AND c.id IN (
        SELECT d.id FROM conflict_alerts d WHERE d.tenant_id = ${tenantId} AND d.exempt_until <= ${now} ORDER BY d.exempt_until, d.id LIMIT ${limit})`,
  );
}

/** Finds the next exemption end; undefined where none does. */
export async function findNextEnd(context: Context): Promise<Date | undefined> {
  const row = await context.db.one<{ at: Date | null }>(
    sql`SELECT min(c.exempt_until) AS at FROM conflict_alerts c WHERE c.tenant_id = ${context.tenantId} AND c.exempt_until IS NOT NULL`,
  );
  return row.at ?? undefined;
}

/** Resolves every alert of a monitor that is not; how many. */
export function updateResolved(
  context: Context,
  monitorId: string,
  changeId: string,
  resolution: Exclude<Resolution, ''>,
): Promise<number> {
  const { tenantId, now } = context;
  return context.db.run(
    sql`UPDATE conflict_alerts SET state = 'RESOLVED', resolution = ${resolution}, resolved_at = ${now}, exempt_until = NULL, change_id = ${changeId},
        updated_at = ${now}
      WHERE tenant_id = ${tenantId} AND monitor_id = ${monitorId} AND state <> 'RESOLVED'`,
  );
}

/** Selects the events of a change: a row for each alert that it brought into this state. */
export function getEventRowsSql({ tenantId }: Context, changeId: string, state: AlertState): Sql {
  return sql`SELECT c.id AS target_id, jsonb_build_object('monitorId', c.monitor_id, 'monitor', m.display_name, 'userId', c.user_id, 'appId', c.app_id,
      'accountId', c.account_id, 'generation', c.generation, 'entitlements', c.entitlements, 'resolution', c.resolution, 'reason', c.exempt_reason,
      'accessReviewId', c.exempted_by_review_id) AS data
    FROM conflict_alerts c JOIN conflict_monitors m ON m.tenant_id = ${tenantId} AND m.id = c.monitor_id
    WHERE c.tenant_id = ${tenantId} AND c.change_id = ${changeId} AND c.state = ${state}`;
}

/** The monitors whose alerts a change made active, with how many; the first ones. */
export function listActivated(context: Context, changeId: string, limit: number): Promise<{ monitorId: string; count: number }[]> {
  return context.db.rows(
    sql`SELECT c.monitor_id AS "monitorId", count(*)::integer AS count FROM conflict_alerts c
      WHERE c.tenant_id = ${context.tenantId} AND c.change_id = ${changeId} AND c.state = 'ACTIVE' GROUP BY c.monitor_id ORDER BY c.monitor_id LIMIT ${limit}`,
  );
}

/**
 * The grants that make active alerts now: `alert_id`, `monitor_id`, `app_id`, `account_id`, `entitlement_id`. In proportion to those alerts, in this
 * order whatever the planner knows: a small company without statistics was joined from its grants, which took a second.
 */
export function getActiveConflictGrantsSql(tenantId: string): Sql {
  const held = (
    accounts: Sql,
  ): Sql => sql`SELECT c.id AS alert_id, c.monitor_id, g.app_id, g.account_id, g.entitlement_id FROM conflict_alerts c
    CROSS JOIN LATERAL (SELECT a.app_id, a.id FROM accounts_public a
      WHERE a.tenant_id = ${tenantId} AND ${accounts} AND a.status <> 'DELETED' OFFSET 0) a
    CROSS JOIN LATERAL (SELECT x.app_id, x.account_id, x.entitlement_id FROM grants_held x
      WHERE x.tenant_id = ${tenantId} AND x.app_id = a.app_id AND x.account_id = a.id OFFSET 0) g
    CROSS JOIN LATERAL (SELECT FROM conflict_entitlements s
      WHERE s.tenant_id = ${tenantId} AND s.monitor_id = c.monitor_id AND s.app_id = g.app_id AND s.entitlement_id = g.entitlement_id LIMIT 1) s
    WHERE c.tenant_id = ${tenantId} AND c.state = 'ACTIVE'`;
  return sql`${held(sql`a.user_id = c.user_id AND c.user_id <> ''`)}
    UNION ALL ${held(sql`a.user_id IS NULL AND c.user_id = '' AND a.app_id = c.app_id AND a.id = c.account_id`)}`;
}

/** A grant by its app, account and entitlement. */
export interface GrantPlace {
  readonly appId: string;
  readonly accountId: string;
  readonly entitlementId: string;
}

/** The monitors of which each of these grants makes an active alert now; grants that make none are left out. */
export function listConflictsOfGrants(
  { db, tenantId }: Context,
  places: readonly GrantPlace[],
): Promise<(GrantPlace & { monitorIds: string[] })[]> {
  const [appIds, accountIds, entitlementIds] = [
    places.map(({ appId }) => appId),
    places.map(({ accountId }) => accountId),
    places.map(({ entitlementId }) => entitlementId),
  ];
  return db.rows(
    sql`SELECT n.app_id AS "appId", n.account_id AS "accountId", n.entitlement_id AS "entitlementId",
        array_agg(DISTINCT c.monitor_id ORDER BY c.monitor_id) AS "monitorIds"
      FROM unnest(${appIds}::text[], ${accountIds}::text[], ${entitlementIds}::text[]) AS n (app_id, account_id, entitlement_id)
      JOIN conflict_entitlements s ON s.tenant_id = ${tenantId} AND s.app_id = n.app_id AND s.entitlement_id = n.entitlement_id
      JOIN grants_held g ON g.tenant_id = ${tenantId} AND g.app_id = n.app_id AND g.entitlement_id = n.entitlement_id AND g.account_id = n.account_id
      JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = n.app_id AND a.id = n.account_id AND a.status <> 'DELETED'
      JOIN conflict_alerts c ON c.tenant_id = ${tenantId} AND c.monitor_id = s.monitor_id AND c.principal = ${getPrincipalSql('a')} AND c.state = 'ACTIVE'
      GROUP BY n.app_id, n.account_id, n.entitlement_id`,
  );
}

/** Exempts the active alerts of which every grant was certified in a review, for this reason; how many. */
export function updateCertified(context: Context, changeId: string, reviewId: string, reason: string): Promise<number> {
  const { tenantId, now } = context;
  return context.db.run(
    sql`UPDATE conflict_alerts c SET state = 'EXEMPTED', exempt_reason = ${reason}, exempted_by_id = '', exempted_by_review_id = ${reviewId},
        exempted_at = ${now}, exempt_until = NULL, change_id = ${changeId}, updated_at = ${now}
      WHERE c.tenant_id = ${tenantId} AND c.state = 'ACTIVE' AND c.id IN (
        SELECT g.alert_id FROM (${getActiveConflictGrantsSql(tenantId)}) g
        GROUP BY g.alert_id HAVING bool_and(${conflictSlot.get().getIsCertified(tenantId, reviewId)}))`,
  );
}
