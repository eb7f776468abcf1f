/** SQL of what still concerns somebody when their mail leaves: who was told of something may no longer be who looks after it. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { getOwnerPeopleSql } from '../../../inventory/catalog/index.ts';
import { getMergedSql } from '../../../foundation/directory/index.ts';
import { getTemplateOwnersSql } from '../../../governance/templates/index.ts';
import type { Ground, NoticeKind } from './notices.ts';
import type { NoticeRow } from './store-notices.ts';
import { getSuperAdminsSql } from './store-removal-notices.ts';

/**
 * The notices whose reader still is whom they are for, by the ground of their kind. What asks for a decision or a removal is counted by what asks now,
 * and other kinds without a ground name nothing but their review.
 */
export async function listGrounded(
  context: Context,
  personId: string,
  notices: readonly NoticeRow[],
  kinds: Readonly<Record<NoticeKind, { readonly ground: Ground }>>,
): Promise<NoticeRow[]> {
  const { tenantId } = context;
  const grounds = notices.map(({ kind }) => kinds[kind].ground);
  const sources = sql`SELECT c.app_id, c.id FROM sources_public c WHERE c.tenant_id = ${tenantId} AND c.id IN (SELECT n.subject_id FROM noticed n)`;
  const places = await context.db.column<number>(
    sql`WITH noticed AS MATERIALIZED (
        SELECT n.* FROM unnest(${grounds}::text[], ${notices.map(({ subjectId }) => subjectId)}::text[], ${notices.map(({ reviewId }) => reviewId)}::text[])
          WITH ORDINALITY AS n (ground, subject_id, review_id, place)),
      kept AS MATERIALIZED (SELECT w.id FROM (${getOwnerPeopleSql(context, 'source', sources)}) w WHERE w.user_id = ${personId})
      SELECT n.place::integer - 1 AS place FROM noticed n WHERE CASE n.ground
        WHEN 'REVIEW' THEN EXISTS (SELECT FROM review_owners_public o
          WHERE o.tenant_id = ${tenantId} AND o.review_id = n.review_id AND o.user_id = ${personId})
        WHEN 'TEMPLATE' THEN ${personId} IN (${getTemplateOwnersSql(tenantId, sql`n.subject_id`)})
        WHEN 'MONITOR' THEN EXISTS (SELECT FROM monitors_public m WHERE m.tenant_id = ${tenantId} AND m.id = n.subject_id
          AND m.notification_config -> 'emailNotifications' -> 'enabled' = 'true'
          AND m.notification_config -> 'emailNotifications' -> 'identityUserIds' ?| (ARRAY[${personId}::text] || ${getMergedSql(sql`${tenantId}`, sql`${personId}`)}))
        WHEN 'SOURCE' THEN n.subject_id IN (SELECT k.id FROM kept k) OR ${personId} IN (${getSuperAdminsSql(context)})
        WHEN 'ADMINISTRATORS' THEN ${personId} IN (${getSuperAdminsSql(context)})
        WHEN 'COUNTED' THEN true END`,
  );
  const kept = new Set(places);
  return notices.filter((_, at) => kept.has(at));
}
