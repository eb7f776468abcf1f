/**
 * SQL of what one person holds and held in all apps, and what reviews decided about it. Grants are found by the person's accounts; decisions by
 * review and account, which an index knows, so that a page costs in proportion to itself and to the reviews there were.
 */
import { type Sql, sql } from '../../../lib/sql.ts';
import { nameAtSql } from '../../../foundation/directory/index.ts';
import { getReviewJoinSql, type TaskOutcome } from '../task/index.ts';
import type { Context } from '../../../context.ts';

/** A decision of a review about a grant. */
export interface GrantDecisionRow {
  readonly appId: string;
  readonly entitlementId: string;
  readonly accountId: string;
  readonly reviewId: string;
  readonly reviewName: string;
  readonly taskId: string;
  /** OPEN while the review still asks. */
  readonly state: 'OPEN' | 'CLOSED';
  readonly outcome: TaskOutcome;
  readonly decidedAt: Date | null;
  readonly certifyUntil: Date | null;
  readonly decidedById: string | null;
  readonly decidedBy: string | null;
  /** Another person who issued what it was decided through; null for nobody. */
  readonly decidedIssuerId: string | null;
  readonly decidedIssuer: string | null;
}

/** A grant of a person. */
export interface PersonGrantRow {
  readonly appId: string;
  readonly appName: string;
  readonly entitlementId: string;
  readonly entitlement: string;
  readonly description: string;
  readonly resource: string | null;
  readonly riskLevel: string | null;
  readonly accountId: string;
  readonly account: string;
  readonly accountStatus: string;
  readonly addedRevision: number;
  readonly isDerived: boolean;
  readonly paths: readonly (readonly string[])[] | null;
  readonly grantedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly deprovisionAt: Date | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly inConflict: boolean;
}

/** The grants `g` of a person's accounts `a` in apps `p` that are there. */
const heldBy = (tenantId: string, userId: string): Sql => sql`accounts_public a
  JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = a.app_id AND p.deleted_at IS NULL
  JOIN grants_public g ON g.tenant_id = ${tenantId} AND g.app_id = a.app_id AND g.account_id = a.id
  WHERE a.tenant_id = ${tenantId} AND a.user_id = ${userId}`;

/** A page of a person's grants by app, entitlement, account and life, behind the one with this key. */
export function listPersonGrants(
  { db, tenantId }: Context,
  of: { readonly userId: string; readonly includeEnded: boolean; readonly withConflicts: boolean },
  after: readonly string[] | undefined,
  limit: number,
): Promise<PersonGrantRow[]> {
  const behind =
    after === undefined
      ? sql`TRUE`
      : sql`(g.app_id, g.entitlement_id, g.account_id, g.added_revision) > (${after[0]}, ${after[1]}, ${after[2]}, ${Number(after[3])})`;
  const inConflict = of.withConflicts
    ? sql`EXISTS (SELECT FROM monitors_public m JOIN alerts_public x ON x.tenant_id = ${tenantId} AND x.monitor_id = m.id AND x.principal = ${of.userId}
        WHERE m.tenant_id = ${tenantId} AND x.state = 'ACTIVE' AND g."endedAt" IS NULL
          AND x.entitlements @> jsonb_build_array(jsonb_build_object('appId', g."appId", 'appEntitlementId', g."entitlementId")))`
    : sql`FALSE`;
  return db.rows<PersonGrantRow>(
    sql`SELECT g.*, e.display_name AS entitlement, e.description, ${inConflict} AS "inConflict",
      (SELECT q.display_name FROM resources_public q WHERE q.tenant_id = ${tenantId} AND q.app_id = g."appId" AND q.id = e.resource_id) AS resource,
      (SELECT v.value FROM classifications_public v WHERE v.tenant_id = ${tenantId} AND v.id = e.risk_level_value_id) AS "riskLevel"
    FROM (SELECT g.app_id AS "appId", p.display_name AS "appName", g.entitlement_id AS "entitlementId", g.account_id AS "accountId",
        a.external_id AS account, a.status AS "accountStatus", g.added_revision AS "addedRevision", g.is_derived AS "isDerived", g.paths,
        g.granted_at AS "grantedAt", g.last_used_at AS "lastUsedAt", g.deprovision_at AS "deprovisionAt", g.created_at AS "createdAt",
        g.ended_at AS "endedAt"
      FROM ${heldBy(tenantId, of.userId)} AND ${behind} AND ${of.includeEnded ? sql`TRUE` : sql`g.removed_revision IS NULL`}
      ORDER BY g.app_id, g.entitlement_id, g.account_id, g.added_revision LIMIT ${limit}) g
    JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = g."appId" AND e.id = g."entitlementId"
    ORDER BY g."appId", g."entitlementId", g."accountId", g."addedRevision"`,
  );
}

