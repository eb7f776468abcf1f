/**
 * SQL that finds what the people of a file (`import_people`, see store-staging.ts) change in the directory, which writes it. Managers are in store-managers.ts.
 */
import type { Context } from '../../../context.ts';
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import { keepRecords, stageRecords } from '../../people/index.ts';
import { type CountedNoteRow, type CountedNotes, collectNotes, maxNotesTold } from '../values/index.ts';

/** The rows of the file as records of people: see the module people. */
const fileRows = fixed('SELECT line, email, email_key, display_name, username, employee_id, employment_status FROM import_people');

/** Finds whose each row of the file is and keeps the rows as records of its source. */
export async function stagePersons(context: Context, { sourceId, isComplete }: PeopleOf): Promise<void> {
  await stageRecords(context, sourceId, fileRows);
  await keepRecords(context, sourceId, fileRows, isComplete);
}

/** The rows of whom it is disputed who they are, and how many there are. */
export async function findDisputed(context: Context): Promise<CountedNotes> {
  return collectNotes(
    await context.db.rows<CountedNoteRow>(
      sql`SELECT r.line, CASE WHEN r.reason = 'SEVERAL_PEOPLE' THEN 'employee_id' ELSE 'email' END AS column, count(*) OVER () AS count,
          to_json(p.display_name)::text || ', ' || to_json(CASE WHEN r.reason = 'SEVERAL_PEOPLE' THEN p.employee_id ELSE p.email END)::text
            || CASE r.reason WHEN 'SEVERAL_PEOPLE' THEN ': several people have the employee id'
              WHEN 'ADDRESS_OF_ANOTHER' THEN ': the employee id is one person''s, the address another''s'
              WHEN 'OTHER_ID' THEN ': the address is that of somebody with another employee id'
              ELSE ': the address is that of somebody who left, with another name' END
            || ' (' || c.names || '). The row is left out until somebody says whose it is: see "Who is this?"' AS reason
        FROM import_records r JOIN import_people p ON p.line = r.line
        CROSS JOIN LATERAL (SELECT string_agg(u.display_name || CASE WHEN u.email = '' THEN '' ELSE ' ' || u.email END, ', ' ORDER BY u.id) AS names
          FROM users_public u WHERE u.tenant_id = ${context.tenantId} AND u.id = ANY (r.candidate_ids)) AS c
        WHERE r.outcome = 'DISPUTED' ORDER BY r.line LIMIT ${maxNotesTold}`,
    ),
  );
}

/** People of the file whose address somebody else has who is there: theirs stays as it is. */
export async function findKeptAddresses(context: Context): Promise<CountedNotes> {
  return collectNotes(
    await context.db.rows<CountedNoteRow>(
      sql`SELECT r.line, 'email' AS column, count(*) OVER () AS count,
          to_json(p.email)::text || ' is the address of ' || u.display_name || ', who is there: the address of ' || p.display_name
            || ' stays as it is' AS reason
        FROM import_records r JOIN import_people p ON p.line = r.line
        JOIN users_public u ON u.tenant_id = ${context.tenantId} AND u.email_key = r.email_key
        WHERE r.keeps_email ORDER BY r.line LIMIT ${maxNotesTold}`,
    ),
  );
}

/** Makes people of the file TERMINATED of whom one row says that they are there, and another that they left. */
export async function endHalfEnded(context: Context): Promise<CountedNotes> {
  const ended = collectNotes(
    await context.db.rows<CountedNoteRow>(
      sql`SELECT r.line, 'employment_status' AS column, count(*) OVER () AS count,
          to_json(p.display_name)::text || ' is TERMINATED here and ACTIVE on line ' || min(o.line)
            || ': they count as TERMINATED. If they are there, leave the row out that ended' AS reason
        FROM import_records r JOIN import_people p ON p.line = r.line
        JOIN import_records o ON o.user_id = r.user_id AND o.line <> r.line AND NOT o.is_ended
        WHERE r.is_ended AND r.user_id IN (SELECT s.user_id FROM import_records s WHERE NOT s.is_first)
        GROUP BY r.line, p.display_name ORDER BY r.line LIMIT ${maxNotesTold}`,
    ),
  );
  if (ended.count > 0) {
    await context.db.run(
      `UPDATE import_people p SET employment_status = 'TERMINATED' FROM import_records o JOIN import_records r ON r.user_id = o.user_id AND r.is_first
        WHERE o.is_ended AND p.line = r.line AND p.employment_status <> 'TERMINATED'`,
    );
  }
  return ended;
}

