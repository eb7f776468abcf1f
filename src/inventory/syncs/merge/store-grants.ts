/**
 * SQL that says how the grants of an app are to change, as store-difference.ts found it: pieces for the ledger, which writes them.
 */
import type { Context } from '../../../context.ts';
import { type Sql, sql } from '../../../lib/sql.ts';
import type { GrantsToWrite } from '../../ledger/index.ts';

/**
 * Allows every join, whether few rows were found or many; the planner knows which, and may look the few up one by one. Until here that was
 * forbidden (see setImportSettings).
 */
export async function setJoins(context: Context): Promise<void> {
  await context.db.run('SET LOCAL enable_nestloop = on');
}

/** Selects what the ledger is to write. Rows that say the same stand in none of it. */
export function getGrantsToWrite(sourceNo: number): GrantsToWrite {
  return {
    ended: sql`SELECT entitlement_id, account_id FROM import_changes WHERE change = 'R'`,
    changed: sql`SELECT entitlement_id, account_id, added_revision, granted_at, last_used_at, deprovision_at, paths, old_granted_at,
        old_last_used_at, old_deprovision_at, old_paths
      FROM import_changes WHERE change = 'C'`,
    gains,
    uses,
    // In the order of the primary key, but app access last, which stands last in the index of additions: so the indexes grow at their end and
    // their pages are full. A number says nothing of the order of ids.
    added: sql`SELECT e.id AS entitlement_id, a.id AS account_id, ${sourceNo}::smallint AS source_no, e.no = 0 AS is_derived, c.granted_at,
        c.last_used_at, c.deprovision_at, c.paths
      FROM import_changes c
      JOIN (SELECT id, no, row_number() OVER (ORDER BY id) AS place FROM import_entitlement_ids) AS e ON e.no = c.key >> 40
      JOIN import_accounts a ON a.no = c.key & 1099511627775
      WHERE c.change = 'A' ORDER BY e.no = 0, e.place, a.no`,
  };
}

const gains: Sql = sql`SELECT id, sum(gained) AS gained
  FROM (
    SELECT e.id, count(*) AS gained FROM import_changes c JOIN import_entitlement_ids e ON e.no = c.key >> 40
    WHERE c.change = 'A' GROUP BY e.id
    UNION ALL SELECT entitlement_id, -count(*) FROM import_changes WHERE change = 'R' GROUP BY entitlement_id) AS parts
  GROUP BY id HAVING sum(gained) <> 0`;

const uses: Sql = sql`SELECT e.id, max(c.last_used_at) AS used FROM import_changes c JOIN import_entitlement_ids e ON e.no = c.key >> 40
  WHERE c.change IN ('A', 'C') AND c.last_used_at IS NOT NULL GROUP BY e.id`;
