/**
 * SQL of what came of somebody's own decisions: the removals of what they denied, by review, and what they certified until a date to come. Each is
 * read by whose decision it was.
 */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { type MyOutcome, getStates } from './store-states.ts';
import { getNamedSql, type RevocationRow } from './store.ts';
import { revocationSlot } from './slots.ts';

/** Numbers of removals by what became of them. */
export type OutcomeCounts = Readonly<Record<'total' | 'held' | 'open' | 'stillThere' | 'gone' | 'kept' | 'withdrawn', number>>;

/** The caller's denials in one review, counted; `all` of those in every review. */
export interface OutcomeRow {
  readonly reviewId: string;
  readonly displayName: string;
  readonly closedAt: Date | null;
  readonly counts: OutcomeCounts;
  readonly all: OutcomeCounts;
  readonly firstGoneAt: Date | null;
  readonly lastGoneAt: Date | null;
  readonly lastChangedAt: Date;
  /** The three that changed last, those still there first. */
  readonly latestIds: readonly string[];
}

/** The removals `r` of what the caller denied, in reviews that were not deleted. */
function getDenied({ tenantId, actor }: Context): Sql {
  return sql`r.tenant_id = ${tenantId} AND r.denied_by_id = ${actor.userId} AND r.denied_by_id <> '' AND NOT EXISTS (
    SELECT FROM task_reviews_public b WHERE b.tenant_id = ${tenantId} AND b.id = r.review_id AND b.state = 'CANCELLED')`;
}

const inOutcome = (outcome: MyOutcome): Sql => sql`r.state = ANY (${getStates(outcome)})`;

/** The reviews in which the caller denied access, the one with the latest change first, behind one by its latest change and id. */
export function listOutcomes(context: Context, after: readonly string[] | undefined, limit: number): Promise<OutcomeRow[]> {
  const { db, tenantId } = context;
  const behind = after === undefined ? sql`TRUE` : sql`(n.last_changed_at, n.review_id) < (${after[0]}::timestamptz, ${after[1]})`;
  const counts = (of: (column: string) => string): Sql =>
    fixed(`json_build_object('total', ${of('total')}, 'held', ${of('held')}, 'open', ${of('open')}, 'stillThere', ${of('still_there')},
      'gone', ${of('gone')}, 'kept', ${of('kept')}, 'withdrawn', ${of('withdrawn')})`);
  const one = counts((column) => `n.${column}`);
  const all = counts((column) => `sum(n.${column}) OVER ()`);
  return db.rows<OutcomeRow>(
    sql`SELECT n.review_id AS "reviewId", coalesce(v.document ->> 'displayName', '') AS "displayName", v.closed_at AS "closedAt", n.counts, n.all,
      n.first_gone_at AS "firstGoneAt", n.last_gone_at AS "lastGoneAt", n.last_changed_at AS "lastChangedAt",
      ARRAY(SELECT r.id FROM revocations r WHERE ${getDenied(context)} AND r.review_id = n.review_id
        ORDER BY ${inOutcome('STILL_THERE')} DESC, r.state_at DESC, r.id DESC LIMIT 3) AS "latestIds"
    FROM (
      SELECT n.*, ${one} AS counts, ${all} AS all FROM (
        SELECT r.review_id, count(*) AS total, count(*) FILTER (WHERE ${inOutcome('HELD')}) AS held,
          count(*) FILTER (WHERE ${inOutcome('OPEN')}) AS open, count(*) FILTER (WHERE ${inOutcome('STILL_THERE')}) AS still_there,
          count(*) FILTER (WHERE ${inOutcome('GONE')}) AS gone, count(*) FILTER (WHERE ${inOutcome('KEPT')}) AS kept,
          count(*) FILTER (WHERE ${inOutcome('WITHDRAWN')}) AS withdrawn, min(r.state_at) FILTER (WHERE ${inOutcome('GONE')}) AS first_gone_at,
          max(r.state_at) FILTER (WHERE ${inOutcome('GONE')}) AS last_gone_at, max(r.state_at) AS last_changed_at
        FROM revocations r WHERE ${getDenied(context)} GROUP BY r.review_id) n) n
    LEFT JOIN ${fixed(revocationSlot.get().reviews)} v ON v.tenant_id = ${tenantId} AND v.id = n.review_id
    WHERE ${behind} ORDER BY n.last_changed_at DESC, n.review_id DESC LIMIT ${limit}`,
  );
}

