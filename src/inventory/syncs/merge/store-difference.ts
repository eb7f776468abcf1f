/**
 * SQL that finds how the grants of a file differ from an app's open ones. They are written by store-grants.ts.
 */
import type { Context } from '../../../context.ts';

/** Difference of the file's grants from the app's open ones; app access is counted apart. */
export interface GrantDifference {
  /** Distinct grants of the file. */
  readonly pairs: number;
  /** Open grants of the source before. */
  readonly open: number;
  readonly added: number;
  /** Those whose times, end or paths the file reports differently, and those of changed accounts. */
  readonly changed: number;
  readonly removed: number;
  /** Grants of the file that another source holds. */
  readonly elsewhere: number;
  /** Rows to write, app access included. */
  readonly rowsToWrite: number;
}

/** Subject of the difference. */
export interface DifferenceOf {
  readonly appId: string;
  readonly appAccessId: string;
  readonly sourceNo: number;
  /** Other sources, or somebody manually, give access in the app, too. */
  readonly hasOthers: boolean;
  /** Only the accounts of `import_scope` are compared, and all the rows of the file that are staged are of these or of new ones. */
  readonly isScoped: boolean;
  /** True if what the source gave and the file does not name is gone. */
  readonly isComplete: boolean;
  /** The file has paths. */
  readonly hasPaths: boolean;
  /** The file has a column that says until when grants are held. */
  readonly tellsEnds: boolean;
  /** The file has a column that says which entitlements pass on which. */
  readonly tellsLinks: boolean;
  /** Accounts changed. */
  readonly hasChangedAccounts: boolean;
}

/** True if anybody else than this source gives access in the app. */
export function hasOtherSources(context: Context, appId: string, sourceNo: number): Promise<boolean> {
  return context.db.value<boolean>(
    `SELECT EXISTS (SELECT FROM sources_public c WHERE c.tenant_id = $1 AND c.app_id = $2 AND c.source_no <> $3)
       OR EXISTS (SELECT FROM entitlements_public e WHERE e.tenant_id = $1 AND e.app_id = $2 AND e.is_manual AND e.grant_count > 0) AS found`,
    [context.tenantId, appId, sourceNo],
  );
}

/**
 * The number of a grant: that of its entitlement from bit 40 on, that of its account below. App access has entitlement 0. Not bit 32: PostgreSQL's
 * hash of a number xors its halves, and the small numbers of entitlements and accounts would fall on each other.
 */
const pairKey = '(e.no::bigint << 40) | a.no';

/**
 * The distinct grants of the file by number, and the app access of each account: `import_pairs`. Returns how many there are, app access left out.
 * The same grant twice is one since the earlier `granted_at`, used at the later `last_used_at`, until the later end (none where one has none),
 * by all paths that are reported; an app access since the account was made, else since the first of its grants, and used when it or any of them was.
 */
export async function stagePairs(context: Context, of: DifferenceOf): Promise<number> {
  await context.db.run(`CREATE TEMP TABLE import_pairs (key bigint NOT NULL, granted_at timestamptz, last_used_at timestamptz,
      deprovision_at timestamptz, paths jsonb) ON COMMIT DROP`);
  const paths = of.hasPaths
    ? `CASE WHEN count(g.granted_via) > 0 THEN jsonb_agg(DISTINCT coalesce(v.path, '[]'::jsonb)) END`
    : 'NULL::jsonb';
  const pairs = await context.db.run(
    `INSERT INTO import_pairs
     SELECT ${pairKey} AS key, min(g.granted_at), max(g.last_used_at), CASE WHEN count(g.expires_at) = count(*) THEN max(g.expires_at) END, ${paths}
     FROM import_grants g
     JOIN import_entitlements e ON e.resource_type = g.resource_type AND e.resource = g.resource AND e.entitlement = g.entitlement
     JOIN import_accounts a ON a.account = g.account
     ${of.hasPaths ? 'LEFT JOIN import_paths v ON v.granted_via = g.granted_via' : ''}
     GROUP BY e.no, a.no ORDER BY e.no, a.no`,
    [],
  );
  if (of.hasOthers) {
    await updateAccountTimes(context, of);
  }
  await context.db.run('INSERT INTO import_pairs SELECT no, granted_at, last_used_at, NULL, NULL FROM import_accounts', []);
  await context.db.run('ANALYZE import_pairs');
  return pairs;
}

/** Lets the times of the accounts include the grants that others give them. */
async function updateAccountTimes(context: Context, of: DifferenceOf): Promise<void> {
  await context.db.run(
    `UPDATE import_accounts n SET granted_at = least(n.granted_at, o.granted_at), last_used_at = greatest(n.last_used_at, o.last_used_at)
     FROM (
       SELECT g.account_id, min(g.granted_at) AS granted_at, max(g.last_used_at) AS last_used_at FROM grants_held g
       WHERE g.tenant_id = $1 AND g.app_id = $2 AND NOT g.is_derived AND g.source_no <> $3
       GROUP BY g.account_id) AS o
     WHERE o.account_id = n.id`,
    [context.tenantId, of.appId, of.sourceNo],
  );
}

const openInApp = '(SELECT * FROM grants_held WHERE tenant_id = $1 AND app_id = $2)';
/** Few beside all: looked up account by account. */
const openInScope = `(SELECT x.* FROM import_scope s CROSS JOIN LATERAL (
  SELECT * FROM grants_held WHERE tenant_id = $1 AND app_id = $2 AND account_id = s.id OFFSET 0) AS x)`;

