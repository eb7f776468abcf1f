/** SQL for expressions that are evaluated outside of the database: whom they are evaluated for, and what they said. */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { type AccountFacts, accountFacts, type PersonFacts, personFacts } from '../../policies/index.ts';
import { type FrozenAccount, frozenFacts } from '../conditions/index.ts';
import type { Holders } from '../items/index.ts';

const isOwner = (
  tenantId: string,
  appIds: readonly string[],
): Sql => sql`EXISTS (SELECT FROM accounts_public o WHERE o.tenant_id = ${tenantId}
  AND o.user_id = u.id AND o.app_id = ANY (${appIds}::text[]) AND o.deleted_at IS NULL)`;

/** The owners of accounts of these apps behind an id, as they would be frozen now; by id. */
export function listOwnerFacts({ db, tenantId }: Context, appIds: readonly string[], after: string, limit: number): Promise<PersonFacts[]> {
  return db.rows(sql`SELECT ${personFacts} FROM users_public u LEFT JOIN users_public m ON m.tenant_id = ${tenantId} AND m.id = u.manager_id
    WHERE u.tenant_id = ${tenantId} AND u.id > ${after} AND ${isOwner(tenantId, appIds)} ORDER BY u.id LIMIT ${limit}`);
}

/** The accounts of these apps behind an id; by id. */
export function listAccountFacts(
  { db, tenantId }: Context,
  appIds: readonly string[],
  after: string,
  limit: number,
): Promise<AccountFacts[]> {
  return db.rows(sql`SELECT ${accountFacts} FROM accounts_public a
    WHERE a.tenant_id = ${tenantId} AND a.id > ${after} AND a.app_id = ANY (${appIds}::text[]) AND a.deleted_at IS NULL
    ORDER BY a.id LIMIT ${limit}`);
}

/** Counts the owners of accounts of these apps, or the accounts. */
export async function countSubjects({ db, tenantId }: Context, appIds: readonly string[], which: 'person' | 'account'): Promise<number> {
  const rows = await db.rows<{ n: number }>(
    sql`SELECT ${which === 'person' ? fixed('count(DISTINCT o.user_id)') : fixed('count(*)')}::int AS n FROM accounts_public o
     WHERE o.tenant_id = ${tenantId} AND o.app_id = ANY (${appIds}::text[]) AND o.deleted_at IS NULL`,
  );
  return rows[0]?.n ?? 0;
}

/** A verdict over the person `p` or the account `a`: true for the selected, NULL for those that evaluating failed for. */
export function getVerdictSql(which: 'person' | 'account', selected: readonly string[], failed: readonly string[]): Sql {
  const id = fixed(which === 'person' ? 'p.user_id' : 'a.id');
  return sql`CASE WHEN ${id} = ANY (${failed}::text[]) THEN NULL ELSE ${id} = ANY (${selected}::text[]) END`;
}

/** Some accounts that an expression of the scope failed for; by id. */
export function listFailedSubjects({ db }: Context, { getAccounts, people }: Holders, limit: number): Promise<FrozenAccount[]> {
  return db.rows(sql`SELECT ${frozenFacts} FROM ${getAccounts()} a LEFT JOIN ${people} p ON p.user_id = a.user_id
    WHERE a.excluded_by = 'CEL_ERROR' ORDER BY a.account_id LIMIT ${limit}`);
}

/** Error while an expression of the scope was evaluated for an account or its owner. */
export interface NotedError {
  readonly appId: string;
  readonly accountId: string;
  readonly account: string;
  readonly message: string;
  /** The expression that failed: its member of the scope, and its text. */
  readonly field: string;
  readonly expression: string;
}

/** Counts the accounts that an expression failed for, and all of them. */
export function countFailedAccounts({ db }: Context, { getAccounts }: Holders): Promise<{ failed: number; all: number }> {
  return db.one(sql`SELECT count(*) FILTER (WHERE a.excluded_by = 'CEL_ERROR') AS failed, count(*) AS all FROM ${getAccounts()} a`);
}

/** Notes what went wrong for accounts of a snapshot. */
export async function updateAccountErrors({ db, tenantId }: Context, snapshotId: string, errors: readonly NotedError[]): Promise<void> {
  await db.run(sql`UPDATE review_accounts a SET cel_error = e.message
    FROM unnest(${errors.map(({ accountId }) => accountId)}::text[], ${errors.map(({ message }) => message)}::text[]) AS e (id, message)
    WHERE a.tenant_id = ${tenantId} AND a.review_id = ${snapshotId} AND a.account_id = e.id`);
}
