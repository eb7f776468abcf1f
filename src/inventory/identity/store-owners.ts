/**
 * SQL of who may own an account, and of one account's match.
 */
import { type Sql, sql } from '../../lib/sql.ts';
import { getAddressKey } from '../../lib/names/same-name.ts';
import type { Context } from '../../context.ts';
import { getMatchSql } from './store-match.ts';
import { identitySlot } from './slots.ts';

/** Person an account matches. */
export interface Match {
  /** Its owner; null where nobody is found, or several people are. */
  readonly userId: string | null;
  readonly matchCount: number;
  /** True if the owner is found by an address that they had before. */
  readonly byFormerAddress: boolean;
}

/**
 * Finds whom an account with these values matches, in the order of its source; of one that an identity provider pushes, the person it pushes with
 * it. Finds people through their indexes.
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
  const { order, sourceId, isPushed } = await context.db.one<{ order: string[]; sourceId: string | null; isPushed: boolean }>(
    sql`SELECT coalesce(n.match_order, '{EMAIL,EMPLOYEE_ID,USERNAME}') AS "order", n.id AS "sourceId",
       n.kind IS NOT DISTINCT FROM 'SCIM' AS "isPushed"
     FROM accounts_public a LEFT JOIN sources_public n ON n.tenant_id = a.tenant_id AND n.app_id = a.app_id AND n.source_no = a.source_no
     WHERE a.tenant_id = ${context.tenantId} AND a.app_id = ${account.appId} AND a.id = ${account.id}`,
  );
  const pushedId = sourceId === null ? undefined : await identitySlot.get().findPushedPerson(context, sourceId, account.id);
  if (isPushed || pushedId !== undefined) {
    // Nobody, while it is disputed whom the provider means.
    return { userId: pushedId ?? null, matchCount: pushedId === undefined ? 0 : 1, byFormerAddress: false };
  }
  const text = (value: string): Sql => sql`${value}::text`;
  const { joins, userId, matchCount, byFormerAddress } = getMatchSql(
    context.tenantId,
    {
      emailKey: text(getAddressKey(account.email)),
      employeeId: text(account.employeeId),
      usernameKey: text(getAddressKey(account.username === '' ? account.externalId : account.username)),
    },
    sql`${order}::text[]`,
  );
  return context.db.one<Match>(
    sql`SELECT ${userId} AS "userId", ${matchCount} AS "matchCount", ${byFormerAddress} AS "byFormerAddress" FROM (SELECT 1) AS one ${joins}`,
  );
}

/** True if somebody who can own accounts has this id: neither deleted nor behind a service principal. */
export async function hasOwnerCandidate(context: Context, id: string): Promise<boolean> {
  const row = await context.db.maybe(
    `SELECT FROM users_public WHERE tenant_id = $1 AND id = $2 AND status <> 'DELETED' AND user_type = 'HUMAN'`,
    [context.tenantId, id],
  );
  return row !== undefined;
}