/**
 * Finds the grants that change (`import_changes`: A to be added, R to be ended, C to be corrected) and counts them. A grant that another
 * source delivers stays as that one says. Accounts must be compared by then.
 */
export async function findDifference(context: Context, of: DifferenceOf, pairs: number): Promise<GrantDifference> {
  await context.db.run(`CREATE TEMP TABLE import_changes (change "char" NOT NULL, key bigint, entitlement_id text COLLATE "C", account_id text COLLATE "C",
      added_revision bigint, granted_at timestamptz, last_used_at timestamptz, deprovision_at timestamptz, paths jsonb,
      old_granted_at timestamptz, old_last_used_at timestamptz, old_deprovision_at timestamptz, old_paths jsonb) ON COMMIT DROP`);
  // An end that was set manually stays, unless the file reports expiries itself.
  const end = of.tellsEnds ? 'CASE WHEN p.key >> 40 = 0 THEN o.deprovision_at ELSE p.deprovision_at END' : 'o.deprovision_at';
  await context.db.run(
    `INSERT INTO import_changes
     SELECT CASE WHEN o.account_id IS NULL THEN 'A' WHEN p.key IS NULL THEN 'R' ELSE 'C' END, p.key, o.entitlement_id, o.account_id, o.added_revision,
       p.granted_at, p.last_used_at, ${end}, p.paths, o.granted_at, o.last_used_at, o.deprovision_at, o.paths
     FROM import_pairs p
     FULL JOIN (
       SELECT ${pairKey} AS key, g.entitlement_id, g.account_id, g.added_revision, g.granted_at, g.last_used_at, g.deprovision_at, g.paths,
         g.source_no = $3 AND NOT g.is_derived AS is_ours, g.is_derived
       FROM ${of.isScoped ? openInScope : openInApp} AS g
       LEFT JOIN import_entitlement_ids e ON e.id = g.entitlement_id
       LEFT JOIN import_accounts a ON a.id = g.account_id) AS o ON o.key = p.key
     WHERE o.account_id IS NULL OR (p.key IS NULL AND o.is_ours AND $4)
       OR (p.key IS NOT NULL AND (o.is_ours OR o.is_derived) AND (o.granted_at, o.last_used_at, o.deprovision_at, o.paths)
         IS DISTINCT FROM (p.granted_at, p.last_used_at, ${end}, p.paths))`,
    [context.tenantId, of.appId, of.sourceNo, of.isComplete],
  );
  await context.db.run(
    `INSERT INTO import_changes (change, entitlement_id, account_id, added_revision)
     SELECT 'R', g.entitlement_id, g.account_id, g.added_revision
     FROM import_account_changes c
     JOIN grants_held g ON g.tenant_id = $1 AND g.app_id = $2 AND g.account_id = c.id AND g.is_derived
     WHERE c.change = 'REMOVED'`,
    [context.tenantId, of.appId],
  );
  await context.db.run('ANALYZE import_changes');
  const counts = await context.db.one<{ added: number; corrected: number; removed: number; rowsToWrite: number }>(
    `SELECT count(*) FILTER (WHERE change = 'A' AND key >> 40 > 0) AS added, count(*) FILTER (WHERE change = 'C' AND key >> 40 > 0) AS corrected,
       count(*) FILTER (WHERE change = 'R' AND entitlement_id <> $1) AS removed, count(*) AS "rowsToWrite" FROM import_changes`,
    [of.appAccessId],
  );
  const elsewhere = of.hasOthers ? await countElsewhere(context, of) : 0;
  const { added, corrected, removed, rowsToWrite } = counts;
  const ofChangedAccounts = of.hasChangedAccounts ? await countOfChangedAccounts(context, of) : 0;
  return {
    pairs,
    open: pairs - added - elsewhere + removed,
    added,
    changed: corrected + ofChangedAccounts,
    removed,
    elsewhere,
    rowsToWrite,
  };
}

/** Grants of the file that somebody else delivers already. */
function countElsewhere(context: Context, of: DifferenceOf): Promise<number> {
  return context.db.value<number>(
    `SELECT count(*) FROM grants_held g
     JOIN import_entitlement_ids e ON e.id = g.entitlement_id
     JOIN import_accounts a ON a.id = g.account_id
     JOIN import_pairs p ON p.key = ${pairKey}
     WHERE g.tenant_id = $1 AND g.app_id = $2 AND NOT g.is_derived AND g.source_no <> $3 AND e.no > 0`,
    [context.tenantId, of.appId, of.sourceNo],
  );
}

/** Grants of the source that stay as they are, of accounts that changed. */
function countOfChangedAccounts(context: Context, of: DifferenceOf): Promise<number> {
  return context.db.value<number>(
    `SELECT count(*) FROM import_account_changes c
     JOIN grants_held g ON g.tenant_id = $1 AND g.app_id = $2 AND g.account_id = c.id
     WHERE c.change = 'CHANGED' AND g.source_no = $3 AND NOT g.is_derived
       AND NOT EXISTS (SELECT FROM import_changes x WHERE x.entitlement_id = g.entitlement_id AND x.account_id = g.account_id)`,
    [context.tenantId, of.appId, of.sourceNo],
  );
}
