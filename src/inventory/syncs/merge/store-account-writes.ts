/**
 * SQL that says how the accounts of an app are to change, as store-accounts.ts found it: pieces for the ledger, which writes them.
 */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { AccountsToWrite } from '../../ledger/index.ts';
import type { AccountDifference } from './store-accounts.ts';

const columns = fixed(`n.id, n.external_id, n.display_name, n.email, n.username, n.employee_id, n.user_id, n.match_count,
  n.by_former_address AS owner_by_former_address, n.account_type, n.account_status AS status, n.profile`);

/**
 * Selects what the ledger is to write. Accounts that stay as they are stand in none of it; those of the file that another source still reports are
 * handed over.
 */
export function getAccountsToWrite(difference: AccountDifference, sourceNo: number): AccountsToWrite {
  const { added, changed, removed, touched, revived } = difference;
  const where = (isWanted: boolean, rows: Sql): Sql | undefined => (isWanted ? rows : undefined);
  return {
    kept: where(changed + removed > 0, sql`SELECT id AS account_id, before FROM import_account_changes WHERE change <> 'TOUCHED'`),
    changed: where(
      changed + touched > 0,
      sql`SELECT ${columns}, n.is_by_hand AS owner_by_hand, c.next_source_no AS source_no
        FROM import_account_changes c JOIN import_accounts n ON n.id = c.id`,
    ),
    handedOver: where(
      changed + touched > 0,
      sql`SELECT id, next_source_no AS source_no FROM import_account_changes WHERE change = 'TOUCHED'`,
    ),
    ended: where(removed > 0, sql`SELECT id FROM import_account_changes WHERE change = 'REMOVED'`),
    added: where(added > 0, sql`SELECT ${columns}, ${sourceNo}::smallint AS source_no FROM import_accounts n WHERE n.is_new ORDER BY n.no`),
    gained: added + revived - removed,
  };
}
