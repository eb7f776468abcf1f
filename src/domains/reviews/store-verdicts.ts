/** SQL for expressions that are evaluated outside of the database: whom they are evaluated for, and what they said. */
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { type AccountFacts, accountFacts, type PersonFacts, personFacts } from '../policies/index.ts';
import { type FrozenAccount, frozenFacts } from './store-conditions.ts';

const isOwner = (tenantId: string, appIds: readonly string[]): Sql => sql`EXISTS (SELECT FROM accounts o WHERE o.tenant_id = ${tenantId}
  AND o.user_id = u.id AND o.app_id = ANY (${appIds}::text[]) AND o.deleted_at IS NULL)`;

/** The owners of accounts of these apps behind an id, as they would be frozen now; by id. */
export function listOwnerFacts({ db, tenantId }: Context, appIds: readonly string[], after: string, limit: number): Promise<PersonFacts[]> {
  return db.rows(sql`SELECT ${personFacts} FROM users u LEFT JOIN users m ON m.tenant_id = ${tenantId} AND m.id = u.manager_id
    WHERE u.tenant_id = ${tenantId} AND u.id > ${after} AND ${isOwner(tenantId, appIds)} ORDER BY u.id LIMIT ${limit}`);
}

/** The accounts of these apps behind an id; by id. */
export function listAccountFacts(
  { db, tenantId }: Context,
  appIds: readonly string[],
  after: string,
  limit: number,
): Promise<AccountFacts[]> {
  return db.rows(sql`SELECT ${accountFacts} FROM accounts a
    WHERE a.tenant_id = ${tenantId} AND a.id > ${after} AND a.app_id = ANY (${appIds}::text[]) AND a.deleted_at IS NULL
    ORDER BY a.id LIMIT ${limit}`);
}

/** How many owners of accounts of these apps there are, or how many accounts. */
export async function countSubjects({ db, tenantId }: Context, appIds: readonly string[], which: 'person' | 'account'): Promise<number> {
  const rows = await db.rows<{ n: number }>(
    sql`SELECT ${which === 'person' ? fixed('count(DISTINCT o.user_id)') : fixed('count(*)')}::int AS n FROM accounts o
     WHERE o.tenant_id = ${tenantId} AND o.app_id = ANY (${appIds}::text[]) AND o.deleted_at IS NULL`,
  );
  return rows[0]?.n ?? 0;
}

/** A verdict over the person `p` or the account `a`: true for the selected, NULL for those that evaluating failed for. */
export function getVerdict(which: 'person' | 'account', selected: readonly string[], failed: readonly string[]): Sql {
  const id = fixed(which === 'person' ? 'p.user_id' : 'a.id');
  return sql`CASE WHEN ${id} = ANY (${failed}::text[]) THEN NULL ELSE ${id} = ANY (${selected}::text[]) END`;
}

/** Some accounts of a snapshot that an expression failed for, as they were frozen; by id. */
export function listFailedSubjects({ db, tenantId }: Context, snapshotId: string, limit: number): Promise<FrozenAccount[]> {
  return db.rows(sql`SELECT ${frozenFacts}
    FROM review_accounts a LEFT JOIN review_people p ON p.tenant_id = ${tenantId} AND p.review_id = ${snapshotId} AND p.user_id = a.user_id
    WHERE a.tenant_id = ${tenantId} AND a.review_id = ${snapshotId} AND a.excluded_by = 'CEL_ERROR' ORDER BY a.account_id LIMIT ${limit}`);
}

/** What went wrong while an expression of the scope was evaluated for an account or its owner. */
export interface NotedError {
  readonly appId: string;
  readonly accountId: string;
  readonly account: string;
  readonly message: string;
}

/** What was noted of accounts of a snapshot; by id. */
export function listAccountErrors({ db, tenantId }: Context, snapshotId: string, limit: number): Promise<NotedError[]> {
  return db.rows(sql`SELECT a.app_id AS "appId", a.account_id AS "accountId", a.external_id AS account, a.cel_error AS message FROM review_accounts a
    WHERE a.tenant_id = ${tenantId} AND a.review_id = ${snapshotId} AND a.cel_error <> '' ORDER BY a.app_id, a.account_id LIMIT ${limit}`);
}

/** Notes what went wrong for accounts of a snapshot. */
export async function updateAccountErrors(
  { db, tenantId }: Context,
  snapshotId: string,
  errors: readonly { readonly id: string; readonly message: string }[],
): Promise<void> {
  await db.run(sql`UPDATE review_accounts a SET cel_error = e.message
    FROM unnest(${errors.map(({ id }) => id)}::text[], ${errors.map(({ message }) => message)}::text[]) AS e (id, message)
    WHERE a.tenant_id = ${tenantId} AND a.review_id = ${snapshotId} AND a.account_id = e.id`);
}
