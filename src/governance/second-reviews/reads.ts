/** Data other modules may read of second reviews: functions. */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import type { SecondReviewCounts } from '../reviews/index.ts';

/** Tests if a review has a second review that is over; `second_reviews_pkey` answers. */
export async function hasEndedSecondReview({ db, tenantId }: Context, reviewId: string): Promise<boolean> {
  const rows = await db.rows(
    sql`SELECT FROM second_reviews s WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} AND s.state = 'ENDED'`,
  );
  return rows.length > 0;
}

/** Selects whom a second review asks about something that has no answer yet, as `user_id`, some several times; `second_review_items_pkey` answers. */
export function getSecondReviewersAskedSql(tenantId: string, reviewId: string): Sql {
  return sql`SELECT p.id AS user_id FROM second_review_items i CROSS JOIN LATERAL unnest(i.reviewer_ids) AS p (id)
    WHERE i.tenant_id = ${tenantId} AND i.review_id = ${reviewId} AND i.decision = ''`;
}

/**
 * Selects the names of second reviews, which are those of their reviews: `tenant_id`, `id`, `name`, and as `deleted_at` when they were over.
 * `second_reviews_pkey` answers by id.
 */
export function getSecondReviewNamesSql(): Sql {
  return sql`SELECT s.tenant_id, s.review_id AS id, v.document ->> 'displayName' AS name, s.ended_at AS deleted_at
    FROM second_reviews s JOIN reviews_public v ON v.tenant_id = s.tenant_id AND v.id = s.review_id AND v.state <> 'DELETED'`;
}

/** Returns the counts of a second review that is over; undefined where there is none. `second_reviews_pkey` and `second_review_items_pkey` answer. */
export function findSecondReviewCounts({ db, tenantId }: Context, reviewId: string): Promise<SecondReviewCounts | undefined> {
  return db.maybe<SecondReviewCounts>(
    sql`SELECT n.answered, n.disagreements FROM second_reviews s CROSS JOIN LATERAL (
       SELECT count(*) AS answered, count(*) FILTER (WHERE i.decision <> i.first_decision) AS disagreements
       FROM second_review_items i WHERE i.tenant_id = ${tenantId} AND i.review_id = s.review_id AND i.decision <> '') n
     WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} AND s.state = 'ENDED'`,
  );
}

/**
 * Selects who answered a second review that is over, or issued what it was answered through, as `person_id`, and when, as `at`.
 * `second_review_items_pkey` answers.
 */
export const getAnswersGivenSql = (tenantId: string, reviewId: string): Sql =>
  sql`SELECT x.id AS person_id, i.decided_at AS at FROM second_reviews s
    JOIN second_review_items i ON i.tenant_id = ${tenantId} AND i.review_id = s.review_id AND i.decided_at IS NOT NULL,
      unnest(ARRAY[i.decided_by_id, i.decided_issuer_id]) AS x (id)
    WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} AND s.state = 'ENDED' AND x.id <> ''`;
