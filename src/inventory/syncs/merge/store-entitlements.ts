/**
 * SQL that finds which resource types, resources and entitlements of a grants file are new to an app; the catalog adds them. They are only ever added:
 * a file of grants cannot say that an entitlement nobody holds is gone.
 */
import type { Context } from '../../../context.ts';
import { fixed, sql } from '../../../lib/sql.ts';
import { newIdPrefix } from '../../../wire/ids.ts';
import {
  insertEntitlements,
  insertResources,
  insertResourceTypes,
  updateDeletedEntitlements,
  updateDeletedResources,
  updateDeletedResourceTypes,
  updateParents,
  updateShownEntitlements,
  updateShownResources,
  updateSpellings,
} from '../../catalog/index.ts';
import { shownColumns } from '../rows/index.ts';
import { type CountedNoteRow, type CountedNotes, type KindCounts, collectNotes, maxNotesTold } from '../values/index.ts';
import { getToldSql } from './store-told.ts';

/** Numbers of rows of each table that the file names, that are new, and that were deleted before and are there again. */
export interface EntitlementCounts {
  readonly resourceTypes: KindCounts;
  readonly resources: KindCounts;
  readonly entitlements: KindCounts;
}

/**
 * Numbers the entitlements of the file from 1, with what is to be shown of them: `import_entitlements`. Number 0 stands for the app access. One is
 * listed if a row says that it is there, whoever holds it.
 */
export async function stageEntitlementNumbers(context: Context, columns: ReadonlySet<string>, isTold: boolean): Promise<void> {
  await context.db.run(`CREATE TEMP TABLE import_entitlements (
      no integer NOT NULL, resource_type text COLLATE "C" NOT NULL, resource text COLLATE "C" NOT NULL,
      entitlement text COLLATE "C" NOT NULL, is_listed boolean NOT NULL, line bigint NOT NULL, told_type text NOT NULL, told_resource text NOT NULL,
      told_entitlement text NOT NULL, resource_name text, resource_description text, name text, description text,
      purpose text) ON COMMIT DROP`);
  const shown = ['resource_name', 'resource_description', 'entitlement_name', 'entitlement_description', 'purpose'];
  const told = shown.map((name) => (columns.has(name) ? `max(${name})` : 'NULL')).join(', ');
  await context.db.run(
    sql`INSERT INTO import_entitlements
     SELECT row_number() OVER (), * FROM (
       SELECT resource_type, resource, entitlement, min(account) = '', min(line), ${getToldSql(isTold, 'resource_type', 'coalesce(told ->> 1, resource_type)')},
         ${getToldSql(isTold, 'resource', 'coalesce(told ->> 2, resource)')}, ${getToldSql(isTold, 'entitlement', 'coalesce(told ->> 3, entitlement)')}, ${fixed(told)}
       FROM import_grants WHERE entitlement <> '' GROUP BY resource_type, resource, entitlement) AS g`,
  );
  await context.db.run('ANALYZE import_entitlements');
}

/**
 * Stages which resources of the file lie below which: `import_parents`, empty where the file has no such column. Returns those of which it says two
 * things, each with the first line of the second.
 */
export async function stageParents(context: Context, hasParents: boolean): Promise<CountedNotes> {
  await context.db.run(`CREATE TEMP TABLE import_parents (resource_type text COLLATE "C" NOT NULL, resource text COLLATE "C" NOT NULL,
      parent_type text COLLATE "C" NOT NULL, parent text COLLATE "C" NOT NULL, line bigint NOT NULL) ON COMMIT DROP`);
  if (!hasParents) {
    return { count: 0, notes: [] };
  }
  await context.db.run(
    `INSERT INTO import_parents
     SELECT resource_type, resource, split_part(parent, chr(31), 1), split_part(parent, chr(31), 2), min(line)
     FROM import_grants WHERE parent IS NOT NULL GROUP BY resource_type, resource, parent`,
    [],
  );
  await context.db.run('ANALYZE import_parents');
  return collectNotes(
    await context.db.rows<CountedNoteRow>(
      `SELECT line, 'parent_resource' AS column, count(*) OVER () AS count,
         to_json(resource)::text || ' lies below ' || to_json(first)::text || ' on line ' || first_line || ' already' AS reason
       FROM (SELECT p.*, first_value(parent) OVER w AS first, first_value(line) OVER w AS first_line, row_number() OVER w AS place
         FROM import_parents p WINDOW w AS (PARTITION BY resource_type, resource ORDER BY line)) AS p
       WHERE place > 1 ORDER BY line LIMIT $1`,
      [maxNotesTold],
    ),
  );
}

