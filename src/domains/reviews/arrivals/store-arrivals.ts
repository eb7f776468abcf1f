/**
 * SQL of what came into the scope of a review after its snapshot. `arrived` is always a piece of SQL that selects `app_id`, `account_id`, `entitlement_id`
 * and `added_revision`: worked out of the inventory, or kept at the close (`review_arrivals`).
 */
import type { Context } from '../../../context.ts';
import { empty, type Sql, sql } from '../../../lib/sql.ts';
import { type Arrivals, getItemRowsSql, getNamedGrantsSql } from '../../snapshots/index.ts';

/** Selects nothing. */
export const nothingArrived = sql`SELECT ''::text AS app_id, ''::text AS account_id, ''::text AS entitlement_id, 0::bigint AS added_revision WHERE false`;

/**
 * Selects what came after a revision and that a review asked about never, or only until it was gone: the accounts that got something are looked up one by
 * one, with what they hold.
 */
export function getArrivedSql(context: Context, reviewId: string, { items, accountIds }: Arrivals, after: number): Sql {
  return sql`SELECT h.app_id, h.account_id, h.entitlement_id, h.added_revision FROM ${getItemRowsSql(context, items, empty, accountIds)}
    AND h.added_revision > ${after} AND NOT EXISTS (
      SELECT FROM tasks_public t WHERE t.tenant_id = ${context.tenantId} AND t.review_id = ${reviewId} AND t.account_id = h.account_id
        AND t.entitlement_id = h.entitlement_id AND t.end_reason NOT IN ('GRANT_GONE', 'OBJECT_GONE'))`;
}

/** Selects what was kept when a review closed. */
export const getKeptSql = (tenantId: string, reviewId: string): Sql =>
  sql`SELECT k.app_id, k.account_id, k.entitlement_id, k.added_revision FROM review_arrivals k WHERE k.tenant_id = ${tenantId} AND k.review_id = ${reviewId}`;

/** Keeps what came, under the event that vouches for it; how much that is. */
export function insertArrivals({ db, tenantId }: Context, reviewId: string, eventId: string, arrived: Sql): Promise<number> {
  return db.run(
    sql`INSERT INTO review_arrivals (tenant_id, review_id, app_id, account_id, entitlement_id, added_revision, event_id)
      SELECT ${tenantId}, ${reviewId}, n.app_id, n.account_id, n.entitlement_id, n.added_revision, ${eventId} FROM (${arrived}) n`,
  );
}

/** Selects what supplementary reviews of a review ask about, each once: `subject_id` is the first of them. */
const getSupplementedSql = (tenantId: string, reviewId: string): Sql =>
  sql`SELECT DISTINCT ON (x.app_id, x.account_id, x.entitlement_id) x.subject_id, x.app_id, x.account_id, x.entitlement_id
    FROM reviews s JOIN (${getNamedGrantsSql(tenantId)}) x ON x.subject_id = s.id
    WHERE s.tenant_id = ${tenantId} AND s.supplement_of_id = ${reviewId} AND s.state <> 'DELETED'
    ORDER BY x.app_id, x.account_id, x.entitlement_id, x.subject_id`;

const joinSupplemented = (tenantId: string, reviewId: string): Sql =>
  sql`LEFT JOIN (${getSupplementedSql(tenantId, reviewId)}) x ON x.app_id = n.app_id AND x.account_id = n.account_id AND x.entitlement_id = n.entitlement_id`;

/** Counts what came, and what of it supplementary reviews ask about. */
export function countArrived(
  { db, tenantId }: Context,
  reviewId: string,
  arrived: Sql,
): Promise<{ arrived: number; supplemented: number }> {
  return db.one(
    sql`SELECT count(*) AS arrived, count(x.subject_id) AS supplemented FROM (${arrived}) n ${joinSupplemented(tenantId, reviewId)}`,
  );
}

/** Place of a grant that came, in the order of lists. */
export interface ArrivalKey {
  readonly appId: string;
  readonly accountId: string;
  readonly entitlementId: string;
}

