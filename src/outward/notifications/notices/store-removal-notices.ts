/** SQL of notices about removals: who learns of them, and what mails say of them when they leave. It reads what other modules keep. */
import { anyOf, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getOwnerPeopleSql } from '../../../inventory/catalog/index.ts';
import { ROLES } from '../../../foundation/directory/index.ts';
import { getIsWithConnectorSql, openRemovalStates } from '../../../governance/revocations/index.ts';
import type { RemovalKind } from './notices.ts';
import { type Counted, insertSubjectNotices, type SubjectNotice } from './store-subject-notices.ts';

/** Removals `r` an event was about. */
export type RemovalEvent =
  | { readonly type: 'requested'; readonly reviewId: string; readonly at: Date }
  | { readonly type: 'asked'; readonly ids: readonly string[] }
  | { readonly type: 'handed'; readonly batchId: string; readonly assignmentIds: readonly string[] }
  | { readonly type: 'reappeared'; readonly appId: string; readonly ids: readonly string[] | undefined }
  | { readonly type: 'overdue'; readonly times: number; readonly at: Date; readonly ids: readonly string[] | undefined };

/** The tasks of a batch that were handed to these sets of people and are open still. */
const getHanded = ({ tenantId }: Context, { batchId, assignmentIds }: Extract<RemovalEvent, { type: 'handed' }>): Sql =>
  sql`SELECT t.id FROM tasks_public t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${batchId} AND t.assignment_id = ANY (${[...assignmentIds]})
    AND t.state = 'OPEN'`;

/** The removals of an event, which names them unless they are many; those that have moved on since are no news any more. */
function getRemovalsOf(context: Context, event: RemovalEvent): Sql {
  const { tenantId } = context;
  const named = 'ids' in event && event.ids !== undefined ? sql`r.id = ANY (${[...event.ids]})` : sql`TRUE`;
  const which =
    event.type === 'requested'
      ? sql`r.review_id = ${event.reviewId} AND r.started_at = ${event.at}`
      : event.type === 'asked'
        ? sql`${named} AND r.started_at IS NOT NULL`
        : event.type === 'handed'
          ? sql`r.revoke_task_id IN (${getHanded(context, event)}) AND r.started_at IS NOT NULL`
          : event.type === 'reappeared'
            ? sql`${named} AND r.app_id = ${event.appId} AND r.state = 'REAPPEARED'`
            : sql`${named} AND r.overdue_count >= ${event.times} AND r.due_at <= ${event.at}`;
  // Nobody is asked for what a connector has; what takes too long is said all the same.
  const isAsked = event.type === 'overdue' || event.type === 'reappeared' ? sql`TRUE` : sql`NOT ${getIsWithConnectorSql(tenantId)}`;
  return sql`SELECT r.app_id, r.review_id, r.revoke_task_id FROM revocations_public r
    WHERE r.tenant_id = ${tenantId} AND r.state = ANY (${[...openRemovalStates]}) AND ${which} AND ${isAsked}`;
}

/** Returns the Super Administrators who are enabled, as `user_id`. */
export const getSuperAdminsSql = ({ tenantId }: Context): Sql => sql`SELECT o.user_id FROM roles_held o
  JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = o.user_id AND u.status = 'ENABLED'
  WHERE o.tenant_id = ${tenantId} AND o.role_id = ${ROLES.SUPER_ADMINISTRATOR.id}`;

/**
 * A notice of each app for those who carry out these removals: those whom their tasks ask, else the owners of the app, and where it has none the Super
 * Administrators.
 */
