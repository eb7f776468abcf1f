/**
 * SQL that gives and ends grants under a revision, set by set. What happens is decided in change-grants.ts; imports have statements of
 * their own.
 */
import type { Context } from '../../context.ts';
import { getAccountContent } from '../catalog/index.ts';

/** Who holds what. */
export interface Pair {
  readonly entitlementId: string;
  readonly accountId: string;
}

const openGrant = `g.tenant_id = $1 AND g.app_id = $2 AND g.entitlement_id = p.entitlement_id AND g.account_id = p.account_id
  AND g.removed_revision IS NULL`;

function columnsOf(pairs: readonly Pair[]): [string[], string[]] {
  return [pairs.map((pair) => pair.entitlementId), pairs.map((pair) => pair.accountId)];
}

/** What new grants have in common. */
export interface NewGrants {
  readonly appId: string;
  readonly revision: number;
  readonly sourceNo: number;
  readonly isDerived: boolean;
  readonly deprovisionAt: Date | null;
}

/** Adds the grants that are not open, whatever source holds them open, as given now, and returns those it added. */
export function insertGrants(context: Context, grants: NewGrants, pairs: readonly Pair[]): Promise<Pair[]> {
  return context.db.rows<Pair>(
    `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, source_no, is_derived, granted_at, deprovision_at,
       created_at, updated_at)
     SELECT $1, $2, p.entitlement_id, p.account_id, $5, $6, $7, $8, $9, $8, $8
     FROM (SELECT DISTINCT entitlement_id, account_id FROM unnest($3::text[], $4::text[]) AS n (entitlement_id, account_id)) AS p
     WHERE NOT EXISTS (SELECT FROM grants g WHERE ${openGrant})
     ORDER BY p.entitlement_id COLLATE "C", p.account_id COLLATE "C"
     RETURNING entitlement_id AS "entitlementId", account_id AS "accountId"`,
    [
      context.tenantId,
      grants.appId,
      ...columnsOf(pairs),
      grants.revision,
      grants.sourceNo,
      grants.isDerived,
      context.now,
      grants.deprovisionAt,
    ],
  );
}

/** Ends those of the grants that are open and of this source, and returns them. */
export function updateEndedGrants(
  context: Context,
  appId: string,
  revision: number,
  sourceNo: number,
  pairs: readonly Pair[],
): Promise<Pair[]> {
  return context.db.rows<Pair>(
    `UPDATE grants g SET removed_revision = $5, ended_at = $6, updated_at = $6
     FROM (SELECT DISTINCT entitlement_id, account_id FROM unnest($3::text[], $4::text[]) AS n (entitlement_id, account_id)) AS p
     WHERE ${openGrant} AND g.source_no = $7
     RETURNING g.entitlement_id AS "entitlementId", g.account_id AS "accountId"`,
    [context.tenantId, appId, ...columnsOf(pairs), revision, context.now, sourceNo],
  );
}

/** Ends every open grant of these accounts, app access with them, and returns them. */
export function updateGrantsOfEndedAccounts(
  context: Context,
  appId: string,
  revision: number,
  accountIds: readonly string[],
): Promise<Pair[]> {
  return context.db.rows<Pair>(
    `UPDATE grants g SET removed_revision = $4, ended_at = $5, updated_at = $5
     WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.account_id = ANY ($3) AND g.removed_revision IS NULL
     RETURNING g.entitlement_id AS "entitlementId", g.account_id AS "accountId"`,
    [context.tenantId, appId, accountIds, revision, context.now],
  );
}

/** Adds to the kept count of each entitlement, or takes from it where `step` is -1, one for each of these grants. */
export async function updateGrantCounts(context: Context, appId: string, pairs: readonly Pair[], step: 1 | -1): Promise<void> {
  await context.db.run(
    `UPDATE entitlements e SET grant_count = e.grant_count + $4 * n.count
     FROM (SELECT id, count(*) AS count FROM unnest($3::text[]) AS x (id) GROUP BY id) AS n
     WHERE e.tenant_id = $1 AND e.app_id = $2 AND e.id = n.id`,
    [context.tenantId, appId, pairs.map((pair) => pair.entitlementId), step],
  );
}

