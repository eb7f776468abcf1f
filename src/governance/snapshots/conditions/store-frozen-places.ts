/** Places where expressions find what a snapshot froze: columns of accounts and their owners, of entitlements, and of items with both of these. */
import { fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';
import type { Places } from '../expressions/index.ts';
import type { Holders, ItemConditions, Within } from '../items/index.ts';

/** The side of an item that a condition, or a part of one, reads alone. */
export type ItemSide = 'entitlement' | 'account';

type TaskFacts = NonNullable<Places['task']>;

/** Of the account `a` and its owner `p`, as `getFrozenAccountsSql` has them, or of the entitlement `e`. */
export const getFrozenPlaces = (task: TaskFacts): Places => ({ person: 'p.', account: 'a.', mayLack: true, task });

/** Of an item `h` of the entitlement `e`, with what `getItemJoinsSql` adds to it. */
export const getItemPlaces = (task: TaskFacts): Places => ({ person: 'z.p_', account: 'z.a_', mayLack: true, task });

/** Returns what is kept where a condition failed, by its number. */
export const getFailureNumber = (number: number): number => -1 - number;

/** Value kept of a part: true, false, or NULL for a failure. */
export function getFrozenPartSql(side: ItemSide, number: number): Sql {
  const kept = fixed(side === 'account' ? 'h.conditions' : 'e.conditions');
  return sql`CASE WHEN ${number}::smallint = ANY (${kept}) THEN true WHEN ${getFailureNumber(number)}::smallint = ANY (${kept}) THEN NULL ELSE false END`;
}

/** The columns of accounts that expressions read, under the names that those of live accounts have. */
const accountColumns: Readonly<Record<string, string>> = {
  id: 'account_id',
  app_id: 'app_id',
  external_id: 'external_id',
  display_name: 'display_name',
  email: 'email',
  username: 'username',
  employee_id: 'employee_id',
  account_type: 'account_type',
  status: 'account_status',
  user_id: 'user_id',
  profile: 'profile',
};

const personColumns: readonly string[] = [
  'user_id',
  'email',
  'display_name',
  'username',
  'employee_id',
  'status',
  'user_type',
  'employment_status',
  'employment_type',
  'department',
  'job_title',
  'manager_id',
  'manager_email',
  'profile',
];

/** The accounts `w` of a snapshot that are asked about, each with itself as `a`, which a resource lacks, and its owner as `p`. */
export function getFrozenAccountsSql(tenantId: string, snapshotId: string): Sql {
  const own = Object.entries(accountColumns).map(([name, column]) => fixed(`w.${column} AS ${name}`));
  return sql`review_accounts w
    LEFT JOIN LATERAL (SELECT ${joinSql(own)} WHERE w.principal_kind = 'A') a ON true
    LEFT JOIN review_people p ON p.tenant_id = ${tenantId} AND p.review_id = ${snapshotId} AND p.user_id = w.user_id
    WHERE w.tenant_id = ${tenantId} AND w.review_id = ${snapshotId} AND w.excluded_by = ''`;
}

/** All accounts of a snapshot. */
export const everywhere: Within = () => sql`TRUE`;

/** The rows of a table of the items `h`: one for each that it has. */
const ofItem = (tenantId: string, snapshotId: string, table: string, alias: string, within: Within): Sql =>
  sql`LEFT JOIN (SELECT t.* FROM ${fixed(table)} t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${snapshotId} AND ${within('t')}) ${fixed(alias)}
    ON ${fixed(alias)}.app_id = h.app_id AND ${fixed(alias)}.account_id = h.account_id AND ${fixed(alias)}.entitlement_id = h.entitlement_id`;

/**
 * Joins what conditions over items need beside the item `h` and its entitlement `e`: of the account and its owner the columns they name, the
 * conflicts of the grant, and what was evaluated for the item by itself.
 */
export function getItemJoinsSql(
  tenantId: string,
  snapshotId: string,
  holders: Holders,
  conditions: readonly { readonly sql: Sql | undefined }[],
  within: Within = everywhere,
): Sql {
  const text = conditions.map((one) => one.sql?.strings.join('') ?? 'x.conditions').join(' ');
  const named = new Set([...text.matchAll(/\bz\.([ap]_\w+)/g)].map(([, name]) => name ?? ''));
  const ofAccount = Object.entries(accountColumns)
    .filter(([name]) => named.has(`a_${name}`))
    .map(([name, column]) => `CASE WHEN w.principal_kind = 'A' THEN w.${column} END AS a_${name}`);
  const ofPerson = personColumns.filter((name) => named.has(`p_${name}`));
  const people = ofPerson.length === 0 ? fixed('') : holders.joinOwners(fixed(ofPerson.map((name) => `p.${name} AS p_${name}`).join(', ')));
  const columns = fixed(['w.app_id', 'w.account_id', ...ofAccount, ...ofPerson.map((name) => `p.p_${name}`)].join(', '));
  return joinSql(
    [
      ...(named.size === 0
        ? []
        : [
            sql`LEFT JOIN (SELECT ${columns} FROM ${holders.getAccounts()} w ${people} WHERE w.excluded_by = '' AND ${within('w')}) z
              ON z.app_id = h.app_id AND z.account_id = h.account_id`,
          ]),
      ...(/\by\./.test(text) ? [ofItem(tenantId, snapshotId, 'review_conflict_grants', 'y', within)] : []),
      ...(/\bx\./.test(text) ? [ofItem(tenantId, snapshotId, 'review_items', 'x', within)] : []),
    ],
    ' ',
  );
}

/** Conditions over items for whoever picks routes: the value of each by its number, and what is joined to the item `h` for them. */
export function getItemConditions(
  tenantId: string,
  snapshotId: string,
  holders: Holders,
  conditions: readonly { readonly number: number; readonly sql: Sql | undefined }[],
): ItemConditions | undefined {
  return conditions.length === 0
    ? undefined
    : {
        values: new Map(conditions.map(({ number, sql: value }) => [number, value ?? sql`(${number}::smallint = ANY (x.conditions))`])),
        getJoins: (within) => getItemJoinsSql(tenantId, snapshotId, holders, conditions, within),
      };
}
