/** SQL of how access was held at a snapshot, and of reported ends that had passed by then: which sync still reports the access. */
import type { Context } from '../../../context.ts';
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import { getMask } from '../task/index.ts';

/** An end that a source reports, and that had passed at the snapshot. */
export interface ReportedEnd {
  /** RFC 3339. */
  readonly endsAt: string;
  /** The source that still reports the access, by name. */
  readonly source: string;
  /** Its last sync before the snapshot, and when that ended, RFC 3339; null where it has none, as an identity provider that pushes. */
  readonly syncId: string | null;
  readonly syncedAt: string | null;
}

/** Selects the grant of the task `t` as it was at a revision: what a later one changed kept what it said before. */
export function getHeldSql(tenantId: string, revision: Sql): Sql {
  return sql`SELECT CASE WHEN y.revision IS NULL THEN g.deprovision_at ELSE y.deprovision_at END AS deprovision_at,
        CASE WHEN y.revision IS NULL THEN g.paths ELSE y.paths END AS paths, g.source_no
      FROM grants_public g
      LEFT JOIN LATERAL (SELECT y.revision, y.deprovision_at, y.paths FROM grant_changes_public y
        WHERE y.tenant_id = ${tenantId} AND y.app_id = g.app_id AND y.entitlement_id = g.entitlement_id AND y.account_id = g.account_id
          AND y.revision > ${revision} AND (g.removed_revision IS NULL OR y.revision < g.removed_revision) ORDER BY y.revision LIMIT 1) y ON true
      WHERE g.tenant_id = ${tenantId} AND g.app_id = t.app_id AND g.entitlement_id = t.entitlement_id AND g.account_id = t.account_id
        AND g.added_revision <= ${revision} AND (g.removed_revision IS NULL OR g.removed_revision > ${revision}) LIMIT 1`;
}

/** Condition that the reported end of the access of the task `t` had passed at its snapshot. */
const isPastSql = sql`t.flags & ${fixed(String(getMask('PAST_END')))} <> 0 AND t.principal_kind = 'A'`;

/** The ReportedEnd of the task `t`, with its snapshot at a revision; null where no source reports an end, or it had not passed. */
export function getReportedEndSql(tenantId: string, revision: Sql): Sql {
  return sql`CASE WHEN ${isPastSql} THEN (
    SELECT json_build_object('endsAt', g.deprovision_at, 'source', s.display_name, 'syncId', i.id, 'syncedAt', i.ended_at)
    FROM (${getHeldSql(tenantId, revision)}) g
    JOIN sources_public s ON s.tenant_id = ${tenantId} AND s.app_id = t.app_id AND s.source_no = g.source_no AND g.source_no > 0
    LEFT JOIN LATERAL (SELECT y.id, y.ended_at FROM syncs_public y WHERE y.tenant_id = ${tenantId} AND y.source_id = s.id AND y.state = 'DONE'
      AND y.kind = 'GRANTS' AND y.revision <= ${revision} ORDER BY y.id DESC LIMIT 1) i ON true
    WHERE g.deprovision_at IS NOT NULL) END`;
}

/** Counts the items of a review whose reported end had passed at its snapshot. */
export function countPastEnds({ db, tenantId }: Context, reviewId: string): Promise<number> {
  return db.value<number>(
    sql`SELECT count(*) AS count FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND ${isPastSql}`,
  );
}
