/**
 * SQL that merges the people of a file (`import_people`, see store-staging.ts) into the directory. Managers are in store-managers.ts.
 */
import type { Context } from '../../context.ts';
import { newIdPrefix } from '../../wire/ids.ts';

/** Gives each person of the file an id, that of the person with the same address where there is one: `import_persons`. */
export async function stagePersons(context: Context): Promise<void> {
  await context.db.run(`CREATE TEMP TABLE import_persons (
      id text COLLATE "C" NOT NULL, is_new boolean NOT NULL, line bigint NOT NULL, email_key text COLLATE "C" NOT NULL,
      manager_key text COLLATE "C" NOT NULL, is_active boolean NOT NULL, manager_id text COLLATE "C") ON COMMIT DROP`);
  await context.db.run(
    `INSERT INTO import_persons
     SELECT coalesce(u.id, $2 || id_suffix(row_number() OVER (ORDER BY p.line))), u.id IS NULL, p.line, p.email_key, p.manager_key,
       p.employment_status = 'ACTIVE', NULL
     FROM import_people p LEFT JOIN users u ON u.tenant_id = $1 AND u.email_key = p.email_key
     ORDER BY p.line`,
    [context.tenantId, newIdPrefix(context.now)],
  );
  await context.db.run('ANALYZE import_persons');
}

/** A holder of a role and what this file does to them. */
export interface HolderFate {
  readonly id: string;
  readonly email: string;
  /** The line they stand on, or null. */
  readonly line: number | null;
  /** Whether they would be enabled after the import. */
  readonly stays: boolean;
}

/** The people with this role who are enabled before or after the import, by id. */
export function listHolderFates(context: Context, sourceId: string, roleId: string): Promise<HolderFate[]> {
  return context.db.rows<HolderFate>(
    `SELECT u.id, u.email, p.line, CASE WHEN p.id IS NOT NULL THEN p.is_active ELSE u.status = 'ENABLED' AND u.source <> $2 END AS stays
     FROM user_roles r
     JOIN users u ON u.tenant_id = r.tenant_id AND u.id = r.user_id
     LEFT JOIN import_persons p ON p.id = u.id
     WHERE r.tenant_id = $1 AND r.role_id = $3 AND u.user_type = 'HUMAN' AND (u.status = 'ENABLED' OR p.is_active)
     ORDER BY u.id`,
    [context.tenantId, sourceId, roleId],
  );
}

/** What the file would take from a source. */
export interface PeopleLosses {
  /** People of the source who are enabled or stand in the file. */
  readonly people: number;
  /** Those of them who are enabled and would not be. */
  readonly disabled: number;
}

/** Counts what the file would take from a source, `keptId` left out. */
export function countPeopleLosses(context: Context, sourceId: string, keptId: string): Promise<PeopleLosses> {
  return context.db.one<PeopleLosses>(
    `SELECT count(*) AS people, count(*) FILTER (WHERE u.status = 'ENABLED' AND p.is_active IS NOT TRUE AND u.id <> $3) AS disabled
     FROM users u LEFT JOIN import_persons p ON p.id = u.id
     WHERE u.tenant_id = $1 AND u.source = $2 AND (u.status = 'ENABLED' OR p.id IS NOT NULL)`,
    [context.tenantId, sourceId, keptId],
  );
}

/** Adds the people who are new and returns their number. */
export function insertPeople(context: Context, sourceId: string): Promise<number> {
  return context.db.run(
    `INSERT INTO users (tenant_id, id, email, email_key, display_name, status, employment_status, department, job_title, username,
       employee_id, employment_type, manager_id, profile, source, created_at, updated_at)
     SELECT $1, n.id, p.email, p.email_key, p.display_name, CASE WHEN n.is_active THEN 'ENABLED' ELSE 'DISABLED' END, p.employment_status,
       p.department, p.job_title, coalesce(p.username, ''), coalesce(p.employee_id, ''), coalesce(p.employment_type, ''), n.manager_id,
       p.profile, $2, $3, $3
     FROM import_persons n JOIN import_people p ON p.line = n.line
     WHERE n.is_new ORDER BY n.id`,
    [context.tenantId, sourceId, context.now],
  );
}

/** Updates the people whose row says something new and returns their number; `keptId` stays enabled. Rows that say the same are not touched, and a file without columns for user name, employee id or kind of employment leaves those. */
export function updatePeople(context: Context, sourceId: string, keptId: string): Promise<number> {
  return context.db.run(
    `UPDATE users u SET email = p.email, display_name = p.display_name, status = p.status, employment_status = p.employment_status,
       department = p.department, job_title = p.job_title, username = coalesce(p.username, u.username),
       employee_id = coalesce(p.employee_id, u.employee_id), employment_type = coalesce(p.employment_type, u.employment_type),
       manager_id = p.manager_id, profile = p.profile, source = $2,
       updated_at = $3, deleted_at = NULL
     FROM (
       SELECT n.id, n.manager_id, i.email, i.display_name, i.employment_status, i.department, i.job_title, i.username, i.employee_id,
         i.employment_type, i.profile,
         CASE WHEN n.is_active OR n.id = $4 THEN 'ENABLED' ELSE 'DISABLED' END AS status
       FROM import_persons n JOIN import_people i ON i.line = n.line
       WHERE NOT n.is_new) AS p
     WHERE u.tenant_id = $1 AND u.id = p.id
       AND (u.email, u.display_name, u.status, u.employment_status, u.department, u.job_title, u.username, u.employee_id, u.employment_type,
           u.manager_id, u.profile, u.source, u.deleted_at)
         IS DISTINCT FROM (p.email, p.display_name, p.status, p.employment_status, p.department, p.job_title, coalesce(p.username, u.username),
           coalesce(p.employee_id, u.employee_id), coalesce(p.employment_type, u.employment_type), p.manager_id, p.profile, $2, NULL::timestamptz)`,
    [context.tenantId, sourceId, context.now, keptId],
  );
}

/** Disables the people of the source who are not in the file, `keptId` excepted, and returns their number. */
export function updateMissingPeople(context: Context, sourceId: string, keptId: string): Promise<number> {
  return context.db.run(
    `UPDATE users u SET status = 'DISABLED', updated_at = $3
     WHERE u.tenant_id = $1 AND u.source = $2 AND u.status = 'ENABLED' AND u.id <> $4
       AND NOT EXISTS (SELECT FROM import_persons p WHERE p.id = u.id)`,
    [context.tenantId, sourceId, context.now, keptId],
  );
}

/** Lets the planner know what a large import did to the people; outside of its transaction. */
export async function analyzePeople(context: Context): Promise<void> {
  await context.db.run('ANALYZE users');
}
