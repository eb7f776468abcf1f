/** SQL about reviews whose content is removed when their time to be kept is over. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** A review that has content. */
export interface FullReview {
  readonly id: string;
  readonly displayName: string;
  /** Time of its close or deletion; null while it is neither. */
  readonly endedAt: Date | null;
}

const fullReviewSql = sql`r.emptied_at IS NULL AND r.prepared_revision IS NOT NULL`;

/** The oldest review that ended before a time and has content, but for `except`; undefined for none. */
export function findOldReview(context: Context, before: Date, except: readonly string[]): Promise<FullReview | undefined> {
  return context.db.maybe<FullReview>(
    sql`SELECT r.id, coalesce(r.document ->> 'displayName', '') AS "displayName", coalesce(r.closed_at, r.deleted_at) AS "endedAt" FROM reviews r
      WHERE r.tenant_id = ${context.tenantId} AND ${fullReviewSql} AND coalesce(r.closed_at, r.deleted_at) < ${before} AND r.id <> ALL (${except})
      ORDER BY coalesce(r.closed_at, r.deleted_at), r.id LIMIT 1`,
  );
}

/** All reviews with content, and whether a person owns, made or acknowledged each. */
export function listFullReviews(context: Context, userIds: readonly string[]): Promise<(FullReview & { readonly isOwn: boolean })[]> {
  return context.db.rows(
    sql`SELECT r.id, coalesce(r.document ->> 'displayName', '') AS "displayName", coalesce(r.closed_at, r.deleted_at) AS "endedAt",
        r.created_by_id = ANY (${userIds}) OR coalesce(r.acknowledgement #>> '{signature,userId}', '') = ANY (${userIds}) OR EXISTS (SELECT FROM review_owners o
          WHERE o.tenant_id = ${context.tenantId} AND o.review_id = r.id AND o.user_id = ANY (${userIds})) AS "isOwn"
      FROM reviews r WHERE r.tenant_id = ${context.tenantId} AND ${fullReviewSql} ORDER BY r.id`,
  );
}

/** Takes the free texts out of a review, and notes that its content is gone. */
export async function updateEmptied(context: Context, id: string): Promise<void> {
  await context.db.run(
    sql`UPDATE reviews SET emptied_at = ${context.now}, insights = '', delete_reason = '',
        acknowledgement = CASE WHEN acknowledgement ? 'signature' THEN jsonb_set(acknowledgement, '{signature,comment}', '""') ELSE acknowledgement END
      WHERE tenant_id = ${context.tenantId} AND id = ${id}`,
  );
}
