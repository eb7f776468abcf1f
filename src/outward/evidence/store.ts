/**
 * SQL of what a bundle holds of a review: its items, their outcomes and removals, each a block at a time in the order of its key. What its snapshot
 * froze and the actions on its items come from their modules.
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import type { ReviewRow } from '../../governance/reviews/index.ts';
import { getAnswersGivenSql } from '../../governance/second-reviews/index.ts';

/** The entitlements that the scope of a review names one by one, sorted. */
export function listSetup({ db, tenantId }: Context, reviewId: string): Promise<string[]> {
  return db.column<string>(
    sql`SELECT s.entitlement_id AS id FROM setup_entitlements s WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} ORDER BY 1`,
  );
}

/**
 * A page of those who were asked, decided, passed tasks on or were passed them, said that access was removed, answered a second review, acknowledged the
 * decisions or issued what any of that came through, and who made or own the review.
 */
export function listReviewerIds({ db, tenantId }: Context, review: ReviewRow, after: string, limit: number): Promise<string[]> {
  const { signature } = review.acknowledgement;
  const named = [...review.ownerIds, review.createdById, signature?.userId ?? '', signature?.issuerId ?? ''];
  return db.column<string>(
    sql`SELECT DISTINCT n.id FROM (
        SELECT s.user_id FROM assignees_public s WHERE s.tenant_id = ${tenantId} AND s.review_id = ${review.id}
        UNION SELECT x.id FROM task_actions_public a, unnest(ARRAY[a.actor_id, a.issuer_id, a.data ->> 'delegatorId']) AS x (id)
          WHERE a.tenant_id = ${tenantId} AND a.review_id = ${review.id}
        UNION SELECT x.id FROM task_actions_public a,
            jsonb_array_elements_text(coalesce(a.data -> 'newUserIds', '[]') || coalesce(a.data -> 'disabledUserIds', '[]')) AS x (id)
          WHERE a.tenant_id = ${tenantId} AND a.review_id = ${review.id} AND a.kind IN ('REASSIGNED', 'HANDED_OVER')
        UNION SELECT a.person_id FROM (${getLaterActs(tenantId, review.id)}) a
        UNION SELECT o.id FROM unnest(${named}::text[]) AS o (id)) n (id)
      WHERE n.id > ${after} ORDER BY n.id LIMIT ${limit}`,
  );
}

/** The acts of a review that may come behind its close: by whom and when. */
const getLaterActs = (tenantId: string, reviewId: string): Sql =>
  sql`SELECT x.id AS person_id, coalesce(v.claimed_at, v.state_at) AS at FROM revocations_public v, unnest(ARRAY[v.claimed_by_id, v.claimed_issuer_id]) AS x (id)
      WHERE v.tenant_id = ${tenantId} AND v.review_id = ${reviewId} AND x.id <> ''
    UNION ALL SELECT x.id, v.state_at FROM revocations_public v, unnest(ARRAY[v.actor_id, v.actor_issuer_id]) AS x (id)
      WHERE v.tenant_id = ${tenantId} AND v.review_id = ${reviewId} AND x.id <> ''
    UNION ALL ${getAnswersGivenSql(tenantId, reviewId)}`;

/**
 * The words in which these people acted behind the close of a review: for each the number of moments of theirs, of those given in order, that came
 * before.
 */
export function listLaterWords(
  { db, tenantId }: Context,
  reviewId: string,
  people: readonly { readonly id: string; readonly moments: readonly Date[] }[],
): Promise<{ id: string; before: number }[]> {
  return db.rows(
    sql`SELECT DISTINCT p.id, width_bucket(a.at, p.moments) AS before
      FROM jsonb_to_recordset(${JSON.stringify(people)}) AS p (id text, moments timestamptz[])
      JOIN (${getLaterActs(tenantId, reviewId)}) a ON a.person_id = p.id ORDER BY 1, 2`,
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
