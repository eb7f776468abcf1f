/**
 * SQL that writes grants: set by set, under a revision. The sets come as pieces of SQL, so that a file's million rows and one manual grant
 * go through the same statement. Which grants change is decided by whoever calls; the counts are kept in the files beside this one.
 */
import type { Context } from '../../context.ts';
import { empty, fixed, type Sql, sql } from '../../lib/sql.ts';
import { getLinksToKeepSql } from './store-links.ts';

/** A change of one app's access: the app, and the revision the change is. */
export interface AccessChange {
  readonly appId: string;
  readonly revision: number;
}

/** Entitlement and its holder. */
export interface Pair {
  readonly entitlementId: string;
  readonly accountId: string;
}

/**
 * Open grants `g` of an app: those for which `where` holds; and, where there are `rows` (`r`, which must have `entitlement_id` and `account_id`,
 * each pair once), only those.
 */
export interface OpenGrants {
  readonly where: Sql;
  readonly rows?: Sql;
}

const pairColumns = fixed(`g.entitlement_id AS "entitlementId", g.account_id AS "accountId"`);

function insertion(context: Context, change: AccessChange, rows: Sql): Sql {
  return sql`INSERT INTO grants AS g (tenant_id, app_id, entitlement_id, account_id, added_revision, source_no, is_derived, granted_at,
      last_used_at, deprovision_at, paths, created_at, updated_at)
    SELECT ${context.tenantId}, ${change.appId}, r.entitlement_id, r.account_id, ${change.revision}, r.source_no, r.is_derived, r.granted_at,
      r.last_used_at, r.deprovision_at, r.paths, ${context.now}, ${context.now}
    FROM (${rows}) AS r`;
}

/**
 * Adds grants and returns how many. `rows` selects what is not open yet: `entitlement_id`, `account_id`, `source_no`, `is_derived`,
 * `granted_at`, `last_used_at`, `deprovision_at` and `paths`; in the order of the key where that is cheap, since the index then grows at its
 * end. The links of their paths are added afterwards (`updateLinksOfAdded`), once for a revision.
 */
export function insertGrants(context: Context, change: AccessChange, rows: Sql): Promise<number> {
  return context.db.run(insertion(context, change, rows));
}

/** The same for few: returns which were added. */
export function insertFewGrants(context: Context, change: AccessChange, rows: Sql): Promise<Pair[]> {
  return context.db.rows<Pair>(sql`${insertion(context, change, rows)} RETURNING ${pairColumns}`);
}

/** Builds the rows of `insertFewGrants`: these pairs as given now, those left out that are open, whatever source holds them open. */
export function getLackingGrantsSql(
  context: Context,
  appId: string,
  pairs: readonly Pair[],
  all: { readonly sourceNo: number; readonly isDerived: boolean; readonly deprovisionAt: Date | null },
): Sql {
  return sql`SELECT p.entitlement_id, p.account_id, ${all.sourceNo}::smallint AS source_no, ${all.isDerived}::boolean AS is_derived,
      ${context.now}::timestamptz AS granted_at, NULL::timestamptz AS last_used_at, ${all.deprovisionAt}::timestamptz AS deprovision_at,
      NULL::jsonb AS paths
    FROM (${getPairsSql(pairs)}) AS p
    WHERE NOT EXISTS (SELECT FROM grants o WHERE o.tenant_id = ${context.tenantId} AND o.app_id = ${appId}
      AND o.entitlement_id = p.entitlement_id AND o.account_id = p.account_id AND o.removed_revision IS NULL)
    ORDER BY p.entitlement_id COLLATE "C", p.account_id COLLATE "C"`;
}

/** These pairs as rows, each once. */
export function getPairsSql(pairs: readonly Pair[]): Sql {
  const entitlementIds = pairs.map((pair) => pair.entitlementId);
  const accountIds = pairs.map((pair) => pair.accountId);
  return sql`SELECT DISTINCT entitlement_id, account_id FROM unnest(${entitlementIds}::text[], ${accountIds}::text[]) AS n (entitlement_id, account_id)`;
}

/** By how many grants each entitlement of these has more, or fewer where `step` is -1, as the catalog counts them. */
export function getGainsSql(pairs: readonly Pair[], step: 1 | -1): Sql {
  const ids = pairs.map((pair) => pair.entitlementId);
  return sql`SELECT id, ${step}::integer * count(*) AS gained FROM unnest(${ids}::text[]) AS x (id) GROUP BY id`;
}

function ending(context: Context, change: AccessChange, { where, rows }: OpenGrants, at: Date): Sql {
  return sql`UPDATE grants g SET removed_revision = ${change.revision}, ended_at = ${at}, updated_at = ${context.now}
    ${rows === undefined ? empty : sql`FROM (${rows}) AS r`}
    WHERE g.tenant_id = ${context.tenantId} AND g.app_id = ${change.appId} AND g.removed_revision IS NULL
      ${rows === undefined ? empty : sql`AND g.entitlement_id = r.entitlement_id AND g.account_id = r.account_id`} AND (${where})`;
}

