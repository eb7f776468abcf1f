/**
 * SQL of the accounts a scope looks at, each with the filter that leaves it out, and of their owners: frozen for a snapshot, or read as they would
 * be frozen now. In proportion to accounts, never to grants. What the filters mean is store-filters.ts.
 */
import { empty, fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getVerdictsKept, type TranslatedCondition } from '../conditions/index.ts';
import { endHashJoins, type Filters, setHashJoins } from '../scope/index.ts';
import {
  accountCommitted,
  type ExcludedPrincipals,
  getAccountExclusionSql,
  getAccountVerdictSql,
  getCarryingResources,
  getIsExternalSql,
  getPersonExclusionSql,
  type Holders,
  resourceType,
  type Verdicts,
} from '../items/index.ts';
import { commitmentSql, lineJson, textJson } from '../../../lib/log/line-sql.ts';
import { getPeerColumnsSql } from './store-peers.ts';

const personColumns =
  fixed(`u.id AS user_id, u.email, u.display_name, u.username, u.employee_id, u.status, u.user_type, u.employment_status,
  u.employment_type, u.department, u.job_title, u.manager_id, coalesce(m.email, '') AS manager_email, u.profile`);

/** The people of a tenant as they are frozen, with the filter that leaves out what they own. */
function getPeople(context: Context, filters: Filters, verdicts: Verdicts, where: Sql): Sql {
  const { tenantId } = context;
  return sql`SELECT p.*, ${getPersonExclusionSql(context, filters, verdicts)} AS excluded_by FROM (
    SELECT ${personColumns} FROM users_public u LEFT JOIN users_public m ON m.tenant_id = ${tenantId} AND m.id = u.manager_id
    WHERE u.tenant_id = ${tenantId} AND ${where}) p`;
}

/** The text committed to of the person `n`: all that a person may ask to be erased. The profile is a text, as the database writes it. */
export const personCommitted = lineJson({
  department: textJson('n.department'),
  displayName: textJson('n.display_name'),
  email: textJson('n.email'),
  employeeId: textJson('n.employee_id'),
  employmentStatus: textJson('n.employment_status'),
  employmentType: textJson('n.employment_type'),
  jobTitle: textJson('n.job_title'),
  managerEmail: textJson('n.manager_email'),
  managerId: textJson(`coalesce(n.manager_id, '')`),
  profile: textJson('n.profile::text'),
  status: textJson('n.status'),
  type: textJson('n.user_type'),
  username: textJson('n.username'),
});

/** Freezes the owners of the accounts of these apps as they are now; how many. */
export function insertSnapshotPeople(
  context: Context,
  snapshotId: string,
  appIds: readonly string[],
  filters: Filters,
  verdicts: Verdicts,
): Promise<number> {
  const { tenantId } = context;
  const owners = sql`u.id IN (SELECT o.user_id FROM accounts_public o WHERE o.tenant_id = ${tenantId} AND o.app_id = ANY (${appIds}::text[])
    AND o.deleted_at IS NULL AND o.user_id IS NOT NULL)`;
  return context.db.run(
    sql`INSERT INTO review_people (tenant_id, review_id, user_id, email, display_name, username, employee_id, status, user_type,
       employment_status, employment_type, department, job_title, manager_id, manager_email, profile, excluded_by, peer_kind, peers, peer_group,
       salt, commitment)
     SELECT ${tenantId}, ${snapshotId}, n.*, ${commitmentSql('n.salt', personCommitted)} FROM (
       SELECT m.*, gen_random_uuid() AS salt FROM (
         SELECT n.*, ${getPeerColumnsSql(sql`(${getPeople(context, filters, verdicts, owners)})`, tenantId)}) m) n`,
  );
}

/** Accounts of a sample: enough to find one item of almost every review. */
const sampleSize = 200;

