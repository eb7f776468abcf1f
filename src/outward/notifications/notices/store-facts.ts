/** SQL of what mails say: who somebody is, and how much waits for them. It reads what other modules keep. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getDelegatesSql, getDelegatorsSql } from '../../../foundation/directory/index.ts';
import { endReasonsOfClose, getDecidersSql } from '../../../governance/tasks/index.ts';

/** Somebody a mail goes to. */
export interface Recipient {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
  readonly status: string;
  readonly userType: string;
}

/** People by their ids. */
export async function listRecipients(context: Context, ids: readonly string[]): Promise<ReadonlyMap<string, Recipient>> {
  const rows = await context.db.rows<Recipient>(
    sql`SELECT u.id, u.email, u.display_name AS "displayName", u.status, u.user_type AS "userType" FROM users_public u
      WHERE u.tenant_id = ${context.tenantId} AND u.id = ANY (${[...ids]})`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Open tasks that ask a person: how many of each review in whose place, and which of those that were named. */
export interface Asked {
  readonly reviewId: string;
  /** Empty: the person's own. */
  readonly onBehalfId: string;
  /** One of the tasks that were named; empty for all of a review. */
  readonly taskId: string;
  readonly tasks: number;
}

/** Reads what open tasks of these reviews, and these tasks, ask a person to decide now, each once: for themselves or in the place of one person. */
export async function listAsked(
  context: Context,
  personId: string,
  reviewIds: readonly string[],
  taskIds: readonly string[],
): Promise<readonly Asked[]> {
  const { tenantId, db, now } = context;
  if (reviewIds.length === 0) {
    return [];
  }
  const mine = sql`s.review_id = ANY (${[...reviewIds]}) AND s.id IN (SELECT m.assignment_id FROM assignees_public m WHERE m.tenant_id = ${tenantId}
    AND (m.user_id = ${personId} OR m.user_id IN (SELECT g.user_id FROM ${getDelegatorsSql(sql`${tenantId}`, sql`${personId}`, now)} g)))`;
  const named = sql`CASE WHEN t.id = ANY (${[...taskIds]}::text[]) THEN t.id ELSE '' END`;
  return db.rows<Asked>(
    sql`SELECT a.review_id AS "reviewId", a.on_behalf_id AS "onBehalfId", a.key AS "taskId", sum(a.tasks)::bigint AS tasks
      FROM (${getDecidersSql(tenantId, now, { sets: mine, tasks: sql`TRUE`, key: named })}) a WHERE a.person_id = ${personId} GROUP BY 1, 2, 3`,
  );
}

/** True if somebody has a delegate now. */
export async function hasDelegate({ db, tenantId, now }: Context, personId: string): Promise<boolean> {
  const row = await db.maybe(
    sql`SELECT g.person_id FROM ${getDelegatesSql(sql`${tenantId}`, sql`${personId}::text COLLATE "C"`, now)} g WHERE g.depth = 1`,
  );
  return row !== undefined;
}

/**
 * Counts the tasks of each review that asked this person last, and that the close ended since nobody decided them; a delegate's share of them is not told
 * apart any more.
 */
export async function countLeftAsked(
  { db, tenantId }: Context,
  personId: string,
  reviewIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows<{ reviewId: string; left: number }>(
    sql`SELECT s.review_id AS "reviewId", count(*) AS left FROM assignees_public m
      JOIN assignments_public s ON s.tenant_id = ${tenantId} AND s.id = m.assignment_id
      JOIN tasks_public t ON t.tenant_id = ${tenantId} AND t.assignment_id = m.assignment_id AND t.state = 'CLOSED'
      WHERE m.tenant_id = ${tenantId} AND m.user_id = ${personId} AND s.review_id = ANY (${[...reviewIds]})
        AND t.end_reason = ANY (${[...endReasonsOfClose]})
      GROUP BY s.review_id`,
  );
  return new Map(rows.map((row) => [row.reviewId, row.left]));
}
