/**
 * SQL that finds the accounts whose match is another than the one they have, across all apps, and gives it to them.
 */
import type { Scope } from '../../scope.ts';
import { getAccountContent } from '../catalog/index.ts';
import { getMatchSql } from '../identity/index.ts';

/** Finds the accounts that match otherwise now: `import_rematches`. Each is matched in the order of its source. Returns how many. */
export async function findRematches(scope: Scope): Promise<number> {
  await scope.db.run(`CREATE TEMP TABLE IF NOT EXISTS import_rematches (app_id text COLLATE "C" NOT NULL, account_id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C", match_count integer NOT NULL) ON COMMIT DROP; TRUNCATE import_rematches`);
  const order = `coalesce(c.match_order, '{EMAIL,EMPLOYEE_ID,USERNAME}')`;
  const match = getMatchSql({ email: 'k.email', employeeId: 'k.employee_id', username: 'k.username', externalId: 'k.external_id' }, order);
  const found = await scope.db.run(
    `INSERT INTO import_rematches
     SELECT k.app_id, k.id, ${match.userId}, ${match.matchCount}
     FROM accounts k
     JOIN apps p ON p.tenant_id = k.tenant_id AND p.id = k.app_id AND p.deleted_at IS NULL
     LEFT JOIN connectors c ON c.tenant_id = k.tenant_id AND c.app_id = k.app_id AND c.source_no = k.source_no
     ${match.joins}
     WHERE k.tenant_id = $1 AND k.status <> 'DELETED' AND k.source_no > 0 AND NOT k.owner_by_hand
       AND (k.user_id, k.match_count) IS DISTINCT FROM (${match.userId}, ${match.matchCount})`,
    [scope.tenantId],
  );
  await scope.db.run('ANALYZE import_rematches');
  return found;
}

/** Waits for whoever changes accounts of these apps, in the order of their ids, so that two never wait for each other. */
export async function lockRematchedApps(scope: Scope): Promise<void> {
  await scope.db.rows(
    `SELECT id FROM apps WHERE tenant_id = $1 AND id IN (SELECT app_id FROM import_rematches) ORDER BY id FOR NO KEY UPDATE`,
    [scope.tenantId],
  );
}

/** The apps of the accounts that match otherwise. */
export async function listRematchedApps(scope: Scope): Promise<string[]> {
  const rows = await scope.db.rows<{ id: string }>('SELECT DISTINCT app_id AS id FROM import_rematches ORDER BY 1', []);
  return rows.map(({ id }) => id);
}

/** Keeps what the accounts of an app said before this revision gives them another owner. */
export function insertRematchChanges(scope: Scope, appId: string, revision: number): Promise<number> {
  return scope.db.run(
    `INSERT INTO account_changes (tenant_id, app_id, account_id, revision, before)
     SELECT $1, $2, a.id, $3, ${getAccountContent('a')}
     FROM import_rematches m JOIN accounts a ON a.tenant_id = $1 AND a.app_id = $2 AND a.id = m.account_id
     WHERE m.app_id = $2 AND a.user_id IS DISTINCT FROM m.user_id`,
    [scope.tenantId, appId, revision],
  );
}

/** Gives the accounts of an app the owners they match. */
export function updateRematched(scope: Scope, appId: string): Promise<number> {
  return scope.db.run(
    `UPDATE accounts a SET user_id = m.user_id, match_count = m.match_count, updated_at = $3
     FROM import_rematches m
     WHERE m.app_id = $2 AND a.tenant_id = $1 AND a.app_id = $2 AND a.id = m.account_id`,
    [scope.tenantId, appId, scope.now],
  );
}
