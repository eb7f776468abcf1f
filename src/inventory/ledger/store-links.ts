/**
 * SQL that keeps `entitlement_links`: which entitlement passes on which, as the paths of open grants say, and sources by themselves. It is kept by the difference that each
 * change of grants makes, never counted again, and in the statement of that change where it can be.
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import type { AccessChange } from './store-grants.ts';

/**
 * The parts of a WITH that keep the links while grants change. `steps` selects `entitlement_id`, `paths` (never null) and `step`: 1 for paths that
 * a grant has from now on, -1 for those that it has no longer. A link that this same revision removed goes on as if it had stayed.
 */
export function getLinksToKeepSql({ tenantId }: Context, { appId, revision }: AccessChange, steps: Sql): Sql {
  return sql`link_steps AS MATERIALIZED (
      SELECT p.from_id, p.to_id, sum(d.step)::bigint AS step FROM (${steps}) AS d
      CROSS JOIN LATERAL entitlement_link_pairs(d.paths, d.entitlement_id) AS p
      GROUP BY p.from_id, p.to_id HAVING sum(d.step) <> 0),
    kept_links AS (
      UPDATE entitlement_links l SET grant_count = l.grant_count + n.step,
        removed_revision = CASE WHEN l.grant_count + n.step <= 0 THEN ${revision}::bigint END
      FROM link_steps n
      WHERE l.tenant_id = ${tenantId} AND l.app_id = ${appId} AND l.from_entitlement_id = n.from_id AND l.to_entitlement_id = n.to_id
        AND (l.removed_revision IS NULL OR l.removed_revision = ${revision})
      RETURNING l.from_entitlement_id, l.to_entitlement_id),
    new_links AS (
      INSERT INTO entitlement_links (tenant_id, app_id, from_entitlement_id, to_entitlement_id, added_revision, grant_count)
      SELECT ${tenantId}, ${appId}, n.from_id, n.to_id, ${revision}, n.step FROM link_steps n
      WHERE n.step > 0
        AND NOT EXISTS (SELECT FROM kept_links k WHERE k.from_entitlement_id = n.from_id AND k.to_entitlement_id = n.to_id))`;
}

/** Adds the links of the grants that a revision added, once all of them are there. */
export async function updateLinksOfAdded(context: Context, change: AccessChange): Promise<void> {
  const added = sql`SELECT g.entitlement_id, g.paths, 1 AS step FROM grants g
    WHERE g.tenant_id = ${context.tenantId} AND g.added_revision = ${change.revision} AND g.app_id = ${change.appId} AND g.paths IS NOT NULL`;
  await context.db.rows(sql`WITH ${getLinksToKeepSql(context, change, added)} SELECT FROM link_steps LIMIT 0`);
}

/**
 * Adds and takes away links that a source tells of by themselves, without a grant whose paths have them. `rows` selects `source_no`, `from_id`, `to_id`
 * and `step`, 1 for one more and -1 for one less.
 */
export async function updateToldLinks(context: Context, change: AccessChange, rows: Sql): Promise<void> {
  const { db, tenantId } = context;
  const { appId } = change;
  const steps = sql`SELECT r.to_id AS entitlement_id, jsonb_build_array(jsonb_build_array(r.from_id)) AS paths, r.step FROM told r`;
  await db.rows(
    sql`WITH told AS MATERIALIZED (${rows}), ${getLinksToKeepSql(context, change, steps)},
      gone AS (
        DELETE FROM source_links l USING told r
        WHERE l.tenant_id = ${tenantId} AND l.app_id = ${appId} AND r.step < 0 AND l.source_no = r.source_no AND l.from_entitlement_id = r.from_id
          AND l.to_entitlement_id = r.to_id),
      come AS (
        INSERT INTO source_links (tenant_id, app_id, source_no, from_entitlement_id, to_entitlement_id)
        SELECT ${tenantId}, ${appId}, r.source_no, r.from_id, r.to_id FROM told r WHERE r.step > 0)
      SELECT FROM link_steps LIMIT 0`,
  );
}

/** Ends the links that sources told of in an app: those for which `where` holds of `l`. */
export async function endToldLinks(context: Context, change: AccessChange, where: Sql): Promise<void> {
  const rows = sql`SELECT l.source_no, l.from_entitlement_id AS from_id, l.to_entitlement_id AS to_id, -1 AS step FROM source_links l
    WHERE l.tenant_id = ${context.tenantId} AND l.app_id = ${change.appId} AND (${where})`;
  await updateToldLinks(context, change, rows);
}
