/**
 * SQL that asks whether something of the inventory concerns a person: an account of theirs, what it holds, and what a task asks about that
 * they are asked, or that is in a review of theirs. What is not in a review's snapshot is found there by its key, before any task is read.
 */
import { allOf, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';

/** Whom it is to concern: the person, and those for whom they may decide. */
export interface Concerned {
  readonly userId: string;
  readonly standsFor: readonly string[];
}

const isShown = sql`b.state NOT IN ('HIDDEN', 'CANCELLED')`;

/** Whether this holds of an entitlement `e` in the snapshot of a review, in which the person has a task about it or which is theirs. */
function isAsked({ tenantId }: Context, { userId, standsFor }: Concerned, appId: string, ofSnapshot: Sql, ofTask: Sql): Sql {
  const inSnapshot = sql`EXISTS (SELECT FROM review_entitlements e
    WHERE e.tenant_id = ${tenantId} AND e.review_id = b.id AND e.app_id = ${appId} AND NOT e.is_excluded AND ${ofSnapshot})`;
  return sql`EXISTS (SELECT FROM task_reviews b WHERE b.tenant_id = ${tenantId} AND ${isShown} AND ${userId} = ANY (b.manager_ids) AND ${inSnapshot})
    OR EXISTS (
      SELECT FROM (SELECT DISTINCT m.review_id, m.assignment_id FROM task_assignment_members m
                   WHERE m.tenant_id = ${tenantId} AND m.user_id = ANY (${standsFor})) m
      JOIN task_reviews b ON b.tenant_id = ${tenantId} AND b.id = m.review_id AND ${isShown}
      CROSS JOIN LATERAL (
        SELECT FROM tasks t
        WHERE ${inSnapshot} AND t.tenant_id = ${tenantId} AND t.assignment_id = m.assignment_id AND t.app_id = ${appId} AND ${ofTask} LIMIT 1) t)`;
}

async function ask(context: Context, condition: Sql): Promise<boolean> {
  const { found } = await context.db.one<{ found: boolean }>(sql`SELECT ${condition} AS found`);
  return found;
}

/** Whether the person has an account in the app, or a task about access to it. */
export function hasConcernInApp(context: Context, concerned: Concerned, appId: string): Promise<boolean> {
  const always = sql`true`;
  const own = sql`EXISTS (SELECT FROM accounts a WHERE ${allOf([
    sql`a.tenant_id = ${context.tenantId} AND a.user_id = ${concerned.userId}`,
    sql`a.app_id = ${appId} AND a.status <> 'DELETED'`,
  ])})`;
  return ask(context, sql`${own} OR ${isAsked(context, concerned, appId, always, always)}`);
}

/** Whether the person holds the entitlement, or has a task about it. */
export function hasConcernInEntitlement(context: Context, concerned: Concerned, appId: string, id: string): Promise<boolean> {
  const own = sql`EXISTS (SELECT FROM accounts a
    JOIN grants g ON g.tenant_id = a.tenant_id AND g.app_id = a.app_id AND g.account_id = a.id
    WHERE a.tenant_id = ${context.tenantId} AND a.user_id = ${concerned.userId} AND a.app_id = ${appId}
      AND g.entitlement_id = ${id} AND g.removed_revision IS NULL)`;
  const asked = isAsked(context, concerned, appId, sql`e.entitlement_id = ${id}`, sql`t.entitlement_id = ${id}`);
  return ask(context, sql`${own} OR ${asked}`);
}
