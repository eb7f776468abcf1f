/** SQL of notices: who learns what, once. The mails they become are store-mails.ts. */
import type { JsonObject } from '@bufbuild/protobuf';
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { newIdPrefix } from '../../../wire/ids.ts';
import type { Notice } from './notices.ts';
import { hasDelegableStepSql } from './store-facts.ts';

/** The kinds of notices that ask somebody to decide; they mean nothing once that is done. */
export const askingKinds = ['KICKOFF', 'REMINDER', 'REVIEW_REMINDED', 'TASK_REMINDED', 'ASSIGNED', 'HANDED_OVER', 'ESCALATED'] as const;

/**
 * People as `user_id`, and whether what asks them may be delegated (`delegable`): their delegate in their place then, where they have one now who can
 * sign in. A delegate's delegate is not asked: one hop.
 */
function addressees(context: Context, people: Sql): Sql {
  const { tenantId, now } = context;
  return sql`SELECT DISTINCT coalesce(d.delegated_user_id, p.user_id) AS person_id, CASE WHEN d.user_id IS NULL THEN '' ELSE p.user_id END AS on_behalf_id
    FROM (${people}) p
    LEFT JOIN delegations_set d ON p.delegable AND d.tenant_id = ${tenantId} AND d.user_id = p.user_id
      AND (d.starts_at IS NULL OR d.starts_at <= ${now}) AND (d.expires_at IS NULL OR d.expires_at > ${now})
      AND EXISTS (SELECT FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.id = d.delegated_user_id AND u.status = 'ENABLED')`;
}

/** Those whom these open tasks `t` ask now. The steps of a review are few beside its tasks, so what they allow is looked up once for each. */
function askedNow({ tenantId }: Context, which: Sql): Sql {
  return sql`SELECT m.user_id, ${hasDelegableStepSql(tenantId, sql`k`)} AS delegable
    FROM (SELECT DISTINCT t.review_id, t.assignment_id, t.route_no, t.step FROM tasks_public t
      WHERE t.tenant_id = ${tenantId} AND t.state = 'OPEN' AND t.assignment_id IS NOT NULL AND ${which}) k
    JOIN assignees_public m ON m.tenant_id = ${tenantId} AND m.assignment_id = k.assignment_id`;
}

/** Writes the notice down for each of these people who do not have it; how many are new. */
async function insertNotices(context: Context, notice: Notice, told: Sql): Promise<number> {
  const { tenantId, now } = context;
  const { kind, subjectId, slot, reviewId, data, dueAt } = notice;
  return context.db.run(
    sql`INSERT INTO mail_outbox (tenant_id, id, kind, subject_id, person_id, on_behalf_id, slot, review_id, data, due_at, created_at)
      SELECT ${tenantId}, ${newIdPrefix(now)} || id_suffix(row_number() OVER (ORDER BY a.person_id, a.on_behalf_id)), ${kind}, ${subjectId}, a.person_id,
        a.on_behalf_id, ${slot}, ${reviewId}, ${JSON.stringify(data)}::jsonb, ${dueAt}, ${now} FROM (${told}) a
      ON CONFLICT DO NOTHING`,
  );
}

/** A notice for everybody whom open tasks of its review ask now, or for their delegates; of these people alone, where some are named. */
export function insertNoticesForAsked(context: Context, notice: Notice, userIds?: readonly string[]): Promise<number> {
  const asked = askedNow(context, sql`t.review_id = ${notice.reviewId}`);
  const people = userIds === undefined ? asked : sql`SELECT a.* FROM (${asked}) a WHERE a.user_id = ANY (${[...userIds]}::text[])`;
  return insertNotices(context, notice, addressees(context, people));
}

/** The same for those of them who have had no notice of this review that asks them. */
export function insertNoticesForNewlyAsked(context: Context, notice: Notice): Promise<number> {
  const told = addressees(context, askedNow(context, sql`t.review_id = ${notice.reviewId}`));
  return insertNotices(
    context,
    notice,
    sql`SELECT n.person_id, n.on_behalf_id FROM (${told}) n WHERE NOT EXISTS (SELECT FROM mail_outbox o
      WHERE o.tenant_id = ${context.tenantId} AND o.review_id = ${notice.reviewId} AND o.person_id = n.person_id AND o.on_behalf_id = n.on_behalf_id
        AND o.kind = ANY (${[...askingKinds]}))`,
  );
}

