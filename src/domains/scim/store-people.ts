/**
 * SQL that gives the directory the people whom identity providers report, and reads what decides about them.
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';

/** What is written of a person. */
export interface PersonContent {
  readonly email: string;
  readonly displayName: string;
  readonly status: 'ENABLED' | 'DISABLED' | 'DELETED';
  readonly username: string;
  readonly employeeId: string;
  readonly externalId: string;
  readonly employmentType: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly managerId: string | null;
  /** The id of the connector that reports them. */
  readonly source: string;
}

/** A person as the directory adds or changes them; their profile is that of files, and stays. `isNew` says it of one who has none yet. */
export function getPersonRow(id: string, person: PersonContent, isNew: boolean): Sql {
  return sql`SELECT ${id}::text AS id, ${person.email}::text AS email, ${person.email.toLowerCase()}::text AS email_key,
    ${person.displayName}::text AS display_name, ${person.status}::text AS status, ${isNew ? '' : null}::text AS employment_status,
    ${person.department}::text AS department, ${person.jobTitle}::text AS job_title, ${person.username}::text AS username,
    ${person.employeeId}::text AS employee_id, ${person.externalId}::text AS external_id, ${person.employmentType}::text AS employment_type,
    ${person.managerId}::text AS manager_id, ${isNew ? '{}' : null}::jsonb AS profile, ${person.source}::text AS source`;
}

/** That a person `u` is this one. */
export function getIsPerson(id: string): Sql {
  return sql`u.id = ${id}`;
}

/** What the delivering system calls a person. */
export async function findExternalId(context: Context, id: string): Promise<string> {
  const row = await context.db.maybe<{ externalId: string }>(
    'SELECT external_id AS "externalId" FROM users WHERE tenant_id = $1 AND id = $2',
    [context.tenantId, id],
  );
  return row?.externalId ?? '';
}

/** The person behind a live user with this SCIM id. */
export async function findPersonOfUser(context: Context, sourceId: string, id: string): Promise<string | undefined> {
  const row = await context.db.maybe<{ userId: string }>(
    `SELECT user_id AS "userId" FROM scim_resources
     WHERE tenant_id = $1 AND source_id = $2 AND id = $3 AND kind = 'USER' AND deleted_at IS NULL`,
    [context.tenantId, sourceId, id],
  );
  return row?.userId;
}

/** How many of the managers above `managerId`, themselves included, are this person: 0 unless that would be a circle. */
export async function countAbove(context: Context, managerId: string, personId: string): Promise<number> {
  const { count } = await context.db.one<{ count: number }>(
    `WITH RECURSIVE above (id) AS (
       SELECT $2::text COLLATE "C"
       UNION SELECT u.manager_id FROM above a JOIN users u ON u.tenant_id = $1 AND u.id = a.id WHERE u.manager_id IS NOT NULL)
     SELECT count(*) AS count FROM above WHERE id = $3`,
    [context.tenantId, managerId, personId],
  );
  return count;
}
