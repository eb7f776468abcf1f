/**
 * SQL of searching users: pages by id or by name, with every filter of the contract. What the members of a request mean is in read-users.ts.
 */
import { allSql, fixed, type Sql, sql } from '../../lib/sql.ts';
import { type Conditions, listConditions } from '../../lib/where.ts';
import type { Context } from '../../context.ts';
import { hasText, rowsWithIds, type TextRange, textRange } from '../search/index.ts';
import { isActiveDelegationSql, userColumnsSql, type UserRow } from './store.ts';
import { directorySlot } from './slots.ts';

/** Origin of a user: a people source, the API, or us. */
export type Origin = 'DIRECTORY' | 'LOCAL' | 'SYSTEM';

/** People to find; a member that is undefined filters nothing, an empty list matches nobody (excludes nobody). */
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
  /** Undefined for everybody who is not deleted. */
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
const origin = sql`CASE WHEN u.user_type = 'SERVICE' THEN 'SYSTEM' WHEN u.source <> '' THEN 'DIRECTORY' ELSE 'LOCAL' END`;

/** Builds each filter member's condition on user `u`. */
function conditionsFor({ tenantId, now }: Context): Conditions<UserFilter> {
  const delegations = sql`FROM delegations d WHERE d.tenant_id = ${tenantId} AND ${isActiveDelegationSql(now)}`;
  return {
    ids: (ids) => sql`u.id = ANY (${ids})`,
    excludeIds: (ids) => sql`u.id <> ALL (${ids})`,
    email: (key) => sql`u.email_key = ${key} AND u.email_key <> ''`,
    query: hasText('u'),
    departments: (names) => sql`u.department = ANY (${names})`,
    jobTitles: (titles) => sql`u.job_title = ANY (${titles})`,
    managerIds: (ids) => sql`u.manager_id = ANY (${ids})`,
    roleIds: (ids) => sql`u.id IN (SELECT r.user_id FROM user_roles r WHERE r.tenant_id = ${tenantId} AND r.role_id = ANY (${ids}))`,
    statuses: (statuses) => sql`u.status = ANY (${statuses})`,
    origins: (origins) => sql`${origin} = ANY (${origins})`,
    excludeOrigins: (origins) => sql`${origin} <> ALL (${origins})`,
    excludeTypes: (types) => sql`u.user_type <> ALL (${types})`,
    hasDelegate: () => sql`u.id IN (SELECT d.user_id ${delegations})`,
    lacksDelegate: () => sql`NOT EXISTS (SELECT ${delegations} AND d.user_id = u.id)`,
    delegatedUserIds: (ids) => sql`u.id IN (SELECT d.user_id ${delegations} AND d.delegated_user_id = ANY (${ids}))`,
    isDelegate: () => sql`u.id IN (SELECT d.delegated_user_id ${delegations})`,
    sourceAppIds: (ids) => directorySlot.get().getHasAccountIn(tenantId, ids),
    ...textRange('u'),
  };
}

/** Returns constant conditions, so that the planner sees which index holds them. */
function constantConditions(filter: UserFilter): Sql[] {
  const where: Sql[] = [];
  if (filter.statuses === undefined) {
    where.push(sql`u.status <> 'DELETED'`);
  }
  // One value is read in the order of its index; of how many, a plan for all values knows nothing.
  for (const [column, wanted] of [
    ['department', filter.departments],
    ['job_title', filter.jobTitles],
    ['manager_id', filter.managerIds],
  ] as const) {
    if (wanted?.length === 1) {
      where.push(sql`u.${fixed(column)} = ${wanted[0]}`);
    }
  }
  // Said as the indexes say it; a parameter could be anything.
  if (filter.statuses?.includes('ENABLED') === false) {
    where.push(sql`u.status <> 'ENABLED'`);
  }
  if (filter.origins?.every((one) => one === 'SYSTEM') === true || filter.excludeTypes?.includes('HUMAN') === true) {
    where.push(sql`u.user_type = 'SERVICE'`);
  }
  if (filter.origins?.includes('DIRECTORY') === false || filter.excludeOrigins?.includes('DIRECTORY') === true) {
    where.push(sql`u.source = ''`);
  }
  return where;
}

/** Order of a list of people: by id, or by name as `users.list_key` folds it, which every row then has. */
export type UserOrder = 'ID' | 'NAME';

/** A person in a list. */
export interface ListedUser extends UserRow {
  readonly listKey: string;
}

/** Part of a list of people: what follows a row's id (and, by name, its `listKey` before it), the first where undefined. */
export interface UserPage {
  readonly order: UserOrder;
  readonly after: readonly string[] | undefined;
  readonly limit: number;
}

/** A page of people; what a text search looks through is said by `listByText`. */
export async function listUsers(context: Context, filter: UserFilter, { order, after, limit }: UserPage): Promise<ListedUser[]> {
  const where = [
    sql`u.tenant_id = ${context.tenantId}`,
    ...(after === undefined ? [] : [order === 'ID' ? sql`u.id > ${after[0]}` : sql`(u.list_key, u.id) > (${after[0]}, ${after[1]})`]),
    ...listConditions(filter, conditionsFor(context)),
    ...constantConditions(filter),
  ];
  return context.db.rows<ListedUser>(
    sql`SELECT ${userColumnsSql(context.now)}, u.list_key AS "listKey" FROM ${rowsWithIds('users', context.tenantId, filter.textIds ?? filter.ids)} u WHERE ${allSql(where)}
      ORDER BY ${order === 'ID' ? sql`u.id` : sql`u.list_key, u.id`} LIMIT ${limit}`,
  );
}