/** Adds to the app's kept count of accounts. */
export async function updateAccountCount(context: Context, appId: string, difference: number): Promise<void> {
  await context.db.run('UPDATE apps SET user_count = user_count + $3 WHERE tenant_id = $1 AND id = $2', [
    context.tenantId,
    appId,
    difference,
  ]);
}

/** An account to be. */
export interface NewAccount {
  readonly id: string;
  readonly externalId: string;
  readonly email: string;
  readonly displayName: string;
  readonly userId: string;
}

/**
 * Adds accounts of a source that belong to these people. One of the same name that was deleted is that account again, under its old id; its
 * former self is kept. Returns the ids by external id. Names that are in use must have been sorted out before.
 */
export async function insertAccounts(
  context: Context,
  appId: string,
  revision: number,
  sourceNo: number,
  accounts: readonly NewAccount[],
): Promise<Map<string, string>> {
  const externalIds = accounts.map((account) => account.externalId);
  await context.db.run(
    `INSERT INTO account_changes (tenant_id, app_id, account_id, revision, before)
     SELECT a.tenant_id, a.app_id, a.id, $4, ${getAccountContent('a')}
     FROM accounts a WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.external_id = ANY ($3)
     -- Whoever had to rename one in the same revision kept what it said before that.
     ON CONFLICT DO NOTHING`,
    [context.tenantId, appId, externalIds, revision],
  );
  const rows = await context.db.rows<{ id: string; externalId: string }>(
    `INSERT INTO accounts (tenant_id, app_id, id, external_id, email, display_name, user_id, source_no, added_revision, created_at, updated_at)
     SELECT $1, $2, n.id, n.external_id, n.email, n.display_name, n.user_id, $8, $9, $10, $10
     FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) AS n (id, external_id, email, display_name, user_id)
     ON CONFLICT (tenant_id, app_id, external_id) DO UPDATE SET user_id = excluded.user_id, source_no = excluded.source_no,
       status = 'ENABLED', match_count = 0, owner_by_hand = false, updated_at = excluded.updated_at, deleted_at = NULL
     RETURNING id, external_id AS "externalId"`,
    [
      context.tenantId,
      appId,
      accounts.map((account) => account.id),
      externalIds,
      accounts.map((account) => account.email),
      accounts.map((account) => account.displayName),
      accounts.map((account) => account.userId),
      sourceNo,
      revision,
      context.now,
    ],
  );
  return new Map(rows.map((row) => [row.externalId, row.id]));
}

/** Marks those of the accounts that are there as deleted, keeps what they said, and returns how many they were. */
export async function updateEndedAccounts(
  context: Context,
  appId: string,
  revision: number,
  accountIds: readonly string[],
): Promise<number> {
  await context.db.run(
    `INSERT INTO account_changes (tenant_id, app_id, account_id, revision, before)
     SELECT a.tenant_id, a.app_id, a.id, $4, ${getAccountContent('a')}
     FROM accounts a WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.id = ANY ($3) AND a.status <> 'DELETED'`,
    [context.tenantId, appId, accountIds, revision],
  );
  return context.db.run(
    `UPDATE accounts a SET status = 'DELETED', deleted_at = $4, updated_at = $4
     WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.id = ANY ($3) AND a.status <> 'DELETED'`,
    [context.tenantId, appId, accountIds, context.now],
  );
}

/** Sets until when an open grant is given, null for no end, and keeps what it said before this revision. */
export async function updateDeprovision(context: Context, appId: string, revision: number, pair: Pair, at: Date | null): Promise<void> {
  const key = 'tenant_id = $1 AND app_id = $2 AND entitlement_id = $3 AND account_id = $4 AND removed_revision IS NULL';
  const values = [context.tenantId, appId, pair.entitlementId, pair.accountId];
  await context.db.run(
    `INSERT INTO grant_changes (tenant_id, app_id, entitlement_id, account_id, revision, granted_at, last_used_at, deprovision_at, paths)
     SELECT tenant_id, app_id, entitlement_id, account_id, $5, granted_at, last_used_at, deprovision_at, paths FROM grants WHERE ${key}`,
    [...values, revision],
  );
  await context.db.run(`UPDATE grants SET deprovision_at = $5, updated_at = $6 WHERE ${key}`, [...values, at, context.now]);
}
