/**
 * SQL that hands open tasks on from people who can no longer be asked: which sets they are in, where their tasks stand, and moving these.
 */
import { type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { newIdPrefix } from '../../wire/ids.ts';
import { getEligible } from './store-eligible.ts';
import type { ActionData } from './task.ts';

/** A reviewer set of a review with somebody in it who can no longer be asked. */
export interface StaleAssignment {
  readonly id: string;
  readonly enabledIds: readonly string[];
  readonly disabledIds: readonly string[];
}

/** What the tasks of a batch are for: a review, or removals. */
export type BatchKind = 'CERTIFY' | 'REVOKE';

/** The next open batch of this kind behind this id that has open tasks with somebody who can no longer be asked; that of a review has its id. */
export async function findStaleBatch({ db, tenantId }: Context, kind: BatchKind, behind: string): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(
    sql`SELECT b.id FROM task_reviews b WHERE b.tenant_id = ${tenantId} AND b.kind = ${kind} AND b.id > ${behind} AND b.state = 'OPEN' AND EXISTS (
       SELECT FROM task_assignments s
       JOIN task_assignment_members m ON m.tenant_id = ${tenantId} AND m.assignment_id = s.id
       JOIN users d ON d.tenant_id = ${tenantId} AND d.id = m.user_id AND NOT ${getEligible('d')}
       WHERE s.tenant_id = ${tenantId} AND s.review_id = b.id
         AND EXISTS (SELECT FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.assignment_id = s.id AND t.state = 'OPEN'))
     ORDER BY b.id LIMIT 1`,
  );
  return row?.id;
}

/** Sets of a batch that open tasks still use and in which somebody can no longer be asked. */
export function listStaleAssignments({ db, tenantId }: Context, reviewId: string): Promise<StaleAssignment[]> {
  return db.rows<StaleAssignment>(
    sql`SELECT s.id, ARRAY(SELECT u.id FROM users u WHERE u.tenant_id = ${tenantId} AND u.id = ANY (s.user_ids) AND ${getEligible('u')} ORDER BY u.id) AS "enabledIds",
       array_agg(d.id ORDER BY d.id) AS "disabledIds"
     FROM task_assignments s
     JOIN task_assignment_members m ON m.tenant_id = ${tenantId} AND m.assignment_id = s.id
     JOIN users d ON d.tenant_id = ${tenantId} AND d.id = m.user_id AND NOT ${getEligible('d')}
     WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId}
       AND EXISTS (SELECT FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.assignment_id = s.id AND t.state = 'OPEN')
     GROUP BY s.id, s.user_ids ORDER BY s.id`,
  );
}

/** Where open tasks of a set stand: what decides whom they fall back to. */
export interface StalePlace {
  readonly routeNo: number;
  readonly step: number;
  readonly appId: string;
}

/** Where the open tasks of a set stand. */
export function listStalePlaces({ db, tenantId }: Context, assignmentId: string): Promise<StalePlace[]> {
  return db.rows<StalePlace>(
    sql`SELECT DISTINCT t.route_no AS "routeNo", t.step, t.app_id AS "appId" FROM tasks t
      WHERE t.tenant_id = ${tenantId} AND t.assignment_id = ${assignmentId} AND t.state = 'OPEN' ORDER BY 1, 2, 3`,
  );
}

/** The people reviewed in open tasks of a set who are among these. */
export async function listOwnReviewers({ db, tenantId }: Context, assignmentId: string, userIds: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    sql`SELECT DISTINCT t.user_id AS id FROM tasks t
      WHERE t.tenant_id = ${tenantId} AND t.assignment_id = ${assignmentId} AND t.state = 'OPEN' AND t.user_id = ANY (${userIds}) ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
}

/** Which of the open tasks of a set are moved. */
export interface Moved {
  readonly toId: string;
  readonly toUserIds: readonly string[];
  /** Those that stand here; undefined for all. */
  readonly place?: StalePlace | undefined;
  /** Those about this person; undefined for those about nobody of the new set. */
  readonly subjectId?: string | undefined;
  /** Those that nobody of the new set has approved already. */
  readonly distinct?: boolean | undefined;
}

/** Hands open tasks of one set to another, and says so in the history of each. How many were handed over. */
export async function updateAssignment(context: Context, from: StaleAssignment, to: Moved): Promise<number> {
  const { tenantId, now } = context;
  const { toId, toUserIds, place, subjectId } = to;
  const data: ActionData = { assignmentId: from.id, newUserIds: toUserIds, disabledUserIds: from.disabledIds };
  const here: Sql =
    place === undefined ? sql`TRUE` : sql`t.route_no = ${place.routeNo} AND t.step = ${place.step} AND t.app_id = ${place.appId}`;
  const about = subjectId === undefined ? sql`(t.user_id IS NULL OR t.user_id <> ALL (${toUserIds}))` : sql`t.user_id = ${subjectId}`;
  const others =
    to.distinct === true
      ? sql`NOT EXISTS (SELECT FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.task_id = t.id AND x.kind = 'APPROVED'
          AND x.actor_id = ANY (${toUserIds}))`
      : sql`TRUE`;
  const { count } = await context.db.one<{ count: number }>(
    sql`WITH moved AS (
       UPDATE tasks t SET assignment_id = ${toId}, updated_at = ${now}
       WHERE t.tenant_id = ${tenantId} AND t.assignment_id = ${from.id} AND t.state = 'OPEN' AND ${here} AND ${about} AND ${others}
       RETURNING t.id, t.review_id, t.step, t.step_generation
     ), noted AS (
       INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, data, created_at)
       SELECT ${tenantId}, m.id, ${newIdPrefix(now)} || id_suffix(row_number() OVER (ORDER BY m.id)), m.review_id, 'HANDED_OVER', m.step,
         m.step_generation, ${JSON.stringify(data)}::jsonb, ${now} FROM moved m
     ) SELECT count(*) AS count FROM moved`,
  );
  return count;
}