/** Place of a file's entitlements. */
export interface CatalogOf {
  readonly appId: string;
  readonly appAccessId: string;
  readonly sourceNo: number;
  /** Some row writes a name otherwise than its key. */
  readonly isTold: boolean;
  /** Nobody else gives access in the app: names are spelled as this source spells them now. Of several, the first keeps its spelling. */
  readonly isAlone: boolean;
}

/**
 * Adds what the app does not have yet, and gives each number its id: `import_entitlement_ids`. Each step meets one table of the catalog by
 * its whole key: with a part of it (every resource has an entitlement called "assigned") a join would multiply the file with the catalog.
 * What was deleted is there again. Grants are counted later.
 */
export async function stageEntitlementIds(context: Context, of: CatalogOf, columns: ReadonlySet<string>): Promise<EntitlementCounts> {
  const { appId, appAccessId, sourceNo } = of;
  const isShown = shownColumns.some((name) => columns.has(name));
  const resourceTypes = await insertTypeIds(context, of);
  const resources = await insertResourceIds(context, of, isShown);
  await context.db.run(`CREATE TEMP TABLE import_entitlement_ids (no integer NOT NULL, id text COLLATE "C" NOT NULL, is_new boolean NOT NULL,
      resource_type_id text COLLATE "C" NOT NULL, resource_id text COLLATE "C" NOT NULL) ON COMMIT DROP`);
  await context.db.run(
    `INSERT INTO import_entitlement_ids
     SELECT n.no, coalesce(e.id, $3 || id_suffix(n.no)), e.id IS NULL, r.resource_type_id, r.id
     FROM import_entitlements n
     JOIN import_resources r ON r.resource_type = n.resource_type AND r.resource = n.resource
     LEFT JOIN entitlements_public e ON e.tenant_id = $1 AND e.app_id = $2 AND e.resource_id = r.id AND e.external_key = n.entitlement
     UNION ALL SELECT 0, $4, false, '', ''`,
    [context.tenantId, appId, newIdPrefix(context.now), appAccessId],
  );
  await context.db.run('ANALYZE import_entitlement_ids');
  const added = await insertEntitlements(
    context,
    appId,
    sourceNo,
    sql`SELECT i.id, i.resource_type_id, i.resource_id, n.told_entitlement AS external_id, n.told_resource || ' ' || n.told_entitlement AS display_name
      FROM import_entitlement_ids i JOIN import_entitlements n ON n.no = i.no WHERE i.is_new`,
  );
  const revived = await updateDeletedEntitlements(context, appId, sql`SELECT id FROM import_entitlement_ids WHERE NOT is_new`);
  const respelled = of.isAlone ? await updateSpellings(context, appId, 'entitlements', toldEntitlements) : 0;
  const changed = revived + respelled + (isShown ? await updateShownEntitlements(context, appId, shownEntitlements) : 0);
  const { count } = await context.db.one<{ count: number }>('SELECT count(*) FROM import_entitlements', []);
  const entitlements = { added, changed, removed: 0, total: count };
  return { resourceTypes, resources, entitlements };
}

/** Names of entitlements that are not new, as the file writes them. */
const toldEntitlements = sql`SELECT i.id, n.told_entitlement AS external_id, n.told_resource || ' ' || n.told_entitlement AS display_name
  FROM import_entitlement_ids i JOIN import_entitlements n ON n.no = i.no WHERE NOT i.is_new`;

/** Texts of the file to be shown of entitlements. */
const shownEntitlements = sql`SELECT i.id, i.is_new, n.told_resource || ' ' || n.told_entitlement AS usual_name,
    coalesce(n.name, n.resource_name || ' ' || n.told_entitlement) AS name, n.description, n.purpose
  FROM import_entitlement_ids i JOIN import_entitlements n ON n.no = i.no`;

/** Texts of the file to be shown of resources. */
const shownResources = sql`SELECT r.id, r.is_new, r.external_id, n.name, n.description
  FROM import_resources r JOIN (
    SELECT resource_type, resource, max(resource_name) AS name, max(resource_description) AS description FROM import_entitlements GROUP BY 1, 2) AS n
    ON n.resource_type = r.resource_type AND n.resource = r.resource`;

