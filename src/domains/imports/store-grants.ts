/**
 * SQL that makes the grants of an app those of a file: new ones are added, missing ones end at this revision and stay as history, and
 * rows that say the same are not touched.
 */
import type { Scope } from '../../scope.ts';

/** How the file's grants differ from the app's open ones; app access is counted apart. */
export interface GrantDifference {
  /** Distinct grants of the file. */
  readonly pairs: number;
  /** Open grants of the app before. */
  readonly open: number;
  /** Open grants that are in the file. */
  readonly matched: number;
  /** Those of them whose times, or whose account, the file tells differently. */
  readonly changed: number;
  readonly accessPairs: number;
  readonly accessOpen: number;
  readonly accessMatched: number;
  /** Rows to update, app access included. */
  readonly rowsToUpdate: number;
}

/**
 * The distinct grants of the file by number: `import_pairs`, and the app access (number 0) of each account; how many there are of each
 * entitlement: `import_counts`. The same grant twice is one
 * since the earlier `granted_at` and used at the later `last_used_at`; an app access since the first of its account's grants and
 * used when any of them was.
 */
export async function insertPairs(scope: Scope): Promise<void> {
  await scope.db.run(`CREATE TEMP TABLE import_pairs (entitlement_no integer NOT NULL, account_no integer NOT NULL,
      granted_at timestamptz, last_used_at timestamptz) ON COMMIT DROP`);
  await scope.db.run(
    `INSERT INTO import_pairs
     SELECT e.no, a.no, min(g.granted_at), max(g.last_used_at)
     FROM import_grants g
     JOIN import_entitlements e ON e.resource_type = g.resource_type AND e.resource = g.resource AND e.entitlement = g.entitlement
     JOIN import_accounts a ON a.account = g.account
     GROUP BY e.no, a.no ORDER BY e.no, a.no`,
    [],
  );
  await scope.db.run(
    `INSERT INTO import_pairs SELECT 0, account_no, min(granted_at), max(last_used_at) FROM import_pairs GROUP BY account_no ORDER BY account_no`,
    [],
  );
  await scope.db.run('ANALYZE import_pairs');
  await scope.db.run('CREATE TEMP TABLE import_counts (entitlement_no integer NOT NULL, count bigint NOT NULL) ON COMMIT DROP');
  await scope.db.run('INSERT INTO import_counts SELECT entitlement_no, count(*) FROM import_pairs GROUP BY entitlement_no', []);
  await scope.db.run('ANALYZE import_counts');
}

/** Finds which grants of the file the app has already (`import_matches`) and counts the difference. Accounts must be merged by then. */
export async function findDifference(scope: Scope, appId: string, appAccessId: string): Promise<GrantDifference> {
  await insertOpenGrants(scope, appId);
  await scope.db.run(`CREATE TEMP TABLE import_matches (entitlement_no integer NOT NULL, account_no integer NOT NULL,
      is_changed boolean NOT NULL) ON COMMIT DROP`);
  await scope.db.run(
    `INSERT INTO import_matches
     SELECT p.entitlement_no, p.account_no, (o.granted_at, o.last_used_at) IS DISTINCT FROM (p.granted_at, p.last_used_at)
     FROM import_pairs p JOIN import_open o ON o.entitlement_no = p.entitlement_no AND o.account_no = p.account_no`,
    [],
  );
  await scope.db.run('ANALYZE import_matches');
  const open = await scope.db.one<{ open: number; accessOpen: number }>(
    `SELECT count(*) FILTER (WHERE NOT is_access) AS open, count(*) FILTER (WHERE is_access) AS "accessOpen"
     FROM (SELECT entitlement_id = $1 AS is_access FROM import_open) AS o`,
    [appAccessId],
  );
  const pairs = await scope.db.one<{ pairs: number; accessPairs: number }>(
    `SELECT count(*) FILTER (WHERE entitlement_no > 0) AS pairs, count(*) FILTER (WHERE entitlement_no = 0) AS "accessPairs" FROM import_pairs`,
    [],
  );
  const matches = await scope.db.one<Pick<GrantDifference, 'matched' | 'accessMatched' | 'changed' | 'rowsToUpdate'>>(
    `SELECT count(*) FILTER (WHERE m.entitlement_no > 0) AS matched, count(*) FILTER (WHERE m.entitlement_no = 0) AS "accessMatched",
       count(*) FILTER (WHERE m.entitlement_no > 0 AND (m.is_changed OR a.is_changed)) AS changed,
       count(*) FILTER (WHERE m.is_changed) AS "rowsToUpdate"
     FROM import_matches m JOIN import_accounts a ON a.no = m.account_no`,
    [],
  );
  return { ...open, ...pairs, ...matches };
}

