/**
 * SQL of searching users: pages by id, with every filter of the contract. What the members of a request mean is in read-users.ts.
 */
import { type Condition, whereOf } from '../../lib/where.ts';
import type { Context } from '../../context.ts';
import { hasText, type TextRange, textRange } from '../search/index.ts';
import { isActiveDelegation, userColumns, type UserRow } from './store.ts';

/** Where a user comes from: a people source, the API, or us. */
export type Origin = 'DIRECTORY' | 'LOCAL' | 'SYSTEM';

/** Which people; a member that is undefined filters nothing, an empty list matches nobody (excludes nobody). */
export interface UserFilter extends TextRange {
  readonly ids?: readonly string[] | undefined;
  readonly excludeIds?: readonly string[] | undefined;
  readonly email?: string | undefined;
  /** Words, each found anywhere in names, addresses and numbers, in any case. */
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
  /** True: somebody decides in their place now. */
  readonly hasDelegate?: true | undefined;
  /** True: nobody does. */
  readonly lacksDelegate?: true | undefined;
  /** One of these decides in their place now. */
  readonly delegatedUserIds?: readonly string[] | undefined;
  /** True: they decide in somebody's place now. */
  readonly isDelegate?: true | undefined;
  /** They own a live account in one of these apps. */
  readonly sourceAppIds?: readonly string[] | undefined;
}

/** As view.ts says it. */
const origin = `CASE WHEN u.user_type = 'SERVICE' THEN 'SYSTEM' WHEN u.source <> '' THEN 'DIRECTORY' ELSE 'LOCAL' END`;
const delegations = `FROM delegations d WHERE d.tenant_id = $1 AND ${isActiveDelegation('$4')}`;

/** Conditions by member of the filter. $4 is the moment of the search. */
const conditions: Record<keyof UserFilter, Condition> = {
  ids: { sql: 'u.id = ANY (?)' },
  excludeIds: { sql: 'u.id <> ALL (?)' },
  email: { sql: `u.email_key = ? AND u.email_key <> ''` },
  query: hasText('u'),
  departments: { sql: 'u.department = ANY (?)' },
  jobTitles: { sql: 'u.job_title = ANY (?)' },
  managerIds: { sql: 'u.manager_id = ANY (?)' },
  roleIds: { sql: 'u.id IN (SELECT r.user_id FROM user_roles r WHERE r.tenant_id = $1 AND r.role_id = ANY (?))' },
  statuses: { sql: 'u.status = ANY (?)' },
  origins: { sql: `${origin} = ANY (?)` },
  excludeOrigins: { sql: `${origin} <> ALL (?)` },
  excludeTypes: { sql: 'u.user_type <> ALL (?)' },
  hasDelegate: { sql: `u.id IN (SELECT d.user_id ${delegations}) AND ?::boolean` },
  lacksDelegate: { sql: `NOT EXISTS (SELECT ${delegations} AND d.user_id = u.id) AND ?::boolean` },
  delegatedUserIds: { sql: `u.id IN (SELECT d.user_id ${delegations} AND d.delegated_user_id = ANY (?))` },
  isDelegate: { sql: `u.id IN (SELECT d.delegated_user_id ${delegations}) AND ?::boolean` },
  sourceAppIds: {
    sql: `EXISTS (SELECT FROM accounts a JOIN apps p ON p.tenant_id = $1 AND p.id = a.app_id AND p.deleted_at IS NULL
      WHERE a.tenant_id = $1 AND a.user_id = u.id AND a.app_id = ANY (?) AND a.deleted_at IS NULL)`,
  },
  ...textRange('u'),
};

/** A page of people by id; what a text search looks through is said by `listByText`. */
export async function listUsers(context: Context, filter: UserFilter, after: string | undefined, limit: number): Promise<UserRow[]> {
  const values: unknown[] = [context.tenantId, after ?? '', limit, context.now];
  const where = ['u.tenant_id = $1', 'u.id > $2', ...whereOf(filter, conditions, values)];
  if (filter.statuses === undefined) {
    where.push(`u.status <> 'DELETED'`);
  }
  // One value is read in the order of its index; of how many, a plan for all values knows nothing.
  for (const [column, wanted] of [
    ['department', filter.departments],
    ['job_title', filter.jobTitles],
    ['manager_id', filter.managerIds],
  ] as const) {
    if (wanted?.length === 1) {
      where.push(`u.${column} = $${values.push(wanted[0])}`);
    }
  }
  // Said as the indexes say it; a parameter could be anything.
  if (filter.statuses?.includes('ENABLED') === false) {
    where.push(`u.status <> 'ENABLED'`);
  }
  if (filter.origins?.every((one) => one === 'SYSTEM') === true || filter.excludeTypes?.includes('HUMAN') === true) {
    where.push(`u.user_type = 'SERVICE'`);
  }
  if (filter.origins?.includes('DIRECTORY') === false || filter.excludeOrigins?.includes('DIRECTORY') === true) {
    where.push(`u.source = ''`);
  }
  return context.db.rows<UserRow>(`SELECT ${userColumns('$4')} FROM users u WHERE ${where.join(' AND ')} ORDER BY u.id LIMIT $3`, values);
}
