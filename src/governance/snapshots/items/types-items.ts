/** The items of a snapshot, as those who make something of them see them: pieces of SQL over its accounts and what these hold. */
import type { Sql } from '../../../lib/sql.ts';

/**
 * Holder of what is asked about (`tasks.principal_kind`, `review_accounts.principal_kind`, `review_digests.principal_kind`,
 * `revocations.principal_kind`): an account, or a resource that passes an entitlement on.
 */
export type PrincipalKind = 'A' | 'R';

/** Place of a piece of work over a snapshot: behind this account of this app. */
export interface AccountKey {
  readonly appId: string;
  readonly accountId: string;
}

/** Narrows the rows of this alias, which have an app and an account, to some accounts. */
export type Within = (alias: string) => Sql;

/** Conditions that read an item as a whole. */
export interface ItemConditions {
  /** Each by its number: true, false, or NULL where it fails. */
  readonly values: ReadonlyMap<number, Sql>;
  /** Joins to the item `h` and its entitlement `e` for them; accounts that are not within are not looked for. */
  readonly getJoins: (within: Within) => Sql;
}

/** Holdings of the accounts of a snapshot, and which of them become tasks, as pieces of SQL. */
export interface HeldGrants {
  /**
   * Selects the grants of the account `c` of the snapshot (its app_id, account_id, principal_kind, user_id and access_profile_ids) as of the snapshot:
   * `entitlement_id`, `granted_at`, `created_at`, `last_used_at`, `deprovision_at`, `paths` and `added_revision`.
   */
  readonly grants: Sql;
  /** Narrows them further by the frozen entitlement `e` of a grant `h`, which also has the columns of its account. */
  readonly condition: Sql;
  /** The conditions of policies that read a grant `h`, its account and its entitlement `e` together; undefined for none. */
  readonly conditions?: ItemConditions | undefined;
}
