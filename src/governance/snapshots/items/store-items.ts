/**
 * SQL of the items of a snapshot: what its accounts held as of its revision, narrowed by the filters of grants. Preview, prepare and replay ask
 * through these pieces, so that they agree whatever was imported in between.
 */
import { allSql, empty, fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getCarryingConditionSql } from './store-inherit.ts';
import { getLinksAtSql } from './store-links.ts';
import type { HeldGrants } from './types-items.ts';

/** Accounts of a snapshot and their owners: what was frozen, or what would be frozen now. */
export interface Holders {
  /** Selects the accounts, in brackets, with the columns of `snapshot_accounts`; with ids only these accounts. */
  readonly getAccounts: (accountIds?: readonly string[]) => Sql;
  /** Selects their owners, in brackets, with the columns of `snapshot_people` that expressions read; maybe other people, too. */
  readonly people: Sql;
  /** Joins these columns of the owner `p` to the account `w`, as `p`. */
  readonly joinOwners: (columns: Sql) => Sql;
}

/** Returns the accounts and people that were frozen for a snapshot. */
export function getFrozenHolders(tenantId: string, snapshotId: string): Holders {
  return {
    getAccounts: (ids) => sql`(SELECT * FROM review_accounts f WHERE f.tenant_id = ${tenantId} AND f.review_id = ${snapshotId}
      ${ids === undefined ? empty : sql`AND f.account_id = ANY (${[...ids]}::text[])`})`,
    people: sql`(SELECT * FROM review_people f WHERE f.tenant_id = ${tenantId} AND f.review_id = ${snapshotId})`,
    // Looked up account by account: OFFSET 0 keeps it so.
    joinOwners: (columns) => sql`LEFT JOIN LATERAL (SELECT ${columns} FROM review_people p
      WHERE p.tenant_id = ${tenantId} AND p.review_id = ${snapshotId} AND p.user_id = w.user_id OFFSET 0) p ON true`,
  };
}

/** A snapshot, and what narrows its grants. */
export interface SnapshotItems {
  /** The review, or the id of a snapshot that is thrown away. */
  readonly id: string;
  /** The revision of the inventory that it is of. */
  readonly revision: number;
  /** The places of its accounts and their owners. */
  readonly holders: Holders;
  /** No revision after it can be seen: the inventory is held still, or all is read at one moment. */
  readonly isStill: boolean;
  /** Over the grant `g` of the account `c`. */
  readonly ofGrant: Sql;
  /** Over the grant `h`, with the columns of its account, of the entitlement `e`. */
  readonly ofEntitlement: Sql;
  /** Resources stand among its accounts. */
  readonly hasLinks: boolean;
  /** Some of the frozen entitlements are asked about only where they pass on an item. */
  readonly hasCarriers: boolean;
  /** Only grants that made a conflict are asked about. */
  readonly ofConflicts: boolean;
  /** Grants on the list of what is left out, as "account/entitlement". */
  readonly excludedGrants: readonly string[];
  /** The only ones that are asked about, as "account/entitlement"; none: all. */
  readonly listedGrants: readonly string[];
}

/** Condition that the grant `g` was held at a revision. */
const isHeldAt = (revision: number): Sql =>
  sql`g.added_revision <= ${revision} AND (g.removed_revision IS NULL OR g.removed_revision > ${revision})`;

const changing = ['granted_at', 'last_used_at', 'deprovision_at', 'paths'];

/**
 * The grants `g` of the account `c` as of a revision, with all they said then. What a later revision changed kept what it said before; that is
 * looked up only in apps that have a later revision, of which there are none while nothing was imported. A condition on `g` may follow it.
 */
export function getGrantsAtSql(tenantId: string, { revision, isStill }: Pick<SnapshotItems, 'revision' | 'isStill'>): Sql {
  const held = sql`g.tenant_id = ${tenantId} AND g.app_id = c.app_id AND g.account_id = c.account_id AND ${isHeldAt(revision)}`;
  if (isStill) {
    return sql`SELECT g.entitlement_id, g.created_at, g.added_revision, g.source_no, ${fixed(changing.map((column) => `g.${column}`).join(', '))} FROM grants_public g WHERE ${held}`;
  }
  const later = sql`SELECT v.app_id FROM revisions_public v WHERE v.tenant_id = ${tenantId} AND v.revision > ${revision}`;
  return sql`SELECT g.entitlement_id, g.created_at, g.added_revision, g.source_no,
      ${fixed(changing.map((column) => `CASE WHEN x.revision IS NULL THEN g.${column} ELSE x.${column} END AS ${column}`).join(', '))}
    FROM grants_public g
    LEFT JOIN LATERAL (
      SELECT y.revision, ${fixed(changing.map((column) => `y.${column}`).join(', '))} FROM grant_changes_public y
      WHERE EXISTS (${later}) AND c.app_id IN (${later})
        AND y.tenant_id = ${tenantId} AND y.app_id = c.app_id AND y.entitlement_id = g.entitlement_id AND y.account_id = c.account_id
        AND y.revision > ${revision} AND (g.removed_revision IS NULL OR y.revision < g.removed_revision)
      ORDER BY y.revision LIMIT 1) x ON true
    WHERE ${held}`;
}

/** Holdings of the principal `c` of a snapshot: its grants, or of a resource its links. */
const getHeldAt = (tenantId: string, items: SnapshotItems): Sql =>
  items.hasLinks
    ? sql`${getGrantsAtSql(tenantId, items)} UNION ALL ${getLinksAtSql(tenantId, items.revision)}`
    : getGrantsAtSql(tenantId, items);

