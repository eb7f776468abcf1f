/**
 * SQL of searching profile values: pages of the table `profile_values`, which triggers keep. Every page is read from an index in its own
 * order (the value, then the id) and stops after it, whatever stands behind it.
 */
import { allSql, empty, fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { ProfileSubject } from './profile-types.ts';
import { attributeSlot } from './slots.ts';

/** Values looked for; texts in their own spelling, what is the same is said by profile_key(). */
export interface ValueFilter {
  readonly subject: ProfileSubject;
  readonly name: string;
  /** True if the attribute's values are numbers, false if texts. */
  readonly isNumber: boolean;
  /** One of these; undefined for a range. */
  readonly oneOf: readonly (string | number)[] | undefined;
  /** Inclusive. */
  readonly from: string | number | undefined;
  /** Exclusive. */
  readonly to: string | number | undefined;
}

/** Something whose value matches. */
export interface MatchRow {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly value: unknown;
  /** Sort key of the page, before the id. */
  readonly key: string;
}

/** Table and app of each object found. */
const objectTables: Readonly<Record<ProfileSubject, { table: string; appId: string }>> = {
  USER: { table: 'users', appId: `''` },
  ACCOUNT: { table: 'accounts', appId: 'o.app_id' },
};

/** The statement of a page; apart so that its plan can be looked at. */
export function getMatchStatementSql(
  tenantId: string,
  filter: ValueFilter,
  after: readonly [key: string, id: string] | undefined,
  limit: number,
): Sql {
  const { subject, name, isNumber, oneOf, from, to } = filter;
  const column = isNumber ? sql`v.number_value` : sql`v.text_key`;
  const type = fixed(isNumber ? 'float8' : 'text');
  const keyOf = (value: string | number): Sql => (isNumber ? sql`${value}::${type}` : sql`profile_key(${value}::${type})`);
  const where = [
    sql`v.tenant_id = ${tenantId} AND v.subject = ${subject} AND v.name = ${name} AND ${column} IS NOT NULL`,
    // Accounts of deleted apps keep their values for a while; a look for each value on the way to the page.
    ...(subject === 'ACCOUNT' ? [attributeSlot.get().getIsInLiveApp(tenantId, 'v.object_id')] : []),
    ...(from === undefined ? [] : [sql`${column} >= ${keyOf(from)}`]),
    ...(to === undefined ? [] : [sql`${column} < ${keyOf(to)}`]),
    ...(after === undefined ? [] : [sql`(${column}, v.object_id) > (${after[0]}::${type}, ${after[1]})`]),
  ];
  const range = (condition: Sql): Sql =>
    sql`SELECT v.object_id AS id, ${column} AS key FROM profile_values v WHERE ${allSql(where)}${condition} ORDER BY ${column}, v.object_id LIMIT ${limit}`;
  let page = range(empty);
  if (oneOf !== undefined) {
    // One index range for each value, each of which stops after a page.
    const key = isNumber ? sql`w.value` : sql`profile_key(w.value) COLLATE "C"`;
    page = sql`SELECT f.id, f.key FROM (SELECT DISTINCT ${key} AS key FROM unnest(${oneOf}::${type}[]) AS w (value)) k
      CROSS JOIN LATERAL (${range(sql` AND ${column} = k.key`)}) f ORDER BY f.key, f.id LIMIT ${limit}`;
  }
  const { table, appId } = objectTables[subject];
  return sql`WITH page AS MATERIALIZED (${page})
    SELECT p.id, ${fixed(appId)} AS "appId", o.display_name AS "displayName", o.profile -> ${name} AS value, p.key::text AS key
    FROM page p JOIN ${fixed(table)} o ON o.tenant_id = ${tenantId} AND o.id = p.id ORDER BY p.key, p.id`;
}

/** A page of what matches, by value and id. */
export function listMatches(
  context: Context,
  filter: ValueFilter,
  after: readonly [key: string, id: string] | undefined,
  limit: number,
): Promise<MatchRow[]> {
  return context.db.rows<MatchRow>(getMatchStatementSql(context.tenantId, filter, after, limit));
}
