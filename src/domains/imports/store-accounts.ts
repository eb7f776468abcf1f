/**
 * SQL that merges the accounts named in a grants file into an app.
 */
import type { Scope } from '../../scope.ts';
import { newIdPrefix } from '../../wire/ids.ts';
import { maxNotesTold } from './limits.ts';
import { collectNotes, type CountedNoteRow, type CountedNotes } from './types.ts';

/**
 * Numbers the accounts of the file, with the id they have or get, their owner, and whether their rows contradict each other:
 * `import_accounts`. An account's profile is that of its last row that has one.
 */
export async function insertAccountNumbers(scope: Scope, appId: string, hasProfiles: boolean): Promise<void> {
  await scope.db.run(`CREATE TEMP TABLE import_accounts (
      no integer NOT NULL, account text COLLATE "C" NOT NULL, line bigint NOT NULL, profile_line bigint, email_key text COLLATE "C" NOT NULL,
      account_type text NOT NULL, account_status text NOT NULL, is_contradictory boolean NOT NULL, user_id text COLLATE "C",
      id text COLLATE "C" NOT NULL, is_new boolean NOT NULL, is_changed boolean NOT NULL DEFAULT false, profile jsonb NOT NULL DEFAULT '{}'
    ) ON COMMIT DROP`);
  await scope.db.run(
    `INSERT INTO import_accounts
     SELECT g.no, g.account, g.line, g.profile_line, g.email_key, g.account_type, g.account_status, g.is_contradictory, u.id,
       coalesce(a.id, $3 || id_suffix(g.no)), a.id IS NULL
     FROM (
       SELECT row_number() OVER () AS no, account, min(line) AS line, max(line) FILTER (WHERE profile IS NOT NULL) AS profile_line,
         min(email_key) AS email_key, min(account_type) AS account_type, min(account_status) AS account_status,
         min(email_key) <> max(email_key) OR min(account_type) <> max(account_type) OR min(account_status) <> max(account_status) AS is_contradictory
       FROM import_grants GROUP BY account) AS g
     LEFT JOIN users u ON u.tenant_id = $1 AND u.email_key = g.email_key AND g.email_key <> ''
     LEFT JOIN accounts a ON a.tenant_id = $1 AND a.app_id = $2 AND a.external_id = g.account`,
    [scope.tenantId, appId, newIdPrefix(scope.now)],
  );
  if (hasProfiles) {
    await scope.db.run('UPDATE import_accounts a SET profile = g.profile::jsonb FROM import_grants g WHERE g.line = a.profile_line', []);
  }
  await scope.db.run('ANALYZE import_accounts');
}

/** Accounts of the file whose owner nobody knows. */
export async function findUnknownOwners(scope: Scope): Promise<CountedNotes> {
  return collectNotes(
    await scope.db.rows<CountedNoteRow>(
      `SELECT line, 'email' AS column, count(*) OVER () AS count,
         'nobody has the address ' || to_json(email_key)::text || ': account ' || to_json(account)::text || ' has no owner' AS reason
       FROM import_accounts WHERE user_id IS NULL AND email_key <> '' ORDER BY line LIMIT $1`,
      [maxNotesTold],
    ),
  );
}

/** Adds the accounts that are new and returns their number. */
export function insertAccounts(scope: Scope, appId: string): Promise<number> {
  return scope.db.run(
    `INSERT INTO accounts (tenant_id, app_id, id, external_id, display_name, email, user_id, account_type, status, profile, created_at, updated_at)
     SELECT $1, $2, id, account, account, email_key, user_id, account_type, account_status, profile, $3, $3
     FROM import_accounts WHERE is_new ORDER BY no`,
    [scope.tenantId, appId, scope.now],
  );
}

/** Updates the accounts whose rows say something new, remembers which they were, and returns their number. The others are not touched. */
export function updateAccounts(scope: Scope, appId: string): Promise<number> {
  return scope.db.run(
    `WITH changed AS (
       UPDATE accounts a SET email = n.email_key, user_id = n.user_id, account_type = n.account_type, status = n.account_status,
         profile = n.profile, updated_at = $3, deleted_at = NULL
       FROM import_accounts n
       WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.id = n.id AND NOT n.is_new
         AND (a.email, a.user_id, a.account_type, a.status, a.profile, a.deleted_at)
           IS DISTINCT FROM (n.email_key, n.user_id, n.account_type, n.account_status, n.profile, NULL::timestamptz)
       RETURNING a.id)
     UPDATE import_accounts n SET is_changed = true FROM changed WHERE n.id = changed.id`,
    [scope.tenantId, appId, scope.now],
  );
}

/** Marks the accounts that are not in the file as deleted and returns their number; one that comes back is the same account again. */
export function removeMissingAccounts(scope: Scope, appId: string): Promise<number> {
  return scope.db.run(
    `UPDATE accounts a SET status = 'DELETED', deleted_at = $3, updated_at = $3
     WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.status <> 'DELETED'
       AND NOT EXISTS (SELECT FROM import_accounts n WHERE n.id = a.id)`,
    [scope.tenantId, appId, scope.now],
  );
}