export function insertNoticesForRemovers(context: Context, notice: SubjectNotice, event: RemovalEvent): Promise<number> {
  const { tenantId } = context;
  const of = getRemovalsOf(context, event);
  return insertSubjectNotices(
    context,
    notice,
    sql`WITH removals AS MATERIALIZED (${of}),
      asked AS (
        SELECT DISTINCT r.app_id, m.user_id FROM removals r
        JOIN tasks_public t ON t.tenant_id = ${tenantId} AND t.id = r.revoke_task_id AND t.state = 'OPEN'
        JOIN assignees_public m ON m.tenant_id = ${tenantId} AND m.assignment_id = t.assignment_id
        WHERE r.revoke_task_id <> ''),
      owners AS (
        SELECT w.app_id, w.user_id FROM (${getOwnerPeopleSql(context, 'app', sql`SELECT DISTINCT r.app_id, r.app_id FROM removals r`)}) w),
      people AS (
        SELECT a.app_id, a.user_id FROM asked a
        UNION SELECT w.app_id, w.user_id FROM owners w WHERE NOT EXISTS (SELECT FROM asked a WHERE a.app_id = w.app_id))
      SELECT p.app_id AS subject_id, '' AS review_id, p.user_id AS person_id FROM people p
      UNION SELECT r.app_id, '', s.user_id FROM removals r CROSS JOIN (${getSuperAdminsSql(context)}) s
        WHERE NOT EXISTS (SELECT FROM people p WHERE p.app_id = r.app_id)`,
  );
}

/** A notice of each app for those whom the tasks of these removals ask to approve before anything is removed. */
export function insertNoticesForApprovers(
  context: Context,
  notice: SubjectNotice,
  event: Extract<RemovalEvent, { type: 'requested' | 'asked' | 'handed' }>,
): Promise<number> {
  const { tenantId } = context;
  const which =
    event.type === 'requested'
      ? sql`r.review_id = ${event.reviewId} AND r.requested_at = ${event.at}`
      : event.type === 'asked'
        ? sql`r.id = ANY (${[...event.ids]})`
        : sql`r.revoke_task_id IN (${getHanded(context, event)})`;
  return insertSubjectNotices(
    context,
    notice,
    sql`SELECT r.app_id AS subject_id, '' AS review_id, m.user_id AS person_id FROM revocations_public r
      JOIN tasks_public t ON t.tenant_id = ${tenantId} AND t.id = r.revoke_task_id AND t.state = 'OPEN'
      JOIN assignees_public m ON m.tenant_id = ${tenantId} AND m.assignment_id = t.assignment_id
      WHERE r.tenant_id = ${tenantId} AND r.state = 'REQUESTED' AND r.revoke_task_id <> '' AND ${which}`,
  );
}

/** A notice of each review for the owners of the reviews that asked for these removals. */
export function insertNoticesForRequesters(context: Context, notice: SubjectNotice, event: RemovalEvent): Promise<number> {
  return insertSubjectNotices(
    context,
    notice,
    sql`SELECT r.review_id AS subject_id, r.review_id, o.user_id AS person_id FROM (${getRemovalsOf(context, event)}) r
      JOIN review_owners_public o ON o.tenant_id = ${context.tenantId} AND o.review_id = r.review_id WHERE r.review_id <> ''`,
  );
}

/** A notice of each app with these removals for the Super Administrators. */
export function insertNoticesForAdministrators(context: Context, notice: SubjectNotice, event: RemovalEvent): Promise<number> {
  return insertSubjectNotices(
    context,
    notice,
    sql`SELECT r.app_id AS subject_id, '' AS review_id, s.user_id AS person_id
      FROM (${getRemovalsOf(context, event)}) r CROSS JOIN (${getSuperAdminsSql(context)}) s`,
  );
}

/** Removals meant, of an app or a review. */
export interface RemovalQuestion {
  readonly kind: RemovalKind;
  readonly subjectId: string;
}

const stillToDo = ['IN_PROGRESS', 'STILL_PRESENT', 'REAPPEARED', 'ERROR'];

/**
 * The removals that are meant, with the access each is about, by kind and subject: those whose task asks `personId` now. Owners, and Super Administrators,
 * read all of what is overdue or back; and all of what is to be done or approved, where none of it asks them.
 */
