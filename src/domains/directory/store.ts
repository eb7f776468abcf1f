/**
 * SQL of the directory about people: the table `users`. Who holds which role is in store-roles.ts.
 */
import type { Scope } from '../../scope.ts';

/** A person. */
export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
  readonly status: 'ENABLED' | 'DISABLED' | 'DELETED';
  readonly employmentStatus: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly managerId: string | null;
  readonly profile: Record<string, unknown>;
  /** The people source that delivers this person; empty where none does. */
  readonly source: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
  /** Ids of the roles held, Basic User left out. */
  readonly roleIds: string[];
}

const columns = `u.id, u.email, u.display_name AS "displayName", u.status, u.employment_status AS "employmentStatus", u.department,
  u.job_title AS "jobTitle", u.manager_id AS "managerId", u.profile, u.source, u.created_at AS "createdAt",
  u.updated_at AS "updatedAt", u.deleted_at AS "deletedAt",
  ARRAY(SELECT r.role_id FROM user_roles r WHERE r.tenant_id = u.tenant_id AND r.user_id = u.id ORDER BY r.role_id) AS "roleIds"`;

/** The person with this id, deleted or not. */
export function findUser(scope: Scope, id: string): Promise<UserRow | undefined> {
  return scope.db.maybe<UserRow>(`SELECT ${columns} FROM users u WHERE u.tenant_id = $1 AND u.id = $2`, [scope.tenantId, id]);
}

/** The person with this mail address, in whatever case it is written. */
export function findUserByEmail(scope: Scope, email: string): Promise<UserRow | undefined> {
  return scope.db.maybe<UserRow>(`SELECT ${columns} FROM users u WHERE u.tenant_id = $1 AND u.email_key = $2`, [
    scope.tenantId,
    email.trim().toLowerCase(),
  ]);
}

/** The people with these ids, deleted or not, by id; ids of nobody are left out. */
export async function listUsersByIds(scope: Scope, ids: readonly string[]): Promise<Map<string, UserRow>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = await scope.db.rows<UserRow>(`SELECT ${columns} FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2)`, [
    scope.tenantId,
    [...new Set(ids)],
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Which people; a member that is undefined filters nothing, an empty list matches nobody. */
export interface UserFilter {
  readonly ids?: readonly string[] | undefined;
  readonly excludeIds?: readonly string[] | undefined;
  readonly email?: string | undefined;
  /** Part of the name or the address, in any case. */
  readonly query?: string | undefined;
  readonly departments?: readonly string[] | undefined;
  readonly jobTitles?: readonly string[] | undefined;
  readonly managerIds?: readonly string[] | undefined;
  readonly roleIds?: readonly string[] | undefined;
  /** Where undefined, everybody who is not deleted. */
  readonly statuses?: readonly string[] | undefined;
  /** Whether a people source delivers them. */
  readonly fromSource?: boolean | undefined;
}

/** Conditions by member of the filter; each takes its value as the parameter put in for `?`. */
const conditions: Record<keyof UserFilter, string> = {
  ids: 'u.id = ANY (?)',
  excludeIds: 'u.id <> ALL (?)',
  email: 'u.email_key = ?',
  query: `(u.email_key LIKE ? OR lower(u.display_name) LIKE ?)`,
  departments: 'u.department = ANY (?)',
  jobTitles: 'u.job_title = ANY (?)',
  managerIds: 'u.manager_id = ANY (?)',
  roleIds: 'u.id IN (SELECT r.user_id FROM user_roles r WHERE r.tenant_id = $1 AND r.role_id = ANY (?))',
  statuses: 'u.status = ANY (?)',
  fromSource: `(u.source <> '') = ?`,
};

/** A page of people by id. */
export async function listUsers(scope: Scope, filter: UserFilter, after: string | undefined, limit: number): Promise<UserRow[]> {
  const values: unknown[] = [scope.tenantId, after ?? '', limit];
  const where = ['u.tenant_id = $1', 'u.id > $2'];
  for (const member of Object.keys(conditions) as (keyof UserFilter)[]) {
    const value = filter[member];
    if (value !== undefined) {
      values.push(member === 'query' ? `%${escapeLike(String(value).toLowerCase())}%` : value);
      where.push(conditions[member].replaceAll('?', `$${values.length}`));
    }
  }
  if (filter.statuses === undefined) {
    where.push(`u.status <> 'DELETED'`);
  }
  return scope.db.rows<UserRow>(`SELECT ${columns} FROM users u WHERE ${where.join(' AND ')} ORDER BY u.id LIMIT $3`, values);
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** Adds a person who comes from no source; CONFLICT where somebody has the address. */
export async function insertUser(scope: Scope, user: { id: string; email: string; displayName: string }): Promise<void> {
  await scope.db.run(
    `INSERT INTO users (tenant_id, id, email, email_key, display_name, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [scope.tenantId, user.id, user.email, user.email.toLowerCase(), user.displayName, scope.now],
  );
}
