/**
 * SQL that finds who owns an account: by mail address, employee id or user name, in the order of its connector. Nothing is written here
 * (store-rematch.ts), and by whose hand an owner was set is not looked at.
 */
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';

/** Rules to match accounts by. */
export const matchRules = ['EMAIL', 'EMPLOYEE_ID', 'USERNAME'] as const;

/** One of them. */
export type MatchRule = (typeof matchRules)[number];

/** Keys of an account: columns of a row, or values. Nulls and empty texts match nobody. */
export interface MatchKeys {
  readonly emailKey: Sql;
  readonly employeeId: Sql;
  /** That of its user name; of an account without one, of its name in the source. */
  readonly usernameKey: Sql;
}

/** Pieces of a statement: joins for its FROM, and expressions for its columns. */
export interface MatchSql {
  readonly joins: Sql;
  /** The owner's id; null where nobody is found, or several are. */
  readonly userId: Sql;
  /** People the deciding rule finds: 0 nobody, 1 the owner, more where it is ambiguous. */
  readonly matchCount: Sql;
}

/** People who can own accounts: not those behind service principals, and not deleted ones. Disabled ones can: that is how leavers show. */
const isPerson = (tenantId: string): Sql => sql`tenant_id = ${tenantId} AND user_type = 'HUMAN' AND status <> 'DELETED'`;

/**
 * The pieces that match each row of a statement to a person. `order` is a text[], the rules in their order (a value, or sources.match_order);
 * those it leaves out are not used. The first rule that finds somebody decides: one person is the owner, several make it ambiguous, and
 * later rules are not asked.
 *
 * Each rule is one aggregate over the people joined by equality, so a statement costs one pass over the people per rule and one over
 * its rows, however many match. Where the keys are values, the people are found through their indexes instead.
 */
export function getMatchSql(tenantId: string, keys: MatchKeys, order: Sql): MatchSql {
  const joins = sql`
    LEFT JOIN (SELECT email_key AS key, id, 1 AS count FROM users_public WHERE ${isPerson(tenantId)} AND email_key <> '') AS by_email
      ON by_email.key = (${keys.emailKey}) COLLATE "C"
    LEFT JOIN ${groupedBy(tenantId, 'employee_id')} AS by_employee_id ON by_employee_id.key = (${keys.employeeId}) COLLATE "C"
    LEFT JOIN ${groupedBy(tenantId, 'username_key')} AS by_username ON by_username.key = (${keys.usernameKey}) COLLATE "C"`;
  return { joins, ...getDecision(order) };
}

/**
 * The same for stored accounts `a`, few of them: the people are found through their indexes, account by account, so a statement costs
 * what its accounts match.
 */
export function getMatchSqlOfFew(tenantId: string, order: Sql): MatchSql {
  const found = (key: 'email_key' | 'employee_id' | 'username_key', name: string): Sql => sql`
    LEFT JOIN LATERAL (SELECT CASE WHEN count(*) = 1 THEN min(id) END AS id, count(*)::integer AS count
      FROM users_public WHERE ${isPerson(tenantId)} AND ${fixed(`${key} <> '' AND ${key} = a.${key}`)} HAVING count(*) > 0) AS ${fixed(name)} ON true`;
  const joins = sql`${found('email_key', 'by_email')}${found('employee_id', 'by_employee_id')}${found('username_key', 'by_username')}`;
  return { joins, ...getDecision(order) };
}

/** Takes the first rule of the order that finds anybody. */
function getDecision(order: Sql): Pick<MatchSql, 'userId' | 'matchCount'> {
  const at = (position: number, column: 'id' | 'count'): Sql =>
    sql`CASE (${order})[${fixed(String(position))}] WHEN 'EMAIL' THEN by_email.${fixed(column)}
      WHEN 'EMPLOYEE_ID' THEN by_employee_id.${fixed(column)} WHEN 'USERNAME' THEN by_username.${fixed(column)} END`;
  return {
    userId: sql`CASE WHEN ${at(1, 'count')} IS NOT NULL THEN ${at(1, 'id')} WHEN ${at(2, 'count')} IS NOT NULL THEN ${at(2, 'id')}
      ELSE ${at(3, 'id')} END`,
    matchCount: sql`coalesce(${at(1, 'count')}, ${at(2, 'count')}, ${at(3, 'count')}, 0)`,
  };
}

/** People by a key that several may share: their number, and who it is where there is one. */
function groupedBy(tenantId: string, key: 'employee_id' | 'username_key'): Sql {
  const column = fixed(key);
  return sql`(SELECT ${column} AS key, CASE WHEN count(*) = 1 THEN min(id) END AS id, count(*)::integer AS count
      FROM users_public WHERE ${isPerson(tenantId)} AND ${column} <> '' GROUP BY ${column})`;
}

/**
 * Keeps whoever matches after changing accounts and whoever matches after changing people apart until their transactions end: neither sees
 * what the other is about to commit, and an account would keep an owner who is not. The former share it; the latter (`ofPeople`) have it alone.
 * Taken behind the locks of the apps, right before the accounts are looked at.
 */
export async function lockMatching(context: Context, ofPeople: boolean): Promise<void> {
  const lock = ofPeople ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
  await context.db.rows(`SELECT ${lock}(hashtextextended($1, 6))`, [`countersign.matching.${context.tenantId}`]);
}
