/**
 * SQL that makes accounts of one app one: what the younger ones hold is the oldest one's from a revision on. What was held under which name before stays
 * as it was, so that whatever is read as of an earlier revision is the same.
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import type { AccessChange } from './store-grants.ts';

/** Something of an app that goes on as another one of its kind. */
export interface Merge {
  readonly fromId: string;
  readonly intoId: string;
}

/** Something whose name another one has by its key; `keptId` is the oldest of them, and `holderId` who has the key itself, if anybody there. */
export interface TwinRow {
  readonly appId: string;
  readonly id: string;
  /** The key of its name. */
  readonly key: string;
  readonly keptId: string;
  readonly holderId: string | null;
}

/** These merges as rows: `from_id` and `into_id`. */
export function getMergesSql(merges: readonly Merge[]): Sql {
  return sql`SELECT * FROM unnest(${merges.map((one) => one.fromId)}::text[], ${merges.map((one) => one.intoId)}::text[]) AS m (from_id, into_id)`;
}

/** The document with the ids that stay in place of those that went. */
export function getRenamedSql(document: Sql, merges: readonly Merge[]): Sql {
  return sql`rename_ids(${document}, ${merges.map((one) => one.fromId)}::text[], ${merges.map((one) => one.intoId)}::text[])`;
}

/** Condition that the document names something that went. */
export function getNamesMergedSql(document: Sql, merges: readonly Merge[]): Sql {
  return sql`EXISTS (SELECT FROM unnest(${merges.map((one) => one.fromId)}::text[]) AS f (id) WHERE position(f.id IN ${document}::text) > 0)`;
}

/**
 * The next accounts that are twins of others, by app and id. A partial index holds nothing else, and those of one name lie beside each other in that of the
 * keys. What is compared with it is a column: row-level security takes an expression for something that might leak, and would read the whole app.
 */
export function listAccountTwins(
  { db, tenantId }: Context,
  after: { readonly appId: string; readonly id: string },
  limit: number,
): Promise<TwinRow[]> {
  return db.rows<TwinRow>(
    sql`SELECT t.app_id AS "appId", t.id, t.key, k.id AS "keptId", h.id AS "holderId" FROM (
        SELECT a.app_id, a.id, name_key(a.external_id) AS key, name_key(a.external_id) || chr(32) AS behind FROM accounts a
        WHERE a.tenant_id = ${tenantId} AND a.twin > 0 AND a.merged_into_id IS NULL AND a.status <> 'DELETED'
          AND (a.app_id, a.id) > (${after.appId}, ${after.id})
        ORDER BY a.app_id, a.id LIMIT ${limit}) t
      CROSS JOIN LATERAL (SELECT min(n.id) AS id FROM (
        SELECT a.id, a.external_id FROM accounts a WHERE a.tenant_id = ${tenantId} AND a.app_id = t.app_id AND a.status <> 'DELETED'
          AND a.external_key >= t.key AND a.external_key < t.behind OFFSET 0) n
        WHERE name_key(n.external_id) = t.key) k
      LEFT JOIN accounts h ON h.tenant_id = ${tenantId} AND h.app_id = t.app_id AND h.external_key = t.key AND h.status <> 'DELETED'
      ORDER BY t.app_id, t.id`,
  );
}

/** What the younger accounts hold and the oldest does not, as `insertFewGrants` wants it: given as it was. */
export function getMovedGrantsSql({ tenantId }: Context, { appId }: AccessChange, merges: readonly Merge[]): Sql {
  return sql`SELECT DISTINCT ON (g.entitlement_id, m.into_id) g.entitlement_id, m.into_id AS account_id, g.source_no, g.is_derived, g.granted_at,
      g.last_used_at, g.deprovision_at, g.paths
    FROM (${getMergesSql(merges)}) AS m
    JOIN grants g ON g.tenant_id = ${tenantId} AND g.app_id = ${appId} AND g.account_id = m.from_id AND g.removed_revision IS NULL
    WHERE NOT EXISTS (SELECT FROM grants o WHERE o.tenant_id = ${tenantId} AND o.app_id = ${appId} AND o.entitlement_id = g.entitlement_id
      AND o.account_id = m.into_id AND o.removed_revision IS NULL)
    ORDER BY g.entitlement_id, m.into_id, g.granted_at NULLS LAST`;
}