/** Adds the new resource types, and gives each of the file its id: `import_resource_types`. */
async function insertTypeIds(context: Context, { appId, isTold, isAlone }: CatalogOf): Promise<KindCounts> {
  await context.db.run(`CREATE TEMP TABLE import_resource_types (resource_type text COLLATE "C" NOT NULL, external_id text NOT NULL, id text COLLATE "C" NOT NULL,
      is_new boolean NOT NULL) ON COMMIT DROP`);
  const total = await context.db.run(
    sql`INSERT INTO import_resource_types
     SELECT n.resource_type, n.external_id, coalesce(t.id, ${newIdPrefix(context.now)} || id_suffix(row_number() OVER ())), t.id IS NULL
     FROM (
       SELECT resource_type, ${getToldSql(isTold, 'resource_type', 'told_type')} AS external_id FROM (
         SELECT resource_type, told_type, line FROM import_entitlements UNION ALL SELECT parent_type, parent_type, line FROM import_parents) AS a
       GROUP BY resource_type) AS n
     LEFT JOIN resource_types_public t ON t.tenant_id = ${context.tenantId} AND t.app_id = ${appId} AND t.external_key = n.resource_type`,
  );
  await context.db.run('ANALYZE import_resource_types');
  const added = await insertResourceTypes(
    context,
    appId,
    sql`SELECT id, external_id, external_id AS display_name FROM import_resource_types WHERE is_new`,
  );
  const revived = await updateDeletedResourceTypes(context, appId, sql`SELECT id FROM import_resource_types WHERE NOT is_new`);
  const respelled = isAlone
    ? await updateSpellings(
        context,
        appId,
        'resource_types',
        sql`SELECT id, external_id, external_id AS display_name FROM import_resource_types WHERE NOT is_new`,
      )
    : 0;
  return { added, changed: revived + respelled, removed: 0, total };
}

/** Adds the new resources, and gives each of the file its id: `import_resources`. */
async function insertResourceIds(context: Context, { appId, isTold, isAlone }: CatalogOf, isShown: boolean): Promise<KindCounts> {
  await context.db.run(`CREATE TEMP TABLE import_resources (resource_type text COLLATE "C" NOT NULL, resource text COLLATE "C" NOT NULL,
      external_id text NOT NULL, resource_type_id text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, is_new boolean NOT NULL) ON COMMIT DROP`);
  const total = await context.db.run(
    sql`INSERT INTO import_resources
     SELECT n.resource_type, n.resource, n.external_id, t.id, coalesce(r.id, ${newIdPrefix(context.now)} || id_suffix(row_number() OVER ())), r.id IS NULL
     FROM (
       SELECT resource_type, resource, ${getToldSql(isTold, 'resource', 'told_resource')} AS external_id FROM (
         SELECT resource_type, resource, told_resource, line FROM import_entitlements
         UNION ALL SELECT parent_type, parent, parent, line FROM import_parents) AS a
       GROUP BY resource_type, resource) AS n
     JOIN import_resource_types t ON t.resource_type = n.resource_type
     LEFT JOIN resources_public r ON r.tenant_id = ${context.tenantId} AND r.app_id = ${appId} AND r.resource_type_id = t.id AND r.external_key = n.resource`,
  );
  await context.db.run('ANALYZE import_resources');
  const added = await insertResources(
    context,
    appId,
    sql`SELECT id, resource_type_id, external_id, external_id AS display_name FROM import_resources WHERE is_new`,
  );
  const revived = await updateDeletedResources(context, appId, sql`SELECT id FROM import_resources WHERE NOT is_new`);
  const moved = await updateParents(
    context,
    appId,
    sql`SELECT r.id, r.is_new, u.id AS parent_id FROM import_parents p
      JOIN import_resources r ON r.resource_type = p.resource_type AND r.resource = p.resource
      JOIN import_resources u ON u.resource_type = p.parent_type AND u.resource = p.parent`,
  );
  const respelled = isAlone
    ? await updateSpellings(
        context,
        appId,
        'resources',
        sql`SELECT id, external_id, external_id AS display_name FROM import_resources WHERE NOT is_new`,
      )
    : 0;
  const shown = isShown ? await updateShownResources(context, appId, shownResources) : 0;
  return { added, changed: revived + moved + respelled + shown, removed: 0, total };
}
