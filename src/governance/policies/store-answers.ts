/** SQL for the functions of expressions: what the inventory says now of many people, apps and entitlements at once. */
import { getAddressKey, getNameKey } from '../../lib/names/same-name.ts';
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';

/** A person as expressions see one. */
export interface PersonFacts {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
  readonly username: string;
  readonly employeeId: string;
  readonly status: string;
  readonly type: string;
  readonly employmentStatus: string;
  readonly employmentType: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly managerId: string | null;
  readonly managerEmail: string;
  readonly profile: unknown;
}

/** An account as expressions see one. */
export interface AccountFacts {
  readonly id: string;
  readonly appId: string;
  readonly externalId: string;
  readonly displayName: string;
  readonly email: string;
  readonly username: string;
  readonly employeeId: string;
  readonly accountType: string;
  readonly status: string;
  readonly userId: string | null;
  readonly profile: unknown;
}

/** An entitlement as expressions see it. */
export interface EntitlementFields {
  readonly id: string;
  readonly appId: string;
  readonly appResourceId: string;
  readonly appResourceTypeId: string;
  readonly appResourceType: string;
  readonly displayName: string;
  readonly description: string;
  readonly alias: string;
  readonly slug: string;
  readonly purpose: string;
  readonly riskLevelValueId: string;
  readonly complianceFrameworkValueIds: readonly string[];
}

/** Lists end one beyond what a list may have. */
const maxAnswersOfOne = 10_001;

/** The columns of a person `u` with the manager `m`. */
export const personFacts = fixed(`u.id, u.email, u.display_name AS "displayName", u.username, u.employee_id AS "employeeId", u.status,
  u.user_type AS type, u.employment_status AS "employmentStatus", u.employment_type AS "employmentType", u.department,
  u.job_title AS "jobTitle", u.manager_id AS "managerId", coalesce(m.email, '') AS "managerEmail", u.profile`);

/** The columns of an account `a`. */
export const accountFacts =
  fixed(`a.id, a.app_id AS "appId", a.external_id AS "externalId", a.display_name AS "displayName", a.email, a.username,
  a.employee_id AS "employeeId", a.account_type AS "accountType", a.status, a.user_id AS "userId", a.profile`);

/** People by their ids, those that were deleted left out. */
export function listPeopleFacts({ db, tenantId }: Context, ids: readonly string[]): Promise<PersonFacts[]> {
  return db.rows(sql`SELECT ${personFacts} FROM users_public u LEFT JOIN users_public m ON m.tenant_id = ${tenantId} AND m.id = u.manager_id
    WHERE u.tenant_id = ${tenantId} AND u.id = ANY (${ids}::text[]) AND u.status <> 'DELETED' AND u.deleted_at IS NULL`);
}

/** Puts questions into columns: `n` counts from 1. */
function asked(rows: readonly (readonly string[])[], ...names: string[]): Sql {
  const columns = names.map((_, at) => rows.map((row) => row[at] ?? ''));
  const [first, second, third] = columns;
  const list = fixed(`q (${names.join(', ')}, n)`);
  return names.length === 1
    ? sql`unnest(${first}::text[]) WITH ORDINALITY AS ${list}`
    : names.length === 2
      ? sql`unnest(${first}::text[], ${second}::text[]) WITH ORDINALITY AS ${list}`
      : sql`unnest(${first}::text[], ${second}::text[], ${third}::text[]) WITH ORDINALITY AS ${list}`;
}

const openAccount = (
  tenantId: string,
): Sql => sql`JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = q.app_id AND p.deleted_at IS NULL
  JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.user_id = q.user_id AND a.app_id = q.app_id`;

/** The statuses that each person's accounts have in an app, those of deleted accounts as DELETED. */
export function listAccountStatuses(
  { db, tenantId }: Context,
  rows: readonly (readonly string[])[],
): Promise<{ n: number; statuses: string[] }[]> {
  return db.rows(sql`SELECT q.n::int AS n, array_agg(DISTINCT CASE WHEN a.deleted_at IS NULL THEN a.status ELSE 'DELETED' END) AS statuses
    FROM ${asked(rows, 'user_id', 'app_id')} ${openAccount(tenantId)} GROUP BY q.n`);
}

/** Joins the entitlement `e` that `q` names by id, slug or alias. */
const named = (tenantId: string): Sql => sql`JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = q.app_id AND p.deleted_at IS NULL
  JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = q.app_id AND e.deleted_at IS NULL
    AND (e.id = q.entitlement OR e.slug = q.entitlement OR e.alias = q.entitlement)`;

const holds = (
  tenantId: string,
): Sql => sql`JOIN grants_held g ON g.tenant_id = ${tenantId} AND g.app_id = e.app_id AND g.entitlement_id = e.id
  JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = g.app_id AND a.id = g.account_id AND a.deleted_at IS NULL`;

/** Finds which of the people hold the entitlement: those questions. */
export async function listHeld({ db, tenantId }: Context, rows: readonly (readonly string[])[]): Promise<number[]> {
  const found = await db.rows<{ n: number }>(sql`SELECT DISTINCT q.n::int AS n FROM ${asked(rows, 'user_id', 'app_id', 'entitlement')}
    ${named(tenantId)} ${holds(tenantId)} WHERE q.entitlement <> '' AND a.user_id = q.user_id`);
  return found.map(({ n }) => n);
}

