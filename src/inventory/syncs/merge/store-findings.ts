/** SQL of what an import leaves for somebody to look at: accounts without an owner, and apps of nearly the same name. */
import type { Context } from '../../../context.ts';
import { type Sql, sql } from '../../../lib/sql.ts';
import { getKeysSql } from '../../identity/index.ts';
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

/** Counts the accounts of a source whose owner was found by an address that they had before; `accounts_by_former_address` has no others. */
export function countByFormerAddress({ db, tenantId }: Context, appId: string, sourceNo: number): Promise<number> {
  return db.value<number>(
    sql`SELECT count(*) AS count FROM accounts_public WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND source_no = ${sourceNo}
      AND status <> 'DELETED' AND owner_by_former_address`,
  );
}

/** Names of apps other than this one, about as long as its name. */
export function listOtherAppNames(context: Context, appId: string, length: number): Promise<string[]> {
  return context.db.column<string>(
    `SELECT display_name AS name FROM apps_public
     WHERE tenant_id = $1 AND id <> $2 AND deleted_at IS NULL AND length(display_name) BETWEEN $3 - 3 AND $3 + 3
     ORDER BY display_name LIMIT 10000`,
    [context.tenantId, appId, length],
  );
}

/**
 * Finds accounts of the file that nobody owns, whose employee id or user name is a person's but for zeros in front, which a spreadsheet may have cut
 * off: `import_zeros`. Returns a warning with both for each; they are not equal, so the account stays without an owner.
 */
export async function stageZeros({ db, tenantId }: Context, hasEmployeeIds: boolean): Promise<CountedNotes> {
  await db.run(
    'CREATE TEMP TABLE import_zeros (line bigint NOT NULL, account text COLLATE "C" NOT NULL, key text NOT NULL, value text NOT NULL, other text NOT NULL) ON COMMIT DROP',
  );
  const insert = (key: 'employee_id' | 'username_key', value: Sql): Promise<number> =>
    db.run(
      sql`INSERT INTO import_zeros
        SELECT a.line, a.account, ${key}, a.value, min(u.key)
        FROM (SELECT line, account, ${value} AS value FROM import_accounts
          WHERE user_id IS NULL AND match_count = 0 AND NOT is_by_hand AND NOT is_foreign) AS a
        JOIN (${getKeysSql(tenantId, key)}) AS u ON ltrim(u.key, '0') = ltrim(a.value, '0')
        WHERE ltrim(a.value, '0') <> '' AND u.key <> a.value
        GROUP BY a.line, a.account, a.value`,
    );
  if (hasEmployeeIds) {
    await insert('employee_id', sql`employee_id`);
  }
  await insert('username_key', sql`address_key(CASE WHEN username <> '' THEN username ELSE external_id END)`);
  return collectNotes(
    await db.rows<CountedNoteRow>(
      sql`SELECT line, CASE key WHEN 'employee_id' THEN key ELSE 'username' END AS column, count(*) OVER () AS count,
          'account ' || to_json(account)::text || ' has no owner: its ' || CASE key WHEN 'employee_id' THEN 'employee id ' ELSE 'user name ' END
            || to_json(value)::text || ' is that of a person but for zeros in front, ' || to_json(other)::text AS reason
        FROM import_zeros ORDER BY line, key LIMIT ${maxNotesTold}`,
    ),
  );
}
