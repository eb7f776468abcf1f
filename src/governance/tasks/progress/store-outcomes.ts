/** SQL that counts what became of the items of a review. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import type { SignatureTerms } from '../../../foundation/signatures/index.ts';
import { type EndReason, getSignedStateSql } from '../task/index.ts';

/** Items that ended alike, or that are open. */
export interface OutcomeCount {
  /** Else why it ended without a decision. */
  readonly outcome: 'OPEN' | 'CERTIFIED' | 'CARRIED' | 'DENIED' | EndReason;
  readonly items: number;
}

/** Reasons for which the close ended items that nobody had decided. */
export const endReasonsOfClose: readonly EndReason[] = ['SKIPPED_AT_CLOSE', 'REVOKED_AT_CLOSE', 'NO_ACTION_AT_CLOSE'];

/** Counts the items of a review by what became of them. Reads every task of it once. */
export function countItemOutcomes({ db, tenantId }: Context, reviewId: string): Promise<OutcomeCount[]> {
  return db.rows<OutcomeCount>(
    sql`SELECT n.outcome, count(*) AS items FROM (
       SELECT CASE WHEN t.state = 'OPEN' THEN 'OPEN' WHEN t.end_reason = 'DECIDED' AND t.outcome = 'CERTIFIED' THEN 'CERTIFIED'
           WHEN t.end_reason = 'DECIDED' AND t.outcome = 'DECERTIFIED' THEN 'DENIED' ELSE t.end_reason END AS outcome
       FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId}) n
     GROUP BY n.outcome ORDER BY n.outcome`,
  );
}

/** Counts by app how many of the items of a review were held at a revision. Reads every task of it once, and the grants of its apps. */
export function countHeldItems({ db, tenantId }: Context, reviewId: string, revision: number): Promise<{ appId: string; items: number }[]> {
  return db.rows(
    sql`SELECT t.app_id AS "appId", count(*) AS items FROM tasks t
      JOIN grants_public g ON g.tenant_id = ${tenantId} AND g.app_id = t.app_id AND g.entitlement_id = t.entitlement_id AND g.account_id = t.account_id
        AND g.added_revision <= ${revision} AND (g.removed_revision IS NULL OR g.removed_revision > ${revision})
      WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} GROUP BY t.app_id ORDER BY t.app_id`,
  );
}

/** Returns the terms on which a review asks for signatures since it started; undefined where it asks for none, or has not started. */
export async function findFrozenTerms({ db, tenantId }: Context, reviewId: string): Promise<SignatureTerms | undefined> {
  const found = await db.maybeValue<SignatureTerms | null>(
    sql`SELECT b.signature FROM task_reviews b WHERE b.tenant_id = ${tenantId} AND b.id = ${reviewId}`,
  );
  return found ?? undefined;
}

/** Items of a review that asks for signatures, by how what became of them is signed; each counts once. */
export interface SignedCounts {
  readonly open: number;
  readonly signed: number;
  readonly notByPerson: number;
  readonly notSigned: number;
}

/** Counts the items of a review by that; undefined where it asks for no signatures. Reads every task of it once, with its last decision. */
export async function countSigned(context: Context, reviewId: string): Promise<SignedCounts | undefined> {
  if ((await findFrozenTerms(context, reviewId)) === undefined) {
    return undefined;
  }
  const { db, tenantId } = context;
  return db.one<SignedCounts>(
    sql`SELECT count(*) FILTER (WHERE n.stands = 'OPEN') AS open, count(*) FILTER (WHERE n.stands = 'SIGNED') AS signed,
        count(*) FILTER (WHERE n.stands = 'NOT_BY_PERSON') AS "notByPerson", count(*) FILTER (WHERE n.stands = 'NOT_SIGNED') AS "notSigned"
      FROM (SELECT CASE WHEN t.state = 'OPEN' THEN 'OPEN' ELSE ${getSignedStateSql(tenantId)} END AS stands
        FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId}) n`,
  );
}
