/**
 * SQL of the digests of a snapshot's items: of each principal, of each app, of all. They are of ids alone and in one order, so that the pieces
 * in which the items were found do not matter.
 */
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

import { getHeldGrants, type SnapshotItems } from './store-items.ts';
import type { AccountKey, PrincipalKind } from './types-items.ts';

/** Of the items `i` of a principal, grouped by it: SHA-256 over the kind, the id and the sorted entitlements, with a separator between them. */
const digestOfAccount = sql`sha256(convert_to(i.principal_kind || E'\\x1f' || i.account_id || E'\\x1f' || string_agg(i.entitlement_id, E'\\x1f'
  ORDER BY i.entitlement_id COLLATE "C"), 'UTF8'))`;

/** Keeps the digest of each principal of these items: `items` selects their `app_id`, `principal_kind`, `account_id` and `entitlement_id`. */
export async function insertDigests({ db, tenantId }: Context, reviewId: string, items: Sql): Promise<void> {
  await db.run(
    sql`INSERT INTO review_digests (tenant_id, review_id, app_id, principal_kind, principal_id, items, digest)
     SELECT ${tenantId}, ${reviewId}, i.app_id, i.principal_kind, i.account_id, count(*), ${digestOfAccount} FROM (${items}) i
     GROUP BY i.app_id, i.principal_kind, i.account_id`,
  );
}

/** The digest of all items of a review, in hex: of those of its apps, each of those of its principals. */
export function findItemsHash({ db, tenantId }: Context, reviewId: string): Promise<string> {
  return db.value<string>(
    sql`SELECT encode(sha256(coalesce(string_agg(p.digest, ''::bytea ORDER BY p.app_id), ''::bytea)), 'hex') AS hash FROM (
       SELECT d.app_id, sha256(convert_to(d.app_id, 'UTF8') || string_agg(d.digest, ''::bytea ORDER BY d.principal_kind, d.principal_id)) AS digest
       FROM review_digests d WHERE d.tenant_id = ${tenantId} AND d.review_id = ${reviewId} GROUP BY d.app_id) p`,
  );
}

/** A piece of accounts worked out again. */
export interface ReplayedPiece {
  /** The digests of the principals of one kind of each app one after the other, in the order of their ids. */
  readonly apps: readonly { readonly appId: string; readonly kind: PrincipalKind; readonly digests: Buffer; readonly items: number }[];
  readonly differences: number;
  /** The first of them. */
  readonly first: readonly ReplayDifference[];
}

/** An item that was not asked about, or one that was and is none. */
export interface ReplayDifference {
  readonly appId: string;
  readonly accountId: string;
  readonly entitlementId: string;
  readonly isItem: boolean;
}

/** The accounts of a piece, those left out too: a task of one of them is a difference. */
const getChunk = (tenantId: string, reviewId: string, after: AccountKey, end: AccountKey): Sql =>
  sql`SELECT a.* FROM review_accounts a WHERE a.tenant_id = ${tenantId} AND a.review_id = ${reviewId}
    AND (a.app_id, a.account_id) > (${after.appId}, ${after.accountId}) AND (a.app_id, a.account_id) <= (${end.appId}, ${end.accountId})`;

/** The last of the next accounts of a snapshot behind one, those left out too; undefined where there are none. */
export function findReplayEnd(context: Context, reviewId: string, after: AccountKey, accounts: number): Promise<AccountKey | undefined> {
  return context.db.maybe<AccountKey>(
    `SELECT c.app_id AS "appId", c.account_id AS "accountId" FROM (
       SELECT a.app_id, a.account_id FROM review_accounts a
       WHERE a.tenant_id = $1 AND a.review_id = $2 AND (a.app_id, a.account_id) > ($3, $4)
       ORDER BY a.app_id, a.account_id LIMIT $5) c
     ORDER BY c.app_id DESC, c.account_id DESC LIMIT 1`,
    [context.tenantId, reviewId, after.appId, after.accountId, accounts],
  );
}

/**
 * Works the items of the accounts behind one and up to another out again, and compares them with those that were asked about: `asked` selects the
 * `entitlement_id` of those of the account `c`.
 */
export async function findReplayedPiece(
  context: Context,
  items: SnapshotItems,
  { after, end, asked, limit }: { readonly after: AccountKey; readonly end: AccountKey; readonly asked: Sql; readonly limit: number },
): Promise<ReplayedPiece> {
  const { db, tenantId } = context;
  const { grants, condition } = getHeldGrants(context, items);
  await db.run(
    `SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_nestloop = off; SET LOCAL jit = off; SET LOCAL work_mem = '32MB'`,
  );
  const { apps, ...differences } = await db.one<
    { apps: { appId: string; kind: PrincipalKind; digests: string; items: number }[] } & Omit<ReplayedPiece, 'apps'>
  >(
    sql`WITH chunk AS MATERIALIZED (${getChunk(tenantId, items.id, after, end)}),
     held AS MATERIALIZED (
       SELECT c.app_id, c.account_id, c.principal_kind, c.access_profile_ids, h.entitlement_id FROM chunk c CROSS JOIN LATERAL (${grants} OFFSET 0) h
       WHERE c.excluded_by = ''),
     items AS MATERIALIZED (
       SELECT h.app_id, h.account_id, h.principal_kind, h.entitlement_id FROM held h
       JOIN review_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = ${items.id} AND e.app_id = h.app_id
         AND e.entitlement_id = h.entitlement_id AND NOT e.is_excluded
       WHERE ${condition}),
     asked AS MATERIALIZED (
       SELECT c.app_id, c.account_id, t.entitlement_id FROM chunk c CROSS JOIN LATERAL (${asked} OFFSET 0) t),
     digests AS (
       SELECT i.app_id, i.account_id, i.principal_kind, count(*) AS n, ${digestOfAccount} AS digest FROM items i
       GROUP BY i.app_id, i.account_id, i.principal_kind),
     app_digests AS (
       SELECT d.app_id, d.principal_kind, sum(d.n) AS n, string_agg(d.digest, ''::bytea ORDER BY d.account_id COLLATE "C") AS digests
       FROM digests d GROUP BY d.app_id, d.principal_kind),
     differing AS (
       SELECT coalesce(i.app_id, k.app_id) AS app_id, coalesce(i.account_id, k.account_id) AS account_id,
         coalesce(i.entitlement_id, k.entitlement_id) AS entitlement_id, i.account_id IS NOT NULL AS is_item
       FROM items i FULL JOIN asked k ON k.account_id = i.account_id AND k.entitlement_id = i.entitlement_id AND k.app_id = i.app_id
       WHERE i.account_id IS NULL OR k.account_id IS NULL)
     SELECT (SELECT coalesce(jsonb_agg(jsonb_build_object('appId', p.app_id, 'kind', p.principal_kind, 'digests', encode(p.digests, 'hex'), 'items', p.n) ORDER BY p.app_id, p.principal_kind), '[]')
         FROM app_digests p) AS apps,
       (SELECT count(*) FROM differing) AS differences,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('appId', f.app_id, 'accountId', f.account_id, 'entitlementId', f.entitlement_id, 'isItem', f.is_item)
           ORDER BY f.app_id, f.account_id, f.entitlement_id), '[]')
         FROM (SELECT * FROM differing x ORDER BY x.app_id, x.account_id, x.entitlement_id LIMIT ${limit}) f) AS first`,
  );
  return { ...differences, apps: apps.map((app) => ({ ...app, digests: Buffer.from(app.digests, 'hex') })) };
}
