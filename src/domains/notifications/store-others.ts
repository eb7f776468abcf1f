/**
 * SQL of notices that are about no review alone: access conflicts, templates and removals. Who learns of them, and what mails say of them when they leave.
 * It reads what other modules keep.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { anyOf, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { newIdPrefix } from '../../wire/ids.ts';
import { getOwnerPeopleSql } from '../catalog/index.ts';
import { ROLES } from '../directory/index.ts';
import { openRemovalStates } from '../revocations/index.ts';
import type { NoticeKind } from './notices.ts';

/** What is to be said to several people of several things, apart from both. */
export interface BroadNotice {
  readonly kind: NoticeKind;
  readonly slot: string;
  readonly data: JsonObject;
  readonly dueAt: Date;
}

/** Writes a notice down for each of `rows` (subject_id, review_id, person_id) that does not have it; how many are new. */
async function insertBroad(context: Context, { kind, slot, data, dueAt }: BroadNotice, rows: Sql): Promise<number> {
  const { tenantId, now } = context;
  return context.db.run(
    sql`INSERT INTO mail_outbox (tenant_id, id, kind, subject_id, person_id, slot, review_id, data, due_at, created_at)
      SELECT ${tenantId}, ${newIdPrefix(now)} || id_suffix(row_number() OVER (ORDER BY n.person_id, n.subject_id)), ${kind}, n.subject_id, n.person_id, ${slot},
        n.review_id, ${JSON.stringify(data)}::jsonb, ${dueAt}, ${now} FROM (SELECT DISTINCT w.* FROM (${rows}) w) n
      ON CONFLICT DO NOTHING`,
  );
}

/** A notice for those whom monitors name, of the monitors of which a change made alerts active. */
export function insertNoticesOfConflicts(context: Context, notice: BroadNotice, changeId: string): Promise<number> {
  const { tenantId } = context;
  return insertBroad(
    context,
    notice,
    sql`SELECT m.id AS subject_id, '' AS review_id, p.id AS person_id
      FROM (SELECT DISTINCT c.monitor_id FROM conflict_alerts c WHERE c.tenant_id = ${tenantId} AND c.change_id = ${changeId} AND c.state = 'ACTIVE') c
      JOIN conflict_monitors m ON m.tenant_id = ${tenantId} AND m.id = c.monitor_id AND m.deleted_at IS NULL
        AND m.notification_config -> 'emailNotifications' -> 'enabled' = 'true'
      CROSS JOIN LATERAL jsonb_array_elements_text(m.notification_config -> 'emailNotifications' -> 'identityUserIds') AS p (id)`,
  );
}

/** A notice for the owners of a template. */
export function insertNoticesForTemplate(context: Context, notice: BroadNotice, templateId: string): Promise<number> {
  return insertBroad(
    context,
    notice,
    sql`SELECT o.template_id AS subject_id, '' AS review_id, o.user_id AS person_id FROM template_owners o
      WHERE o.tenant_id = ${context.tenantId} AND o.template_id = ${templateId}`,
  );
}

/** A notice for everybody whom the second review of a review asks about something that has no answer yet. */
export function insertNoticesForSecondReviewers(context: Context, notice: BroadNotice, reviewId: string): Promise<number> {
  return insertBroad(
    context,
    notice,
    sql`SELECT i.review_id AS subject_id, '' AS review_id, p.id AS person_id FROM second_review_items i CROSS JOIN LATERAL unnest(i.reviewer_ids) AS p (id)
      WHERE i.tenant_id = ${context.tenantId} AND i.review_id = ${reviewId} AND i.decision = ''`,
  );
}

/** Which removals `r` an event was about. */
export type RemovalEvent =
  | { readonly type: 'requested'; readonly reviewId: string; readonly at: Date }
  | { readonly type: 'asked'; readonly ids: readonly string[] }
  | { readonly type: 'handed'; readonly batchId: string; readonly assignmentIds: readonly string[] }
  | { readonly type: 'reappeared'; readonly appId: string; readonly ids: readonly string[] | undefined }
  | { readonly type: 'overdue'; readonly times: number; readonly at: Date; readonly ids: readonly string[] | undefined };