/** A notice for those whom open tasks of these sets ask now, or for their delegates. */
export function insertNoticesForSets(context: Context, notice: Notice, assignmentIds: readonly string[]): Promise<number> {
  const asked = askedNow(context, sql`t.review_id = ${notice.reviewId} AND t.assignment_id = ANY (${[...assignmentIds]})`);
  return insertNotices(context, notice, addressees(context, asked));
}

/** A notice for those whom one task asks now, or for their delegates, but for some who know of it. */
export function insertNoticesForTask(context: Context, notice: Notice, knowingIds: readonly string[]): Promise<number> {
  const asked = askedNow(context, sql`t.id = ${notice.subjectId}`);
  return insertNotices(
    context,
    notice,
    addressees(context, sql`SELECT a.* FROM (${asked}) a WHERE NOT a.user_id = ANY (${[...knowingIds]})`),
  );
}

/** A notice for people by their ids, for themselves alone. */
export function insertNoticesForThemselves(context: Context, notice: Notice, userIds: readonly string[]): Promise<number> {
  return insertNotices(context, notice, sql`SELECT DISTINCT unnest(${[...userIds]}::text[]) AS person_id, '' AS on_behalf_id`);
}

/** A notice for everybody whom a review ever asked, or who acted in it, and for its owners. */
export function insertNoticesForEverybody(context: Context, notice: Notice, ownerIds: readonly string[]): Promise<number> {
  const { tenantId } = context;
  const { reviewId } = notice;
  return insertNotices(
    context,
    notice,
    sql`SELECT DISTINCT n.user_id AS person_id, '' AS on_behalf_id FROM (
      SELECT m.user_id FROM assignments_public s JOIN assignees_public m ON m.tenant_id = ${tenantId} AND m.assignment_id = s.id
      WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} AND (
        EXISTS (SELECT FROM tasks_public t WHERE t.tenant_id = ${tenantId} AND t.assignment_id = s.id)
        OR s.id IN (SELECT x.data ->> 'assignmentId' FROM task_actions_public x WHERE x.tenant_id = ${tenantId} AND x.review_id = ${reviewId} AND x.data ? 'assignmentId'))
      UNION ALL SELECT x.actor_id FROM task_actions_public x
      WHERE x.tenant_id = ${tenantId} AND x.review_id = ${reviewId} AND x.actor_id <> '' AND x.kind <> 'COMMENTED'
      UNION ALL SELECT o.person_id FROM mail_outbox o WHERE o.tenant_id = ${tenantId} AND o.review_id = ${reviewId} AND o.kind = ANY (${[...askingKinds]})
      UNION ALL SELECT unnest(${[...ownerIds]}::text[])) n`,
  );
}

/** The next people behind `after` for whom something is due now. */
export async function listDuePeople(context: Context, after: string, limit: number): Promise<string[]> {
  const rows = await context.db.rows<{ id: string }>(
    sql`SELECT DISTINCT o.person_id AS id FROM mail_outbox o
      WHERE o.tenant_id = ${context.tenantId} AND o.mail_id IS NULL AND o.due_at <= ${context.now} AND o.person_id > ${after}
      ORDER BY o.person_id LIMIT ${limit}`,
  );
  return rows.map(({ id }) => id);
}

/** Finds when the next waiting notice is due. */
export async function findNextDue(context: Context): Promise<Date | undefined> {
  const row = await context.db.maybe<{ dueAt: Date }>(
    sql`SELECT o.due_at AS "dueAt" FROM mail_outbox o WHERE o.tenant_id = ${context.tenantId} AND o.mail_id IS NULL AND o.due_at > ${context.now}
      ORDER BY o.due_at LIMIT 1`,
  );
  return row?.dueAt;
}

/** A notice in a mail. */
export interface NoticeRow {
  readonly id: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly onBehalfId: string;
  readonly slot: string;
  readonly reviewId: string;
  readonly data: JsonObject;
}

/** The notices of a mail, in the order in which they were written down; no more than anybody reads. */
export function listNoticesOfMail(context: Context, mailId: string, limit: number): Promise<NoticeRow[]> {
  return context.db.rows<NoticeRow>(
    sql`SELECT o.id, o.kind, o.subject_id AS "subjectId", o.on_behalf_id AS "onBehalfId", o.slot, o.review_id AS "reviewId", o.data
      FROM mail_outbox o WHERE o.tenant_id = ${context.tenantId} AND o.mail_id = ${mailId} ORDER BY o.id LIMIT ${limit}`,
  );
}