/** The first that no review asks about, and how many there are of them. */
export async function listUnaskedKeys(
  { db, tenantId }: Context,
  reviewId: string,
  arrived: Sql,
  limit: number,
): Promise<{ readonly keys: readonly ArrivalKey[]; readonly total: number }> {
  const rows = await db.rows<ArrivalKey & { readonly total: number }>(
    sql`SELECT n.app_id AS "appId", n.account_id AS "accountId", n.entitlement_id AS "entitlementId", count(*) OVER () AS total
      FROM (${arrived}) n ${joinSupplemented(tenantId, reviewId)} WHERE x.subject_id IS NULL
      ORDER BY n.app_id, n.account_id, n.entitlement_id LIMIT ${limit}`,
  );
  return {
    keys: rows.map(({ appId, accountId, entitlementId }) => ({ appId, accountId, entitlementId })),
    total: rows[0]?.total ?? 0,
  };
}

/** A grant that came, in the names of today. */
export interface ArrivalRow extends ArrivalKey {
  readonly appName: string;
  readonly accountName: string;
  readonly entitlementName: string;
  readonly userId: string;
  readonly userName: string;
  readonly revision: number;
  readonly addedAt: Date | null;
  readonly syncId: string;
  readonly supplementId: string;
}

/** A page of what came, behind a key. */
export function listArrived(
  { db, tenantId }: Context,
  reviewId: string,
  arrived: Sql,
  after: ArrivalKey | undefined,
  limit: number,
): Promise<ArrivalRow[]> {
  const { appId, accountId, entitlementId } = after ?? { appId: '', accountId: '', entitlementId: '' };
  return db.rows<ArrivalRow>(
    sql`SELECT n.app_id AS "appId", n.account_id AS "accountId", n.entitlement_id AS "entitlementId",
        coalesce(p.display_name, n.app_id) AS "appName", coalesce(nullif(a.display_name, ''), a.external_id, n.account_id) AS "accountName",
        coalesce(e.display_name, n.entitlement_id) AS "entitlementName", coalesce(u.id, '') AS "userId", coalesce(u.display_name, '') AS "userName",
        n.added_revision AS revision, v.made_at AS "addedAt", coalesce(v.sync_id, '') AS "syncId", coalesce(n.subject_id, '') AS "supplementId"
      FROM (SELECT n.*, x.subject_id FROM (${arrived}) n ${joinSupplemented(tenantId, reviewId)}
        WHERE (n.app_id, n.account_id, n.entitlement_id) > (${appId}, ${accountId}, ${entitlementId})
        ORDER BY n.app_id, n.account_id, n.entitlement_id LIMIT ${limit}) n
      LEFT JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = n.app_id
      LEFT JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = n.app_id AND a.id = n.account_id
      LEFT JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = n.app_id AND e.id = n.entitlement_id
      LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = a.user_id
      LEFT JOIN revisions_public v ON v.tenant_id = ${tenantId} AND v.revision = n.added_revision
      ORDER BY n.app_id, n.account_id, n.entitlement_id`,
  );
}

/** Names a supplementary review, or the one that it supplements. */
export interface Supplement {
  readonly accessReviewId: string;
  readonly displayName: string;
  /** Grants that the supplementary one names. */
  readonly items: number;
}

/** The reviews that supplement a review, oldest first; for another id of theirs, these alone. Deleted ones are left out. */
export function listSupplements({ db, tenantId }: Context, reviewId: string): Promise<Supplement[]> {
  return db.rows<Supplement>(
    sql`SELECT s.id AS "accessReviewId", coalesce(s.document ->> 'displayName', '') AS "displayName",
        (SELECT count(*) FROM (${getNamedGrantsSql(tenantId)}) x WHERE x.subject_id = s.id) AS items
      FROM reviews s WHERE s.tenant_id = ${tenantId} AND s.supplement_of_id = ${reviewId} AND s.state <> 'DELETED' ORDER BY s.id`,
  );
}
