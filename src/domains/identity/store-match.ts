/**
 * SQL that finds who owns an account: by mail address, employee id or user name, in the order of its connector. Nothing is written here
 * (store-rematch.ts), and by whose hand an owner was set is not looked at.
 */
import type { Context } from '../../context.ts';

/** What accounts are matched by. */
export const matchRules = ['EMAIL', 'EMPLOYEE_ID', 'USERNAME'] as const;

/** One of them. */
export type MatchRule = (typeof matchRules)[number];

/** SQL expressions over a row of an account, or a parameter: what it says of itself, as it came. Nulls and empty texts match nobody. */
export interface MatchKeys {
  readonly email: string;
  readonly employeeId: string;
  readonly username: string;
  /** Its name in the source: stands for the user name of an account without one. */
  readonly externalId: string;
}

/** Pieces of a statement: joins for its FROM, and expressions for its columns. */
export interface MatchSql {
  readonly joins: string;
  /** The owner's id; null where nobody is found, or several are. */
  readonly userId: string;
  /** How many the deciding rule finds: 0 nobody, 1 the owner, more where it is ambiguous. */
  readonly matchCount: string;
}

/** People who can own accounts: not those behind service principals, and not deleted ones. Disabled ones can: that is how leavers show. */
const people = `tenant_id = $1 AND user_type = 'HUMAN' AND status <> 'DELETED'`;

/**
 * The pieces that match each row of a statement to a person; the tenant is its parameter $1. `order` is an SQL expression of text[], the rules
 * in their order (a parameter, or connectors.match_order); those it leaves out are not used. The first rule that finds somebody decides:
 * one person is the owner, several make it ambiguous, and later rules are not asked.
 *
 * Each rule is one aggregate over the people joined by equality, so a statement costs one pass over the people per rule and one over
 * its rows, however many match. Where the keys are parameters, the people are found through their indexes instead.
 */
export function getMatchSql(keys: MatchKeys, order: string): MatchSql {
  // Not coalesce: row-level security takes it for something that might leak, and the index would not be used.
  const username = `CASE WHEN ${keys.username} <> '' THEN ${keys.username} ELSE ${keys.externalId} END`;
  const joins = `
    LEFT JOIN (SELECT email_key AS key, id, 1 AS count FROM users WHERE ${people} AND email_key <> '') AS by_email
      ON by_email.key = ${lower(keys.email)}
    LEFT JOIN ${groupedBy('employee_id')} AS by_employee_id ON by_employee_id.key = (${keys.employeeId}) COLLATE "C"
    LEFT JOIN ${groupedBy('username_key')} AS by_username ON by_username.key = ${lower(username)}`;
  return { joins, ...getDecision(order) };
}

/**
 * The same for stored accounts `a`, few of them: the people are found through their indexes, account by account, so a statement costs
 * what its accounts match.
 */
export function getMatchSqlOfFew(order: string): MatchSql {
  const found = (column: string, key: string, name: string): string => `
    LEFT JOIN LATERAL (SELECT CASE WHEN count(*) = 1 THEN min(id) END AS id, count(*)::integer AS count
      FROM users WHERE ${people} AND ${column} <> '' AND ${column} = a.${key} HAVING count(*) > 0) AS ${name} ON true`;
  const joins = [
    found('email_key', 'email_key', 'by_email'),
    found('employee_id', 'employee_id', 'by_employee_id'),
    found('username_key', 'username_key', 'by_username'),
  ].join('');
  return { joins, ...getDecision(order) };
}

/** What the first rule of the order says that finds anybody. */
function getDecision(order: string): Pick<MatchSql, 'userId' | 'matchCount'> {
  const at = (position: number, column: string): string =>
    `CASE (${order})[${position}] WHEN 'EMAIL' THEN by_email.${column} WHEN 'EMPLOYEE_ID' THEN by_employee_id.${column}
      WHEN 'USERNAME' THEN by_username.${column} END`;
  return {
    userId: `CASE WHEN ${at(1, 'count')} IS NOT NULL THEN ${at(1, 'id')} WHEN ${at(2, 'count')} IS NOT NULL THEN ${at(2, 'id')}
      ELSE ${at(3, 'id')} END`,
    matchCount: `coalesce(${at(1, 'count')}, ${at(2, 'count')}, ${at(3, 'count')}, 0)`,
  };
}

/** Keys are compared byte by byte; what is lower case is the database's word, since "C" knows it of ASCII alone. */
function lower(expression: string): string {
  return `(lower((${expression}) COLLATE "default") COLLATE "C")`;
}

/** People by a key that several may share: their number, and who it is where there is one. */
function groupedBy(column: string): string {
  return `(SELECT ${column} AS key, CASE WHEN count(*) = 1 THEN min(id) END AS id, count(*)::integer AS count
      FROM users WHERE ${people} AND ${column} <> '' GROUP BY ${column})`;
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
