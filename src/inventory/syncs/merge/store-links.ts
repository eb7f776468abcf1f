/**
 * SQL of links that a file tells of by themselves: holders of one entitlement hold another, whoever they are. Those that
 * their source no longer tells of end.
 */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { updateToldLinks } from '../../ledger/index.ts';
import { type CountedNoteRow, type CountedNotes, collectNotes, maxNotesTold } from '../values/index.ts';
import type { DifferenceOf } from './store-difference.ts';

/**
 * Finds how the links of a file differ from those its source told of before: `import_link_changes`, `step` 1 for one more and -1 for one less. Returns
 * the entitlements they come from that nobody knows, each with the first line it stands on. Those of the file must be in the catalog by then.
 */
export async function stageLinks(context: Context, of: Pick<DifferenceOf, 'appId' | 'sourceNo' | 'isComplete'>): Promise<CountedNotes> {
  const { tenantId } = context;
  const { appId, sourceNo, isComplete } = of;
  await context.db.run(`CREATE TEMP TABLE import_links (line bigint NOT NULL, linked_from text COLLATE "C" NOT NULL, from_id text COLLATE "C",
      to_id text COLLATE "C" NOT NULL) ON COMMIT DROP`);
  await context.db.run(
    sql`INSERT INTO import_links
      SELECT min(g.line), g.linked_from, e.id, i.id
      FROM import_grants g
      JOIN import_entitlements n ON n.resource_type = g.resource_type AND n.resource = g.resource AND n.entitlement = g.entitlement
      JOIN import_entitlement_ids i ON i.no = n.no
      LEFT JOIN (
        SELECT e.id, t.external_key || chr(31) || r.external_key || chr(31) || e.external_key AS step
        FROM resource_types_public t
        JOIN resources_public r ON r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.resource_type_id = t.id
        JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.resource_id = r.id AND e.deleted_at IS NULL
        WHERE t.tenant_id = ${tenantId} AND t.app_id = ${appId}) AS e ON e.step = g.linked_from
      WHERE g.linked_from IS NOT NULL GROUP BY g.linked_from, e.id, i.id`,
  );
  await context.db.run('ANALYZE import_links');
  await context.db.run(`CREATE TEMP TABLE import_link_changes (from_id text COLLATE "C" NOT NULL, to_id text COLLATE "C" NOT NULL, step integer NOT NULL)
      ON COMMIT DROP`);
  await context.db.run(
    sql`INSERT INTO import_link_changes
      SELECT coalesce(n.from_id, o.from_entitlement_id), coalesce(n.to_id, o.to_entitlement_id), CASE WHEN n.from_id IS NULL THEN -1 ELSE 1 END
      FROM (SELECT from_id, to_id FROM import_links WHERE from_id <> to_id) AS n
      FULL JOIN (
        SELECT from_entitlement_id, to_entitlement_id FROM source_links_public
        WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND source_no = ${sourceNo}) AS o
        ON o.from_entitlement_id = n.from_id AND o.to_entitlement_id = n.to_id
      WHERE o.from_entitlement_id IS NULL OR (n.from_id IS NULL AND ${isComplete})`,
  );
  return collectNotes(
    await context.db.rows<CountedNoteRow>(
      sql`SELECT line, 'linked_from' AS column, count(*) OVER () AS count,
          'neither the file nor the app has ' || to_json(split_part(linked_from, chr(31), 3))::text || ' of '
            || to_json(split_part(linked_from, chr(31), 1) || ' ' || split_part(linked_from, chr(31), 2))::text AS reason
        FROM import_links WHERE from_id IS NULL ORDER BY line LIMIT ${maxNotesTold}`,
    ),
  );
}

/** Counts the links that come or go. */
export function countLinkChanges({ db }: Context): Promise<number> {
  return db.value<number>('SELECT count(*) FROM import_link_changes', []);
}

/** Writes how the links of a source differ. */
export function writeLinks(context: Context, { appId, sourceNo }: DifferenceOf, revision: number): Promise<void> {
  const rows = sql`SELECT ${sourceNo}::smallint AS source_no, from_id, to_id, step FROM import_link_changes`;
  return updateToldLinks(context, { appId, revision }, rows);
}
