/**
 * SQL that finds who owns an account: by mail address, employee id or user name, in the order of its connector. A person has those that they are called
 * by, those that a live record of theirs says, and, of addresses that nobody has now, those they had before. Nothing is written here
 * (store-rematch.ts), and by whose hand an owner was set is not looked at.
 */
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { getFormerAddressesSql } from '../../foundation/directory/index.ts';
import { identitySlot } from './slots.ts';

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
  /** True if the owner was found by an address that they had before. */
  readonly byFormerAddress: Sql;
}

/** Key by which several people may be found. */
type SharedKey = 'employee_id' | 'username_key';

/** People `alias` who can own accounts: not those behind service principals, and not deleted ones. Disabled ones can: that is how leavers show. */
function isPerson(tenantId: string, alias: string): Sql {
  const u = fixed(alias);
  return sql`${u}.tenant_id = ${tenantId} AND ${u}.user_type = 'HUMAN' AND ${u}.status <> 'DELETED'`;
}

/**
 * The pieces that match each row of a statement to a person. `order` is a text[], the rules in their order (a value, or sources.match_order);
 * those it leaves out are not used. The first rule that finds somebody decides: one person is the owner, several make it ambiguous, and
 * later rules are not asked.
 *
 * Each rule is one aggregate over the people joined by equality, so a statement costs one pass over the people and one over their records per rule
 * and one over its rows, however many match. Where the keys are values, the people are found through their indexes instead.
 */
export function getMatchSql(tenantId: string, keys: MatchKeys, order: Sql): MatchSql {
  const joins = sql`
    LEFT JOIN (${getAddressesSql(tenantId, everyKey)}) AS by_email ON by_email.key = (${keys.emailKey}) COLLATE "C"
    LEFT JOIN ${groupedBy(tenantId, 'employee_id')} AS by_employee_id ON by_employee_id.key = (${keys.employeeId}) COLLATE "C"
    LEFT JOIN ${groupedBy(tenantId, 'username_key')} AS by_username ON by_username.key = (${keys.usernameKey}) COLLATE "C"`;
  return { joins, ...getDecision(order) };
}

/**
 * The same for stored accounts `a`, few of them: the people are found through their indexes, account by account, so a statement costs
 * what its accounts match.
 */
export function getMatchSqlOfFew(tenantId: string, order: Sql): MatchSql {
  const isOf = (key: string) => (column: string) => fixed(`${column} = a.${key}`);
  const found = (key: SharedKey, name: string): Sql => sql`
    LEFT JOIN LATERAL (SELECT ${holder} FROM (${getKeysSql(tenantId, key, isOf(key))}) AS x HAVING count(*) > 0) AS ${fixed(name)} ON true`;
  const joins = sql`
    LEFT JOIN LATERAL (${getAddressesSql(tenantId, isOf('email_key'))}) AS by_email ON true
    ${found('employee_id', 'by_employee_id')}${found('username_key', 'by_username')}`;
  return { joins, ...getDecision(order) };
}

/** Takes the first rule of the order that finds anybody. */
function getDecision(order: Sql): Omit<MatchSql, 'joins'> {
  const at = (position: number, column: 'id' | 'count'): Sql =>
    sql`CASE (${order})[${fixed(String(position))}] WHEN 'EMAIL' THEN by_email.${fixed(column)}
      WHEN 'EMPLOYEE_ID' THEN by_employee_id.${fixed(column)} WHEN 'USERNAME' THEN by_username.${fixed(column)} END`;
  return {
    userId: sql`CASE WHEN ${at(1, 'count')} IS NOT NULL THEN ${at(1, 'id')} WHEN ${at(2, 'count')} IS NOT NULL THEN ${at(2, 'id')}
      ELSE ${at(3, 'id')} END`,
    matchCount: sql`coalesce(${at(1, 'count')}, ${at(2, 'count')}, ${at(3, 'count')}, 0)`,
    // Most are not found by one, and then nothing else is asked.
    byFormerAddress: sql`CASE WHEN by_email.is_former THEN (${order})[CASE WHEN ${at(1, 'count')} IS NOT NULL THEN 1
      WHEN ${at(2, 'count')} IS NOT NULL THEN 2 ELSE 3 END] IS NOT DISTINCT FROM 'EMAIL' ELSE false END`,
  };
}

