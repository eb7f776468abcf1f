/**
 * SQL that finds how the accounts named in a grants file differ from an app's. They are written by store-account-writes.ts.
 */
import { empty, fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { newIdPrefix } from '../../../wire/ids.ts';
import { getAccountContent } from '../../ledger/index.ts';
import { type DomainStripping, machineDomains } from '../columns/index.ts';
import { getOtherTellersSql, type SyncSource } from '../../sources/index.ts';
import { getMatchSql, lockMatching } from '../../identity/index.ts';
import { type CountedNoteRow, type CountedNotes, collectNotes, maxNotesTold } from '../values/index.ts';
import type { ReadFile } from '../rows/index.ts';
import { getToldSql } from './store-told.ts';

/** Traits that only some files have, to do their work for these alone. */
export interface FileTraits {
  /** Some grant is inherited. */
  readonly hasPaths: boolean;
  readonly hasContradictions: boolean;
  /** The rows of some account report different profiles: then the last one counts, and the order of the rows with it. */
  readonly hasManyProfiles: boolean;
  /** Some row of an account reports an attribute, and another row of the same account does not report the same. */
  readonly hasMixedProfiles: boolean;
  /** Rows give some account several display names. */
  readonly hasManyNames: boolean;
}

/**
 * The user name of an account of a file: of `DOMAIN\\name` the name, unless somebody has the whole as a user name. Accounts of the machine itself are left
 * as they are.
 */
function getUsernameSql(tenantId: string, strips: DomainStripping): Sql {
  const plain = fixed("coalesce(min(username), '')");
  if (strips === 'NONE') {
    return plain;
  }
  const full = fixed("coalesce(nullif(min(username), ''), account)");
  // Slashes and addresses mean much else, so that somebody has to ask for these.
  const others = sql`WHEN ${full} ~ '^[^/@ ]+/[^/]+$' THEN split_part(${full}, '/', 2) WHEN ${full} ~ '^[^@ ]+@[^@ ]+$' THEN split_part(${full}, '@', 1)`;
  return sql`CASE WHEN address_key(${full}) IN (SELECT u.username_key FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.username_key ~ '[\\\\/@]')
      THEN ${plain}
    WHEN ${full} ~ '^[^\\\\ ]+\\\\+[^\\\\]+$' THEN CASE WHEN fold_case(split_part(${full}, '\\', 1)) = ANY (${machineDomains}::text[]) THEN ${plain}
      ELSE regexp_replace(${full}, '^.*\\\\', '') END
    ${strips === 'ASKED' ? others : empty} ELSE ${plain} END`;
}

/** True if rows give an account several names. */
const manyNames = fixed('min(display_name COLLATE "C") <> max(display_name COLLATE "C") IS TRUE');

/**
 * Numbers the accounts of the file, with the id they have or get, their owner, whether their rows contradict each other, and since when and
 * until when their grants were held and used: `import_accounts`. An account's profile is that of its last row that has one; an owner and a type
 * set manually stay. An account that another source reports (`is_foreign`) stays as that one says.
 */
export async function stageAccountNumbers(
  context: Context,
  appId: string,
  source: SyncSource,
  { hasProfiles, stripsDomains, columns }: Pick<ReadFile, 'hasProfiles' | 'stripsDomains' | 'columns'>,
  isTold: boolean,
): Promise<FileTraits> {
  await context.db.run(`CREATE TEMP TABLE import_accounts (
      no integer NOT NULL, account text COLLATE "C" NOT NULL, external_id text COLLATE "C" NOT NULL, line bigint NOT NULL, profile_line bigint, email_key text COLLATE "C" NOT NULL, email text COLLATE "C" NOT NULL,
      username text COLLATE "C" NOT NULL, employee_id text COLLATE "C" NOT NULL, display_name text NOT NULL,
      account_type text NOT NULL, account_status text NOT NULL, has_paths boolean NOT NULL, is_contradictory boolean NOT NULL, has_many_profiles boolean NOT NULL, has_gaps boolean NOT NULL, has_many_names boolean NOT NULL,
      granted_at timestamptz, last_used_at timestamptz, user_id text COLLATE "C", match_count integer NOT NULL, id text COLLATE "C" NOT NULL,
      is_new boolean NOT NULL, is_foreign boolean NOT NULL, is_by_hand boolean NOT NULL, by_former_address boolean NOT NULL, profile jsonb NOT NULL DEFAULT '{}') ON COMMIT DROP`);
  const { tenantId } = context;
  const match = getMatchSql(
    tenantId,
    {
      emailKey: sql`k.email_key`,
      employeeId: sql`k.employee_id`,
      usernameKey: sql`address_key((CASE WHEN k.username <> '' THEN k.username ELSE k.external_id END) COLLATE "C")`,
    },
    sql`${source.matchOrder}::text[]`,
  );
  await lockMatching(context, false);
  await context.db.run(
    sql`INSERT INTO import_accounts
     SELECT k.no, k.account, k.external_id, k.line, k.profile_line, k.email_key, k.email, k.username, k.employee_id, coalesce(k.display_name, a.display_name, k.external_id),
       CASE WHEN a.type_by_hand THEN a.account_type ELSE k.account_type END, k.account_status, k.has_paths, k.is_contradictory, k.has_many_profiles, k.has_gaps, k.has_many_names,
       k.granted_at, k.last_used_at, CASE WHEN a.owner_by_hand THEN a.user_id ELSE ${match.userId} END, ${match.matchCount},
       coalesce(a.id, ${newIdPrefix(context.now)} || id_suffix(k.no)), a.id IS NULL,
       coalesce(a.source_no NOT IN (0, ${source.sourceNo}::smallint) AND a.status <> 'DELETED', false),
       coalesce(a.owner_by_hand, false), NOT coalesce(a.owner_by_hand, false) AND ${match.byFormerAddress}
     FROM (
       SELECT row_number() OVER () AS no, account, ${getToldSql(isTold, 'account', 'coalesce(told ->> 0, account)')} AS external_id, min(line) AS line, max(line) FILTER (WHERE profile IS NOT NULL) AS profile_line,
         min(email_key) AS email_key, coalesce(min(email), min(email_key)) AS email, ${getUsernameSql(tenantId, stripsDomains)} AS username, coalesce(min(employee_id), '') AS employee_id,
         max(display_name) AS display_name, min(account_type) AS account_type, min(account_status) AS account_status,
         count(granted_via) > 0 AS has_paths, coalesce(min(account_created_at), min(granted_at)) AS granted_at,
         greatest(max(account_used_at), max(last_used_at)) AS last_used_at,
         min(email_key) <> max(email_key) OR min(account_type) <> max(account_type) OR min(account_status) <> max(account_status)
           OR min(username) <> max(username) IS TRUE OR min(employee_id) <> max(employee_id) IS TRUE AS is_contradictory,
         min(profile COLLATE "C") <> max(profile COLLATE "C") IS TRUE AS has_many_profiles,
         count(profile) NOT IN (0, count(*)) AS has_gaps,
         ${columns.has('display_name') ? manyNames : fixed('false')} AS has_many_names
       FROM import_grants WHERE account <> '' GROUP BY account) AS k
     ${match.joins}
     LEFT JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.external_key = k.account`,
  );
  if (hasProfiles) {
    await context.db.run('UPDATE import_accounts a SET profile = g.profile::jsonb FROM import_grants g WHERE g.line = a.profile_line', []);
  }
  await context.db.run('ANALYZE import_accounts');
  return context.db.one<FileTraits>(
    `SELECT coalesce(bool_or(has_paths), false) AS "hasPaths", coalesce(bool_or(is_contradictory), false) AS "hasContradictions",
       coalesce(bool_or(has_many_profiles), false) AS "hasManyProfiles",
       coalesce(bool_or(has_many_profiles OR has_gaps), false) AS "hasMixedProfiles",
       coalesce(bool_or(has_many_names), false) AS "hasManyNames" FROM import_accounts`,
    [],
  );
}

/** Accounts of the file whose owner nobody knows, or of whom several people could be the owner. */
export async function findUnknownOwners(context: Context): Promise<CountedNotes> {
  return collectNotes(
    await context.db.rows<CountedNoteRow>(
      `SELECT line, CASE WHEN match_count > 1 THEN 'account' ELSE 'email' END AS column, count(*) OVER () AS count,
         CASE WHEN match_count > 1 THEN 'account ' || to_json(account)::text || ' matches ' || match_count || ' people and has no owner'
           ELSE 'nobody has the address ' || to_json(email)::text || ': account ' || to_json(account)::text || ' has no owner' END AS reason
       FROM import_accounts WHERE user_id IS NULL AND NOT is_by_hand AND NOT is_foreign AND (email_key <> '' OR match_count > 1)
       ORDER BY line LIMIT $1`,
      [maxNotesTold],
    ),
  );
}

/** Accounts of the file that rows give different names, one note each: two people's accounts may have become one before the file was made. */
export async function findManyNames(context: Context): Promise<CountedNotes> {
  return collectNotes(
    await context.db.rows<CountedNoteRow>(
      `SELECT line, 'display_name' AS column, count(*) OVER () AS count,
         'account ' || to_json(account)::text || ' is ' || to_json(name)::text || ' here and ' || to_json(first_name)::text || ' on line ' || first_line
           || ': check that it is one account, and that no other program shortened its id' AS reason
       FROM (SELECT DISTINCT ON (account) account, line, name, first_line, first_name
         FROM (SELECT g.account, g.line, g.display_name AS name, first_value(g.line) OVER w AS first_line, first_value(g.display_name) OVER w AS first_name
           FROM import_accounts a JOIN import_grants g ON g.account = a.account
           WHERE a.has_many_names AND g.display_name IS NOT NULL WINDOW w AS (PARTITION BY g.account ORDER BY g.line)) AS n
         WHERE address_key(name) <> address_key(first_name) ORDER BY account, line) AS m
       ORDER BY line LIMIT $1`,
      [maxNotesTold],
    ),
  );
}

/** Difference of the file's accounts from the app's. */
export interface AccountDifference {
  readonly added: number;
  /** Those that say something else than before. */
  readonly changed: number;
  /** Those of the source that the file does not name, and nobody else reports. */
  readonly removed: number;
  /** Those of the source that are disabled from now on. */
  readonly disabled: number;
  /** Accounts of the file. */
  readonly total: number;
  /** Those to be written besides: taken over from manual ones or handed over to another source, or matched otherwise without a result. */
  readonly touched: number;
  /** Those that are gained where they were deleted before. */
  readonly revived: number;
}

/**
 * Finds the accounts that change: `import_account_changes`. An account that the file does not name any more but to which another source, or
 * somebody manually, gives something, or that an identity provider pushes, stays and belongs to that source from then on (TOUCHED, with `next_source_no`).
 * Scoped, it looks for such accounts in `import_scope` alone; of a file that is not complete, for none.
 */
export async function findAccountDifference(
  context: Context,
  appId: string,
  source: SyncSource,
  { isScoped, isComplete }: { readonly isScoped: boolean; readonly isComplete: boolean },
): Promise<AccountDifference> {
  await context.db.run(`CREATE TEMP TABLE import_account_changes (id text COLLATE "C" NOT NULL, change text NOT NULL, was_deleted boolean NOT NULL, is_disabled boolean NOT NULL,
      next_source_no smallint NOT NULL, before jsonb NOT NULL) ON COMMIT DROP`);
  await context.db.run(
    `INSERT INTO import_account_changes
     SELECT a.id, CASE WHEN (a.email, a.user_id, a.account_type, a.status, a.profile, a.username, a.employee_id, a.display_name, a.external_id)
         IS DISTINCT FROM (n.email, n.user_id, n.account_type, n.account_status, n.profile, n.username, n.employee_id, n.display_name, n.external_id)
       THEN 'CHANGED' ELSE 'TOUCHED' END, a.status = 'DELETED',
       a.status = 'ENABLED' AND n.account_status = 'DISABLED' AND a.source_no = $3::smallint, $3, ${getAccountContent('a')}
     FROM accounts_public a JOIN import_accounts n ON n.id = a.id
     WHERE a.tenant_id = $1 AND a.app_id = $2 AND NOT n.is_new AND NOT n.is_foreign
       AND (a.email, a.user_id, a.account_type, a.status, a.profile, a.username, a.employee_id, a.display_name, a.external_id, a.match_count, a.owner_by_former_address, a.source_no, a.deleted_at)
         IS DISTINCT FROM (n.email, n.user_id, n.account_type, n.account_status, n.profile, n.username, n.employee_id, n.display_name,
           n.external_id, n.match_count, n.by_former_address, $3::smallint, NULL::timestamptz)`,
    [context.tenantId, appId, source.sourceNo],
  );
  const { tenantId } = context;
  const { sourceNo } = source;
  await context.db.run(
    sql`INSERT INTO import_account_changes
     SELECT m.id, CASE WHEN o.source_no IS NULL THEN 'REMOVED' ELSE 'TOUCHED' END, false, false, coalesce(o.source_no, ${sourceNo}), m.before
     FROM (
       SELECT a.id, ${fixed(getAccountContent('a'))} AS before FROM accounts_public a
       WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.status <> 'DELETED' AND a.source_no = ${sourceNo}
         AND ${isComplete} AND NOT EXISTS (SELECT FROM import_accounts n WHERE n.id = a.id)
         ${isScoped ? sql`AND a.id IN (SELECT x.id FROM import_scope x)` : empty}) AS m
     LEFT JOIN (
       SELECT n.account_id, min(n.source_no) AS source_no FROM (${getOtherTellersSql(tenantId, appId, sourceNo)}) AS n
       GROUP BY n.account_id) AS o ON o.account_id = m.id`,
  );
  await context.db.run('ANALYZE import_account_changes');
  const counts = await context.db.one<Omit<AccountDifference, 'added' | 'total'>>(
    `SELECT count(*) FILTER (WHERE change = 'CHANGED') AS changed, count(*) FILTER (WHERE change = 'REMOVED') AS removed,
       count(*) FILTER (WHERE change = 'TOUCHED') AS touched, count(*) FILTER (WHERE was_deleted) AS revived,
       count(*) FILTER (WHERE is_disabled) AS disabled FROM import_account_changes`,
    [],
  );
  const file = await context.db.one<{ added: number; total: number }>(
    'SELECT count(*) FILTER (WHERE is_new) AS added, count(*) AS total FROM import_accounts',
    [],
  );
  return { ...counts, ...file };
}
