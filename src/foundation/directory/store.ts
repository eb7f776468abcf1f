/**
 * SQL of the directory about users by id or address: the table `users`. Searching them is in store-search.ts, who holds which role in
 * store-roles.ts, service principals in store-principals.ts.
 */
import { getAddressKey } from '../../lib/names/same-name.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { getSourceColumnsSql, type SourceColumns } from './store-sources.ts';
import { directorySlot } from './slots.ts';

/** A person, or the user behind a service principal. */
export interface UserRow extends SourceColumns {
  readonly id: string;
  /** Empty for a service principal. */
  readonly email: string;
  readonly displayName: string;
  /** As in `users.status`. */
  readonly status: 'ENABLED' | 'DISABLED' | 'DELETED';
  /** As in `users.user_type`. */
  readonly userType: 'HUMAN' | 'SERVICE';
  readonly username: string;
  readonly employeeId: string;
  readonly employmentStatus: string;
  readonly employmentType: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly managerId: string | null;
  readonly profile: Record<string, unknown>;
  /** The connector that reported this person last; empty where none does. */
  readonly source: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
  /** The person whom an administrator merged this one into; null for nobody. */
  readonly mergedIntoId: string | null;
  /** The time at which the person's data was erased. */
  readonly erasedAt: Date | null;
  /** Ids of the roles held, Basic User left out. */
  readonly roleIds: string[];
  /** Person who decides in their place at `context.now`; null where nobody does. */
  readonly delegatedUserId: string | null;
  /** The directories in which the person owns a live account, by the ids of their apps. */
  readonly directoryIds: string[];
}

/** Tests that the delegation `d` holds at this moment. */
export const isActiveDelegationSql = (now: Date): Sql =>
  sql`(d.starts_at IS NULL OR d.starts_at <= ${now}) AND (d.expires_at IS NULL OR d.expires_at > ${now})`;

/**
 * The columns of a UserRow of `users u` at this moment. Every subselect reads an index by the user's id, so a page
 * costs what its rows do.
 */
export const userColumnsSql = (now: Date): Sql => sql`u.id, u.email, u.display_name AS "displayName", u.status, u.user_type AS "userType",
  u.username, u.employee_id AS "employeeId", u.employment_status AS "employmentStatus", u.employment_type AS "employmentType", u.department,
  u.job_title AS "jobTitle", u.manager_id AS "managerId", u.profile, u.source, u.created_at AS "createdAt",
  u.updated_at AS "updatedAt", u.deleted_at AS "deletedAt", u.erased_at AS "erasedAt", u.merged_into_id AS "mergedIntoId",
  ARRAY(SELECT r.role_id FROM user_roles r WHERE r.tenant_id = u.tenant_id AND r.user_id = u.id ORDER BY r.role_id) AS "roleIds",
  (SELECT d.delegated_user_id FROM delegations d
   WHERE d.tenant_id = u.tenant_id AND d.user_id = u.id AND ${isActiveDelegationSql(now)}) AS "delegatedUserId",
  ${directorySlot.get().getDirectoryIds()} AS "directoryIds",
  ${getSourceColumnsSql()}`;

/** The person with this id, deleted or not. */
export function findUser(context: Context, id: string): Promise<UserRow | undefined> {
  return context.db.maybe<UserRow>(
    sql`SELECT ${userColumnsSql(context.now)} FROM users u WHERE u.tenant_id = ${context.tenantId} AND u.id = ${id}`,
  );
}

/** The person with this mail address, in whatever case it is written; nobody has the empty one, which every service principal's user has. */
export function findUserByEmail(context: Context, email: string): Promise<UserRow | undefined> {
  return context.db.maybe<UserRow>(
    sql`SELECT ${userColumnsSql(context.now)} FROM users u
      WHERE u.tenant_id = ${context.tenantId} AND u.email_key = ${getAddressKey(email)} AND u.email_key <> ''`,
  );
}

/**
 * Waits for whoever changes a person at this moment, and holds the person as they are until the end of the transaction. What is read before knows
 * nothing of that change.
 */
export async function holdPerson(context: Context, id: string): Promise<void> {
  await context.db.rows(sql`SELECT u.id FROM users u WHERE u.tenant_id = ${context.tenantId} AND u.id = ${id} FOR SHARE`);
}

/** The people with these ids, deleted or not, by id; unknown ids are left out. */
export async function listUsersByIds(context: Context, ids: readonly string[]): Promise<Map<string, UserRow>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = await context.db.rows<UserRow>(
    sql`SELECT ${userColumnsSql(context.now)} FROM users u WHERE u.tenant_id = ${context.tenantId} AND u.id = ANY (${[...new Set(ids)]})`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Adds a person who comes from no source; CONFLICT where somebody has the address. */
export async function insertUser(context: Context, user: { id: string; email: string; displayName: string }): Promise<void> {
  await context.db.run(
    `INSERT INTO users (tenant_id, id, email, email_key, display_name, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [context.tenantId, user.id, user.email, getAddressKey(user.email), user.displayName, context.now],
  );
}
