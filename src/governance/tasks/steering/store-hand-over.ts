/**
 * SQL that hands open tasks on from people who can no longer be asked: which sets they are in, where their tasks stand, and moving these.
 */
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { newIdPrefix } from '../../../wire/ids.ts';
import { getByNowSql } from '../../../foundation/directory/index.ts';
import { getEligibleSql } from '../policy-engine/index.ts';
import { type ActionData, type ActionLine, type AssignmentReason, nobody } from '../task/index.ts';

/** A reviewer set of a review with somebody in it who can no longer be asked. Whoever they were merged into is of the set, too. */
export interface StaleAssignment {
  readonly id: string;
  readonly enabledIds: readonly string[];
  readonly disabledIds: readonly string[];
  /** Why these people are asked. */
  readonly reason: AssignmentReason;
}

/** Purpose of the tasks of a batch: a review, or removals. */
export type BatchKind = 'CERTIFY' | 'REVOKE';

/** Open tasks `t` about somebody `o` who was merged into a person of their set `m` since: it is that person's own access. `users_merged` leads. */
const getOwnSinceSql = (tenantId: string): Sql =>
  sql`users_public o
       JOIN task_assignment_members m ON m.tenant_id = ${tenantId} AND m.user_id = o.merged_into_id
       JOIN tasks t ON t.tenant_id = ${tenantId} AND t.assignment_id = m.assignment_id AND t.state = 'OPEN' AND t.user_id = o.id
       WHERE o.tenant_id = ${tenantId} AND o.merged_into_id IS NOT NULL`;

/**
 * The next open batch of this kind behind this id that has open tasks with somebody who can no longer be asked, or not about this access; that of a
 * review has its id.
 */
export function findStaleBatch({ db, tenantId }: Context, kind: BatchKind, behind: string): Promise<string | undefined> {
  return db.maybeValue<string>(
    sql`SELECT b.id FROM task_reviews b WHERE b.tenant_id = ${tenantId} AND b.kind = ${kind} AND b.id > ${behind} AND b.state = 'OPEN' AND (EXISTS (
       SELECT FROM task_assignments s
       JOIN task_assignment_members m ON m.tenant_id = ${tenantId} AND m.assignment_id = s.id
       JOIN users_public d ON d.tenant_id = ${tenantId} AND d.id = m.user_id AND NOT ${getEligibleSql('d')}
       WHERE s.tenant_id = ${tenantId} AND s.review_id = b.id
         AND EXISTS (SELECT FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.assignment_id = s.id AND t.state = 'OPEN'))
       OR EXISTS (SELECT FROM ${getOwnSinceSql(tenantId)} AND m.review_id = b.id))
     ORDER BY b.id LIMIT 1`,
  );
}

/** Sets of a batch that open tasks still use and in which somebody can no longer be asked. */
export function listStaleAssignments({ db, tenantId }: Context, reviewId: string): Promise<StaleAssignment[]> {
  return db.rows<StaleAssignment>(
    sql`SELECT s.id, s.reason, ARRAY(SELECT u.id FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.id IN ${getByNowSql(tenantId, sql`s.user_ids`)}
         AND ${getEligibleSql('u')} ORDER BY u.id) AS "enabledIds",
       array_agg(d.id ORDER BY d.id) AS "disabledIds"
     FROM task_assignments s
     JOIN task_assignment_members m ON m.tenant_id = ${tenantId} AND m.assignment_id = s.id
     JOIN users_public d ON d.tenant_id = ${tenantId} AND d.id = m.user_id AND NOT ${getEligibleSql('d')}
     WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId}
       AND EXISTS (SELECT FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.assignment_id = s.id AND t.state = 'OPEN')
     GROUP BY s.id, s.reason, s.user_ids ORDER BY s.id`,
  );
}

/** Place of open tasks of a set: what decides whom they fall back to. */
export interface StalePlace {
  readonly routeNo: number;
  readonly step: number;
  readonly appId: string;
}

/** Lists places of a set's open tasks: of all, or of those about one person. */
export function listStalePlaces({ db, tenantId }: Context, assignmentId: string, subjectId?: string): Promise<StalePlace[]> {
  const about = subjectId === undefined ? sql`TRUE` : sql`t.user_id = ${subjectId}`;
  return db.rows<StalePlace>(
    sql`SELECT DISTINCT t.route_no AS "routeNo", t.step, t.app_id AS "appId" FROM tasks t
      WHERE t.tenant_id = ${tenantId} AND t.assignment_id = ${assignmentId} AND t.state = 'OPEN' AND ${about} ORDER BY 1, 2, 3`,
  );
}

/** A person whose open tasks go to the manager they have by now. */
export interface ManagedNow {
  readonly subjectId: string;
  readonly managerId: string;
}

/** Lists the people of a set's open tasks at a place who have a manager by now that can be asked about them. */
export function listManagersNow(
  { db, tenantId }: Context,
  assignmentId: string,
  { routeNo, step, appId }: StalePlace,
): Promise<ManagedNow[]> {
  return db.rows<ManagedNow>(
    sql`SELECT u.id AS "subjectId", m.id AS "managerId"
      FROM (SELECT DISTINCT t.user_id FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.assignment_id = ${assignmentId} AND t.state = 'OPEN'
        AND t.route_no = ${routeNo} AND t.step = ${step} AND t.app_id = ${appId}) t
      JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = t.user_id
      JOIN users_public m ON m.tenant_id = ${tenantId} AND m.id = u.manager_id AND ${getEligibleSql('m')}
      WHERE m.id <> u.id AND m.id IS DISTINCT FROM u.merged_into_id ORDER BY 1`,
  );
}