/** The tasks of a batch that were handed to these sets of people and are open still. */
const getHanded = ({ tenantId }: Context, { batchId, assignmentIds }: Extract<RemovalEvent, { type: 'handed' }>): Sql =>
  sql`SELECT t.id FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${batchId} AND t.assignment_id = ANY (${[...assignmentIds]})
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
  return sql`SELECT r.app_id, r.review_id, r.revoke_task_id FROM revocations r
    WHERE r.tenant_id = ${tenantId} AND r.state = ANY (${[...openRemovalStates]}) AND ${which}`;
}

const superAdmins = ({ tenantId }: Context): Sql => sql`SELECT o.user_id FROM user_roles o
  JOIN users u ON u.tenant_id = ${tenantId} AND u.id = o.user_id AND u.status = 'ENABLED'
  WHERE o.tenant_id = ${tenantId} AND o.role_id = ${ROLES.SUPER_ADMINISTRATOR.id}`;

/**
 * A notice of each app for those who carry out these removals: those whom their tasks ask, else the owners of the app, and where it has none the Super
 * Administrators.
 */
export function insertNoticesForRemovers(context: Context, notice: BroadNotice, event: RemovalEvent): Promise<number> {
  const { tenantId } = context;
  const of = getRemovalsOf(context, event);
  return insertBroad(
    context,
    notice,
    sql`WITH removals AS MATERIALIZED (${of}),
      asked AS (
        SELECT DISTINCT r.app_id, m.user_id FROM removals r
        JOIN tasks t ON t.tenant_id = ${tenantId} AND t.id = r.revoke_task_id AND t.state = 'OPEN'
        JOIN task_assignment_members m ON m.tenant_id = ${tenantId} AND m.assignment_id = t.assignment_id
        WHERE r.revoke_task_id <> ''),
      owners AS (
        SELECT w.app_id, w.user_id FROM (${getOwnerPeopleSql(context, 'app', sql`SELECT DISTINCT r.app_id, r.app_id FROM removals r`)}) w),
      people AS (
        SELECT a.app_id, a.user_id FROM asked a
        UNION SELECT w.app_id, w.user_id FROM owners w WHERE NOT EXISTS (SELECT FROM asked a WHERE a.app_id = w.app_id))
      SELECT p.app_id AS subject_id, '' AS review_id, p.user_id AS person_id FROM people p
      UNION SELECT r.app_id, '', s.user_id FROM removals r CROSS JOIN (${superAdmins(context)}) s
        WHERE NOT EXISTS (SELECT FROM people p WHERE p.app_id = r.app_id)`,
  );
}

/** A notice of each app for those whom the tasks of these removals ask to approve before anything is removed. */
export function insertNoticesForApprovers(
  context: Context,
  notice: BroadNotice,
  event: Extract<RemovalEvent, { type: 'requested' | 'asked' | 'handed' }>,
): Promise<number> {
  const { tenantId } = context;
  const which =
    event.type === 'requested'
      ? sql`r.review_id = ${event.reviewId} AND r.requested_at = ${event.at}`
      : event.type === 'asked'
        ? sql`r.id = ANY (${[...event.ids]})`
        : sql`r.revoke_task_id IN (${getHanded(context, event)})`;
  return insertBroad(
    context,
    notice,
    sql`SELECT r.app_id AS subject_id, '' AS review_id, m.user_id AS person_id FROM revocations r
      JOIN tasks t ON t.tenant_id = ${tenantId} AND t.id = r.revoke_task_id AND t.state = 'OPEN'
      JOIN task_assignment_members m ON m.tenant_id = ${tenantId} AND m.assignment_id = t.assignment_id
      WHERE r.tenant_id = ${tenantId} AND r.state = 'REQUESTED' AND r.revoke_task_id <> '' AND ${which}`,
  );
}

/** A notice of each review for the owners of the reviews that asked for these removals. */
export function insertNoticesForRequesters(context: Context, notice: BroadNotice, event: RemovalEvent): Promise<number> {
  return insertBroad(
    context,
    notice,
    sql`SELECT r.review_id AS subject_id, r.review_id, o.user_id AS person_id FROM (${getRemovalsOf(context, event)}) r
      JOIN review_owners o ON o.tenant_id = ${context.tenantId} AND o.review_id = r.review_id WHERE r.review_id <> ''`,
  );
}

/** A notice of each app with these removals for the Super Administrators. */
export function insertNoticesForAdministrators(context: Context, notice: BroadNotice, event: RemovalEvent): Promise<number> {
  return insertBroad(
    context,
    notice,
    sql`SELECT r.app_id AS subject_id, '' AS review_id, s.user_id AS person_id
      FROM (${getRemovalsOf(context, event)}) r CROSS JOIN (${superAdmins(context)}) s`,
  );
}

/** The names of things by their ids; deleted ones are left out. */
export async function listNames(
  context: Context,
  kind: 'monitor' | 'template' | 'app' | 'second review',
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { tenantId } = context;
  const source = {
    monitor: sql`SELECT x.id, x.display_name AS name FROM conflict_monitors x`,
    template: sql`SELECT x.id, x.document ->> 'displayName' AS name FROM review_templates x`,
    app: sql`SELECT x.id, x.display_name AS name FROM apps x`,
    // By the review it is of; one that is over asks nobody any more.
    'second review': sql`SELECT x.id, x.name FROM (SELECT s.tenant_id, s.review_id AS id, v.document ->> 'displayName' AS name, s.ended_at AS deleted_at
      FROM second_reviews s JOIN reviews v ON v.tenant_id = s.tenant_id AND v.id = s.review_id AND v.state <> 'DELETED') x`,
  }[kind];
  const rows =
    ids.length === 0
      ? []
      : await context.db.rows<{ id: string; name: string }>(
          sql`${source} WHERE x.tenant_id = ${tenantId} AND x.id = ANY (${[...ids]}) AND x.deleted_at IS NULL`,
        );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** How many there are of something, and the first of them in words. */
export interface Counted {
  readonly count: number;
  readonly names: readonly string[];
}

/** Who is in conflict still by these changes, by monitor. */
export async function listNewConflicts(
  context: Context,
  changeIds: readonly string[],
  mostNames: number,
): Promise<ReadonlyMap<string, Counted>> {
  const { tenantId } = context;
  if (changeIds.length === 0) {
    return new Map();
  }
  const rows = await context.db.rows<Counted & { monitorId: string }>(
    sql`SELECT n.monitor_id AS "monitorId", max(n.total)::integer AS count, array_agg(n.name ORDER BY n.place) AS names FROM (
        SELECT c.monitor_id, coalesce(nullif(u.display_name, ''), u.email, nullif(a.display_name, ''), a.external_id, '') AS name,
          row_number() OVER (PARTITION BY c.monitor_id ORDER BY c.id) AS place, count(*) OVER (PARTITION BY c.monitor_id) AS total
        FROM conflict_alerts c
        LEFT JOIN users u ON u.tenant_id = ${tenantId} AND u.id = c.user_id AND c.user_id <> ''
        LEFT JOIN accounts a ON a.tenant_id = ${tenantId} AND a.app_id = c.app_id AND a.id = c.account_id AND c.account_id <> ''
        WHERE c.tenant_id = ${tenantId} AND c.change_id = ANY (${[...changeIds]}) AND c.state = 'ACTIVE') n
      WHERE n.place <= ${mostNames} GROUP BY n.monitor_id`,
  );
  return new Map(rows.map(({ monitorId, count, names }) => [monitorId, { count, names }]));
}

/** Which removals of an app or a review are meant. */
export interface RemovalQuestion {
  readonly kind: NoticeKind;
  readonly subjectId: string;
}

const stillToDo = ['IN_PROGRESS', 'STILL_PRESENT', 'REAPPEARED', 'ERROR'];

/**
 * The removals that are meant, with the access each is about, by kind and subject. Of what somebody is to do or to approve, those that ask `personId`;
 * all where none of them does, as for owners of an app whose tasks ask nobody.
 */
export async function listRemovals(
  context: Context,
  personId: string,
  questions: readonly RemovalQuestion[],
  mostNames: number,
): Promise<ReadonlyMap<string, Counted>> {
  const { tenantId, now } = context;
  if (questions.length === 0) {
    return new Map();
  }
  const matches = anyOf([
    sql`q.kind = 'REMOVALS_TO_APPROVE' AND r.state = 'REQUESTED'`,
    sql`q.kind = 'REMOVALS_REQUESTED' AND r.state = ANY (${stillToDo})`,
    sql`q.kind = 'REMOVALS_OVERDUE' AND r.state = ANY (${[...openRemovalStates]}) AND r.due_at <= ${now}`,
    sql`q.kind = 'REMOVALS_REAPPEARED' AND r.state = 'REAPPEARED'`,
  ]);
  const of = (column: Sql): Sql => sql`SELECT q.kind, q.subject_id, r.* FROM questions q JOIN revocations r ON r.tenant_id = ${tenantId}
    AND ${column} = q.subject_id AND r.state = ANY (${[...openRemovalStates]}) AND (${matches})`;
  const rows = await context.db.rows<Counted & RemovalQuestion>(
    sql`WITH questions AS (SELECT * FROM unnest(${questions.map(({ kind }) => kind)}::text[], ${questions.map(({ subjectId }) => subjectId)}::text[])
          AS q (kind, subject_id)),
        sets AS MATERIALIZED (SELECT m.assignment_id FROM task_assignment_members m WHERE m.tenant_id = ${tenantId} AND m.user_id = ${personId}),
        meant AS (
          SELECT w.*, w.kind IN ('REMOVALS_TO_APPROVE', 'REMOVALS_REQUESTED') AND EXISTS (
              SELECT FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.id = w.revoke_task_id AND t.state = 'OPEN'
                AND t.assignment_id IN (SELECT s.assignment_id FROM sets s)) AS is_asked
          FROM (${of(sql`r.app_id`)} UNION ALL ${of(sql`r.review_id`)}) w),
        found AS (
          SELECT w.*, row_number() OVER (PARTITION BY w.kind, w.subject_id ORDER BY w.due_at, w.id) AS place,
            count(*) OVER (PARTITION BY w.kind, w.subject_id) AS total
          FROM (SELECT m.*, bool_or(m.is_asked) OVER (PARTITION BY m.kind, m.subject_id) AS asks_some FROM meant m) w
          WHERE w.is_asked OR NOT w.asks_some)
      SELECT f.kind, f.subject_id AS "subjectId", max(f.total)::integer AS count,
        array_agg(concat_ws(', ', coalesce(p.display_name, '') || ': ' || coalesce(e.display_name, f.entitlement_id),
          'account ' || coalesce(a.external_id, n.display_name, f.account_id), coalesce(nullif(u.display_name, ''), u.email)) ORDER BY f.place) AS names
      FROM found f
      LEFT JOIN apps p ON p.tenant_id = ${tenantId} AND p.id = f.app_id
      LEFT JOIN entitlements e ON e.tenant_id = ${tenantId} AND e.app_id = f.app_id AND e.id = f.entitlement_id
      LEFT JOIN accounts a ON a.tenant_id = ${tenantId} AND a.app_id = f.app_id AND a.id = f.account_id
      LEFT JOIN resources n ON n.tenant_id = ${tenantId} AND n.app_id = f.app_id AND n.id = f.account_id
      LEFT JOIN users u ON u.tenant_id = ${tenantId} AND u.id = f.user_id
      WHERE f.place <= ${mostNames} GROUP BY f.kind, f.subject_id`,
  );
  return new Map(rows.map(({ kind, subjectId, count, names }) => [`${kind} ${subjectId}`, { count, names }]));
}
