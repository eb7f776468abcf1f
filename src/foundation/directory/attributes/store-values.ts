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

/** The last row of the page before. */
type After = readonly [key: string, id: string] | undefined;

/** Returns the statement of a page of values: `id` and `key`, in order. Apart so that its plan can be looked at. */
function getPageSql(tenantId: string, filter: ValueFilter, after: After, limit: number): Sql {
  const { subject, name, isNumber, oneOf, from, to } = filter;
  const column = isNumber ? sql`v.number_value` : sql`v.text_key`;
  const type = fixed(isNumber ? 'float8' : 'text');
  const keyOf = (value: string | number): Sql => (isNumber ? sql`${value}::${type}` : sql`profile_key(${value}::${type})`);
  const where = [
    sql`v.tenant_id = ${tenantId} AND v.subject = ${subject} AND v.name = ${name} AND ${column} IS NOT NULL`,
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
  return page;
}

/** Returns the statement of a page of people; apart so that its plan can be looked at. */
export function getPeopleStatementSql(tenantId: string, filter: ValueFilter, after: After, limit: number): Sql {
  return sql`WITH page AS MATERIALIZED (${getPageSql(tenantId, filter, after, limit)})
    SELECT p.id, '' AS "appId", o.display_name AS "displayName", o.profile -> ${filter.name} AS value, p.key::text AS key
    FROM page p JOIN users o ON o.tenant_id = ${tenantId} AND o.id = p.id ORDER BY p.key, p.id`;
}

/** Returns a page of what matches, by value and id. */
export function listMatches(context: Context, filter: ValueFilter, after: After, limit: number): Promise<MatchRow[]> {
  return filter.subject === 'USER'
    ? context.db.rows<MatchRow>(getPeopleStatementSql(context.tenantId, filter, after, limit))
    : listAccounts(context, filter, after, limit);
}

/** Reads on where accounts of a page are in deleted apps: they keep their values for a while. */
async function listAccounts(context: Context, filter: ValueFilter, after: After, limit: number): Promise<MatchRow[]> {
  const found: MatchRow[] = [];
  for (let from = after; ; ) {
    const page = await context.db.rows<{ id: string; key: string }>(
      sql`SELECT p.id, p.key::text AS key FROM (${getPageSql(context.tenantId, filter, from, limit)}) p ORDER BY p.key, p.id`,
    );
    const accounts = await attributeSlot.get().listAccounts(
      context,
      page.map(({ id }) => id),
      filter.name,
    );
    const byId = new Map(accounts.map((account) => [account.id, account]));
    for (const { id, key } of page) {
      const account = byId.get(id);
      if (account !== undefined) {
        found.push({ ...account, key });
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < limit || found.length >= limit) {
      return found.slice(0, limit);
    }
    from = [last.key, last.id];
  }
}