/** A set of a batch with open tasks about a person who was merged into one of those asked since. */
export interface OwnSince extends OwnReviewer {
  readonly id: string;
  /** Those of the set who can be asked, as who they are by now. */
  readonly enabledIds: readonly string[];
}

/** Lists the sets of a batch that ask people about somebody who was merged into them since, one row for each such person. */
export function listOwnSince({ db, tenantId }: Context, reviewId: string): Promise<OwnSince[]> {
  return db.rows<OwnSince>(
    sql`SELECT s.id, x.id AS "subjectId", x.person_id AS "personId", ARRAY(SELECT u.id FROM users_public u
         WHERE u.tenant_id = ${tenantId} AND u.id IN ${getByNowSql(tenantId, sql`s.user_ids`)} AND ${getEligibleSql('u')} ORDER BY u.id) AS "enabledIds"
     FROM (SELECT DISTINCT m.assignment_id, o.id, o.merged_into_id AS person_id FROM ${getOwnSinceSql(tenantId)} AND m.review_id = ${reviewId}) AS x
     JOIN task_assignments s ON s.tenant_id = ${tenantId} AND s.id = x.assignment_id ORDER BY s.id, x.id`,
  );
}

/** A person reviewed in open tasks, and who they are by now: they may have been merged into somebody since. */
export interface OwnReviewer {
  readonly subjectId: string;
  readonly personId: string;
}

/** The people reviewed in open tasks of a set who are among these by now. */
export function listOwnReviewers({ db, tenantId }: Context, assignmentId: string, userIds: readonly string[]): Promise<OwnReviewer[]> {
  return db.rows<OwnReviewer>(
    sql`SELECT DISTINCT u.id AS "subjectId", coalesce(u.merged_into_id, u.id) AS "personId" FROM tasks t
      JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = t.user_id
      WHERE t.tenant_id = ${tenantId} AND t.assignment_id = ${assignmentId} AND t.state = 'OPEN'
        AND (t.user_id = ANY (${userIds}) OR u.merged_into_id = ANY (${userIds})) ORDER BY 1`,
  );
}

/** Set of which tasks are handed on, and those because of whom. */
export type HandedOn = Pick<StaleAssignment, 'id' | 'disabledIds'> & { readonly isOwn?: true };

/** Open tasks of a set that are moved. */
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

/** Hands open tasks of one set to another, and says so in the history of each, which is returned. */
export async function updateAssignment(context: Context, from: HandedOn, to: Moved, eventId: string): Promise<ActionLine[]> {
  const { tenantId, now } = context;
  const { toId, toUserIds, place, subjectId } = to;
  const data: ActionData = {
    assignmentId: from.id,
    newUserIds: toUserIds,
    disabledUserIds: from.disabledIds,
    ...(from.isOwn === true ? { isOwn: true } : {}),
  };
  const here: Sql =
    place === undefined ? sql`TRUE` : sql`t.route_no = ${place.routeNo} AND t.step = ${place.step} AND t.app_id = ${place.appId}`;
  const about =
    subjectId === undefined
      ? sql`(t.user_id IS NULL OR t.user_id <> ALL (${toUserIds}) AND NOT EXISTS (SELECT FROM users_public o
          WHERE o.tenant_id = ${tenantId} AND o.id = t.user_id AND o.merged_into_id = ANY (${toUserIds})))`
      : sql`t.user_id = ${subjectId}`;
  const others =
    to.distinct === true
      ? sql`NOT EXISTS (SELECT FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.task_id = t.id AND x.kind = 'APPROVED'
          AND (x.actor_id = ANY (${toUserIds}) OR EXISTS (SELECT FROM users_public w
            WHERE w.tenant_id = ${tenantId} AND w.id = x.actor_id AND w.merged_into_id = ANY (${toUserIds}))))`
      : sql`TRUE`;
  const noted = await context.db.rows<Pick<ActionLine, 'id' | 'taskId' | 'reviewId' | 'step' | 'stepGeneration'>>(
    sql`WITH moved AS (
       UPDATE tasks t SET assignment_id = ${toId}, updated_at = ${now}
       WHERE t.tenant_id = ${tenantId} AND t.assignment_id = ${from.id} AND t.state = 'OPEN' AND ${here} AND ${about} AND ${others}
       RETURNING t.id, t.review_id, t.step, t.step_generation
     ), noted AS (
       INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, data, created_at, event_id)
       SELECT ${tenantId}, m.id, ${newIdPrefix(now)} || id_suffix(row_number() OVER (ORDER BY m.id)), m.review_id, 'HANDED_OVER', m.step,
         m.step_generation, ${JSON.stringify(data)}::jsonb, ${now}, ${eventId} FROM moved m
       RETURNING id, task_id, review_id, step, step_generation
     ) SELECT n.id, n.task_id AS "taskId", n.review_id AS "reviewId", n.step, n.step_generation AS "stepGeneration" FROM noted n`,
  );
  const same = { kind: 'HANDED_OVER', comment: '', data, submissionId: '', createdAt: now } as const;
  return noted.map((row) => ({ ...same, ...row, ...nobody }));
}
