/**
 * SQL that reads how the grants of a file are inherited: the text of each path becomes ids of entitlements.
 */
import type { Context } from '../../../context.ts';
import { type CountedNoteRow, type CountedNotes, collectNotes, maxNotesTold } from '../values/index.ts';

/**
 * Gives each distinct path of the file its entitlements: `import_paths`. Returns the steps that name none, each with the first line it stands
 * on. Those of the file must be in the catalog by then.
 */
export async function stagePaths(context: Context, appId: string): Promise<CountedNotes> {
  await context.db.run(`CREATE TEMP TABLE import_steps (granted_via text COLLATE "C" NOT NULL, line bigint NOT NULL, place bigint NOT NULL,
      resource_type text COLLATE "C" NOT NULL, resource text COLLATE "C" NOT NULL, entitlement text COLLATE "C" NOT NULL, id text COLLATE "C") ON COMMIT DROP`);
  await context.db.run(
    `INSERT INTO import_steps
     SELECT v.granted_via, v.line, s.place, split_part(s.step, chr(31), 1), split_part(s.step, chr(31), 2), split_part(s.step, chr(31), 3), NULL
     FROM (SELECT granted_via, min(line) AS line FROM import_grants WHERE granted_via IS NOT NULL GROUP BY granted_via) AS v
     CROSS JOIN LATERAL unnest(string_to_array(v.granted_via, chr(30))) WITH ORDINALITY AS s (step, place)`,
    [],
  );
  await context.db.run('ANALYZE import_steps');
  await context.db.run(
    `UPDATE import_steps s SET id = e.id
     FROM resource_types_public t
     JOIN resources_public r ON r.tenant_id = t.tenant_id AND r.app_id = t.app_id AND r.resource_type_id = t.id
     JOIN entitlements_public e ON e.tenant_id = r.tenant_id AND e.app_id = r.app_id AND e.resource_id = r.id
     WHERE t.tenant_id = $1 AND t.app_id = $2 AND e.deleted_at IS NULL
       AND t.external_key = s.resource_type AND r.external_key = s.resource AND e.external_key = s.entitlement`,
    [context.tenantId, appId],
  );
  const unknown = await context.db.rows<CountedNoteRow>(
    `SELECT line, 'granted_via' AS column, count(*) OVER () AS count,
       'neither the file nor the app has ' || to_json(entitlement)::text || ' of ' || to_json(resource_type || ' ' || resource)::text AS reason
     FROM import_steps WHERE id IS NULL ORDER BY line, place LIMIT $1`,
    [maxNotesTold],
  );
  await context.db.run('CREATE TEMP TABLE import_paths (granted_via text COLLATE "C" NOT NULL, path jsonb NOT NULL) ON COMMIT DROP');
  await context.db.run(
    'INSERT INTO import_paths SELECT granted_via, jsonb_agg(id ORDER BY place) FROM import_steps GROUP BY granted_via',
    [],
  );
  await context.db.run('ANALYZE import_paths');
  return collectNotes(unknown);
}
