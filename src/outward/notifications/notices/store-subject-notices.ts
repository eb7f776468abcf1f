/**
 * SQL of notices that are about no review: who learns of access conflicts, of templates and of second reviews, and what these are called when the mail
 * leaves. Those about removals are store-removal-notices.ts. It reads what other modules keep.
 */
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { newIdPrefix } from '../../../wire/ids.ts';
import { getSecondReviewersAskedSql, getSecondReviewNamesSql } from '../../../governance/second-reviews/index.ts';
import { getTemplateNamesSql, getTemplateOwnersSql } from '../../../governance/templates/index.ts';
import type { NoticeData, NoticeKind } from './notices.ts';

/** Notice to several people of several things, apart from both. */
export interface SubjectNotice {
  readonly kind: NoticeKind;
  readonly slot: string;
  readonly data: NoticeData;
  readonly dueAt: Date;
}

/** Writes a notice down for each of `rows` (subject_id, review_id, person_id) that does not have it; how many are new. */
export async function insertSubjectNotices(context: Context, { kind, slot, data, dueAt }: SubjectNotice, rows: Sql): Promise<number> {
  const { tenantId, now } = context;
  return context.db.run(
    sql`INSERT INTO mail_outbox (tenant_id, id, kind, subject_id, person_id, slot, review_id, data, due_at, created_at)
      SELECT ${tenantId}, ${newIdPrefix(now)} || id_suffix(row_number() OVER (ORDER BY n.person_id, n.subject_id)), ${kind}, n.subject_id, n.person_id, ${slot},
        n.review_id, ${JSON.stringify(data)}::jsonb, ${dueAt}, ${now} FROM (SELECT DISTINCT w.* FROM (${rows}) w) n
      ON CONFLICT DO NOTHING`,
  );
}

/** A notice for those whom monitors name, as who they are by now, of the monitors of which a change made alerts active. */
export function insertNoticesOfConflicts(context: Context, notice: SubjectNotice, changeId: string): Promise<number> {
  const { tenantId } = context;
  return insertSubjectNotices(
    context,
    notice,
    sql`SELECT m.id AS subject_id, '' AS review_id, coalesce(u.merged_into_id, p.id) AS person_id
      FROM (SELECT DISTINCT c.monitor_id FROM alerts_public c WHERE c.tenant_id = ${tenantId} AND c.change_id = ${changeId} AND c.state = 'ACTIVE') c
      JOIN monitors_public m ON m.tenant_id = ${tenantId} AND m.id = c.monitor_id AND m.deleted_at IS NULL
        AND m.notification_config -> 'emailNotifications' -> 'enabled' = 'true'
      CROSS JOIN LATERAL jsonb_array_elements_text(m.notification_config -> 'emailNotifications' -> 'identityUserIds') AS p (id)
      LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = p.id`,
  );
}

/** A notice for the owners of a template. */
export function insertNoticesForTemplate(context: Context, notice: SubjectNotice, templateId: string): Promise<number> {
  return insertSubjectNotices(
    context,
    notice,
    sql`SELECT ${templateId} AS subject_id, '' AS review_id, o.user_id AS person_id FROM (${getTemplateOwnersSql(context.tenantId, sql`${templateId}`)}) o`,
  );
}

/** A notice for everybody whom the second review of a review asks about something that has no answer yet. */
export function insertNoticesForSecondReviewers(context: Context, notice: SubjectNotice, reviewId: string): Promise<number> {
  return insertSubjectNotices(
    context,
    notice,
    sql`SELECT ${reviewId} AS subject_id, '' AS review_id, p.user_id AS person_id FROM (${getSecondReviewersAskedSql(context.tenantId, reviewId)}) p`,
  );
}

/** Kind of thing that mails name. */
export type NamedThing = 'monitor' | 'template' | 'app' | 'second review' | 'source';

/** The names of things by their ids; deleted ones are left out. */
export async function listNames(context: Context, kind: NamedThing, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { tenantId } = context;
  const source = {
    monitor: sql`SELECT x.id, x.display_name AS name FROM monitors_public x`,
    template: sql`SELECT x.id, x.name FROM (${getTemplateNamesSql()}) x`,
    app: sql`SELECT x.id, x.display_name AS name FROM apps_public x`,
    // By its app, too: many sources are named alike.
    source: sql`SELECT x.id, x.name FROM (SELECT s.tenant_id, s.id, s.deleted_at,
        CASE WHEN a.id IS NULL THEN s.display_name ELSE a.display_name || ': ' || s.display_name END AS name
      FROM sources_public s LEFT JOIN apps_public a ON a.tenant_id = s.tenant_id AND a.id = s.app_id) x`,
    // By the review it is of; one that is over asks nobody any more.
    'second review': sql`SELECT x.id, x.name FROM (${getSecondReviewNamesSql()}) x`,
  }[kind];
  const rows =
    ids.length === 0
      ? []
      : await context.db.rows<{ id: string; name: string }>(
          sql`${source} WHERE x.tenant_id = ${tenantId} AND x.id = ANY (${[...ids]}) AND x.deleted_at IS NULL`,
        );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Number of something, and the first of them in words. */
export interface Counted {
  readonly count: number;
  readonly names: readonly string[];
}

/** Lists conflicts left by these changes, by monitor. */
export async function listNewConflicts(
  context: Context,
  changeIds: readonly string[],
  maxNames: number,
): Promise<ReadonlyMap<string, Counted>> {
  const { tenantId } = context;
  if (changeIds.length === 0) {
    return new Map();
  }
  const rows = await context.db.rows<Counted & { monitorId: string }>(
    sql`SELECT n.monitor_id AS "monitorId", max(n.total)::integer AS count, array_agg(n.name ORDER BY n.place) AS names FROM (
        SELECT c.monitor_id, coalesce(nullif(u.display_name, ''), u.email, nullif(a.display_name, ''), a.external_id, '') AS name,
          row_number() OVER (PARTITION BY c.monitor_id ORDER BY c.id) AS place, count(*) OVER (PARTITION BY c.monitor_id) AS total
        FROM alerts_public c
        LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = c.user_id AND c.user_id <> ''
        LEFT JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = c.app_id AND a.id = c.account_id AND c.account_id <> ''
        WHERE c.tenant_id = ${tenantId} AND c.change_id = ANY (${[...changeIds]}) AND c.state = 'ACTIVE') n
      WHERE n.place <= ${maxNames} GROUP BY n.monitor_id`,
  );
  return new Map(rows.map(({ monitorId, count, names }) => [monitorId, { count, names }]));
}
