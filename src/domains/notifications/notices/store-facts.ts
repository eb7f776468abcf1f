/** SQL of what mails say: who somebody is, and how much waits for them. It reads what other modules keep. */
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

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

/** Tests that the step that `t` (review_id, route_no, step) stands in lets delegates decide. */
export function hasDelegableStepSql(tenantId: string, t: Sql): Sql {
  return sql`EXISTS (SELECT FROM routes_public p WHERE p.tenant_id = ${tenantId} AND p.review_id = ${t}.review_id AND p.route_no = ${t}.route_no
    AND p.document -> 'policySteps' -> 'certify' -> 'steps' -> ${t}.step::int -> 'approval' ->> 'allowDelegation' = 'true')`;
}

/** Part of somebody's tasks: all of them, those that their delegate decides, or those that are left to them meanwhile. */
export type Share = 'all' | 'delegated' | 'left';

function inShare(tenantId: string, share: Share): Sql {
  const delegable = hasDelegableStepSql(tenantId, sql`t`);
  return share === 'all' ? sql`TRUE` : share === 'delegated' ? delegable : sql`NOT ${delegable}`;
}

/** True if somebody has a delegate now who can sign in. */
export async function hasDelegate({ db, tenantId, now }: Context, personId: string): Promise<boolean> {
  const row = await db.maybe(
    sql`SELECT d.user_id FROM delegations_set d JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = d.delegated_user_id AND u.status = 'ENABLED'
      WHERE d.tenant_id = ${tenantId} AND d.user_id = ${personId}
        AND (d.starts_at IS NULL OR d.starts_at <= ${now}) AND (d.expires_at IS NULL OR d.expires_at > ${now})`,
  );
  return row !== undefined;
}

/**
 * Counts open tasks of each review that ask this person now. Their own access counts only where it was given to them alone: in a set of several the
 * others decide it.
 */
export async function countOpenAsked(
  context: Context,
  personId: string,
  share: Share,
  reviewIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { tenantId } = context;
  const rows = await context.db.rows<{ reviewId: string; open: number }>(
    sql`SELECT s.review_id AS "reviewId", count(*) AS open FROM assignees_public m
      JOIN assignments_public s ON s.tenant_id = ${tenantId} AND s.id = m.assignment_id
      JOIN tasks_public t ON t.tenant_id = ${tenantId} AND t.assignment_id = m.assignment_id AND t.state = 'OPEN'
      WHERE m.tenant_id = ${tenantId} AND m.user_id = ${personId} AND s.review_id = ANY (${[...reviewIds]})
        AND (t.user_id IS DISTINCT FROM m.user_id OR cardinality(s.user_ids) = 1) AND ${inShare(tenantId, share)}
      GROUP BY s.review_id`,
  );
  return new Map(rows.map(({ reviewId, open }) => [reviewId, open]));
}

/** Of these tasks, those that are open and ask this person now. */
export async function listTasksAsked(
  context: Context,
  personId: string,
  share: Share,
  taskIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { tenantId } = context;
  const rows = await context.db.rows<{ id: string }>(
    sql`SELECT t.id FROM tasks_public t JOIN assignees_public m ON m.tenant_id = ${tenantId} AND m.assignment_id = t.assignment_id
      WHERE t.tenant_id = ${tenantId} AND t.id = ANY (${[...taskIds]}) AND t.state = 'OPEN' AND m.user_id = ${personId} AND ${inShare(tenantId, share)}`,
  );
  return new Set(rows.map(({ id }) => id));
}
