/** SQL of what still concerns somebody when their mail leaves: who was told of something may no longer be who looks after it. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { getOwnerPeopleSql } from '../../catalog/index.ts';
import { getMergedSql } from '../../directory/index.ts';
import type { NoticeKind } from './notices.ts';
import type { NoticeRow } from './store-notices.ts';
import { getSuperAdminsSql } from './store-removal-notices.ts';
import { getTemplateOwnersSql } from './store-subject-notices.ts';

/** Told to owners of a review. */
const ofReview: readonly NoticeKind[] = ['PREPARE_FAILED', 'START_FAILED', 'START_HELD', 'REPORT_READY'];
/** Told to owners of a template. */
const ofTemplate: readonly NoticeKind[] = ['OCCURRENCE_MISSED', 'OCCURRENCE_SKIPPED', 'TRIGGER_FAILED'];

/**
 * The notices whose reader still is whom they are for: an owner of the review, template or source, or named by the monitor. Of sources, Super
 * Administrators, too; of records of people, they alone. What asks for a decision or a removal is counted by what asks now, and other kinds name nothing but their review.
 */
export async function listGrounded(context: Context, personId: string, notices: readonly NoticeRow[]): Promise<NoticeRow[]> {
  const { tenantId } = context;
  const kinds = notices.map(({ kind }) => kind);
  const sources = sql`SELECT c.app_id, c.id FROM sources_public c WHERE c.tenant_id = ${tenantId} AND c.id IN (SELECT n.subject_id FROM noticed n)`;
  const rows = await context.db.rows<{ place: number }>(
    sql`WITH noticed AS MATERIALIZED (
        SELECT n.* FROM unnest(${kinds}::text[], ${notices.map(({ subjectId }) => subjectId)}::text[], ${notices.map(({ reviewId }) => reviewId)}::text[])
          WITH ORDINALITY AS n (kind, subject_id, review_id, place)),
      kept AS MATERIALIZED (SELECT w.id FROM (${getOwnerPeopleSql(context, 'source', sources)}) w WHERE w.user_id = ${personId})
      SELECT n.place::integer - 1 AS place FROM noticed n WHERE CASE
        WHEN n.kind = ANY (${[...ofReview]}) THEN EXISTS (SELECT FROM review_owners_public o
          WHERE o.tenant_id = ${tenantId} AND o.review_id = n.review_id AND o.user_id = ${personId})
        WHEN n.kind = ANY (${[...ofTemplate]}) THEN ${personId} IN (${getTemplateOwnersSql(context, sql`n.subject_id`)})
        WHEN n.kind = 'CONFLICT_ACTIVE' THEN EXISTS (SELECT FROM monitors_public m WHERE m.tenant_id = ${tenantId} AND m.id = n.subject_id
          AND m.notification_config -> 'emailNotifications' -> 'enabled' = 'true'
          AND m.notification_config -> 'emailNotifications' -> 'identityUserIds' ?| (ARRAY[${personId}::text] || ${getMergedSql(sql`${tenantId}`, sql`${personId}`)}))
        WHEN n.kind LIKE 'SOURCE\\_%' THEN n.subject_id IN (SELECT k.id FROM kept k) OR ${personId} IN (${getSuperAdminsSql(context)})
        WHEN n.kind = 'RECORDS_DISPUTED' THEN ${personId} IN (${getSuperAdminsSql(context)})
        ELSE true END`,
  );
  const places = new Set(rows.map(({ place }) => place));
  return notices.filter((_, at) => places.has(at));
}
