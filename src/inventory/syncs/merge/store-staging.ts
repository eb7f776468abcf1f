/**
 * SQL that brings the rows of a file into temporary tables of the current transaction, and finds the row errors that take more than one row to see.
 * COPY is refused under row-level security, so what is copied goes here first; from here on it is INSERT ... SELECT.
 */
import { pipeline } from 'node:stream/promises';
import { shownColumns } from '../rows/index.ts';
import type { Context } from '../../../context.ts';
import { type CountedNoteRow, type CountedNotes, type DateOrder, collectNotes, maxNotesTold } from '../values/index.ts';

/**
 * Makes an import's transaction fit for bulk work. Plans are made for the tables as they are: a generic one may have been made when the
 * temporary tables of another import were small. And no nested loops: of the tables this very transaction fills, the planner believes
 * that one row will be found (its statistics come later), and a loop over fifty thousand accounts took four minutes where a hash takes a second.
 */
export async function setImportSettings(context: Context): Promise<void> {
  await context.db.limitStatements(0);
  await context.db.run(`SET LOCAL work_mem = '32MB'; SET LOCAL jit = off; SET LOCAL enable_nestloop = off;
    SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL idle_in_transaction_session_timeout = '10min'`);
}

/** Lets this transaction wait for locks as long as it takes. */
export async function setPatience(context: Context): Promise<void> {
  await context.db.run('SET LOCAL lock_timeout = 0');
}

/** Lets PostgreSQL read dates such as 03/04/2026 in this order until the transaction ends; nothing for undefined. */
export async function setDateOrder(context: Context, order: DateOrder | undefined): Promise<void> {
  if (order !== undefined) {
    await context.db.run(`SET LOCAL datestyle = ${order === 'DMY' ? "'ISO, DMY'" : "'ISO, MDY'"}`);
  }
}

/** Waits for another import into the same place to end, so that this one sees its result. */
export async function lockImports(context: Context, place: string): Promise<void> {
  await context.db.rows(`SELECT pg_advisory_xact_lock(hashtextextended($1, 2))`, [`countersign.import.${context.tenantId}.${place}`]);
}

/** The attributes of the row `alias` as text, without white space at the ends of values, and with one space for more within. */
const bareProfile = (alias: string): string => `name_key(regexp_replace(${alias}.profile::text, '\\s*"\\s*', '"', 'g'))`;

/** Copies the rows of a people file into `import_people`, equal ones once; returns how many of them were left out. User name, employee id and kind of employment are null where the file has no such column. */
export async function stagePeopleFile(context: Context, text: AsyncIterable<string | Buffer>): Promise<number> {
  await context.db.run(`CREATE TEMP TABLE import_people (
      line bigint NOT NULL, email text NOT NULL, email_key text COLLATE "C" NOT NULL, display_name text NOT NULL,
      manager_key text COLLATE "C" NOT NULL, department text NOT NULL, job_title text NOT NULL, employment_status text NOT NULL,
      username text, employee_id text COLLATE "C", employment_type text, profile jsonb NOT NULL, manager_ref text NOT NULL, manager_no text NOT NULL) ON COMMIT DROP`);
  await pipeline(text, await context.db.copyFrom('COPY import_people FROM STDIN'));
  // Only rows that name one person are compared as a whole: most files have none that do so twice. White space does not count.
  const repeated = await context.db.run(
    `DELETE FROM import_people WHERE line IN (
       SELECT p.line FROM (
         SELECT q.line, row_number() OVER (PARTITION BY email_key, employee_id, name_key(username), name_key(display_name), manager_key, manager_ref, manager_no,
           name_key(department), name_key(job_title), employment_status, name_key(employment_type), ${bareProfile('q')} ORDER BY q.line) AS place
         FROM (SELECT n.*, count(*) OVER (PARTITION BY n.email_key, n.employee_id) AS times FROM import_people n) AS q WHERE q.times > 1) AS p
       WHERE p.place > 1)`,
    [],
  );
  await context.db.run('ANALYZE import_people');
  return repeated;
}

/** The columns of what is shown, in the order of shownColumns. */
const shownTypes = `resource_name text, resource_description text, entitlement_name text, entitlement_description text, purpose text,
  account_created_at timestamptz, account_used_at timestamptz, linked_from text COLLATE "C"`;

/**
 * Copies the rows of a grants file into `import_grants`. The columns from `username` on are null where the file has no such column, or
 * nothing in it. `granted_via` is null for a grant held directly, else the entitlements it is inherited through, the one the account holds
 * itself first, separated by chr(30); each is its resource type, resource and name, separated by chr(31). `parent` is the type and the name of the
 * resource that the row's resource lies below, separated by chr(31). A row without an account says that an entitlement is there, and `linked_from`
 * through which other one it is held; a row with no more than an account, that it holds app access alone. Names are staged by their keys; `told` is a
 * list of the account, the resource type, the resource and the entitlement as the row writes them, null where that is the same. So is `email`: the address
 * with its domain spelled as the row has it.
 */