/** A holder of a role and what this file does to them. */
export interface HolderFate {
  readonly id: string;
  readonly email: string;
  /** The line they stand on, or null. */
  readonly line: number | null;
  /** True if they would be enabled after the import. */
  readonly stays: boolean;
}

/** Source of a file of people, and whether the file names everybody: else those it does not name stay as they are. */
export interface PeopleOf {
  readonly sourceId: string;
  readonly isComplete: boolean;
}

/** The people with this role who are enabled before or after the import, by id. */
export function listHolderFates(context: Context, roleId: string): Promise<HolderFate[]> {
  return context.db.rows<HolderFate>(
    sql`SELECT u.id, u.email, p.line, coalesce(p.is_active, s.status = 'ENABLED', u.status = 'ENABLED') AS stays
      FROM roles_held r
      JOIN users_public u ON u.tenant_id = r.tenant_id AND u.id = r.user_id
      LEFT JOIN import_persons p ON p.id = u.id
      LEFT JOIN import_status s ON s.user_id = u.id
      WHERE r.tenant_id = ${context.tenantId} AND r.role_id = ${roleId} AND u.user_type = 'HUMAN' AND (u.status = 'ENABLED' OR p.is_active)
      ORDER BY u.id`,
  );
}

/** People the file would take from a source. */
export interface PeopleLosses {
  /** People of the source who are enabled or stand in the file. */
  readonly people: number;
  /** Those of them who are enabled and would not be. */
  readonly disabled: number;
}

/** Counts what the file would take from a source, `keptId` left out. */
export function countPeopleLosses(context: Context, keptId: string): Promise<PeopleLosses> {
  const { db, tenantId } = context;
  return db.one<PeopleLosses>(
    sql`SELECT named.people + missing.people AS people, named.disabled + missing.disabled AS disabled
      FROM (
        SELECT (SELECT count(*) FROM import_persons WHERE NOT is_new) AS people,
          (SELECT count(*) FROM import_persons p JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = p.id
            WHERE NOT p.is_active AND u.status = 'ENABLED' AND u.id <> ${keptId}) AS disabled) AS named,
        (SELECT count(*) AS people, count(*) FILTER (WHERE s.status = 'DISABLED' AND u.id <> ${keptId}) AS disabled
          FROM import_status s JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = s.user_id
          WHERE u.status = 'ENABLED' AND NOT EXISTS (SELECT FROM import_persons p WHERE p.id = u.id)) AS missing`,
  );
}

/** The people who are new, as the directory adds them. */
export function getNewPeopleSql(sourceId: string): Sql {
  return sql`SELECT n.id, p.email, p.email_key, p.display_name, CASE WHEN n.is_active THEN 'ENABLED' ELSE 'DISABLED' END AS status,
      p.employment_status, p.department, p.job_title, coalesce(p.username, '') AS username, coalesce(p.employee_id, '') AS employee_id,
      '' AS external_id, coalesce(p.employment_type, '') AS employment_type, n.manager_id, p.profile, ${sourceId}::text AS source
    FROM import_persons n JOIN import_people p ON p.line = n.line
    WHERE n.is_new ORDER BY n.id`;
}

/**
 * Selects what the file says of the people who are there, as the directory changes them; `keptId` stays enabled and employed, so that no session of theirs
 * ends. A file without columns for user name, employee id or kind of employment leaves those.
 */
export function getKnownPeopleSql(sourceId: string, keptId: string): Sql {
  return sql`SELECT n.id, p.email, p.email_key, p.display_name, CASE WHEN n.is_active OR n.id = ${keptId} THEN 'ENABLED' ELSE 'DISABLED' END AS status,
      CASE WHEN n.id = ${keptId} THEN 'ACTIVE' ELSE p.employment_status END AS employment_status, p.department, p.job_title, p.username, p.employee_id,
      NULL::text AS external_id, p.employment_type, n.manager_id, p.profile, ${sourceId}::text AS source
    FROM import_persons n JOIN import_people p ON p.line = n.line
    WHERE NOT n.is_new`;
}

/** Condition that no source says any more that the person `u` is there, and this file does not name them; never `keptId`. */
export function getIsMissingSql(keptId: string): Sql {
  return sql`u.id <> ${keptId} AND EXISTS (SELECT FROM import_status s WHERE s.user_id = u.id AND s.status = 'DISABLED')
    AND NOT EXISTS (SELECT FROM import_persons p WHERE p.id = u.id)`;
}