/** Selects who holds all that each of these access profiles gives, whatever their status: `user_id` and `profile_ids`. */
function getProfileHolders({ tenantId }: Context, { included, excluded }: Filters['profiles']): Sql {
  const ids = excluded === 'all' ? sql`TRUE` : sql`y.profile_id = ANY (${[...(included ?? []), ...(excluded ?? [])]}::text[])`;
  return sql`WITH given AS (
      SELECT y.profile_id, y.app_id, y.entitlement_id, count(*) OVER (PARTITION BY y.profile_id) AS wanted
      FROM profile_entitlements_public y
      JOIN profiles_public z ON z.tenant_id = ${tenantId} AND z.id = y.profile_id AND z.deleted_at IS NULL
      JOIN entitlements_public x ON x.tenant_id = ${tenantId} AND x.app_id = y.app_id AND x.id = y.entitlement_id AND x.deleted_at IS NULL
      WHERE y.tenant_id = ${tenantId} AND y.part = 'REQUESTABLE' AND ${ids}),
    holders AS (
      SELECT i.profile_id, b.user_id FROM given i
      JOIN grants_held g ON g.tenant_id = ${tenantId} AND g.app_id = i.app_id AND g.entitlement_id = i.entitlement_id
      JOIN accounts_public b ON b.tenant_id = ${tenantId} AND b.app_id = i.app_id AND b.id = g.account_id AND b.deleted_at IS NULL
      WHERE b.user_id IS NOT NULL
      GROUP BY i.profile_id, b.user_id HAVING count(DISTINCT i.entitlement_id) = max(i.wanted))
    SELECT o.user_id, array_agg(o.profile_id ORDER BY o.profile_id) AS profile_ids FROM holders o GROUP BY o.user_id`;
}

/** Choice of accounts: those of apps, with what leaves them out. */
export interface AccountsInScope {
  readonly appIds: readonly string[];
  readonly filters: Filters;
  readonly excluded: ExcludedPrincipals;
  readonly verdicts: Verdicts;
}

/** Choice of accounts to freeze, and how. */
export interface AccountsToFreeze extends AccountsInScope {
  /** All accounts, or some of those that nothing leaves out; then no people are frozen. */
  readonly which: 'all' | 'sample';
}

/** The columns of accounts that a snapshot has: of the account `a` with its owner `p`, and of the resource `r`, which has neither. */
const accountColumns: readonly (readonly [name: string, ofAccount: string, ofResource: string])[] = [
  ['app_id', 'a.app_id', 'r.app_id'],
  ['account_id', 'a.id', 'r.id'],
  ['external_id', 'a.external_id', 'r.display_name'],
  ['account_type', 'a.account_type', `'${resourceType}'`],
  ['account_status', 'a.status', `''`],
  ['user_id', 'p.user_id', 'NULL::text'],
  ['user_email', `coalesce(p.email, '')`, `''`],
  ['user_display_name', `coalesce(p.display_name, '')`, `''`],
  ['user_status', `coalesce(p.status, '')`, `''`],
  ['employment_status', `coalesce(p.employment_status, '')`, `''`],
  ['department', `coalesce(p.department, '')`, `''`],
  ['job_title', `coalesce(p.job_title, '')`, `''`],
  ['manager_id', 'p.manager_id', 'NULL::text'],
  ['manager_email', `coalesce(p.manager_email, '')`, `''`],
  ['display_name', 'a.display_name', 'r.display_name'],
  ['email', 'a.email', `''`],
  ['username', 'a.username', `''`],
  ['employee_id', 'a.employee_id', `''`],
  ['profile', 'a.profile', `'{}'::jsonb`],
  ['owner_by_former_address', 'a.owner_by_former_address', 'false'],
];
const accountNames = fixed(accountColumns.map(([name]) => name).join(', '));

/** Selects the accounts in scope, with the filter that leaves each out and what else is selected of the account `a` and its owner `p`. */
function getAccountRows(
  context: Context,
  { appIds, filters, excluded, verdicts }: AccountsInScope,
  people: Sql,
  more: Sql,
  where: Sql,
): Sql {
  const { tenantId } = context;
  const usesProfiles = filters.profiles.included !== undefined || filters.profiles.excluded !== undefined;
  const holders = usesProfiles ? sql`LEFT JOIN (${getProfileHolders(context, filters.profiles)}) f ON f.user_id = a.user_id` : empty;
  return sql`SELECT ${fixed(accountColumns.map(([name, ofAccount]) => `${ofAccount} AS ${name}`).join(', '))},
      ${usesProfiles ? fixed("coalesce(f.profile_ids, '{}')") : fixed("'{}'::text[]")} AS access_profile_ids,
      ${getAccountExclusionSql(context, filters, excluded, verdicts)} AS excluded_by, ${getIsExternalSql(context)} AS is_external ${more}
    FROM accounts_public a LEFT JOIN ${people} p ON p.user_id = a.user_id ${holders}
    WHERE a.tenant_id = ${tenantId} AND a.deleted_at IS NULL AND a.app_id = ANY (${appIds}::text[]) ${where}`;
}

