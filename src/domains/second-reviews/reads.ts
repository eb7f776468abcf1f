/** Data other modules may read of second reviews: functions. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import type { SecondReviewCounts } from '../reviews/index.ts';

/** The counts of a second review that is over; undefined where there is none. */
export function findSecondReviewCounts({ db, tenantId }: Context, reviewId: string): Promise<SecondReviewCounts | undefined> {
  return db.maybe<SecondReviewCounts>(
    sql`SELECT n.answered, n.disagreements FROM second_reviews s CROSS JOIN LATERAL (
       SELECT count(*) AS answered, count(*) FILTER (WHERE i.decision <> i.first_decision) AS disagreements
       FROM second_review_items i WHERE i.tenant_id = ${tenantId} AND i.review_id = s.review_id AND i.decision <> '') n
     WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} AND s.state = 'ENDED'`,
  );
}
