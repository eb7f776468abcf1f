/**
 * SQL that finds the entitlements and accounts of an app that a filter names, before their grants are looked for: a page of what few hold then
 * costs in proportion to the few, not to all grants of the app.
 */
import type { Context } from '../../context.ts';
import { allSql, fixed, type Sql, sql } from '../../lib/sql.ts';
import { findTextCandidates, hasText, rowsWithIds } from '../../foundation/search/index.ts';
import { hasOwnerTextSql } from './store-words.ts';

/** As in `accounts.account_type`. */
export type AccountType = 'USER' | 'SERVICE_ACCOUNT' | 'SYSTEM_ACCOUNT';

/** Said by a constant, so that the planner knows how rare it is. */
const isOfType: Readonly<Record<AccountType, Sql>> = {
  USER: fixed("a.account_type = 'USER'"),
  SERVICE_ACCOUNT: fixed("a.account_type = 'SERVICE_ACCOUNT' AND a.account_type <> 'USER'"),
  SYSTEM_ACCOUNT: fixed("a.account_type = 'SYSTEM_ACCOUNT' AND a.account_type <> 'USER'"),
};

const idsOf = (rows: readonly { readonly id: string }[], most: number): string[] | undefined =>
  rows.length > most ? undefined : rows.map(({ id }) => id);

/** The entitlements of an app that have the words; undefined for more than `most`. An app's entitlements are few enough to be looked through. */
export async function listNamedEntitlements(context: Context, appId: string, query: string, most: number): Promise<string[] | undefined> {
  const rows = await context.db.rows<{ id: string }>(
    sql`SELECT e.id FROM entitlements_public e WHERE e.tenant_id = ${context.tenantId} AND e.app_id = ${appId} AND ${hasText('e')(query)} LIMIT ${most + 1}`,
  );
  return idsOf(rows, most);
}

/** The accounts of an app of one type; undefined for more than `most`. */
export async function listAccountsOfType(context: Context, appId: string, type: AccountType, most: number): Promise<string[] | undefined> {
  const rows = await context.db.rows<{ id: string }>(
    sql`SELECT a.id FROM accounts_public a WHERE a.tenant_id = ${context.tenantId} AND a.app_id = ${appId} AND ${isOfType[type]} LIMIT ${most + 1}`,
  );
  return idsOf(rows, most);
}

/**
 * The accounts of an app that have the words, or whose owner has them; undefined for more than `most`. The index of texts is asked for all apps
 * of the tenant; where it finds too many there, this app's own accounts are looked through.
 */
export async function listNamedAccounts(
  context: Context,
  { appId, query, type }: { readonly appId: string; readonly query: string; readonly type: AccountType | undefined },
  most: number,
): Promise<string[] | undefined> {
  const { tenantId } = context;
  const [byName, byOwner] = [
    await findTextCandidates(context, 'ACCOUNT', query, '', most),
    await findTextCandidates(context, 'USER', query, '', most),
  ];
  const inApp = [sql`a.tenant_id = ${tenantId} AND a.app_id = ${appId}`, ...(type === undefined ? [] : [isOfType[type]])];
  const named = (ids: readonly string[] | undefined): Sql =>
    sql`SELECT a.id FROM ${rowsWithIds('accounts_public', tenantId, ids)} a WHERE ${allSql([...inApp, hasText('a')(query)])}`;
  const owned = (ids: readonly string[] | undefined): Sql =>
    ids === undefined
      ? sql`SELECT a.id FROM users_public u JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.user_id = u.id
          WHERE u.tenant_id = ${tenantId} AND ${allSql([...inApp, hasOwnerTextSql(context.actor, query)])}`
      : sql`SELECT a.id FROM ${rowsWithIds('users_public', tenantId, ids)} u
          CROSS JOIN LATERAL (SELECT * FROM accounts_public o WHERE o.tenant_id = ${tenantId} AND o.user_id = u.id OFFSET 0) AS a
          WHERE ${allSql([...inApp, hasOwnerTextSql(context.actor, query)])}`;
  const rows = await context.db.rows<{ id: string }>(
    sql`SELECT n.id FROM (${named(byName)} UNION ${owned(byOwner)}) AS n LIMIT ${most + 1}`,
  );
  return idsOf(rows, most);
}