export async function listRemovals(
  context: Context,
  personId: string,
  questions: readonly RemovalQuestion[],
  maxNames: number,
): Promise<ReadonlyMap<string, Counted>> {
  const { tenantId, now } = context;
  if (questions.length === 0) {
    return new Map();
  }
  const matches = anyOf([
    sql`q.kind = 'REMOVALS_TO_APPROVE' AND r.state = 'REQUESTED'`,
    sql`q.kind = 'REMOVALS_REQUESTED' AND r.state = ANY (${stillToDo}) AND NOT ${getIsWithConnectorSql(tenantId)}`,
    sql`q.kind = 'REMOVALS_OVERDUE' AND r.state = ANY (${[...openRemovalStates]}) AND r.due_at <= ${now}`,
    sql`q.kind = 'REMOVALS_REAPPEARED' AND r.state = 'REAPPEARED'`,
  ]);
  const of = (
    column: Sql,
  ): Sql => sql`SELECT q.kind, q.subject_id, r.* FROM questions q JOIN revocations_public r ON r.tenant_id = ${tenantId}
    AND ${column} = q.subject_id AND r.state = ANY (${[...openRemovalStates]}) AND (${matches})`;
  const rows = await context.db.rows<Counted & RemovalQuestion>(
    sql`WITH questions AS (SELECT * FROM unnest(${questions.map(({ kind }) => kind)}::text[], ${questions.map(({ subjectId }) => subjectId)}::text[])
          AS q (kind, subject_id)),
        keepers AS MATERIALIZED (
          SELECT w.app_id AS subject_id FROM (${getOwnerPeopleSql(context, 'app', sql`SELECT DISTINCT q.subject_id, q.subject_id FROM questions q`)}) w
            WHERE w.user_id = ${personId}
          UNION SELECT o.review_id FROM review_owners_public o WHERE o.tenant_id = ${tenantId} AND o.user_id = ${personId}
            AND o.review_id IN (SELECT q.subject_id FROM questions q)
          UNION SELECT q.subject_id FROM questions q WHERE ${personId} IN (${getSuperAdminsSql(context)})),
        sets AS MATERIALIZED (SELECT m.assignment_id FROM assignees_public m WHERE m.tenant_id = ${tenantId} AND m.user_id = ${personId}),
        meant AS (
          SELECT w.*, w.kind IN ('REMOVALS_TO_APPROVE', 'REMOVALS_REQUESTED') AS waits,
            EXISTS (SELECT FROM keepers k WHERE k.subject_id = w.subject_id) AS is_kept, EXISTS (
              SELECT FROM tasks_public t WHERE t.tenant_id = ${tenantId} AND t.id = w.revoke_task_id AND t.state = 'OPEN'
                AND t.assignment_id IN (SELECT s.assignment_id FROM sets s)) AS is_asked
          FROM (${of(sql`r.app_id`)} UNION ALL ${of(sql`r.review_id`)}) w),
        found AS (
          SELECT w.*, row_number() OVER (PARTITION BY w.kind, w.subject_id ORDER BY w.due_at, w.id) AS place,
            count(*) OVER (PARTITION BY w.kind, w.subject_id) AS total
          FROM (SELECT m.*, bool_or(m.is_asked) OVER (PARTITION BY m.kind, m.subject_id) AS asks_some FROM meant m) w
          WHERE w.is_asked OR w.is_kept AND NOT (w.waits AND w.asks_some))
      SELECT f.kind, f.subject_id AS "subjectId", max(f.total)::integer AS count,
        array_agg(concat_ws(', ', coalesce(p.display_name, '') || ': ' || coalesce(e.display_name, f.entitlement_id),
          'account ' || coalesce(a.external_id, n.display_name, f.account_id), coalesce(nullif(u.display_name, ''), u.email)) ORDER BY f.place) AS names
      FROM found f
      LEFT JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = f.app_id
      LEFT JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = f.app_id AND e.id = f.entitlement_id
      LEFT JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = f.app_id AND a.id = f.account_id
      LEFT JOIN resources_public n ON n.tenant_id = ${tenantId} AND n.app_id = f.app_id AND n.id = f.account_id
      LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = f.user_id
      WHERE f.place <= ${maxNames} GROUP BY f.kind, f.subject_id`,
  );
  return new Map(rows.map(({ kind, subjectId, count, names }) => [`${kind} ${subjectId}`, { count, names }]));
}
