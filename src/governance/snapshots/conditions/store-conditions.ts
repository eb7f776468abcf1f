/** SQL of conditions of policies: what they are evaluated for in a snapshot, and keeping which of them hold and which failed. */
import { empty, fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { AccountFacts, EntitlementFields, PersonFacts } from '../../policies/index.ts';
import { getFailureNumber, getFrozenAccountsSql, type ItemSide } from './store-frozen-places.ts';
import { endHashJoins, setHashJoins } from '../scope/index.ts';
import type { PrincipalKind } from '../items/index.ts';

/** Counts the entitlements and accounts of a snapshot that are asked about. */
export function countFrozen({ db, tenantId }: Context, snapshotId: string): Promise<{ entitlements: number; accounts: number }> {
  return db.one(
    sql`SELECT (SELECT count(*) FROM review_entitlements e WHERE e.tenant_id = ${tenantId} AND e.review_id = ${snapshotId} AND NOT e.is_excluded) AS entitlements,
      (SELECT count(*) FROM review_accounts a WHERE a.tenant_id = ${tenantId} AND a.review_id = ${snapshotId} AND a.excluded_by = '') AS accounts`,
  );
}

/** Behind which row of a snapshot a page begins. */
export interface FrozenKey {
  readonly appId: string;
  readonly id: string;
}

/** An entitlement of a snapshot as expressions see it. */
export type FrozenEntitlement = EntitlementFields;

/** The columns of a frozen entitlement `e` as expressions see it. */
export const entitlementFacts =
  fixed(`e.entitlement_id AS id, e.app_id AS "appId", e.resource_id AS "appResourceId", e.resource_type_id AS "appResourceTypeId",
        e.resource_type_display_name AS "appResourceType", e.display_name AS "displayName", e.description, e.alias, e.slug, e.purpose,
        e.risk_level_value_id AS "riskLevelValueId", e.compliance_framework_value_ids AS "complianceFrameworkValueIds"`);

/**
 * Lets pages of what was frozen in this very transaction be read by their keys. The planner does not know yet how much that is: it would sort all of
 * it for each page.
 */
export async function setPagesByKey({ db }: Context): Promise<void> {
  await db.run(
    'SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL plan_cache_mode = force_custom_plan',
  );
}

/** Ends that. */
export async function setPagesAnyhow({ db }: Context): Promise<void> {
  await db.run(
    'SET LOCAL enable_sort TO DEFAULT; SET LOCAL enable_seqscan TO DEFAULT; SET LOCAL enable_bitmapscan TO DEFAULT; SET LOCAL enable_hashjoin TO DEFAULT; SET LOCAL plan_cache_mode TO DEFAULT',
  );
}

/** Rows of a page: those behind a key, or those that a condition failed for, by the number that says so. */
export type FrozenPage = { readonly after: FrozenKey } | { readonly failure: number };

/** The rows of a page of this alias; `id` is the column behind the app. */
const isOnPage = (page: FrozenPage, alias: string, id: string): Sql =>
  'after' in page
    ? sql`(${fixed(`${alias}.app_id, ${alias}.${id}`)}) > (${page.after.appId}, ${page.after.id})`
    : sql`${page.failure}::smallint = ANY (${fixed(alias)}.conditions)`;

/** Entitlements of a snapshot that are asked about, by app and id. */
export function listFrozenEntitlements(
  { db, tenantId }: Context,
  snapshotId: string,
  page: FrozenPage,
  limit: number,
): Promise<FrozenEntitlement[]> {
  return db.rows<FrozenEntitlement>(
    sql`SELECT ${entitlementFacts} FROM review_entitlements e
      WHERE e.tenant_id = ${tenantId} AND e.review_id = ${snapshotId} AND NOT e.is_excluded AND ${isOnPage(page, 'e', 'entitlement_id')}
      ORDER BY e.app_id, e.entitlement_id LIMIT ${limit}`,
  );
}

/** An account of a snapshot with its owner, as expressions see them. */
export interface FrozenAccount {
  /** Of an account, or of a resource that passes an entitlement on: expressions see no account then. */
  readonly principalKind: PrincipalKind;
  readonly account: AccountFacts;
  readonly person: PersonFacts | null;
}

/** The facts of an account `a` of a snapshot and of its owner `p` as they were frozen, in the columns `account` and `person`, and `principalKind`. */
export const frozenFacts =
  fixed(`a.principal_kind AS "principalKind", jsonb_build_object('id', a.account_id, 'appId', a.app_id, 'externalId', a.external_id, 'displayName', a.display_name, 'email', a.email,
        'username', a.username, 'employeeId', a.employee_id, 'accountType', a.account_type, 'status', a.account_status, 'userId', a.user_id,
        'profile', a.profile) AS account,
      CASE WHEN p.user_id IS NULL THEN NULL ELSE jsonb_build_object('id', p.user_id, 'email', p.email, 'displayName', p.display_name,
        'username', p.username, 'employeeId', p.employee_id, 'status', p.status, 'type', p.user_type, 'employmentStatus', p.employment_status,
        'employmentType', p.employment_type, 'department', p.department, 'jobTitle', p.job_title, 'managerId', p.manager_id,
        'managerEmail', p.manager_email, 'profile', p.profile) END AS person`);

/** Accounts of a snapshot that are asked about, with their owners as they were frozen; by app and id. */
export function listFrozenAccounts(
  { db, tenantId }: Context,
  snapshotId: string,
  page: FrozenPage,
  limit: number,
): Promise<FrozenAccount[]> {
  return db.rows<FrozenAccount>(
    sql`SELECT ${frozenFacts}
      FROM (SELECT x.* FROM review_accounts x WHERE x.tenant_id = ${tenantId} AND x.review_id = ${snapshotId} AND x.excluded_by = ''
              AND ${isOnPage(page, 'x', 'account_id')} ORDER BY x.app_id, x.account_id LIMIT ${limit}) a
      LEFT JOIN LATERAL (SELECT * FROM review_people p
        WHERE p.tenant_id = ${tenantId} AND p.review_id = ${snapshotId} AND p.user_id = a.user_id OFFSET 0) p ON true
      ORDER BY a.app_id, a.account_id`,
  );
}

/** Those that hold and that failed of conditions the database evaluates, as an array of their numbers. */
const evaluated = (numbers: readonly number[]): Sql =>
  sql`array_remove(ARRAY[${fixed(numbers.map((number, at) => `CASE WHEN v.c${at} THEN ${number} WHEN v.c${at} IS NULL THEN ${getFailureNumber(number)} END`).join(', '))}]::smallint[], NULL)`;

const verdicts = (conditions: readonly Sql[]): Sql => joinSql(conditions.map((one, at) => sql`(${one}) AS ${fixed(`c${at}`)}`));

/** Returns the verdicts of conditions as columns, empty for none, and what is kept of them where those columns are of a row `v`. */
export function getVerdictsKept(conditions: readonly TranslatedCondition[]): { readonly columns: Sql; readonly kept: Sql } {
  return conditions.length === 0
    ? { columns: empty, kept: sql`'{}'::smallint[]` }
    : { columns: verdicts(conditions.map((one) => one.sql)), kept: evaluated(conditions.map(({ number }) => number)) };
}

/** A condition that the database evaluates, and the number it is kept by. */
export interface TranslatedCondition {
  readonly number: number;
  readonly sql: Sql;
}

interface SideTable {
  /** Writes to the rows `r` of the table. */
  readonly update: Sql;
  /** The column behind the app. */
  readonly id: string;
  /** Selects what is asked about, with what conditions read there; its rows themselves are under `alias`. */
  readonly getRows: (tenantId: string, snapshotId: string) => Sql;
  readonly alias: string;
}

/** Tables that keep the conditions of a side. */
const sides: Readonly<Record<ItemSide, SideTable>> = {
  entitlement: {
    update: fixed('UPDATE review_entitlements r'),
    id: 'entitlement_id',
    getRows: (tenantId, snapshotId) =>
      sql`review_entitlements e WHERE e.tenant_id = ${tenantId} AND e.review_id = ${snapshotId} AND NOT e.is_excluded`,
    alias: 'e',
  },
  account: { update: fixed('UPDATE review_accounts r'), id: 'account_id', getRows: getFrozenAccountsSql, alias: 'w' },
};

/** Evaluates conditions for everything of a side that is asked about, and keeps what holds and what fails. */
export async function updateConditions(
  context: Context,
  snapshotId: string,
  side: ItemSide,
  conditions: readonly TranslatedCondition[],
): Promise<void> {
  const { db, tenantId } = context;
  const { update, id, getRows, alias } = sides[side];
  await setHashJoins(context);
  await db.run(
    sql`${update} SET conditions = n.held FROM (
        SELECT v.app_id, v.id, ${evaluated(conditions.map(({ number }) => number))} AS held FROM (
          SELECT ${fixed(`${alias}.app_id, ${alias}.${id} AS id`)}, ${verdicts(conditions.map((one) => one.sql))} FROM ${getRows(tenantId, snapshotId)} OFFSET 0) v) n
      WHERE r.tenant_id = ${tenantId} AND r.review_id = ${snapshotId} AND r.app_id = n.app_id AND ${fixed(`r.${id}`)} = n.id AND n.held <> '{}'`,
  );
  await endHashJoins(context);
}

/** Results evaluated here for a row: the numbers of conditions that hold, and those that say a condition failed. */
export interface KeptConditions extends FrozenKey {
  readonly numbers: readonly number[];
}

/** Adds to what is kept of a side; what was kept before stays. */
export async function updateKeptConditions(
  { db, tenantId }: Context,
  snapshotId: string,
  side: ItemSide,
  kept: readonly KeptConditions[],
): Promise<void> {
  const { update, id } = sides[side];
  await db.run(
    sql`${update} SET conditions = r.conditions || n.numbers
      FROM jsonb_to_recordset(${JSON.stringify(kept)}) AS n ("appId" text, id text, numbers smallint[])
      WHERE r.tenant_id = ${tenantId} AND r.review_id = ${snapshotId} AND r.app_id = n."appId" AND ${fixed(`r.${id}`)} = n.id`,
  );
}

/** For how many entitlements, accounts and items each of the first conditions failed, by its number; those that failed for none are left out. */
export async function countFailures({ db, tenantId }: Context, snapshotId: string, conditions: number): Promise<Map<number, number>> {
  const of = (table: string): Sql =>
    sql`SELECT f.number FROM ${fixed(table)} r, unnest(r.conditions) AS f (number)
      WHERE r.tenant_id = ${tenantId} AND r.review_id = ${snapshotId} AND f.number < 0 AND f.number >= ${-conditions}::integer`;
  const rows = await db.rows<{ number: number; count: number }>(
    sql`SELECT -1 - n.number AS number, count(*)::integer AS count
      FROM (${of('review_accounts')} UNION ALL ${of('review_entitlements')} UNION ALL ${of('review_items')}) n GROUP BY n.number ORDER BY 1`,
  );
  return new Map(rows.map(({ number, count }) => [number, count]));
}
