/** SQL of items that nobody decided although somebody had submitted decisions about them, and did not sign those. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { getUnsignedItemsSql } from '../../../foundation/signatures/index.ts';
import { endReasonsOfClose } from './store-outcomes.ts';

/** Work of one person that waits for their signature, or waited when the review closed. */
export interface Unsigned {
  readonly userId: string;
  readonly submissions: number;
  /** Items in them that nobody decided otherwise; each counts once for a person. */
  readonly items: number;
}

/** Lists by person what waits for a signature in a review, or waited for it when that closed: of one person, or of all. Reads every submission that does. */
export function listUnsigned(context: Context, reviewId: string, userId?: string): Promise<Unsigned[]> {
  const { db, tenantId } = context;
  return db.rows<Unsigned>(
    sql`SELECT u.user_id AS "userId", count(DISTINCT u.signature_id) AS submissions, count(DISTINCT t.id) AS items
      FROM (${getUnsignedItemsSql(context, reviewId, userId)}) u
      LEFT JOIN tasks t ON t.tenant_id = ${tenantId} AND t.id = u.task_id AND (t.state = 'OPEN' OR t.end_reason = ANY (${[...endReasonsOfClose]}))
      GROUP BY u.user_id ORDER BY u.user_id`,
  );
}
