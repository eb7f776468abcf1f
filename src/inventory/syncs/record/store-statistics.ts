/** SQL that renews the statistics by which the planner knows the tables of an import. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { alwaysAnalyzeFrom, analyzeFrom } from '../values/index.ts';

/** Tables that an import of each kind changes. */
const changedTables = {
  PEOPLE: ['users'],
  GRANTS: ['grants', 'accounts', 'entitlements', 'resources', 'resource_types'],
} as const;

/**
 * Renews the statistics of the tables that an import changed, where it changed them by a tenth or has brought their first rows; outside of its
 * transaction. Autovacuum would do so a minute later, or never where the import is small. What fails is logged: the import is done.
 */
export async function renewStatistics(context: Context, kind: 'PEOPLE' | 'GRANTS', changed: number): Promise<void> {
  if (changed < analyzeFrom || context.db.inTransaction) {
    return;
  }
  try {
    const outdated = await context.db.rows<{ name: string }>(
      sql`SELECT c.relname AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'countersign' AND c.relkind = 'r' AND c.relname = ANY (${changedTables[kind]})
          AND (${changed >= alwaysAnalyzeFrom} OR c.reltuples < 10 * ${changed}::double precision)`,
    );
    for (const { name } of outdated) {
      await context.db.rows('SELECT update_statistics($1)', [name]);
    }
  } catch (error) {
    context.log.warn({ err: error }, 'the statistics could not be renewed after a sync');
  }
}
