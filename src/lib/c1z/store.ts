/** All statements over the rows of a c1z, each for one sync. Rows are lists of whatever the file holds. */
import { C1zError } from './c1z-error.ts';
import type { C1zDatabase } from './store-database.ts';

/** Condition for the rows of one sync. */
const ofSync = '(sync_id = ? OR others())';

type Rows = Iterable<readonly unknown[]>;

const rowsOf = (db: C1zDatabase, statement: string, ...values: string[]): Rows =>
  db.prepare(statement).iterate(...values) as unknown as Rows;

/** Lists all syncs: id, beginning, end, token, type, statistics; the last two as a file without them means them. */
export function listSyncs(db: C1zDatabase): Rows {
  const type = db.hasColumn('v1_sync_runs', 'sync_type') ? 'sync_type' : "'full'";
  const stats = db.hasColumn('v1_sync_runs', 'stats') ? 'stats' : "''";
  return rowsOf(db, `SELECT sync_id, started_at, ended_at, sync_token, ${type}, ${stats} FROM v1_sync_runs`);
}

/** Lists resource types: id, message. */
export function listTypes(db: C1zDatabase, syncId: string): Rows {
  return rowsOf(db, `SELECT external_id, data FROM v1_resource_types WHERE ${ofSync}`, syncId);
}

/** Lists resources: type, message. */
export function listResources(db: C1zDatabase, syncId: string): Rows {
  return rowsOf(db, `SELECT resource_type_id, data FROM v1_resources WHERE ${ofSync}`, syncId);
}

/** Lists resources: type, and type and id joined by a colon. */
export function listResourceKeys(db: C1zDatabase, syncId: string): Rows {
  return rowsOf(db, `SELECT resource_type_id, external_id FROM v1_resources WHERE ${ofSync}`, syncId);
}

/** Finds a resource by type and id joined by a colon: message, type and id of its parent. Throws a C1zError where the file has no index for it. */
export function createResourceLookup(db: C1zDatabase, syncId: string): (key: string) => readonly unknown[] | undefined {
  const index = db.findIndex('v1_resources', ['external_id']);
  if (index === undefined) {
    throw new C1zError('the table v1_resources in the file has no index by external_id');
  }
  const find = db.prepare(
    `SELECT data, parent_resource_type_id, parent_resource_id FROM v1_resources INDEXED BY ${index} WHERE external_id = ? AND ${ofSync}`,
  );
  return (key) => find.get(key, syncId) as unknown as readonly unknown[] | undefined;
}

/** Lists entitlements: id, type and id of the resource, message. */
export function listEntitlements(db: C1zDatabase, syncId: string): Rows {
  return rowsOf(db, `SELECT external_id, resource_type_id, resource_id, data FROM v1_entitlements WHERE ${ofSync}`, syncId);
}

/**
 * Lists grants in the order of their principals: type and id of the principal, entitlement, message, 1 where it has yet to be expanded, and the
 * message of what it passes on, null where the file has it in the first message.
 */
export function listGrants(db: C1zDatabase, syncId: string): Rows {
  const needs = db.hasColumn('v1_grants', 'needs_expansion') ? 'needs_expansion' : '0';
  const expansion = db.hasColumn('v1_grants', 'expansion') ? 'expansion' : 'NULL';
  const index = db.findIndex('v1_grants', ['principal_resource_type_id', 'principal_resource_id']);
  // Without the index all rows are sorted before the first is there, so each is asked about.
  const [way, asked] = index === undefined ? ['NOT INDEXED', 'AND NOT others()'] : [`INDEXED BY ${index}`, ''];
  return rowsOf(
    db,
    `SELECT principal_resource_type_id, principal_resource_id, entitlement_id, data, ${needs}, ${expansion} FROM v1_grants ${way}
     WHERE ${ofSync} ${asked} ORDER BY principal_resource_type_id, principal_resource_id`,
    syncId,
  );
}