const isUnlisted = ({ excludedGrants }: SnapshotItems): Sql =>
  excludedGrants.length === 0 ? sql`TRUE` : sql`c.account_id || '/' || g.entitlement_id <> ALL (${excludedGrants}::text[])`;

/** Condition that the grant `g` of the account `c` is among those that are asked about, where some are named. */
const isNamed = ({ listedGrants }: SnapshotItems): Sql =>
  listedGrants.length === 0 ? sql`TRUE` : sql`c.account_id || '/' || g.entitlement_id = ANY (${listedGrants}::text[])`;

/** Condition that the grant `g` of the account `c` is one that is asked about for this account. */
function isChosen(context: Context, items: SnapshotItems, conditions: readonly Sql[]): Sql {
  return sql`(${isNamed(items)} AND ${isOfChosen(context, items, conditions)})`;
}

/** Condition that the grant `g` of the account `c` is of a frozen entitlement that is asked about for this account. */
function isOfChosen(context: Context, items: SnapshotItems, conditions: readonly Sql[]): Sql {
  const { id: snapshotId, ofGrant, ofEntitlement } = items;
  const grants = getGrantsAtSql(context.tenantId, items);
  if (items.ofConflicts) {
    return sql`EXISTS (SELECT FROM review_conflict_grants w WHERE w.tenant_id = ${context.tenantId} AND w.review_id = ${snapshotId}
      AND w.app_id = c.app_id AND w.account_id = c.account_id AND w.entitlement_id = g.entitlement_id)`;
  }
  return items.hasCarriers
    ? getCarryingConditionSql(context, {
        snapshotId,
        grants,
        conditions: [isUnlisted(items), sql`(${ofGrant})`, sql`(${ofEntitlement})`, ...conditions],
      })
    : sql`TRUE`;
}

/** Returns what the accounts of a snapshot hold, as the module tasks wants it. */
export function getHeldGrants(context: Context, items: SnapshotItems): HeldGrants {
  const conditions = [isUnlisted(items), sql`(${items.ofGrant})`, isChosen(context, items, [])];
  return {
    grants: sql`SELECT g.* FROM (${getHeldAt(context.tenantId, items)} OFFSET 0) g WHERE ${allSql(conditions)}`,
    condition: items.ofEntitlement,
  };
}

/**
 * The grants `g` of the account `c` as of the snapshot, whether filters keep them or not: `is_chosen`, `is_listed` and `passes` say so. All accounts
 * are asked about, so where grants stand still they are joined in one pass; otherwise they are looked up account by account.
 */
export function getJudgedGrantsSql(context: Context, items: SnapshotItems): Sql {
  const byAccount = items.isStill && !items.hasLinks && !items.hasCarriers ? empty : fixed('OFFSET 0');
  return sql`SELECT g.entitlement_id, g.granted_at, g.created_at, g.last_used_at, g.deprovision_at, g.paths, g.added_revision,
      g.source_no, NOT (${isUnlisted(items)}) AS is_listed,
      (${items.ofGrant}) AS passes, ${isChosen(context, items, [sql`c.excluded_by = ''`])} AS is_chosen
    FROM (${getHeldAt(context.tenantId, items)} ${byAccount}) g ${byAccount}`;
}

/** The accounts of a snapshot whose grants are asked about, as `c`. */
const accountsOf = ({ holders }: SnapshotItems, accountIds?: readonly string[]): Sql =>
  sql`(SELECT a.app_id, a.account_id, a.principal_kind, a.user_id, a.access_profile_ids, a.conditions FROM ${holders.getAccounts(accountIds)} a
    WHERE a.excluded_by = '')`;

/**
 * The accounts of a snapshot whose grants are asked about with all they hold, as `h`, and its entitlement `e`; `joins` may add to it, and a condition
 * follow. With `accountIds` only these accounts are looked at.
 */
export function getItemRowsSql(context: Context, items: SnapshotItems, joins: Sql = empty, accountIds?: readonly string[]): Sql {
  const { tenantId } = context;
  const { grants, condition } = getHeldGrants(context, items);
  return sql`(SELECT c.*, h.entitlement_id, h.granted_at, h.created_at, h.deprovision_at, h.added_revision
      FROM (SELECT c.* FROM ${accountsOf(items, accountIds)} c OFFSET 0) c
      CROSS JOIN LATERAL (${grants} OFFSET 0) h OFFSET 0) h
    JOIN review_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = ${items.id} AND e.app_id = h.app_id
      AND e.entitlement_id = h.entitlement_id AND NOT e.is_excluded
    ${joins}
    WHERE (${condition})`;
}

/**
 * True if a snapshot has any item: stops at the first. The snapshot was made in this transaction, so the planner takes it for empty and would pair
 * every account with every entitlement first. Each OFFSET 0 holds it to the order account, its grants, their entitlement: one index look-up for
 * each.
 */
export function hasItems(context: Context, items: SnapshotItems): Promise<boolean> {
  const { db, tenantId } = context;
  const { grants, condition } = getHeldGrants(context, items);
  return db.value<boolean>(
    sql`SELECT EXISTS (
    SELECT FROM (SELECT c.*, h.entitlement_id FROM ${accountsOf(items)} c CROSS JOIN LATERAL (${grants} OFFSET 0) h) h
    CROSS JOIN LATERAL (
      SELECT e.included_profile_ids, e.excluded_profile_ids FROM review_entitlements e
      WHERE e.tenant_id = ${tenantId} AND e.review_id = ${items.id} AND e.app_id = h.app_id AND e.entitlement_id = h.entitlement_id
        AND NOT e.is_excluded OFFSET 0) e
    WHERE ${condition}) AS found`,
  );
}
