/**
 * SQL of what came into the scope of a review after its snapshot (`review_arrivals`): kept at the close under the id of the review, or worked out under
 * the id of a snapshot that goes again. `arrivedId` is either.
 */
import type { Context } from '../../../context.ts';
import { empty, type Sql, sql } from '../../../lib/sql.ts';
import { type Arrivals, endHashJoins, getItemRowsSql, getNamedGrantsSql, setHashJoins } from '../../snapshots/index.ts';

/**
 * Works out what came after a revision and that a review asked about never, or only until it was gone, and puts it under the id of a snapshot that goes
 * again. Entitlements were frozen in this very transaction, so the planner takes them for none: they are hashed. OFFSET 0 has each grant looked up among
 * the tasks, of which a review may have very many.
 */
export async function insertArrived(
  context: Context,
  passingId: string,
  reviewId: string,
  { items, accountIds }: Arrivals,
  after: number,
): Promise<void> {
  const { db, tenantId } = context;
  await setHashJoins(context);
  await db.run(
    sql`INSERT INTO review_arrivals (tenant_id, review_id, app_id, account_id, entitlement_id, added_revision, event_id)
      SELECT ${tenantId}, ${passingId}, n.app_id, n.account_id, n.entitlement_id, n.added_revision, '' FROM (
        SELECT h.app_id, h.account_id, h.entitlement_id, h.added_revision FROM ${getItemRowsSql(context, items, empty, accountIds)}
          AND h.added_revision > ${after} OFFSET 0) n
      WHERE NOT EXISTS (
        SELECT FROM tasks_public t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.account_id = n.account_id
          AND t.entitlement_id = n.entitlement_id AND t.end_reason NOT IN ('GRANT_GONE', 'OBJECT_GONE') OFFSET 0)`,
  );
  await endHashJoins(context);
}

/** Removes what was worked out under such an id. */
export async function removeArrived({ db, tenantId }: Context, passingId: string): Promise<void> {
  await db.run(sql`DELETE FROM review_arrivals WHERE tenant_id = ${tenantId} AND review_id = ${passingId}`);
}

/** Keeps what was worked out with a review, under the event that vouches for it; how much that is. */
export function insertKept({ db, tenantId }: Context, reviewId: string, eventId: string, arrivedId: string): Promise<number> {
  return db.run(
    sql`INSERT INTO review_arrivals (tenant_id, review_id, app_id, account_id, entitlement_id, added_revision, event_id)
      SELECT k.tenant_id, ${reviewId}, k.app_id, k.account_id, k.entitlement_id, k.added_revision, ${eventId}
      FROM review_arrivals k WHERE k.tenant_id = ${tenantId} AND k.review_id = ${arrivedId}`,
  );
}

/** Selects what supplementary reviews of a review ask about, each once: `subject_id` is the first of them. */
const getSupplementedSql = (tenantId: string, reviewId: string): Sql =>
  sql`SELECT DISTINCT ON (x.app_id, x.account_id, x.entitlement_id) x.subject_id, x.app_id, x.account_id, x.entitlement_id
    FROM reviews s JOIN (${getNamedGrantsSql(tenantId)}) x ON x.subject_id = s.id
    WHERE s.tenant_id = ${tenantId} AND s.supplement_of_id = ${reviewId} AND s.state <> 'DELETED'
    ORDER BY x.app_id, x.account_id, x.entitlement_id, x.subject_id`;

/** Counts what came, and what of it supplementary reviews ask about: looked up by key, since the planner may know nothing of these rows. OFFSET 0. */
export function countArrived(
  { db, tenantId }: Context,
  reviewId: string,
  arrivedId: string,
): Promise<{ arrived: number; supplemented: number }> {
  return db.one(
    sql`SELECT (SELECT count(*) FROM review_arrivals k WHERE k.tenant_id = ${tenantId} AND k.review_id = ${arrivedId}) AS arrived,
      (SELECT count(*) FROM (${getSupplementedSql(tenantId, reviewId)}) x WHERE EXISTS (
        SELECT FROM review_arrivals k WHERE k.tenant_id = ${tenantId} AND k.review_id = ${arrivedId} AND k.app_id = x.app_id AND k.account_id = x.account_id
          AND k.entitlement_id = x.entitlement_id OFFSET 0)) AS supplemented`,
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
  arrivedId: string,
  limit: number,
): Promise<{ readonly keys: readonly ArrivalKey[]; readonly total: number }> {
  const rows = await db.rows<ArrivalKey & { readonly total: number }>(
    sql`SELECT n.app_id AS "appId", n.account_id AS "accountId", n.entitlement_id AS "entitlementId", count(*) OVER () AS total
      FROM (SELECT k.app_id, k.account_id, k.entitlement_id FROM review_arrivals k WHERE k.tenant_id = ${tenantId} AND k.review_id = ${arrivedId}
        EXCEPT SELECT x.app_id, x.account_id, x.entitlement_id FROM (${getSupplementedSql(tenantId, reviewId)}) x) n
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
  arrivedId: string,
  after: ArrivalKey | undefined,
  limit: number,
): Promise<ArrivalRow[]> {
  const { appId, accountId, entitlementId } = after ?? { appId: '', accountId: '', entitlementId: '' };
  return db.rows<ArrivalRow>(
    sql`SELECT n.app_id AS "appId", n.account_id AS "accountId", n.entitlement_id AS "entitlementId",
        coalesce(p.display_name, n.app_id) AS "appName", coalesce(nullif(a.display_name, ''), a.external_id, n.account_id) AS "accountName",
        coalesce(e.display_name, n.entitlement_id) AS "entitlementName", coalesce(u.id, '') AS "userId", coalesce(u.display_name, '') AS "userName",
        n.added_revision AS revision, v.made_at AS "addedAt", coalesce(v.sync_id, '') AS "syncId", coalesce(x.subject_id, '') AS "supplementId"
      FROM (SELECT k.* FROM review_arrivals k WHERE k.tenant_id = ${tenantId} AND k.review_id = ${arrivedId}
          AND (k.app_id, k.account_id, k.entitlement_id) > (${appId}, ${accountId}, ${entitlementId})
        ORDER BY k.app_id, k.account_id, k.entitlement_id LIMIT ${limit}) n
      LEFT JOIN (${getSupplementedSql(tenantId, reviewId)}) x ON x.app_id = n.app_id AND x.account_id = n.account_id AND x.entitlement_id = n.entitlement_id
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
