/** SQL of what came in of each app of a snapshot: from the last file of each source to what is held of it, and what its snapshot did not choose. */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { SnapshotPlace } from '../freeze/index.ts';
import { endOnePass, setOnePass } from '../scope/index.ts';

/** The number of the app access that follows from accounts, among the numbers of sources. */
const derivedNo = -1;

/** Keeps the entitlements of the apps of a snapshot that it does not ask about. */
export async function insertUnchosen({ db, tenantId }: Context, snapshotId: string, appIds: readonly string[]): Promise<void> {
  await db.run(
    sql`INSERT INTO review_unchosen (tenant_id, review_id, app_id, entitlement_id, app_display_name, display_name, description, resource_id,
       resource_display_name, resource_type_id, resource_type_display_name, is_app_access, risk_level_value_id, compliance_framework_value_ids)
     SELECT ${tenantId}, ${snapshotId}, e.app_id, e.id, a.display_name, e.display_name, e.description, e.resource_id, coalesce(rs.display_name, ''),
       e.resource_type_id, coalesce(rt.display_name, ''), e.is_app_access, e.risk_level_value_id, e.compliance_framework_value_ids
     FROM entitlements_public e
     JOIN apps_public a ON a.tenant_id = ${tenantId} AND a.id = e.app_id AND a.deleted_at IS NULL
     LEFT JOIN resource_types_public rt ON rt.tenant_id = ${tenantId} AND rt.app_id = e.app_id AND rt.id = e.resource_type_id
     LEFT JOIN resources_public rs ON rs.tenant_id = ${tenantId} AND rs.app_id = e.app_id AND rs.id = e.resource_id
     WHERE e.tenant_id = ${tenantId} AND e.app_id = ANY (${appIds}::text[]) AND e.deleted_at IS NULL AND NOT EXISTS (
       SELECT FROM review_entitlements x WHERE x.tenant_id = ${tenantId} AND x.review_id = ${snapshotId} AND x.app_id = e.app_id AND x.entitlement_id = e.id)`,
  );
}

/** The sources of these apps with their last file as of a revision; by hand and by having an account count as sources, too. */
function getFedSql(tenantId: string, { revision }: SnapshotPlace, appIds: readonly string[]): Sql {
  return sql`SELECT s.app_id, s.source_no, s.id AS source_id, s.display_name, s.kind, i.*
      FROM sources_public s LEFT JOIN LATERAL (
        SELECT y.id AS sync_id, y.revision AS sync_revision, y.created_at AS synced_at, y.file_sha256, y.file_format, y.rejected,
          coalesce((y.counts -> 'grants' ->> 'total')::bigint, 0) AS accepted, y.parts, y.elsewhere, y.rows
        FROM syncs_public y WHERE y.tenant_id = ${tenantId} AND y.source_id = s.id AND y.state = 'DONE' AND y.kind = 'GRANTS' AND y.revision <= ${revision}
        ORDER BY y.id DESC LIMIT 1) i ON true
      WHERE s.tenant_id = ${tenantId} AND s.app_id = ANY (${appIds}::text[])
    UNION ALL
    SELECT p.id, o.source_no, '', '', o.kind, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM unnest(${appIds}::text[]) AS p (id), (VALUES (0::smallint, 'MANUAL'), (${derivedNo}::smallint, 'DERIVED')) AS o (source_no, kind)`;
}

/**
 * Counts for each source what its last file said and what it holds, and keeps that with the revisions in between. One pass over the grants of these
 * apps, those that are over too, since a source may have ended some after its file.
 */
