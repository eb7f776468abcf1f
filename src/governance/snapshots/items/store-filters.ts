/**
 * Filters of a scope in SQL: conditions over a person `p` (review_people), an account `a` (accounts) and a grant `g`. None of them is ever NULL,
 * save expressions, where NULL says that evaluating one failed.
 */
import { allSql, anyOf, fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';
import { timeBefore } from '../../../lib/time-before.ts';
import { type Conditions, listConditions } from '../../../lib/where.ts';
import type { Context } from '../../../context.ts';
import type { AccountFilter, AttributeFilter, Filters, GrantFilter, PeopleFilter, ProfileFilter } from '../scope/index.ts';
import type { Verdict } from './types-verdicts.ts';

/** Attributes that a person has beside the profile, by the names that filters use; they are never read from the profile. */
const attributeColumns: Readonly<Record<string, string>> = {
  email: 'email',
  displayName: 'display_name',
  username: 'username',
  department: 'department',
  jobTitle: 'job_title',
  employmentStatus: 'employment_status',
  employmentType: 'employment_type',
  manager: 'manager_email',
};

function hasAttribute({ key, values }: AttributeFilter): Sql {
  const column = Object.hasOwn(attributeColumns, key) ? attributeColumns[key] : undefined;
  const value = column === undefined ? sql`coalesce(p.profile ->> ${key}, '')` : fixed(`p.${column}`);
  return sql`${value} = ANY (${values}::text[])`;
}

/** Condition that the person `p` passes every filter of people. */
function getPersonCondition({ tenantId }: Context, filter: PeopleFilter): Sql {
  const conditions: Conditions<PeopleFilter> = {
    userIds: (ids) => sql`p.user_id = ANY (${ids}::text[])`,
    statuses: (statuses) => sql`p.status = ANY (${statuses}::text[])`,
    managerIds: (ids) => sql`coalesce(p.manager_id = ANY (${ids}::text[]), false)`,
    attributes: (attributes) => allSql(attributes.map(hasAttribute)),
    notHolding: (refs) => sql`p.user_id NOT IN (
      SELECT ga.user_id FROM unnest(${refs.map((ref) => ref.appId)}::text[], ${refs.map((ref) => ref.id)}::text[]) AS w (app_id, entitlement_id)
      JOIN apps_public gp ON gp.tenant_id = ${tenantId} AND gp.id = w.app_id AND gp.deleted_at IS NULL
      JOIN grants_held gg ON gg.tenant_id = ${tenantId} AND gg.app_id = w.app_id AND gg.entitlement_id = w.entitlement_id
      JOIN accounts_public ga ON ga.tenant_id = ${tenantId} AND ga.app_id = w.app_id AND ga.id = gg.account_id AND ga.deleted_at IS NULL
      WHERE ga.user_id IS NOT NULL)`,
  };
  return allSql(listConditions(filter, conditions));
}

/** The domains of people: those of addresses of humans who were not deleted. */
const domainOf = (address: string): Sql =>
  fixed(`CASE WHEN ${address} LIKE '%@%' THEN split_part(address_key(${address}), '@', -1) ELSE '' END`);

/** Condition that the account `a` passes every filter of accounts. */
function getAccountCondition({ tenantId }: Context, filter: AccountFilter): Sql {
  const conditions: Conditions<AccountFilter> = {
    types: (types) => sql`a.account_type = ANY (${types}::text[])`,
    statuses: (statuses) => sql`a.status = ANY (${statuses}::text[])`,
    unowned: () => sql`a.user_id IS NULL`,
    domain: (
      domain,
    ) => sql`(${domainOf('a.email')} <> '' AND ${domain === 'EXTERNAL' ? fixed('NOT') : fixed('')} ${domainOf('a.email')} IN (
      SELECT ${domainOf('d.email')} FROM users_public d
      WHERE d.tenant_id = ${tenantId} AND d.user_type = 'HUMAN' AND d.status <> 'DELETED' AND d.email <> ''))`,
  };
  return allSql(listConditions(filter, conditions));
}

/** Condition that the account `a` has an address in no domain of the organization's people; not where it has none. */
export function getIsExternalSql(context: Context): Sql {
  return getAccountCondition(context, { types: undefined, statuses: undefined, unowned: undefined, domain: 'EXTERNAL' });
}

/** The verdicts of expressions, as SQL that is true, false, or NULL where evaluating it failed; undefined where there is no expression. */
export interface Verdicts {
  /** Over the person `p`. */
  readonly person: Sql | undefined;
  /** Over the account `a`. */
  readonly account: Sql | undefined;
}

/** The filters of people, in the order they are asked (`review_people.excluded_by`); empty for none. @public */
export type PersonExclusion = '' | 'USER' | 'USER_CEL' | 'CEL_ERROR';

/** The filters of accounts and people, in the order they are asked (`review_accounts.excluded_by`); empty for none. @public */
export type AccountExclusion =
  | ''
  | 'EXCLUDED_BY_LIST'
  | 'EXCLUSION_SCOPE'
  | 'LEGACY'
  | 'ACCOUNT'
  | 'ACCOUNT_CEL'
  | 'UNOWNED'
  | 'USER'
  | 'USER_CEL'
  | 'CEL_ERROR';

/** The filter that leaves out what the person `p` owns, '' where none does. */
export function getPersonExclusionSql(context: Context, filters: Filters, verdicts: Verdicts): Sql {
  const isOut = sql`CASE WHEN NOT (${getPersonCondition(context, filters.people)}) THEN 'USER'`;
  return verdicts.person === undefined
    ? sql`${isOut} ELSE '' END`
    : sql`${isOut} ELSE CASE (${verdicts.person}) WHEN true THEN '' WHEN false THEN 'USER_CEL' ELSE 'CEL_ERROR' END END`;
}

/** Accounts and people on the list of what is left out. */
export interface ExcludedPrincipals {
  readonly accountIds: readonly string[];
  readonly userIds: readonly string[];
}

/** The filter that leaves the account `a` out, whose owner is the person `p` where it has one; '' where none does. The first one counts. */
export function getAccountExclusionSql(context: Context, filters: Filters, excluded: ExcludedPrincipals, verdicts: Verdicts): Sql {
  const { exclusion, legacy } = filters;
  const dropped = [
    ...(exclusion.types === undefined ? [] : [sql`a.account_type = ANY (${exclusion.types}::text[])`]),
    ...(exclusion.statuses === undefined ? [] : [sql`a.status = ANY (${exclusion.statuses}::text[])`]),
  ];
  const kept = allSql(legacy.accounts.map((filter) => sql`(${getAccountCondition(context, filter)})`));
  const branches = [
    sql`WHEN a.id = ANY (${excluded.accountIds}::text[]) OR coalesce(a.user_id = ANY (${excluded.userIds}::text[]), false) THEN 'EXCLUDED_BY_LIST'`,
    sql`WHEN ${anyOf(dropped)} THEN 'EXCLUSION_SCOPE'`,
    sql`WHEN NOT (${kept}) OR (a.user_id IS NOT NULL AND NOT (${getPersonCondition(context, legacy.people)})) THEN 'LEGACY'`,
    sql`WHEN NOT (${getAccountCondition(context, filters.accounts)}) THEN 'ACCOUNT'`,
    ...(filters.principals === 'RESOURCES' ? [fixed("WHEN TRUE THEN 'ACCOUNT'")] : []),
    ...(verdicts.account === undefined ? [] : [sql`WHEN NOT (${verdicts.account}) THEN 'ACCOUNT_CEL'`]),
    sql`WHEN ${filters.filtersPeople}::boolean AND a.user_id IS NULL THEN 'UNOWNED'`,
    sql`WHEN p.excluded_by IN ('USER', 'USER_CEL') THEN p.excluded_by`,
    sql`WHEN p.excluded_by = 'CEL_ERROR' ${verdicts.account === undefined ? fixed('') : sql`OR (${verdicts.account}) IS NULL`} THEN 'CEL_ERROR'`,
  ];
  return sql`CASE ${joinSql(branches, ' ')} ELSE '' END`;
}

/**
 * The verdict of evidence on the account `a` by itself, 'IN' where nothing leaves it out: the same filters as in `getAccountExclusionSql`, in the order in
 * which evidence asks them. Those of grants come between USER_EXPRESSION and SCOPE.
 */
export function getAccountVerdictSql(context: Context, filters: Filters, excluded: ExcludedPrincipals, expressions: Verdicts): Sql {
  const { exclusion, legacy, people, userExpression } = filters;
  const [scope, inclusion] = legacy.accounts;
  const isFiltered = (filter: PeopleFilter): boolean => Object.values(filter).some((value) => value !== undefined);
  const unowned = (isAsked: boolean): Sql => (isAsked ? sql`a.user_id IS NULL` : sql`FALSE`);
  const passes = (filter: AccountFilter | undefined): Sql => (filter === undefined ? sql`TRUE` : getAccountCondition(context, filter));
  const isOut = [
    ...(exclusion.types === undefined ? [] : [sql`a.account_type = ANY (${exclusion.types}::text[])`]),
    ...(exclusion.statuses === undefined ? [] : [sql`a.status = ANY (${exclusion.statuses}::text[])`]),
  ];
  const branches: readonly (readonly [Sql, Verdict])[] = [
    [filters.principals === 'RESOURCES' ? sql`TRUE` : sql`NOT (${passes(filters.accounts)})`, 'ACCOUNT_FILTER'],
    [expressions.account === undefined ? sql`FALSE` : sql`(${expressions.account}) IS NOT TRUE`, 'ACCOUNT_EXPRESSION'],
    [sql`(${unowned(isFiltered(people))} OR p.excluded_by = 'USER')`, 'USER_FILTER'],
    [sql`(${unowned(userExpression !== '')} OR p.excluded_by IN ('USER_CEL', 'CEL_ERROR'))`, 'USER_EXPRESSION'],
    [sql`NOT (${passes(scope)})`, 'SCOPE'],
    [
      sql`(NOT (${passes(inclusion)}) OR ${unowned(isFiltered(legacy.people))} OR a.user_id IS NOT NULL AND NOT (${getPersonCondition(context, legacy.people)}))`,
      'INCLUSION_SCOPE',
    ],
    [anyOf(isOut), 'EXCLUSION_SCOPE'],
    [
      sql`(a.id = ANY (${excluded.accountIds}::text[]) OR coalesce(a.user_id = ANY (${excluded.userIds}::text[]), false))`,
      'EXCLUDED_SELECTION',
    ],
  ];
  return sql`CASE ${joinSql(
    branches.map(([condition, verdict]) => sql`WHEN ${condition} THEN ${fixed(`'${verdict}'`)}`),
    ' ',
  )} ELSE 'IN' END`;
}

/** Condition that the grant `g` of the account `c` passes every filter of grants in a snapshot taken at a moment. */
export function getGrantConditionSql({ tenantId }: Context, snapshotId: string, filter: GrantFilter, takenAt: Date): Sql {
  const ago = (seconds: number): Sql => sql`${timeBefore(takenAt, seconds * 1000)}::timestamptz`;
  const addedAt = sql`coalesce(g.granted_at, g.created_at)`;
  const conditions: Conditions<GrantFilter> = {
    heldHow: (how) =>
      // An empty path among the paths says that it is also held directly; jsonb's @> would find one in every path.
      how === 'DIRECT'
        ? sql`(g.paths IS NULL OR EXISTS (SELECT FROM jsonb_array_elements(g.paths) AS path WHERE path = '[]'))`
        : sql`EXISTS (SELECT FROM jsonb_array_elements(g.paths) AS path WHERE path <> '[]')`,
    lasts: (how) => (how === 'TEMPORARY' ? sql`g.deprovision_at IS NOT NULL` : sql`g.deprovision_at IS NULL`),
    addedAtLeastSecondsAgo: (seconds) => sql`${addedAt} <= ${ago(seconds)}`,
    addedFrom: (moment) => sql`${addedAt} >= ${moment}::timestamptz`,
    addedBefore: (moment) => sql`${addedAt} < ${moment}::timestamptz`,
    // An unknown last use counts as unused.
    unusedForSeconds: (seconds) => sql`(g.last_used_at IS NULL OR g.last_used_at <= ${ago(seconds)})`,
    unreviewedForSeconds: () => sql`NOT EXISTS (
      SELECT FROM review_reviewed w WHERE w.tenant_id = ${tenantId} AND w.review_id = ${snapshotId} AND w.account_id = c.account_id
        AND w.entitlement_id = g.entitlement_id)`,
  };
  return allSql(listConditions(filter, conditions));
}

/**
 * Condition that access profiles keep a grant of the account `h` of the entitlement `e`: one gives the entitlement to somebody who holds all it
 * gives.
 */
export function getProfileConditionSql({ included, excluded }: ProfileFilter): Sql {
  return allSql([
    ...(included === undefined ? [] : [sql`h.access_profile_ids && e.included_profile_ids`]),
    ...(excluded === undefined ? [] : [sql`NOT h.access_profile_ids && e.excluded_profile_ids`]),
  ]);
}
