/** SQL of what an import leaves for somebody to look at: accounts without an owner, and apps of nearly the same name. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { type CountedNoteRow, type CountedNotes, collectNotes, maxNotesTold } from '../values/index.ts';

/** Counts the accounts of a source that have no owner, and those of them that several people match. */
export function countUnowned(
  context: Context,
  appId: string,
  sourceNo: number,
): Promise<{ readonly unowned: number; readonly ambiguous: number }> {
  return context.db.one<{ unowned: number; ambiguous: number }>(
    `SELECT count(*) AS unowned, count(*) FILTER (WHERE match_count > 1) AS ambiguous FROM accounts_public
     WHERE tenant_id = $1 AND app_id = $2 AND source_no = $3 AND status <> 'DELETED' AND user_id IS NULL AND NOT owner_by_hand`,
    [context.tenantId, appId, sourceNo],
  );
}

/** Names of apps other than this one, about as long as its name. */
export async function listOtherAppNames(context: Context, appId: string, length: number): Promise<string[]> {
  const rows = await context.db.rows<{ name: string }>(
    `SELECT display_name AS name FROM apps_public
     WHERE tenant_id = $1 AND id <> $2 AND deleted_at IS NULL AND length(display_name) BETWEEN $3 - 3 AND $3 + 3
     ORDER BY display_name LIMIT 10000`,
    [context.tenantId, appId, length],
  );
  return rows.map(({ name }) => name);
}

/**
 * Finds accounts of the file that nobody owns, whose employee id is a person's but for zeros in front, which a spreadsheet may have cut off: `import_zeros`.
 * Returns a warning with both ids for each; they are not equal, so the account stays without an owner.
 */
export async function stageZeros({ db, tenantId }: Context, hasEmployeeIds: boolean): Promise<CountedNotes> {
  await db.run(
    'CREATE TEMP TABLE import_zeros (line bigint NOT NULL, account text COLLATE "C" NOT NULL, employee_id text NOT NULL, other text NOT NULL) ON COMMIT DROP',
  );
  if (!hasEmployeeIds) {
    return { count: 0, notes: [] };
  }
  await db.run(
    sql`INSERT INTO import_zeros
      SELECT a.line, a.account, a.employee_id, min(u.employee_id)
      FROM import_accounts a
      JOIN users_public u ON ltrim(u.employee_id, '0') = ltrim(a.employee_id, '0')
      WHERE a.user_id IS NULL AND a.match_count = 0 AND NOT a.is_by_hand AND NOT a.is_foreign AND ltrim(a.employee_id, '0') <> ''
        AND u.tenant_id = ${tenantId} AND u.employee_id <> '' AND u.status <> 'DELETED' AND u.user_type = 'HUMAN'
      GROUP BY a.line, a.account, a.employee_id`,
  );
  return collectNotes(
    await db.rows<CountedNoteRow>(
      sql`SELECT line, 'employee_id' AS column, count(*) OVER () AS count,
          'account ' || to_json(account)::text || ' has no owner: its employee id ' || to_json(employee_id)::text
            || ' is that of a person but for zeros in front, ' || to_json(other)::text AS reason
        FROM import_zeros ORDER BY line LIMIT ${maxNotesTold}`,
    ),
  );
}
