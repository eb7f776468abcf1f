/**
 * SQL that makes the grants of an app those of a file, as store-difference.ts found the difference: new ones are added, missing ones end at
 * this revision and stay as history, what the others said before is kept, and rows that say the same are not touched.
 */
import type { Context } from '../../context.ts';

/**
 * What was found is few rows beside all grants, or many; the planner knows which, and may look the few up one by one. Until here that was
 * forbidden (see setImportSettings).
 */
export async function setJoins(context: Context): Promise<void> {
  await context.db.run('SET LOCAL enable_nestloop = on');
}

/** Ends the grants that the file does not have. */
export function updateMissingGrants(context: Context, appId: string, revision: number): Promise<number> {
  return context.db.run(
    `UPDATE grants g SET removed_revision = $3, ended_at = $4, updated_at = $4
     FROM import_changes c
     WHERE c.change = 'R' AND g.tenant_id = $1 AND g.app_id = $2 AND g.entitlement_id = c.entitlement_id AND g.account_id = c.account_id
       AND g.added_revision = c.added_revision`,
    [context.tenantId, appId, revision, context.now],
  );
}

/** Corrects the grants that the file reports differently, and keeps what they said. */
export async function updateGrants(context: Context, appId: string, revision: number): Promise<void> {
  await context.db.run(
    `INSERT INTO grant_changes (tenant_id, app_id, entitlement_id, account_id, revision, granted_at, last_used_at, deprovision_at, paths)
     SELECT $1, $2, entitlement_id, account_id, $3, old_granted_at, old_last_used_at, old_deprovision_at, old_paths
     FROM import_changes WHERE change = 'C'`,
    [context.tenantId, appId, revision],
  );
  await context.db.run(
    `UPDATE grants g SET granted_at = c.granted_at, last_used_at = c.last_used_at, deprovision_at = c.deprovision_at, paths = c.paths, updated_at = $3
     FROM import_changes c
     WHERE c.change = 'C' AND g.tenant_id = $1 AND g.app_id = $2 AND g.entitlement_id = c.entitlement_id AND g.account_id = c.account_id
       AND g.added_revision = c.added_revision`,
    [context.tenantId, appId, context.now],
  );
}

/** Adds the grants that the app does not have, in the order of the primary key where ids are new: then the index grows at its end. */
export function insertGrants(context: Context, appId: string, sourceNo: number, revision: number): Promise<number> {
  return context.db.run(
    `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, source_no, is_derived, granted_at, last_used_at,
       deprovision_at, paths, created_at, updated_at)
     SELECT $1, $2, e.id, a.id, $3, $5, e.no = 0, c.granted_at, c.last_used_at, c.deprovision_at, c.paths, $4, $4
     FROM (SELECT * FROM import_changes WHERE change = 'A' ORDER BY key) AS c
     JOIN import_entitlement_ids e ON e.no = c.key >> 40
     JOIN import_accounts a ON a.no = c.key & 1099511627775`,
    [context.tenantId, appId, revision, context.now, sourceNo],
  );
}

/** Brings the kept counts of open grants up to what was added and ended. Before grants are added: it needs nothing but the difference. */
export async function updateGrantCounts(context: Context, appId: string): Promise<void> {
  await context.db.run(
    `UPDATE entitlements t SET grant_count = t.grant_count + d.gained
     FROM (
       SELECT id, sum(gained) AS gained
       FROM (
         SELECT e.id, count(*) AS gained FROM import_changes c JOIN import_entitlement_ids e ON e.no = c.key >> 40
         WHERE c.change = 'A' GROUP BY e.id
         UNION ALL SELECT entitlement_id, -count(*) FROM import_changes WHERE change = 'R' GROUP BY entitlement_id) AS parts
       GROUP BY id HAVING sum(gained) <> 0) AS d
     WHERE t.tenant_id = $1 AND t.app_id = $2 AND t.id = d.id`,
    [context.tenantId, appId],
  );
}

/** Lets the planner know what a large import did to the tables; outside of its transaction. */
export async function analyzeInventory(context: Context): Promise<void> {
  for (const table of ['grants', 'accounts', 'entitlements', 'resources', 'resource_types']) {
    await context.db.rows('SELECT update_statistics($1)', [table]);
  }
}
