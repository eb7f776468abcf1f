/**
 * SQL that finds what the people of a file (`import_people`, see store-staging.ts) change in the directory, which writes it. Managers are in store-managers.ts.
 */
import type { Context } from '../../../context.ts';
import { type Sql, sql } from '../../../lib/sql.ts';
import { newIdPrefix } from '../../../wire/ids.ts';

/**
 * Gives each person of the file an id, that of the person with the same address where there is one: `import_persons`. A person who has no address,
 * in the file or in the directory, is known by the employee id; who has none in the file keeps that of the directory.
 */
export async function stagePersons(context: Context): Promise<void> {
  await context.db.run(`CREATE TEMP TABLE import_persons (
      id text COLLATE "C" NOT NULL, is_new boolean NOT NULL, line bigint NOT NULL, email_key text COLLATE "C" NOT NULL,
      manager_key text COLLATE "C" NOT NULL, is_active boolean NOT NULL, manager_id text COLLATE "C") ON COMMIT DROP`);
  await context.db.run(
    `INSERT INTO import_persons
     SELECT coalesce(u.id, e.id, $2 || id_suffix(row_number() OVER (ORDER BY p.line))), u.id IS NULL AND e.id IS NULL, p.line, p.email_key, p.manager_key,
       p.employment_status = 'ACTIVE', NULL
     FROM import_people p
     LEFT JOIN users_public u ON u.tenant_id = $1 AND u.email_key = p.email_key AND p.email_key <> ''
     LEFT JOIN (
       SELECT employee_id, min(id) AS id, min(email_key) AS email_key FROM users_public
       WHERE tenant_id = $1 AND employee_id <> '' AND status <> 'DELETED' AND user_type = 'HUMAN'
       GROUP BY employee_id HAVING count(*) = 1) AS e
       ON u.id IS NULL AND e.employee_id = p.employee_id AND (p.email_key = '' OR e.email_key = '')
     ORDER BY p.line`,
    [context.tenantId, newIdPrefix(context.now)],
  );
  await context.db.run(
    `WITH known AS (
       UPDATE import_people p SET email = u.email, email_key = u.email_key
       FROM import_persons n JOIN users_public u ON u.tenant_id = $1 AND u.id = n.id
       WHERE n.line = p.line AND p.email_key = '' AND u.email_key <> '' RETURNING p.line, p.email_key)
     UPDATE import_persons n SET email_key = known.email_key FROM known WHERE known.line = n.line`,
    [context.tenantId],
  );
  await context.db.run('ANALYZE import_persons');
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
export function listHolderFates(context: Context, { sourceId, isComplete }: PeopleOf, roleId: string): Promise<HolderFate[]> {
  return context.db.rows<HolderFate>(
    `SELECT u.id, u.email, p.line, CASE WHEN p.id IS NOT NULL THEN p.is_active ELSE u.status = 'ENABLED' AND (u.source <> $2 OR NOT $4) END AS stays
     FROM roles_held r
     JOIN users_public u ON u.tenant_id = r.tenant_id AND u.id = r.user_id
     LEFT JOIN import_persons p ON p.id = u.id
     WHERE r.tenant_id = $1 AND r.role_id = $3 AND u.user_type = 'HUMAN' AND (u.status = 'ENABLED' OR p.is_active)
     ORDER BY u.id`,
    [context.tenantId, sourceId, roleId, isComplete],
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
export function countPeopleLosses(context: Context, { sourceId, isComplete }: PeopleOf, keptId: string): Promise<PeopleLosses> {
  return context.db.one<PeopleLosses>(
    `SELECT count(*) AS people, count(*) FILTER (WHERE u.status = 'ENABLED' AND p.is_active IS NOT TRUE AND u.id <> $3 AND (p.id IS NOT NULL OR $4)) AS disabled
     FROM users_public u LEFT JOIN import_persons p ON p.id = u.id
     WHERE u.tenant_id = $1 AND u.source = $2 AND (u.status = 'ENABLED' OR p.id IS NOT NULL)`,
    [context.tenantId, sourceId, keptId, isComplete],
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
 * Selects what the file says of the people who are there, as the directory changes them; `keptId` stays enabled. A file without columns for user
 * name, employee id or kind of employment leaves those.
 */
export function getKnownPeopleSql(sourceId: string, keptId: string): Sql {
  return sql`SELECT n.id, p.email, p.email_key, p.display_name, CASE WHEN n.is_active OR n.id = ${keptId} THEN 'ENABLED' ELSE 'DISABLED' END AS status,
      p.employment_status, p.department, p.job_title, p.username, p.employee_id, NULL::text AS external_id, p.employment_type, n.manager_id,
      p.profile, ${sourceId}::text AS source
    FROM import_persons n JOIN import_people p ON p.line = n.line
    WHERE NOT n.is_new`;
}

/** Condition that a person `u` is of the source and not in the file; never `keptId`. */
export function getIsMissingSql(sourceId: string, keptId: string): Sql {
  return sql`u.source = ${sourceId} AND u.id <> ${keptId} AND NOT EXISTS (SELECT FROM import_persons p WHERE p.id = u.id)`;
}