/** Freezes the accounts of these apps as they are now, each with the first filter that leaves it out; how many. People were frozen before. */
export async function insertSnapshotAccounts(context: Context, snapshotId: string, of: AccountsToFreeze): Promise<number> {
  const { tenantId } = context;
  const { filters, verdicts, which } = of;
  const people =
    which === 'all'
      ? sql`(SELECT * FROM review_people q WHERE q.tenant_id = ${tenantId} AND q.review_id = ${snapshotId})`
      : sql`(${getPeople(context, filters, verdicts, sql`TRUE`)})`;
  if (which === 'all') {
    // The people were made in this very transaction: the planner takes them for none, and would loop over them.
    await setHashJoins(context);
  }
  const verdict = sql`, ${getAccountVerdictSql(context, filters, of.excluded, verdicts)} AS verdict`;
  const rows = sql`SELECT m.*, gen_random_uuid() AS salt FROM (${getAccountRows(context, of, people, verdict, empty)}) m
    ${which === 'sample' ? sql`WHERE m.excluded_by = '' LIMIT ${sampleSize}` : empty}`;
  const count = await context.db.run(
    sql`INSERT INTO review_accounts (tenant_id, review_id, ${accountNames}, access_profile_ids, excluded_by, is_external, verdict, salt, commitment)
     SELECT ${tenantId}, ${snapshotId}, n.*, ${commitmentSql('n.salt', accountCommitted)} FROM (${rows}) n`,
  );
  if (which === 'all') {
    await endHashJoins(context);
  }
  return count;
}

/**
 * Returns accounts and people as they would be frozen now, read from the inventory; what is kept of `conditions` is worked out with them. The filter
 * of an account is found once for it, however often its grants read it: OFFSET 0.
 */
export function getHoldersNow(
  context: Context,
  snapshotId: string,
  of: AccountsInScope,
  conditions: readonly TranslatedCondition[] = [],
): Holders {
  const people = sql`(${getPeople(context, of.filters, of.verdicts, sql`TRUE`)})`;
  const { columns, kept } = getVerdictsKept(conditions);
  const more = columns === empty ? empty : sql`, ${columns}`;
  const resources = sql`SELECT ${fixed(accountColumns.map(([name, , ofResource]) => `${ofResource} AS ${name}`).join(', '))},
      '{}'::text[] AS access_profile_ids, '' AS excluded_by, false AS is_external ${more}
    FROM (${getCarryingResources(context.tenantId, snapshotId)}) r LEFT JOIN accounts_public a ON FALSE LEFT JOIN ${people} p ON FALSE`;
  const select = (rows: Sql, kind: 'A' | 'R'): Sql =>
    sql`SELECT ${accountNames}, access_profile_ids, excluded_by, is_external, ${kind}::text COLLATE "C" AS principal_kind,
      CASE WHEN v.excluded_by = '' THEN ${kept} ELSE '{}'::smallint[] END AS conditions FROM (${rows} OFFSET 0) v`;
  return {
    people,
    joinOwners: (columns) => sql`LEFT JOIN (SELECT p.user_id AS id, ${columns} FROM ${people} p) p ON p.id = w.user_id`,
    getAccounts: (ids) => {
      const among = (column: string): Sql => (ids === undefined ? sql`TRUE` : sql`${fixed(column)} = ANY (${[...ids]}::text[])`);
      const accounts = select(getAccountRows(context, of, people, more, sql`AND ${among('a.id')}`), 'A');
      return of.filters.principals === 'ACCOUNTS'
        ? sql`(${accounts} OFFSET 0)`
        : sql`(SELECT * FROM (${accounts} UNION ALL ${select(sql`${resources} WHERE ${among('r.id')}`, 'R')}) w OFFSET 0)`;
    },
  };
}