/** These removals of what the caller denied. */
export function listDeniedByIds(context: Context, ids: readonly string[]): Promise<RevocationRow[]> {
  return context.db.rows<RevocationRow>(
    getNamedSql(context, sql`SELECT r.* FROM revocations r WHERE ${getDenied(context)} AND r.id = ANY (${ids})`),
  );
}

/** A page of the removals of what the caller denied, the latest change first, behind one by its change and id; of a review or an outcome alone. */
export function listDenied(
  context: Context,
  { reviewId, outcome }: { readonly reviewId: string | undefined; readonly outcome: MyOutcome | undefined },
  after: readonly string[] | undefined,
  limit: number,
): Promise<RevocationRow[]> {
  const behind = after === undefined ? sql`TRUE` : sql`(r.state_at, r.id) < (${after[0]}::timestamptz, ${after[1]})`;
  const page = sql`SELECT r.* FROM revocations r WHERE ${getDenied(context)} AND ${behind}
    AND ${reviewId === undefined ? sql`TRUE` : sql`r.review_id = ${reviewId}`} AND ${outcome === undefined ? sql`TRUE` : inOutcome(outcome)}
    ORDER BY r.state_at DESC, r.id DESC LIMIT ${limit}`;
  return context.db.rows<RevocationRow>(sql`${getNamedSql(context, page)} ORDER BY r.state_at DESC, r.id DESC`);
}

/** Access that somebody certified until a date, as the snapshot of its review has it. */
export interface CertifiedUntilRow {
  readonly taskId: string;
  readonly reviewId: string;
  readonly certifyUntil: Date;
  readonly appId: string;
  readonly appName: string;
  readonly entitlementId: string;
  readonly entitlement: string;
  readonly resource: string;
  readonly account: string;
  readonly userId: string | null;
  readonly person: string;
}

/** The items `t` that the caller certified until a date to come, whose access is there. */
function getCertified({ tenantId, actor, now }: Context): Sql {
  return sql`t.tenant_id = ${tenantId} AND t.decided_by_id = ${actor.userId} AND t.certify_until > ${now} AND t.outcome = 'CERTIFIED'
    AND NOT EXISTS (SELECT FROM task_reviews_public b WHERE b.tenant_id = ${tenantId} AND b.id = t.review_id AND b.state = 'CANCELLED')
    AND (t.principal_kind = 'R' OR EXISTS (SELECT FROM grants_held g WHERE g.tenant_id = ${tenantId} AND g.app_id = t.app_id
      AND g.entitlement_id = t.entitlement_id AND g.account_id = t.account_id OFFSET 0))`;
}

/** Counts what the caller certified until a date to come. */
export function countCertifiedUntil(context: Context): Promise<number> {
  return context.db.value<number>(sql`SELECT count(*) AS count FROM tasks_public t WHERE ${getCertified(context)}`);
}

/** A page of it, the next date first, behind one by its date and id. */
export function listCertifiedUntil(context: Context, after: readonly string[] | undefined, limit: number): Promise<CertifiedUntilRow[]> {
  const { db, tenantId } = context;
  const behind = after === undefined ? sql`TRUE` : sql`(t.certify_until, t.id) > (${after[0]}::timestamptz, ${after[1]})`;
  return db.rows<CertifiedUntilRow>(
    sql`SELECT t.id AS "taskId", t.review_id AS "reviewId", t.certify_until AS "certifyUntil", t.app_id AS "appId",
      e.app_display_name AS "appName", t.entitlement_id AS "entitlementId", e.display_name AS entitlement, e.resource_display_name AS resource,
      a.external_id AS account, t.user_id AS "userId", coalesce(nullif(a.user_display_name, ''), a.user_email) AS person
    FROM (SELECT t.* FROM tasks_public t WHERE ${getCertified(context)} AND ${behind} ORDER BY t.certify_until, t.id LIMIT ${limit}) t
    JOIN snapshot_accounts a ON a.tenant_id = ${tenantId} AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
    JOIN snapshot_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id
    ORDER BY t.certify_until, t.id`,
  );
}