/**
 * The oldest accounts with what only the others say of themselves, as `updateAccounts` wants it: an owner or a number that it lacks; it is enabled where
 * one of them is.
 */
export function getMergedAccountsSql({ tenantId }: Context, { appId }: AccessChange, merges: readonly Merge[]): Sql {
  const told = (column: 'email' | 'username' | 'employee_id'): Sql => {
    const name = { email: sql`a.email`, username: sql`a.username`, employee_id: sql`a.employee_id` }[column];
    const other = { email: sql`y.email`, username: sql`y.username`, employee_id: sql`y.employee_id` }[column];
    return sql`CASE WHEN ${name} = '' THEN ${other} ELSE ${name} END`;
  };
  return sql`SELECT DISTINCT ON (a.id) a.id, a.external_id, a.display_name, ${told('email')} AS email, ${told('username')} AS username,
      ${told('employee_id')} AS employee_id, CASE WHEN a.owner_by_hand OR a.user_id IS NOT NULL THEN a.user_id ELSE y.user_id END AS user_id,
      a.owner_by_hand OR a.user_id IS NULL AND y.owner_by_hand AS owner_by_hand, a.match_count,
      CASE WHEN a.owner_by_hand OR a.user_id IS NOT NULL THEN a.owner_by_former_address ELSE y.owner_by_former_address END AS owner_by_former_address,
      a.account_type,
      CASE WHEN y.status = 'ENABLED' THEN 'ENABLED' ELSE a.status END AS status, y.profile || a.profile AS profile,
      CASE WHEN a.source_no = 0 THEN y.source_no ELSE a.source_no END AS source_no
    FROM (${getMergesSql(merges)}) AS m
    JOIN accounts a ON a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.id = m.into_id
    JOIN accounts y ON y.tenant_id = ${tenantId} AND y.app_id = ${appId} AND y.id = m.from_id
    ORDER BY a.id, y.status = 'ENABLED' DESC, y.id`;
}

/** Notes which account each of the younger ones is. Whoever has the key of the name leaves it: behind it comes the number of the oldest, taken from below. */
export async function updateMerged({ db, tenantId }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`UPDATE accounts a SET merged_into_id = m.into_id, twin = CASE WHEN a.twin <> 0 THEN a.twin ELSE -k.twin END
      FROM (${getMergesSql(merges)}) AS m
      JOIN accounts k ON k.tenant_id = ${tenantId} AND k.app_id = ${appId} AND k.id = m.into_id
      WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.id = m.from_id`,
  );
}

/** Gives the accounts that stay the keys of their names, where nobody who is there has them. */
export async function updateAccountKeys({ db, tenantId }: Context, appId: string, twins: readonly TwinRow[]): Promise<void> {
  const kept = sql`SELECT DISTINCT * FROM unnest(${twins.map((one) => one.keptId)}::text[], ${twins.map((one) => one.key)}::text[]) AS n (id, key)`;
  await db.run(
    sql`UPDATE accounts a SET twin = -k.twin FROM (${kept}) AS n
      JOIN accounts k ON k.tenant_id = ${tenantId} AND k.app_id = ${appId} AND k.id = n.id AND k.twin > 0
      WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.external_key = n.key AND a.status = 'DELETED'`,
  );
  await db.run(
    sql`UPDATE accounts a SET twin = 0 FROM (${kept}) AS n WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.id = n.id AND a.twin > 0
      AND NOT EXISTS (SELECT FROM accounts o WHERE o.tenant_id = ${tenantId} AND o.app_id = ${appId} AND o.external_key = n.key)`,
  );
}
