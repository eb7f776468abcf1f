/**
 * SQL of what running reviews ask of somebody: the tasks of their reviewer sets, counted by review and reason, and those of the people in whose place
 * they decide. It reads in proportion to these tasks.
 */
import type { AskedReasonCount } from '../../../gen/countersign/v1/my_reviews_pb.js';
import type { Row } from '../../../wire/row.ts';
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getDelegatorsSql } from '../../../foundation/directory/index.ts';
import { getIsOwnAccessSql, getMayDecideSql } from '../../tasks/index.ts';
import type { ReviewSettings } from '../record/index.ts';

/** Counts of tasks: all, open, and open with a staged decision. */
export interface AskedCounts {
  readonly total: number;
  readonly open: number;
  readonly staged: number;
}

/** Tasks that ask somebody for one reason. */
export interface ReasonCounts extends AskedCounts {
  readonly reason: NonNullable<Row<AskedReasonCount>['reason']>;
}

/** Tasks that somebody may decide in another person's place, each in that of one. */
export interface PlaceCounts extends AskedCounts {
  readonly userId: string;
  readonly displayName: string;
  /** End of the delegation, as the database writes it; null for one without an end. */
  readonly until: string | null;
}

/** A running review that asks somebody. */
export interface AskedReviewRow {
  readonly id: string;
  readonly document: ReviewSettings;
  readonly dueAt: Date | null;
  readonly startedAt: Date | null;
  readonly owners: readonly { readonly userId: string; readonly displayName: string }[];
  readonly reasons: readonly ReasonCounts[];
  readonly places: readonly PlaceCounts[];
  /** The app of all tasks that ask them; empty for several or none. */
  readonly appId: string;
  readonly appName: string;
  readonly requiresApprovalReason: boolean;
  readonly requiresDenialReason: boolean;
}

/** Somebody is asked by fewer running reviews than this at a time. */
const maxReviews = 1_000;

