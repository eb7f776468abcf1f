/**
 * SQL that writes people as identity providers report them.
 */
import type { Context } from '../../context.ts';

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

const valuesOf = (person: PersonContent): unknown[] => [
  person.email,
  person.email.toLowerCase(),
  person.displayName,
  person.status,
  person.username,
  person.employeeId,
  person.externalId,
  person.employmentType,
  person.department,
  person.jobTitle,
  person.managerId,
  person.source,
];

/** Adds a person; CONFLICT where somebody has the address. */
export async function insertPerson(context: Context, id: string, person: PersonContent): Promise<void> {
  await context.db.run(
    `INSERT INTO users (tenant_id, id, created_at, updated_at, email, email_key, display_name, status, username, employee_id, external_id,
       employment_type, department, job_title, manager_id, source)
     VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [context.tenantId, id, context.now, ...valuesOf(person)],
  );
}

/** Makes a person say this where they say something else; whether they did. CONFLICT where somebody else has the address. */
export async function updatePerson(context: Context, id: string, person: PersonContent): Promise<boolean> {
  const changed = await context.db.run(
    `UPDATE users SET updated_at = $3, email = $4, email_key = $5, display_name = $6, status = $7, username = $8, employee_id = $9,
       external_id = $10, employment_type = $11, department = $12, job_title = $13, manager_id = $14, source = $15, deleted_at = NULL
     WHERE tenant_id = $1 AND id = $2
       AND (email, email_key, display_name, status, username, employee_id, external_id, employment_type, department, job_title, manager_id,
           source, deleted_at)
         IS DISTINCT FROM ($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, NULL::timestamptz)`,
    [context.tenantId, id, context.now, ...valuesOf(person)],
  );
  return changed > 0;
}

/** Disables a person who is enabled; whether they were. */
export async function updateDisabled(context: Context, id: string): Promise<boolean> {
  const changed = await context.db.run(
    `UPDATE users SET status = 'DISABLED', updated_at = $3 WHERE tenant_id = $1 AND id = $2 AND status = 'ENABLED'`,
    [context.tenantId, id, context.now],
  );
  return changed > 0;
}

/** Disables a person whom another one replaces, and takes away by what accounts are matched to them. */
export async function updateReplaced(context: Context, id: string): Promise<void> {
  await context.db.run(
    `UPDATE users SET status = 'DISABLED', username = '', employee_id = '', updated_at = $3 WHERE tenant_id = $1 AND id = $2`,
    [context.tenantId, id, context.now],
  );
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
