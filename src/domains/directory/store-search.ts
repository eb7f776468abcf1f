/**
 * SQL of searching users: pages by id, with every filter of the contract. What the members of a request mean is in read-users.ts.
 */
import type { Scope } from '../../scope.ts';
import { isActiveDelegation, userColumns, type UserRow } from './store.ts';

/** Where a user comes from: a people source, the API, or us. */
export type Origin = 'DIRECTORY' | 'LOCAL' | 'SYSTEM';

/** Which people; a member that is undefined filters nothing, an empty list matches nobody (excludes nobody). */
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
  readonly origins?: readonly Origin[] | undefined;
  readonly excludeOrigins?: readonly Origin[] | undefined;
  readonly excludeTypes?: readonly string[] | undefined;
  /** Whether somebody decides in their place now. */
  readonly hasDelegate?: boolean | undefined;
  /** One of these decides in their place now. */
  readonly delegatedUserIds?: readonly string[] | undefined;
  /** True: they decide in somebody's place now. */
  readonly isDelegate?: true | undefined;
  /** They own a live account in one of these apps. */
  readonly sourceAppIds?: readonly string[] | undefined;
}

/** As view.ts says it. */
const origin = `CASE WHEN u.user_type = 'SERVICE' THEN 'SYSTEM' WHEN u.source <> '' THEN 'DIRECTORY' ELSE 'LOCAL' END`;
const delegation = (condition: string): string =>
  `EXISTS (SELECT FROM delegations d WHERE d.tenant_id = $1 AND ${condition} AND ${isActiveDelegation('$4')})`;

/** Conditions by member of the filter; each takes its value as the parameter put in for `?`. $4 is the moment of the search. */
const conditions: Record<keyof UserFilter, string> = {
  ids: 'u.id = ANY (?)',
  excludeIds: 'u.id <> ALL (?)',
  email: `u.email_key = ? AND u.email_key <> ''`,
  query: `(u.email_key LIKE ? OR lower(u.display_name) LIKE ?)`,
  departments: 'u.department = ANY (?)',
  jobTitles: 'u.job_title = ANY (?)',
  managerIds: 'u.manager_id = ANY (?)',
  roleIds: 'u.id IN (SELECT r.user_id FROM user_roles r WHERE r.tenant_id = $1 AND r.role_id = ANY (?))',
  statuses: 'u.status = ANY (?)',
  origins: `${origin} = ANY (?)`,
  excludeOrigins: `${origin} <> ALL (?)`,
  excludeTypes: 'u.user_type <> ALL (?)',
  hasDelegate: `${delegation('d.user_id = u.id')} = ?`,
  delegatedUserIds: delegation('d.user_id = u.id AND d.delegated_user_id = ANY (?)'),
  isDelegate: `${delegation('d.delegated_user_id = u.id')} = ?`,
  sourceAppIds: `EXISTS (SELECT FROM accounts a WHERE a.tenant_id = $1 AND a.user_id = u.id AND a.app_id = ANY (?) AND a.deleted_at IS NULL)`,
};

/** A page of people by id. */
export async function listUsers(scope: Scope, filter: UserFilter, after: string | undefined, limit: number): Promise<UserRow[]> {
  // Every parameter is used by some statement, and the moment by all: the columns need it.
  const values: unknown[] = [scope.tenantId, after ?? '', limit, scope.now];
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
  return scope.db.rows<UserRow>(`SELECT ${userColumns('$4')} FROM users u WHERE ${where.join(' AND ')} ORDER BY u.id LIMIT $3`, values);
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