/** Counts of access a person has and had. */
export interface PersonGrantTotals {
  readonly current: number;
  readonly apps: number;
  readonly ended: number;
  readonly accounts: number;
}

/** Counts what a person holds and held; app access is no thing to hold. */
export function countPersonGrants({ db, tenantId }: Context, userId: string): Promise<PersonGrantTotals> {
  return db.one<PersonGrantTotals>(
    sql`SELECT count(*) FILTER (WHERE g.removed_revision IS NULL AND NOT g.is_derived) AS current,
      count(DISTINCT g.app_id) FILTER (WHERE g.removed_revision IS NULL) AS apps,
      count(*) FILTER (WHERE g.removed_revision IS NOT NULL AND NOT g.is_derived) AS ended,
      (SELECT count(*) FROM accounts_public a JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = a.app_id AND p.deleted_at IS NULL
        WHERE a.tenant_id = ${tenantId} AND a.user_id = ${userId} AND a.status <> 'DELETED') AS accounts
    FROM ${heldBy(tenantId, userId)}`,
  );
}

/** Of running reviews too, or of those that have closed alone. */
const inReviews = (tenantId: string, withRunning: boolean): Sql =>
  sql`task_reviews b WHERE b.tenant_id = ${tenantId} AND b.kind = 'CERTIFY' AND b.state = ANY (${withRunning ? ['OPEN', 'CLOSING', 'CLOSED'] : ['CLOSED']})`;

/** Lists what reviews decided on what these accounts hold, and running ones ask; the newest review first. */
export function listGrantDecisions(
  { db, tenantId }: Context,
  accountIds: readonly string[],
  entitlementIds: readonly string[],
  withRunning: boolean,
): Promise<GrantDecisionRow[]> {
  return db.rows<GrantDecisionRow>(
    sql`SELECT t.app_id AS "appId", t.entitlement_id AS "entitlementId", t.account_id AS "accountId", t.review_id AS "reviewId",
      coalesce(r.document ->> 'displayName', '') AS "reviewName", t.id AS "taskId", t.state, t.outcome, t.ended_at AS "decidedAt",
      t.certify_until AS "certifyUntil", t.decided_by_id AS "decidedById",
      ${nameAtSql(tenantId, 't.decided_by_id', 't.ended_at')} AS "decidedBy",
      nullif(t.decided_issuer_id, t.decided_by_id) AS "decidedIssuerId", ${nameAtSql(tenantId, 'nullif(t.decided_issuer_id, t.decided_by_id)', 't.ended_at')} AS "decidedIssuer"
    FROM (SELECT b.id FROM ${inReviews(tenantId, withRunning)}) b
    CROSS JOIN LATERAL (SELECT t.* FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = b.id AND t.account_id = ANY (${accountIds})
      AND t.entitlement_id = ANY (${entitlementIds}) AND (t.state = 'OPEN' OR t.outcome IN ('CERTIFIED', 'DECERTIFIED')) OFFSET 0) t
    ${getReviewJoinSql(tenantId, sql`t.review_id`)}
    ORDER BY t.ended_at DESC NULLS FIRST, t.id DESC`,
  );
}

/** Finds when what a person's accounts hold or held was decided last, in reviews that count; undefined for never. */
export async function findLastDecision({ db, tenantId }: Context, userId: string, withRunning: boolean): Promise<Date | undefined> {
  const found = await db.value<Date | null>(
    sql`SELECT max(t.ended_at) AS at FROM (SELECT b.id FROM ${inReviews(tenantId, withRunning)}) b
    CROSS JOIN LATERAL (SELECT t.ended_at, t.outcome FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = b.id
      AND t.account_id = ANY (ARRAY(SELECT a.id FROM accounts_public a WHERE a.tenant_id = ${tenantId} AND a.user_id = ${userId})) OFFSET 0) t
    WHERE t.outcome IN ('CERTIFIED', 'DECERTIFIED')`,
  );
  return found ?? undefined;
}
