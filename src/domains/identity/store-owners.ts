/**
 * SQL of who may own an account, and of one account's match.
 */
import { type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { getMatchSql } from './store-match.ts';

/** Whom an account matches. */
export interface Match {
  /** Its owner; null where nobody is found, or several people are. */
  readonly userId: string | null;
  readonly matchCount: number;
}

/**
 * Whom an account that says this of itself matches, in the order of its source; of one that an identity provider pushes, the person it pushes
 * with it. Finds people through their indexes.
 */
export async function findMatch(
  context: Context,
  account: {
    readonly appId: string;
    readonly id: string;
    readonly email: string;
    readonly employeeId: string;
    readonly username: string;
    readonly externalId: string;
  },
): Promise<Match> {
  // An account made manually has no source: the order is then the one each source starts with.
  const { order, pushedId } = await context.db.one<{ order: string[]; pushedId: string | null }>(
    `SELECT coalesce(n.match_order, '{EMAIL,EMPLOYEE_ID,USERNAME}') AS "order",
       (SELECT r.user_id FROM scim_resources r JOIN users u ON u.tenant_id = $1 AND u.id = r.user_id AND u.status <> 'DELETED'
        WHERE r.tenant_id = $1 AND r.account_id = a.id AND r.source_id = n.id AND r.kind = 'USER' AND r.deleted_at IS NULL LIMIT 1) AS "pushedId"
     FROM accounts a LEFT JOIN sources n ON n.tenant_id = a.tenant_id AND n.app_id = a.app_id AND n.source_no = a.source_no
     WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.id = $3`,
    [context.tenantId, account.appId, account.id],
  );
  if (pushedId !== null) {
    return { userId: pushedId, matchCount: 1 };
  }
  const text = (value: string): Sql => sql`${value}::text`;
  const { joins, userId, matchCount } = getMatchSql(
    context.tenantId,
    {
      email: text(account.email),
      employeeId: text(account.employeeId),
      username: text(account.username),
      externalId: text(account.externalId),
    },
    sql`${order}::text[]`,
  );
  return context.db.one<Match>(sql`SELECT ${userId} AS "userId", ${matchCount} AS "matchCount" FROM (SELECT 1) AS one ${joins}`);
}

/** Whether somebody who can own accounts has this id: neither deleted nor behind a service principal. */
export async function hasOwnerCandidate(context: Context, id: string): Promise<boolean> {
  const row = await context.db.maybe(`SELECT FROM users WHERE tenant_id = $1 AND id = $2 AND status <> 'DELETED' AND user_type = 'HUMAN'`, [
    context.tenantId,
    id,
  ]);
  return row !== undefined;
}
