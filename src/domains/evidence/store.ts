/**
 * SQL of what a bundle holds of a review: its items, their outcomes and removals, each a block at a time in the order of its key. What its snapshot
 * froze and the actions on its items come from their modules.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import type { BundlePlace } from './member.ts';

/** The entitlements that the scope of a review names one by one, sorted. */
export async function listSetup({ db, tenantId }: Context, reviewId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    sql`SELECT s.entitlement_id AS id FROM setup_entitlements s WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
}

/** Somebody who has to do with the decisions of a review, as the directory has them now. */
export interface ReviewerRow {
  readonly id: string;
  readonly person: JsonObject;
}

/** Those who were asked, who decided, said that access was removed or issued what either came through, and who own the review. */
export function listReviewers(
  { db, tenantId }: Context,
  reviewId: string,
  [after = '']: readonly string[],
  limit: number,
  { review }: BundlePlace,
): Promise<ReviewerRow[]> {
  return db.rows<ReviewerRow>(
    sql`SELECT u.id, jsonb_build_object('displayName', u.display_name, 'email', u.email, 'status', u.status, 'type', u.user_type) AS person
      FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.id > ${after} AND u.id IN (
        SELECT s.user_id FROM assignees_public s WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId}
        UNION SELECT x.id FROM task_actions_public a, unnest(ARRAY[a.actor_id, a.issuer_id, a.data ->> 'delegatorId']) AS x (id)
          WHERE a.tenant_id = ${tenantId} AND a.review_id = ${reviewId}
        UNION SELECT x.id FROM revocations_public v, unnest(ARRAY[v.claimed_by_id, v.claimed_issuer_id]) AS x (id)
          WHERE v.tenant_id = ${tenantId} AND v.review_id = ${reviewId}
        UNION SELECT o.id FROM unnest(${review.ownerIds}::text[]) AS o (id))
      ORDER BY u.id LIMIT ${limit}`,
  );
}

/** The end of each item. */
export async function listOutcomes({ db, tenantId }: Context, reviewId: string, [after = '']: readonly string[], limit: number) {
  const rows = await db.rows<{ readonly item: string; readonly endedAt: Date | null }>(
    sql`SELECT t.id AS item, t.end_reason AS "endReason", t.ended_at AS "endedAt", t.outcome, t.state FROM tasks_public t
      WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.id > ${after} ORDER BY t.id LIMIT ${limit}`,
  );
  return rows.map((row) => ({ ...row, endedAt: row.endedAt?.toISOString() ?? null }));
}

/** The removals that followed from denials. */
export async function listRemovals({ db, tenantId }: Context, reviewId: string, [after = '']: readonly string[], limit: number) {
  const rows = await db.rows<{ readonly id: string; readonly requestedAt: Date | null; readonly stateAt: Date }>(
    sql`SELECT v.id, v.claimed_by_id AS "claimedBy",
        coalesce(nullif(v.claimed_issuer_id, v.claimed_by_id), '') AS "claimedIssuer", v.certify_task_id AS item, v.requested_at AS "requestedAt", v.revision AS "verifiedRevision",
        v.state, v.state_at AS "stateAt", v.sync_id AS "verifiedBy",
        coalesce((SELECT json_agg(json_build_object('account', w.value ->> 'account', 'entitlement', w.value ->> 'entitlementDisplayName'))
          FROM json_array_elements(residual_access(${tenantId}, v.app_id, v.entitlement_id, v.account_id, v.user_id)) AS w
          WHERE (w.value ->> 'looksTheSame')::boolean), '[]') AS "looksTheSame"
      FROM revocations_public v WHERE v.tenant_id = ${tenantId} AND v.review_id = ${reviewId} AND v.id > ${after} ORDER BY v.id LIMIT ${limit}`,
  );
  return rows.map((row) => ({ ...row, requestedAt: row.requestedAt?.toISOString() ?? null, stateAt: row.stateAt.toISOString() }));
}

/** Counts the items of a review by outcome. */
export function countOutcomes({ db, tenantId }: Context, reviewId: string): Promise<{ outcome: string; count: number }[]> {
  return db.rows(
    sql`SELECT t.outcome, count(*) AS count FROM tasks_public t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId}
      GROUP BY t.outcome ORDER BY t.outcome`,
  );
}

/** Counts the removals that followed from denials by state. */
export function countRemovals({ db, tenantId }: Context, reviewId: string): Promise<{ state: string; count: number }[]> {
  return db.rows(
    sql`SELECT v.state, count(*) AS count FROM revocations_public v WHERE v.tenant_id = ${tenantId} AND v.review_id = ${reviewId}
      GROUP BY v.state ORDER BY v.state`,
  );
}
