/** Data other modules may read of second reviews: functions. */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import type { SecondReviewCounts } from '../reviews/index.ts';

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
