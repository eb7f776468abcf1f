/** SQL that leads from ids that were found to the rows that have them. */
import { fixed, type Sql, sql } from '../../lib/sql.ts';

/**
 * Selects from the rows of a table with these ids, each looked up by its key; from all of it where they are undefined. Where nothing was ever analyzed,
 * a list of ids beside other conditions is often answered by passing over the whole table.
 */
export function rowsWithIds(table: string, tenantId: string, ids: readonly string[] | undefined): Sql {
  const name = fixed(table);
  return ids === undefined
    ? name
    : sql`(SELECT x.* FROM (SELECT DISTINCT unnest(${ids}::text[]) AS id) AS i
        CROSS JOIN LATERAL (SELECT * FROM ${name} k WHERE k.tenant_id = ${tenantId} AND k.id = i.id COLLATE "C" OFFSET 0) AS x)`;
}