export async function insertSources(context: Context, place: SnapshotPlace, appIds: readonly string[]): Promise<void> {
  const { db, tenantId } = context;
  const { id, revision } = place;
  await setOnePass(context);
  // Counted by revision first: what remains are as many rows as there were changes of the apps.
  await db.run(
    sql`WITH fed AS MATERIALIZED (${getFedSql(tenantId, place, appIds)}),
     counted AS MATERIALIZED (
       SELECT g.app_id, CASE WHEN g.is_derived THEN ${derivedNo}::smallint ELSE g.source_no END AS source_no, g.added_revision, g.removed_revision, count(*) AS n
       FROM grants_public g WHERE g.tenant_id = ${tenantId} AND g.app_id = ANY (${appIds}::text[]) AND g.added_revision <= ${revision}
       GROUP BY 1, 2, 3, 4),
     held AS (
       SELECT f.app_id, f.source_no,
         coalesce(sum(c.n) FILTER (WHERE c.added_revision <= f.sync_revision AND (c.removed_revision IS NULL OR c.removed_revision > f.sync_revision)), 0) AS held_then,
         coalesce(sum(c.n) FILTER (WHERE c.added_revision > f.sync_revision), 0) AS added,
         coalesce(sum(c.n) FILTER (WHERE c.removed_revision > f.sync_revision AND c.removed_revision <= ${revision}), 0) AS ended,
         coalesce(sum(c.n) FILTER (WHERE c.removed_revision IS NULL OR c.removed_revision > ${revision}), 0) AS held
       FROM fed f LEFT JOIN counted c ON c.app_id = f.app_id AND c.source_no = f.source_no GROUP BY f.app_id, f.source_no),
     changes AS (
       SELECT f.app_id, f.source_no, m.revision, sum(c.n) FILTER (WHERE m.is_added) AS added, sum(c.n) FILTER (WHERE NOT m.is_added) AS ended
       FROM fed f JOIN counted c ON c.app_id = f.app_id AND c.source_no = f.source_no
       CROSS JOIN LATERAL (VALUES (c.added_revision, true), (c.removed_revision, false)) AS m (revision, is_added)
       WHERE m.revision > f.sync_revision AND m.revision <= ${revision} GROUP BY f.app_id, f.source_no, m.revision),
     kept AS (
       INSERT INTO review_source_changes (tenant_id, review_id, app_id, source_no, revision, cause, added, ended)
       SELECT ${tenantId}, ${id}, c.app_id, c.source_no, c.revision, coalesce(v.cause, ''), coalesce(c.added, 0), coalesce(c.ended, 0) FROM changes c
       LEFT JOIN revisions_public v ON v.tenant_id = ${tenantId} AND v.revision = c.revision)
     INSERT INTO review_sources (tenant_id, review_id, app_id, source_no, source_id, display_name, kind, sync_id, sync_revision, synced_at, file_sha256,
       file_format, rows, accepted, duplicates, rejected, elsewhere, held_then, added, ended, held)
     SELECT ${tenantId}, ${id}, f.app_id, f.source_no, f.source_id, f.display_name, f.kind, coalesce(f.sync_id, ''), f.sync_revision, f.synced_at,
       coalesce(f.file_sha256, ''), coalesce(f.file_format, ''), coalesce(f.parts, f.rows, 0), coalesce(f.accepted, 0),
       greatest(coalesce(f.parts, f.rows, 0) - coalesce(f.accepted, 0) - coalesce(f.rejected, 0), 0), coalesce(f.rejected, 0),
       coalesce(f.elsewhere, f.accepted - h.held_then, 0), CASE WHEN f.sync_id IS NULL THEN h.held ELSE h.held_then END, h.added, h.ended, h.held
     FROM fed f JOIN held h ON h.app_id = f.app_id AND h.source_no = f.source_no
     WHERE f.sync_id IS NOT NULL OR h.held > 0`,
  );
  await endOnePass(context);
}

/** Counts of what came in from a source, and of what is held of it. */
export interface SourceCount {
  readonly appId: string;
  readonly sourceNo: number;
  readonly sourceId: string;
  readonly displayName: string;
  readonly kind: string;
  readonly syncId: string;
  readonly revision: number | null;
  readonly syncedAt: Date | null;
  readonly fileSha256: string;
  readonly fileFormat: string;
  readonly rows: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly elsewhere: number;
  readonly heldThen: number;
  readonly added: number;
  readonly ended: number;
  readonly held: number;
}

const columns = fixed(`s.app_id AS "appId", s.source_no AS "sourceNo", s.source_id AS "sourceId", s.display_name AS "displayName", s.kind,
  s.sync_id AS "syncId", s.sync_revision AS revision, s.synced_at AS "syncedAt", s.file_sha256 AS "fileSha256", s.file_format AS "fileFormat",
  s.rows, s.accepted, s.duplicates, s.rejected, s.elsewhere, s.held_then AS "heldThen", s.added, s.ended, s.held`);

/** Returns what was kept of the sources of a snapshot, by app and number. */
export function listSourceCounts({ db, tenantId }: Context, snapshotId: string): Promise<SourceCount[]> {
  return db.rows<SourceCount>(
    sql`SELECT ${columns} FROM review_sources s WHERE s.tenant_id = ${tenantId} AND s.review_id = ${snapshotId} ORDER BY s.app_id, s.source_no`,
  );
}

/** A revision between the last file of a source and the snapshot. */
export interface SourceChange {
  readonly appId: string;
  readonly sourceNo: number;
  readonly revision: number;
  readonly cause: string;
  readonly added: number;
  readonly ended: number;
}

/** Returns the revisions of a snapshot that changed what sources hold behind their last files, the first `limit` of them. */
export function listSourceChanges({ db, tenantId }: Context, snapshotId: string, limit: number): Promise<SourceChange[]> {
  return db.rows<SourceChange>(
    sql`SELECT c.app_id AS "appId", c.source_no AS "sourceNo", c.revision, c.cause, c.added, c.ended FROM review_source_changes c
      WHERE c.tenant_id = ${tenantId} AND c.review_id = ${snapshotId} ORDER BY c.app_id, c.source_no, c.revision LIMIT ${limit}`,
  );
}