/** The open grants of the app by the numbers of the file, null where the file does not know the account or the entitlement: `import_open`. */
async function insertOpenGrants(scope: Scope, appId: string): Promise<void> {
  await scope.db.run(`CREATE TEMP TABLE import_open (entitlement_id text COLLATE "C" NOT NULL, entitlement_no integer, account_no integer,
      granted_at timestamptz, last_used_at timestamptz) ON COMMIT DROP`);
  await scope.db.run(
    `INSERT INTO import_open
     SELECT g.entitlement_id, e.no, a.no, g.granted_at, g.last_used_at
     FROM grants g
     LEFT JOIN import_entitlement_ids e ON e.id = g.entitlement_id
     LEFT JOIN import_accounts a ON a.id = g.account_id
     WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.removed_revision IS NULL`,
    [scope.tenantId, appId],
  );
  await scope.db.run('ANALYZE import_open');
}

/** Ends the open grants of the app that are not in the file. */
export async function updateMissingGrants(scope: Scope, appId: string, revision: number): Promise<number> {
  return scope.db.run(
    `UPDATE grants g SET removed_revision = $3, ended_at = $4, updated_at = $4
     WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.removed_revision IS NULL
       AND NOT EXISTS (
         SELECT FROM import_matches m
         JOIN import_entitlement_ids e ON e.no = m.entitlement_no
         JOIN import_accounts a ON a.no = m.account_no
         WHERE e.id = g.entitlement_id AND a.id = g.account_id)`,
    [scope.tenantId, appId, revision, scope.now],
  );
}

/** Corrects the times of grants that the file tells differently. */
export async function updateGrants(scope: Scope, appId: string): Promise<number> {
  return scope.db.run(
    `UPDATE grants g SET granted_at = p.granted_at, last_used_at = p.last_used_at, updated_at = $3
     FROM import_matches m
     JOIN import_pairs p ON p.entitlement_no = m.entitlement_no AND p.account_no = m.account_no
     JOIN import_entitlement_ids e ON e.no = m.entitlement_no
     JOIN import_accounts a ON a.no = m.account_no
     WHERE m.is_changed AND g.tenant_id = $1 AND g.app_id = $2 AND g.entitlement_id = e.id AND g.account_id = a.id AND g.removed_revision IS NULL`,
    [scope.tenantId, appId, scope.now],
  );
}

/**
 * Adds the grants of the file that the app does not have. `import_pairs` lies in the order of the primary key where ids are new, and hash
 * joins keep it: rows that come in order make the index grow at its end.
 */
export async function insertGrants(scope: Scope, appId: string, revision: number): Promise<number> {
  return scope.db.run(
    `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, granted_at, last_used_at, created_at, updated_at)
     SELECT $1, $2, e.id, a.id, $3, p.granted_at, p.last_used_at, $4, $4
     FROM import_pairs p
     JOIN import_entitlement_ids e ON e.no = p.entitlement_no
     JOIN import_accounts a ON a.no = p.account_no
     LEFT JOIN import_matches m ON m.entitlement_no = p.entitlement_no AND m.account_no = p.account_no
     WHERE m.account_no IS NULL`,
    [scope.tenantId, appId, revision, scope.now],
  );
}

/** Lets the planner know what a large import did to the tables; outside of its transaction. */
export async function updateStatistics(scope: Scope): Promise<void> {
  await scope.db.run(`ANALYZE grants; ANALYZE accounts; ANALYZE entitlements; ANALYZE resources; ANALYZE resource_types`);
}

/** Brings the kept counts (accounts of the app, open grants of each entitlement) up to the file, which is all the app has now. */
export async function updateCounts(scope: Scope, appId: string): Promise<void> {
  await scope.db.run(
    `UPDATE apps SET user_count = n.count FROM (SELECT count(*) AS count FROM import_accounts) AS n
     WHERE tenant_id = $1 AND id = $2 AND user_count <> n.count`,
    [scope.tenantId, appId],
  );
  await scope.db.run(
    `UPDATE entitlements t SET grant_count = n.count
     FROM (
       SELECT e.id, coalesce(c.count, 0) AS count
       FROM entitlements e
       LEFT JOIN import_entitlement_ids i ON i.id = e.id
       LEFT JOIN import_counts c ON c.entitlement_no = i.no
       WHERE e.tenant_id = $1 AND e.app_id = $2) AS n
     WHERE t.tenant_id = $1 AND t.app_id = $2 AND t.id = n.id AND t.grant_count <> n.count`,
    [scope.tenantId, appId],
  );
}
