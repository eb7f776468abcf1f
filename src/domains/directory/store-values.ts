/**
 * SQL of searching profile values: pages of the table `profile_values`, which triggers keep. Every page is read from an index in its own
 * order (the value, then the id) and stops after it, whatever stands behind it.
 */
import type { Context } from '../../context.ts';
import type { ProfileSubject } from './profile-types.ts';

/** What is looked for; texts in their own spelling, what is the same is said by profile_key(). */
export interface ValueFilter {
  readonly subject: ProfileSubject;
  readonly name: string;
  /** Whether the attribute's values are numbers, or texts. */
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
  /** What the page is sorted by, before the id. */
  readonly key: string;
}

const objects: Readonly<Record<ProfileSubject, string>> = {
  USER: `SELECT p.id, '' AS "appId", o.display_name AS "displayName", o.profile -> $3 AS value, p.key::text AS key
    FROM page p JOIN users o ON o.tenant_id = $1 AND o.id = p.id`,
  ACCOUNT: `SELECT p.id, o.app_id AS "appId", o.display_name AS "displayName", o.profile -> $3 AS value, p.key::text AS key
    FROM page p JOIN accounts o ON o.tenant_id = $1 AND o.id = p.id`,
};

/** Accounts of deleted apps keep their values for a while; a look for each value on the way to the page. */
const isOfLiveApp = `(SELECT p.deleted_at IS NULL FROM accounts o JOIN apps p ON p.tenant_id = $1 AND p.id = o.app_id
  WHERE o.tenant_id = $1 AND o.id = v.object_id)`;

/** The statement of a page and its parameters; apart so that its plan can be looked at. */
export function getMatchStatement(
  tenantId: string,
  filter: ValueFilter,
  after: readonly [key: string, id: string] | undefined,
  limit: number,
): { sql: string; values: unknown[] } {
  const values: unknown[] = [tenantId, filter.subject, filter.name, limit];
  const column = filter.isNumber ? 'v.number_value' : 'v.text_key';
  const type = filter.isNumber ? 'float8' : 'text';
  const add = (value: unknown): string => `$${values.push(value)}::${type}`;
  const keyOf = (value: string | number): string => (filter.isNumber ? add(value) : `profile_key(${add(value)})`);
  const where = [`v.tenant_id = $1 AND v.subject = $2 AND v.name = $3 AND ${column} IS NOT NULL`];
  if (filter.subject === 'ACCOUNT') {
    where.push(isOfLiveApp);
  }
  if (filter.from !== undefined) {
    where.push(`${column} >= ${keyOf(filter.from)}`);
  }
  if (filter.to !== undefined) {
    where.push(`${column} < ${keyOf(filter.to)}`);
  }
  if (after !== undefined) {
    where.push(`(${column}, v.object_id) > (${add(after[0])}, $${values.push(after[1])})`);
  }
  const range = (condition: string) =>
    `SELECT v.object_id AS id, ${column} AS key FROM profile_values v WHERE ${where.join(' AND ')}${condition} ORDER BY ${column}, v.object_id LIMIT $4`;
  let page = range('');
  if (filter.oneOf !== undefined) {
    // One index range for each value, each of which stops after a page.
    const wanted = `$${values.push(filter.oneOf)}::${type}[]`;
    const key = filter.isNumber ? 'w.value' : 'profile_key(w.value)';
    page = `SELECT f.id, f.key FROM (SELECT DISTINCT ${key}${filter.isNumber ? '' : ' COLLATE "C"'} AS key FROM unnest(${wanted}) AS w (value)) k
      CROSS JOIN LATERAL (${range(` AND ${column} = k.key`)}) f ORDER BY f.key, f.id LIMIT $4`;
  }
  return { sql: `WITH page AS MATERIALIZED (${page}) ${objects[filter.subject]} ORDER BY p.key, p.id`, values };
}

/** A page of what matches, by value and id. */
export function listMatches(
  context: Context,
  filter: ValueFilter,
  after: readonly [key: string, id: string] | undefined,
  limit: number,
): Promise<MatchRow[]> {
  const { sql, values } = getMatchStatement(context.tenantId, filter, after, limit);
  return context.db.rows<MatchRow>(sql, values);
}
