/** SQL that empties the comments of blind second reviews. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Empties all comments of the second review of a review; a sample is small. */
export async function emptySecondComments(context: Context, reviewId: string): Promise<void> {
  await context.db.run(
    sql`UPDATE second_review_items SET comment = '' WHERE tenant_id = ${context.tenantId} AND review_id = ${reviewId} AND comment <> ''`,
  );
}