/** Finds which of the people are members of an access profile that gives the entitlement: those questions. */
export async function listEnrolled({ db, tenantId }: Context, rows: readonly (readonly string[])[]): Promise<number[]> {
  const found = await db.rows<{ n: number }>(sql`SELECT DISTINCT q.n::int AS n FROM ${asked(rows, 'user_id', 'app_id', 'entitlement')}
    ${named(tenantId)}
    JOIN profile_entitlements_public y ON y.tenant_id = ${tenantId} AND y.app_id = e.app_id AND y.entitlement_id = e.id AND y.part = 'REQUESTABLE'
    JOIN profiles_public z ON z.tenant_id = ${tenantId} AND z.id = y.profile_id AND z.deleted_at IS NULL
    WHERE q.entitlement <> '' AND NOT EXISTS (
      SELECT FROM profile_entitlements_public w
      JOIN entitlements_public x ON x.tenant_id = ${tenantId} AND x.app_id = w.app_id AND x.id = w.entitlement_id AND x.deleted_at IS NULL
      WHERE w.tenant_id = ${tenantId} AND w.profile_id = y.profile_id AND w.part = 'REQUESTABLE' AND NOT EXISTS (
        SELECT FROM accounts_public b JOIN grants_held h ON h.tenant_id = ${tenantId} AND h.app_id = b.app_id AND h.account_id = b.id
          AND h.entitlement_id = w.entitlement_id
        WHERE b.tenant_id = ${tenantId} AND b.app_id = w.app_id AND b.user_id = q.user_id AND b.deleted_at IS NULL))`);
  return found.map(({ n }) => n);
}

/** The accounts that people have in apps, with the question that each answers; by id. */
export function listAccountsOfPeople(
  { db, tenantId }: Context,
  rows: readonly (readonly string[])[],
): Promise<(AccountFacts & { n: number })[]> {
  return db.rows(sql`SELECT q.n::int AS n, ${accountFacts} FROM ${asked(rows, 'user_id', 'app_id')} ${openAccount(tenantId)}
    WHERE a.deleted_at IS NULL ORDER BY q.n, a.id`);
}

/** People that questions lead to, by question and id. */
export interface PersonFound {
  readonly n: number;
  readonly id: string;
}

const living = fixed("u.status <> 'DELETED' AND u.deleted_at IS NULL");

/** The people who have these mail addresses, ids, names or managers. */
export function listPeopleBy(
  { db, tenantId }: Context,
  by: 'email' | 'id' | 'name' | 'report' | 'manager',
  values: readonly string[],
): Promise<PersonFound[]> {
  const matches = {
    email: sql`u.email_key = q.value AND u.email_key <> ''`,
    id: sql`u.id = q.value`,
    name: sql`name_key(u.display_name) = q.value AND q.value <> ''`,
    report: sql`u.id = (SELECT r.manager_id FROM users_public r WHERE r.tenant_id = ${tenantId} AND r.id = q.value)`,
    manager: sql`u.manager_id = q.value`,
  };
  return db.rows(sql`SELECT q.n::int AS n, f.id FROM ${asked(
    values.map((value) => [by === 'email' ? getAddressKey(value) : by === 'name' ? getNameKey(value) : value]),
    'value',
  )}
    CROSS JOIN LATERAL (SELECT u.id FROM users_public u WHERE u.tenant_id = ${tenantId} AND ${matches[by]} AND ${living}
      ORDER BY u.id LIMIT ${by === 'name' ? 2 : maxAnswersOfOne}) f ORDER BY q.n, f.id`);
}

/** The owners of accounts that hold entitlements, or the owners of these, by question and id. */
export function listPeopleOfEntitlements(
  { db, tenantId }: Context,
  which: 'members' | 'owners',
  rows: readonly (readonly string[])[],
): Promise<PersonFound[]> {
  const people =
    which === 'members'
      ? sql`SELECT DISTINCT a.user_id AS id FROM entitlements_public e ${holds(tenantId)} WHERE a.user_id IS NOT NULL AND ${isNamed(tenantId)}`
      : sql`SELECT o.user_id AS id FROM entitlements_public e JOIN entitlement_owners o ON o.tenant_id = ${tenantId} AND o.app_id = e.app_id AND o.entitlement_id = e.id
          WHERE ${isNamed(tenantId)}`;
  return db.rows(sql`SELECT q.n::int AS n, f.id FROM ${asked(rows, 'app_id', 'entitlement')}
    CROSS JOIN LATERAL (SELECT u.id FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.id IN (${people}) AND ${living} ORDER BY u.id LIMIT ${maxAnswersOfOne}) f
    ORDER BY q.n, f.id`);
}

const isNamed = (
  tenantId: string,
): Sql => sql`e.tenant_id = ${tenantId} AND e.app_id = q.app_id AND e.deleted_at IS NULL AND q.entitlement <> ''
  AND (e.id = q.entitlement OR e.slug = q.entitlement OR e.alias = q.entitlement)
  AND EXISTS (SELECT FROM apps_public p WHERE p.tenant_id = ${tenantId} AND p.id = q.app_id AND p.deleted_at IS NULL)`;