/** Condition that keys of a column are wanted. */
type IsWanted = (column: string) => Sql;

const everyKey: IsWanted = () => fixed('TRUE');

/**
 * Selects addresses of people, each once, as `key`, `id`, `count` (1) and `is_former`: the one that somebody has, and, of those that nobody has, what
 * the records of one person say, or what one person alone had before. A former holder who was deleted is one, too, and owns nothing.
 */
function getAddressesSql(tenantId: string, isWanted: IsWanted): Sql {
  const isFree = (column: string): Sql =>
    sql`NOT EXISTS (SELECT FROM users_public h WHERE h.tenant_id = ${tenantId} AND h.email_key = ${fixed(column)} AND h.email_key <> '')`;
  return sql`SELECT u.email_key AS key, u.id, 1 AS count, false AS is_former FROM users_public u
      WHERE ${isPerson(tenantId, 'u')} AND u.email_key <> '' AND ${isWanted('u.email_key')}
    UNION ALL
    SELECT o.key, o.id, 1, o.is_former FROM (
      SELECT x.key, CASE WHEN bool_and(x.is_former) THEN min(x.id) ELSE min(x.id) FILTER (WHERE NOT x.is_former) END AS id,
        bool_and(x.is_former) AS is_former
      FROM (
        SELECT k.email_key AS key, k.id, false AS is_former FROM ${identitySlot.get().getRecordKeys(tenantId)} AS k
        WHERE k.email_key <> '' AND ${isWanted('k.email_key')} AND ${isFree('k.email_key')}
        UNION
        SELECT w.email_key, w.id, true FROM ${getFormerAddressesSql(tenantId)} AS w
        WHERE w.email_key <> '' AND ${isWanted('w.email_key')} AND ${isFree('w.email_key')}) AS x
      GROUP BY x.key HAVING CASE WHEN bool_and(x.is_former) THEN count(*) ELSE count(*) FILTER (WHERE NOT x.is_former) END = 1) AS o
    JOIN users_public u ON ${isPerson(tenantId, 'u')} AND u.id = o.id`;
}

/**
 * Selects keys of people as `key`, `id` and `is_live`: their own, and what their live records say. Of those who left, what no live record says any more is
 * not live. Each person stands once by a key among those that are live, and once among all of those that are not.
 */
export function getKeysSql(tenantId: string, key: SharedKey, isWanted: IsWanted = everyKey): Sql {
  const column = fixed(key);
  return sql`SELECT u.${column} AS key, u.id, u.status = 'ENABLED' AS is_live FROM users_public u
      WHERE ${isPerson(tenantId, 'u')} AND u.${column} <> '' AND ${isWanted(`u.${key}`)}
    UNION ALL
    SELECT DISTINCT k.${column}, k.id, true FROM ${identitySlot.get().getRecordKeys(tenantId)} AS k
    JOIN users_public u ON ${isPerson(tenantId, 'u')} AND u.id = k.id AND (u.${column} <> k.${column} OR u.status <> 'ENABLED')
    WHERE k.${column} <> '' AND ${isWanted(`k.${key}`)}`;
}

/**
 * Number of the people `x` who have a key, and who it is where there is one. A key that is somebody's by now is not that of those who left: user names are
 * given again.
 */
const holder =
  fixed(`CASE WHEN count(*) = 1 THEN min(x.id) WHEN count(*) FILTER (WHERE x.is_live) = 1 THEN min(x.id) FILTER (WHERE x.is_live) END AS id,
        CASE WHEN bool_or(x.is_live) THEN count(*) FILTER (WHERE x.is_live) ELSE count(*) END::integer AS count`);

/** People by a key that several may share: their number, and who it is where there is one. */
function groupedBy(tenantId: string, key: SharedKey): Sql {
  return sql`(SELECT x.key, ${holder}
      FROM (${getKeysSql(tenantId, key)}) AS x GROUP BY x.key)`;
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