/** The running reviews that ask the caller, or one of these people in whose place they decide: the next due first, those without a due date last. */
export function listAskedRunning({ db, tenantId, actor, now }: Context, userIds: readonly string[]): Promise<AskedReviewRow[]> {
  const me = actor.userId;
  return db.rows<AskedReviewRow>(
    sql`WITH sets AS MATERIALIZED (
      SELECT m.review_id, m.assignment_id, bool_or(m.user_id = ${me}) AS is_own, 
        (array_agg(m.user_id ORDER BY array_position(${userIds}::text[], m.user_id)))[1] AS place_id
      FROM assignees_public m JOIN task_reviews_public b ON b.tenant_id = ${tenantId} AND b.id = m.review_id AND b.state = 'OPEN' AND b.kind = 'CERTIFY'
      WHERE m.tenant_id = ${tenantId} AND m.user_id = ANY (${userIds}) GROUP BY m.review_id, m.assignment_id),
    staged AS MATERIALIZED (
      SELECT t.assignment_id, t.route_no, t.step, count(*) AS n
      FROM pending_decisions p JOIN tasks_public t ON t.tenant_id = ${tenantId} AND t.id = p.task_id AND t.state = 'OPEN'
      JOIN sets s ON s.assignment_id = t.assignment_id
      WHERE p.tenant_id = ${tenantId} AND p.user_id = ${me} AND ${getMayDecideSql(tenantId, actor, sql`s.is_own`)} GROUP BY t.assignment_id, t.route_no, t.step),
    own AS (
      SELECT s.review_id, a.reason, sum(c.total) AS total, sum(c.open) AS open, min(c.first_app) AS first_app, max(c.last_app) AS last_app,
        sum((SELECT coalesce(sum(d.n), 0) FROM staged d WHERE d.assignment_id = s.assignment_id)) AS staged
      FROM sets s JOIN assignments_public a ON a.tenant_id = ${tenantId} AND a.id = s.assignment_id
      CROSS JOIN LATERAL (
        SELECT count(*) AS total, count(*) FILTER (WHERE t.state = 'OPEN') AS open, min(t.app_id) AS first_app, max(t.app_id) AS last_app
        FROM tasks_public t WHERE t.tenant_id = ${tenantId} AND t.assignment_id = s.assignment_id AND ${getMayDecideSql(tenantId, actor, sql`TRUE`)}) c
      WHERE s.is_own AND c.total > 0 GROUP BY s.review_id, a.reason),
    place AS (
      SELECT s.review_id, s.place_id AS user_id, sum(c.total) AS total, sum(c.open) AS open, sum(c.staged) AS staged
      FROM sets s CROSS JOIN LATERAL (
        SELECT coalesce(sum(t.total), 0) AS total, coalesce(sum(t.open), 0) AS open, coalesce(sum((
            SELECT coalesce(sum(d.n), 0) FROM staged d WHERE d.assignment_id = s.assignment_id AND d.route_no = t.route_no AND d.step = t.step)), 0) AS staged
        FROM (
          SELECT t.route_no, t.step, count(*) AS total, count(*) FILTER (WHERE t.state = 'OPEN') AS open
          FROM tasks_public t WHERE t.tenant_id = ${tenantId} AND t.assignment_id = s.assignment_id AND NOT ${getIsOwnAccessSql(actor)} GROUP BY t.route_no, t.step) t
        WHERE EXISTS (SELECT FROM routes_public p WHERE p.tenant_id = ${tenantId} AND p.review_id = s.review_id AND p.route_no = t.route_no
          AND p.document -> 'policySteps' -> 'certify' -> 'steps' -> t.step::int -> 'approval' ->> 'allowDelegation' = 'true')) c
      WHERE NOT s.is_own AND c.total > 0 GROUP BY s.review_id, s.place_id),
    reasons AS (
      SELECT o.review_id, min(o.first_app) AS first_app, max(o.last_app) AS last_app, json_agg(json_build_object('reason', o.reason, 'total', o.total,
        'open', o.open, 'staged', o.staged) ORDER BY o.total DESC, o.reason) AS list FROM own o GROUP BY o.review_id),
    places AS (
      SELECT p.review_id, json_agg(json_build_object('userId', p.user_id, 'displayName', coalesce(nullif(u.display_name, ''), u.email), 'until', d.until,
        'total', p.total, 'open', p.open, 'staged', p.staged) ORDER BY u.display_name, p.user_id) AS list
      FROM place p JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = p.user_id
      LEFT JOIN ${getDelegatorsSql(sql`${tenantId}`, sql`${me}`, now)} d ON d.user_id = p.user_id GROUP BY p.review_id)
    SELECT r.id, r.document, w.due_at AS "dueAt", r.started_at AS "startedAt", coalesce(n.list, '[]') AS reasons, coalesce(l.list, '[]') AS places,
      CASE WHEN n.first_app = n.last_app THEN n.first_app ELSE '' END AS "appId",
      coalesce((SELECT x.display_name FROM apps_public x WHERE x.tenant_id = ${tenantId} AND x.id = n.first_app AND n.first_app = n.last_app), '') AS "appName",
      coalesce((SELECT json_agg(json_build_object('userId', u.id, 'displayName', coalesce(nullif(u.display_name, ''), u.email)) ORDER BY o.created_at, u.id)
        FROM review_owners o JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = o.user_id
        WHERE o.tenant_id = ${tenantId} AND o.review_id = r.id), '[]') AS owners,
      EXISTS (SELECT FROM routes_public p WHERE p.tenant_id = ${tenantId} AND p.review_id = r.id
        AND jsonb_path_exists(p.document, '$.policySteps.certify.steps[*].approval ? (@.requireApprovalReason == true)')) AS "requiresApprovalReason",
      EXISTS (SELECT FROM routes_public p WHERE p.tenant_id = ${tenantId} AND p.review_id = r.id
        AND jsonb_path_exists(p.document, '$.policySteps.certify.steps[*].approval ? (@.requireDenialReason == true)')) AS "requiresDenialReason"
    FROM (SELECT DISTINCT s.review_id AS id FROM sets s) i
    JOIN reviews r ON r.tenant_id = ${tenantId} AND r.id = i.id AND r.state = 'OPEN'
    CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', nullif(r.document ->> 'completionDate', '')::timestamptz) AS due_at) w
    LEFT JOIN reasons n ON n.review_id = r.id LEFT JOIN places l ON l.review_id = r.id
    WHERE n.review_id IS NOT NULL OR l.review_id IS NOT NULL
    ORDER BY w.due_at NULLS LAST, r.id LIMIT ${maxReviews}`,
  );
}

/** A closed review as it is listed. */
export interface LastReviewRow {
  readonly id: string;
  readonly displayName: string;
  readonly closedAt: Date;
}

/** The review that closed last of those in which the caller was asked about something; undefined for none. */
export function findLastAsked({ db, tenantId, actor }: Context): Promise<LastReviewRow | undefined> {
  return db.maybe<LastReviewRow>(
    sql`SELECT r.id, coalesce(r.document ->> 'displayName', '') AS "displayName", r.closed_at AS "closedAt"
    FROM (SELECT m.review_id, array_agg(m.assignment_id) AS ids FROM assignees_public m
      WHERE m.tenant_id = ${tenantId} AND m.user_id = ${actor.userId} GROUP BY m.review_id) s
    JOIN reviews r ON r.tenant_id = ${tenantId} AND r.id = s.review_id AND r.state = 'CLOSED' AND r.closed_at IS NOT NULL
    WHERE EXISTS (SELECT FROM unnest(s.ids) AS m (id) CROSS JOIN LATERAL (
      SELECT FROM tasks_public t WHERE t.tenant_id = ${tenantId} AND t.assignment_id = m.id LIMIT 1) t)
    ORDER BY r.closed_at DESC, r.id LIMIT 1`,
  );
}