/** The parts of a WITH that end open grants, as `gone`, and remove the links that no other grant has. */
function endingWithLinks(context: Context, change: AccessChange, which: OpenGrants, at: Date): Sql {
  const lost = sql`SELECT g.entitlement_id, g.paths, -1 AS step FROM gone g WHERE g.paths IS NOT NULL`;
  return sql`gone AS (${ending(context, change, which, at)} RETURNING g.entitlement_id, g.account_id, g.is_derived, g.paths),
    ${getLinksToKeepSql(context, change, lost)}`;
}

/** Ends open grants and returns how many; they stay as history. */
export async function updateEndedGrants(context: Context, change: AccessChange, which: OpenGrants): Promise<number> {
  return (await updateGrantsEndedAt(context, change, which, context.now)).ended;
}

/** The same for few: returns which were ended. */
export function updateFewEndedGrants(context: Context, change: AccessChange, which: OpenGrants): Promise<Pair[]> {
  return context.db.rows<Pair>(sql`WITH ${endingWithLinks(context, change, which, context.now)} SELECT ${pairColumns} FROM gone g`);
}

/** The same as of another moment: returns how many ended, and how many of them were app access that follows from having an account. */
export function updateGrantsEndedAt(
  context: Context,
  change: AccessChange,
  which: OpenGrants,
  at: Date,
): Promise<{ ended: number; derived: number }> {
  return context.db.one<{ ended: number; derived: number }>(
    sql`WITH ${endingWithLinks(context, change, which, at)}
      SELECT count(*) AS ended, count(*) FILTER (WHERE is_derived) AS derived FROM gone`,
  );
}

/**
 * Makes open grants say something else and keeps what they said before this revision. `rows` selects their keys (`entitlement_id`,
 * `account_id`, `added_revision`), what they say from now on (`granted_at`, `last_used_at`, `deprovision_at`, `paths`), and what they
 * said (the same with `old_` before it).
 */
export async function updateGrants(context: Context, change: AccessChange, rows: Sql): Promise<void> {
  const { tenantId } = context;
  const steps = sql`SELECT r.entitlement_id, s.paths, s.step FROM said r
    CROSS JOIN LATERAL (VALUES (r.old_paths, -1), (r.paths, 1)) AS s (paths, step)
    WHERE r.paths IS DISTINCT FROM r.old_paths AND s.paths IS NOT NULL`;
  await context.db.rows(
    sql`WITH said AS MATERIALIZED (${rows}),
      history AS (
        INSERT INTO grant_changes (tenant_id, app_id, entitlement_id, account_id, revision, granted_at, last_used_at, deprovision_at, paths)
        SELECT ${tenantId}, ${change.appId}, r.entitlement_id, r.account_id, ${change.revision}, r.old_granted_at, r.old_last_used_at,
          r.old_deprovision_at, r.old_paths
        FROM said AS r),
      ${getLinksToKeepSql(context, change, steps)}
      SELECT FROM link_steps LIMIT 0`,
  );
  await context.db.run(
    sql`UPDATE grants g SET granted_at = r.granted_at, last_used_at = r.last_used_at, deprovision_at = r.deprovision_at, paths = r.paths,
        updated_at = ${context.now}
      FROM (${rows}) AS r
      WHERE g.tenant_id = ${tenantId} AND g.app_id = ${change.appId} AND g.entitlement_id = r.entitlement_id
        AND g.account_id = r.account_id AND g.added_revision = r.added_revision`,
  );
}

/** The open grant of a pair with another end, as `updateGrants` wants it. */
export function getGrantWithEndSql(context: Context, appId: string, pair: Pair, at: Date | null): Sql {
  return sql`SELECT o.entitlement_id, o.account_id, o.added_revision, o.granted_at, o.last_used_at, ${at}::timestamptz AS deprovision_at, o.paths,
      o.granted_at AS old_granted_at, o.last_used_at AS old_last_used_at, o.deprovision_at AS old_deprovision_at, o.paths AS old_paths
    FROM grants o
    WHERE o.tenant_id = ${context.tenantId} AND o.app_id = ${appId} AND o.entitlement_id = ${pair.entitlementId}
      AND o.account_id = ${pair.accountId} AND o.removed_revision IS NULL`;
}

/** Hands the app access of an account over to another source, 0 for manual. */
export async function updateAppAccessSource(context: Context, appId: string, accountId: string, sourceNo: number): Promise<void> {
  await context.db.run(
    sql`UPDATE grants SET source_no = ${sourceNo}, updated_at = ${context.now}
      WHERE tenant_id = ${context.tenantId} AND app_id = ${appId} AND account_id = ${accountId} AND removed_revision IS NULL AND is_derived`,
  );
}
