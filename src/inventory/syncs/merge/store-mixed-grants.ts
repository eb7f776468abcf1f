/** SQL that finds rows of a file which report the same grant with different attributes. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/** The first row that reports a grant with another value of an attribute than the grant's first row has. */
export interface MixedGrant {
  /** The attribute. */
  readonly column: string;
  /** Rows that differ in it. */
  readonly count: number;
  readonly line: number;
  readonly firstLine: number;
  readonly value: string;
  readonly first: string;
  readonly account: string;
  readonly resource: string;
  readonly entitlement: string;
}

/** The first row of an account with another value of an attribute than a row before it has. */
export type MixedAttribute = Pick<MixedGrant, 'column' | 'line' | 'firstLine' | 'value' | 'first' | 'account'>;

/** In a file whose rows all differ in something, so many accounts show which columns do. */
const accountsLookedAt = 5000;

/** Of each of these attributes that has several values for one account, the first row that shows it. */
export function listMixedAttributes(context: Context, names: readonly string[]): Promise<MixedAttribute[]> {
  return context.db.rows<MixedAttribute>(
    sql`WITH mixed AS (SELECT account FROM import_accounts WHERE has_many_profiles ORDER BY line LIMIT ${accountsLookedAt}),
     said AS (
       SELECT g.account, g.line, n.name, g.profile::jsonb ->> n.name AS value
       FROM mixed m JOIN import_grants g ON g.account = m.account AND g.profile IS NOT NULL CROSS JOIN unnest(${[...names]}::text[]) AS n (name)),
     beside AS (
       SELECT account, line, name, value, first_value(line) OVER w AS first_line, first_value(value) OVER w AS first
       FROM said WHERE value <> '' WINDOW w AS (PARTITION BY account, name ORDER BY line))
     SELECT DISTINCT ON (name) name AS column, line, first_line AS "firstLine", value, first, account
     FROM beside WHERE value <> first ORDER BY name, line`,
  );
}

/**
 * Of each of these attributes, the first row that differs in it from another row of the same grant. Reads `import_grants` and `import_accounts`: only
 * accounts whose rows have different profiles are looked at.
 */
export function listMixedGrants(context: Context, names: readonly string[], limit: number): Promise<MixedGrant[]> {
  return context.db.rows<MixedGrant>(
    // A sum of each profile first, which is cheap: nearly no file has such rows, and only theirs are sorted.
    sql`WITH mixed AS (
       SELECT g.account, g.resource_type, g.resource, g.entitlement, coalesce(g.granted_via, '') AS via
       FROM import_grants g JOIN import_accounts a ON a.account = g.account AND (a.has_many_profiles OR a.has_gaps)
       WHERE g.entitlement <> ''
       GROUP BY 1, 2, 3, 4, 5
       HAVING count(*) > 1 AND min(hashtextextended(coalesce(g.profile, ''), 0)) <> max(hashtextextended(coalesce(g.profile, ''), 0))),
     pairs AS (
       SELECT g.account, g.resource, g.entitlement, g.line, g.profile::jsonb AS profile, first_value(g.line) OVER w AS first_line,
         (first_value(g.profile) OVER w)::jsonb AS first_profile
       FROM mixed m JOIN import_grants g ON g.account = m.account AND g.resource_type = m.resource_type AND g.resource = m.resource
         AND g.entitlement = m.entitlement AND coalesce(g.granted_via, '') = m.via
       WINDOW w AS (PARTITION BY m.account, m.resource_type, m.resource, m.entitlement, m.via ORDER BY g.line)),
     differing AS (
       SELECT n.name, p.line, p.first_line, coalesce(p.profile ->> n.name, '') AS value, coalesce(p.first_profile ->> n.name, '') AS first,
         p.account, p.resource, p.entitlement
       FROM pairs p CROSS JOIN unnest(${[...names]}::text[]) AS n (name)
       WHERE p.profile ->> n.name IS DISTINCT FROM p.first_profile ->> n.name)
     SELECT DISTINCT ON (name) name AS column, count(*) OVER (PARTITION BY name) AS count, line, first_line AS "firstLine", value, first,
       account, resource, entitlement
     FROM differing ORDER BY name, line LIMIT ${limit}`,
  );
}