export async function stageGrantsFile(context: Context, text: AsyncIterable<string | Buffer>, columns: ReadonlySet<string>): Promise<void> {
  await context.db.run(`CREATE TEMP TABLE import_grants (
      line bigint NOT NULL, account text COLLATE "C" NOT NULL, email_key text COLLATE "C" NOT NULL, account_type text COLLATE "C" NOT NULL,
      account_status text COLLATE "C" NOT NULL, resource_type text COLLATE "C" NOT NULL, resource text COLLATE "C" NOT NULL,
      entitlement text COLLATE "C" NOT NULL, granted_at timestamptz, last_used_at timestamptz,
      username text COLLATE "C", employee_id text COLLATE "C", display_name text, expires_at timestamptz, granted_via text COLLATE "C",
      parent text COLLATE "C", profile text, told jsonb, email text COLLATE "C", ${shownTypes}) ON COMMIT DROP`);
  const isShown = shownColumns.some((name) => columns.has(name));
  const names = isShown
    ? ''
    : '(line, account, email_key, account_type, account_status, resource_type, resource, entitlement, granted_at, last_used_at, username, employee_id, display_name, expires_at, granted_via, parent, profile, told, email)';
  await pipeline(text, await context.db.copyFrom(`COPY import_grants ${names} FROM STDIN`));
  await context.db.run('ANALYZE import_grants');
}

/** Mail addresses that stand in a people file more than once, except where they stand first, with what the two rows say otherwise. */
export async function findRepeatedPeople(context: Context): Promise<CountedNotes> {
  const differing = [
    ...['employee_id', 'display_name', 'username', 'department', 'job_title', 'employment_status', 'employment_type'].map(
      (column) => `CASE WHEN name_key(p.${column}) IS DISTINCT FROM name_key(f.${column}) THEN '${column}' END`,
    ),
    `CASE WHEN (p.manager_key, p.manager_ref, p.manager_no) <> (f.manager_key, f.manager_ref, f.manager_no) THEN 'manager_email' END`,
    `CASE WHEN ${bareProfile('p')} <> ${bareProfile('f')} THEN 'an attribute' END`,
  ];
  return collectNotes(
    await context.db.rows<CountedNoteRow>(
      `SELECT p.line, 'email' AS column, p.count, to_json(p.email)::text || ' stands on line ' || p.first_line || ' already, and the rows differ in '
         || concat_ws(', ', ${differing.join(', ')}) || ': leave one of them out' AS reason
       FROM (SELECT *, count(*) OVER () AS count
         FROM (SELECT *, min(line) OVER (PARTITION BY email_key) AS first_line FROM import_people WHERE email_key <> '') AS k
         WHERE line <> first_line ORDER BY line LIMIT $1) AS p
       JOIN import_people f ON f.line = p.first_line ORDER BY p.line`,
      [maxNotesTold],
    ),
  );
}

/** The first person of a file without an address, and how many there are. */
export async function findPeopleWithoutAddress(context: Context): Promise<CountedNotes> {
  return collectNotes(
    await context.db.rows<CountedNoteRow>(
      `SELECT min(line) AS line, 'email' AS column, 1 AS count,
         CASE count(*) WHEN 1 THEN 'one person has' ELSE count(*) || ' people have' END ||
           ' no mail address: they get no mails, and accounts are matched to them by employee id or user name alone' AS reason
       FROM import_people WHERE email_key = '' AND employment_status = 'ACTIVE' HAVING count(*) > 0`,
      [],
    ),
  );
}

/** Rows of a grants file that give an account another owner, type or status than its first row does. Reads `import_accounts`. */
export async function findContradictions(context: Context): Promise<CountedNotes> {
  return collectNotes(
    await context.db.rows<CountedNoteRow>(
      // A row with several values in a cell stands there once for each.
      `SELECT line, "column", count(*) OVER () AS count, reason FROM (SELECT DISTINCT g.line, v.name AS column,
         'account ' || to_json(g.account)::text || ' has ' || v.what || ' ' || to_json(v.value)::text || ' here and ' || to_json(v.first)::text || CASE WHEN v.is_elsewhere THEN ' on another line' ELSE ' on line ' || f.line END AS reason
       FROM import_accounts a
       JOIN import_grants f ON f.line = a.line
       JOIN import_grants g ON g.account = a.account
       -- A first row may leave the user name and the employee id out.
       CROSS JOIN LATERAL (VALUES ('email', 'the owner', g.email_key, f.email_key, false),
         ('account_type', 'the type', g.account_type, f.account_type, false),
         ('account_status', 'the status', g.account_status, f.account_status, false),
         ('username', 'the user name', g.username, coalesce(f.username, a.username), f.username IS NULL),
         ('employee_id', 'the employee id', g.employee_id, coalesce(f.employee_id, a.employee_id), f.employee_id IS NULL))
         AS v (name, what, value, first, is_elsewhere)
       WHERE a.is_contradictory AND v.value <> v.first) AS found
       ORDER BY line, "column" LIMIT $1`,
      [maxNotesTold],
    ),
  );
}
