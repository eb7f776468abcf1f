/**
 * SQL of how entitlements are used and what changed about them. The latest use stands with the entitlement; what came and went is counted from the
 * revisions since, so the cost is in proportion to what changed, whatever is held.
 */
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';

/** An entitlement, and the latest use that was ever reported. */
export interface UseRow {
  readonly id: string;
  readonly lastUsedAt: Date | null;
}

/** A page of an app's entitlements by id. */
export function listUses(
  { db, tenantId }: Context,
  of: { readonly appId: string; readonly ids: readonly string[] | undefined },
  after: string,
  limit: number,
): Promise<UseRow[]> {
  const chosen = of.ids === undefined ? sql`TRUE` : sql`e.id = ANY (${of.ids})`;
  return db.rows<UseRow>(
    sql`SELECT e.id, e.last_used_at AS "lastUsedAt" FROM entitlements_public e
      WHERE e.tenant_id = ${tenantId} AND e.app_id = ${of.appId} AND e.deleted_at IS NULL AND e.id > ${after} AND ${chosen} ORDER BY e.id LIMIT ${limit}`,
  );
}

/** Grants an entitlement gained and lost. */
export interface ChangeCount {
  readonly id: string;
  readonly added: number;
  readonly ended: number;
}

/**
 * Counts changes of each entitlement of an app after a moment; those without a change are left out. Undefined where more than `most` grants
 * appeared, or ended: then no more of them are read.
 */
export async function countChanges(
  { db, tenantId }: Context,
  appId: string,
  since: Date,
  most: number,
): Promise<ChangeCount[] | undefined> {
  const changed = (column: 'added_revision' | 'removed_revision'): Sql =>
    sql`SELECT n.entitlement_id FROM made r CROSS JOIN LATERAL (
        SELECT g.entitlement_id FROM grants_public g WHERE g.tenant_id = ${tenantId} AND g.${fixed(column)} = r.revision LIMIT ${most + 1}) AS n
      LIMIT ${most + 1}`;
  // Revisions count up with time, so those of an app after a moment are a range of their numbers.
  const rows = await db.rows<ChangeCount>(
    sql`WITH made AS MATERIALIZED (
        SELECT r.revision FROM revisions_public r
        WHERE r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.revision > coalesce((SELECT b.revision FROM revisions_public b
          WHERE b.tenant_id = ${tenantId} AND b.made_at <= ${since} ORDER BY b.made_at DESC, b.revision DESC LIMIT 1), 0)
        ORDER BY r.revision LIMIT ${most + 1}),
      steps AS MATERIALIZED (
        (SELECT n.entitlement_id, 1 AS added, 0 AS ended FROM (${changed('added_revision')}) AS n)
        UNION ALL (SELECT n.entitlement_id, 0, 1 FROM (${changed('removed_revision')}) AS n))
      SELECT s.entitlement_id AS id, sum(s.added)::integer AS added, sum(s.ended)::integer AS ended FROM steps s GROUP BY s.entitlement_id`,
  );
  const sum = (of: 'added' | 'ended'): number => rows.reduce((total, row) => total + row[of], 0);
  return Math.max(sum('added'), sum('ended')) > most ? undefined : rows;
}
