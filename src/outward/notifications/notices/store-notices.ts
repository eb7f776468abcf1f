/** SQL of notices: who learns what, once. The mails they become are store-mails.ts. */
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { newIdPrefix } from '../../../wire/ids.ts';
import { getDecidersSql } from '../../../governance/tasks/index.ts';
import type { Notice, NoticeData, NoticeKind } from './notices.ts';

/** The kinds of notices that ask somebody to decide; they mean nothing once that is done. */
export const askingKinds = ['KICKOFF', 'REMINDER', 'REVIEW_REMINDED', 'TASK_REMINDED', 'ASSIGNED', 'HANDED_OVER', 'ESCALATED'] as const;

/** Selects who is to decide open tasks of a review now, in whose place, and through whom they are asked (`asked_ids`). */
function getAskedNow({ tenantId, now }: Context, reviewId: string, sets: Sql = sql`TRUE`, tasks: Sql = sql`TRUE`): Sql {
  const ofReview = sql`s.review_id = ${reviewId} AND ${sets}`;
  return sql`SELECT DISTINCT d.person_id, d.on_behalf_id, d.asked_ids
    FROM (${getDecidersSql(tenantId, now, { sets: ofReview, tasks: sql`t.review_id = ${reviewId} AND ${tasks}` })}) d`;
}

/** Selects who is to decide one task of a review now. */
const getAskedByTask = (context: Context, { reviewId, subjectId }: Notice): Sql =>
  getAskedNow(
    context,
    reviewId,
    sql`s.id IN (SELECT t.assignment_id FROM tasks_public t WHERE t.tenant_id = ${context.tenantId} AND t.id = ${subjectId})`,
    sql`t.id = ${subjectId}`,
  );

/** Writes the notice down for each of these people who do not have it; how many are new. */
function insertNotices(context: Context, notice: Notice, told: Sql): Promise<number> {
  const { tenantId, now } = context;
  const { kind, subjectId, slot, reviewId, data, dueAt } = notice;
  return context.db.run(
    sql`INSERT INTO mail_outbox (tenant_id, id, kind, subject_id, person_id, on_behalf_id, slot, review_id, data, due_at, created_at)
      SELECT ${tenantId}, ${newIdPrefix(now)} || id_suffix(row_number() OVER (ORDER BY a.person_id, a.on_behalf_id)), ${kind}, ${subjectId}, a.person_id,
        a.on_behalf_id, ${slot}, ${reviewId}, ${JSON.stringify(data)}::jsonb, ${dueAt}, ${now} FROM (SELECT DISTINCT w.person_id, w.on_behalf_id FROM (${told}) w) a
      ON CONFLICT DO NOTHING`,
  );
}

/** Those asked whom a notice is for: those who are named, or all; and not those who are left out, since they know of it. */
export interface Meant {
  readonly named?: readonly string[] | undefined;
  readonly leftOut?: readonly string[] | undefined;
}

/** Narrows `asked` to what reaches somebody through people who are meant. */
function getMeant(asked: Sql, { named, leftOut = [] }: Meant): Sql {
  const isNamed = named === undefined ? sql`TRUE` : sql`a.asked_ids && ${[...named]}::text[]`;
  return sql`SELECT a.* FROM (${asked}) a WHERE ${isNamed} AND NOT a.asked_ids <@ ${[...leftOut]}::text[]`;
}

/** A notice for everybody who is to decide open tasks of its review now, as far as those are meant through whom they are asked. */
export function insertNoticesForAsked(context: Context, notice: Notice, meant: Meant = {}): Promise<number> {
  return insertNotices(context, notice, getMeant(getAskedNow(context, notice.reviewId), meant));
}

/** The same for those of them who have had no notice of this review that asks them. */
export function insertNoticesForNewlyAsked(context: Context, notice: Notice): Promise<number> {
  return insertNotices(
    context,
    notice,
    sql`SELECT n.person_id, n.on_behalf_id FROM (${getAskedNow(context, notice.reviewId)}) n WHERE NOT EXISTS (SELECT FROM mail_outbox o
      WHERE o.tenant_id = ${context.tenantId} AND o.review_id = ${notice.reviewId} AND o.person_id = n.person_id AND o.on_behalf_id = n.on_behalf_id
        AND o.kind = ANY (${[...askingKinds]}))`,
  );
}

/** A notice for those who are to decide open tasks of these sets now. */
export function insertNoticesForSets(context: Context, notice: Notice, assignmentIds: readonly string[]): Promise<number> {
  return insertNotices(context, notice, getAskedNow(context, notice.reviewId, sql`s.id = ANY (${[...assignmentIds]})`));
}

/** A notice for those who are to decide one task now, as far as those are meant through whom they are asked. */
export function insertNoticesForTask(context: Context, notice: Notice, meant: Meant): Promise<number> {
  return insertNotices(context, notice, getMeant(getAskedByTask(context, notice), meant));
}

/** A notice for those who decide by now what this person was asked by it, in whoever's place. */
export function insertNoticesForSuccessors(context: Context, notice: Notice, askedId: string): Promise<number> {
  const asked = notice.subjectId === notice.reviewId ? getAskedNow(context, notice.reviewId) : getAskedByTask(context, notice);
  return insertNotices(context, notice, sql`SELECT a.* FROM (${asked}) a WHERE ${askedId} = ANY (a.asked_ids)`);
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
export function listDuePeople(context: Context, after: string, limit: number): Promise<string[]> {
  return context.db.column<string>(
    sql`SELECT DISTINCT o.person_id AS id FROM mail_outbox o
      WHERE o.tenant_id = ${context.tenantId} AND o.mail_id IS NULL AND o.due_at <= ${context.now} AND o.person_id > ${after}
      ORDER BY o.person_id LIMIT ${limit}`,
  );
}

/** Finds when the next waiting notice is due. */
export function findNextDue(context: Context): Promise<Date | undefined> {
  return context.db.maybeValue<Date>(
    sql`SELECT o.due_at AS "dueAt" FROM mail_outbox o WHERE o.tenant_id = ${context.tenantId} AND o.mail_id IS NULL AND o.due_at > ${context.now}
      ORDER BY o.due_at LIMIT 1`,
  );
}

/** A notice in a mail. */
export interface NoticeRow {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly subjectId: string;
  readonly onBehalfId: string;
  readonly slot: string;
  readonly reviewId: string;
  readonly data: NoticeData;
}

/** The notices of a mail, in the order in which they were written down; no more than anybody reads. */
export function listNoticesOfMail(context: Context, mailId: string, limit: number): Promise<NoticeRow[]> {
  return context.db.rows<NoticeRow>(
    sql`SELECT o.id, o.kind, o.subject_id AS "subjectId", o.on_behalf_id AS "onBehalfId", o.slot, o.review_id AS "reviewId", o.data
      FROM mail_outbox o WHERE o.tenant_id = ${context.tenantId} AND o.mail_id = ${mailId} ORDER BY o.id LIMIT ${limit}`,
  );
}
