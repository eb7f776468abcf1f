/**
 * Data other modules may read of the ledger: a view for each interface, made by a migration. A column that is renamed in its table keeps its name
 * here. The columns are compared with the schema (test/schema.test.ts). Nothing runs here.
 */

/**
 * `accounts_public`: an account, also one that is gone (`deleted_at`). `accounts_pkey` answers by app and id, `accounts_by_id` by id
 * alone, `accounts_by_user` by owner.
 */
export interface AccountPublic {
  readonly tenant_id: string;
  readonly app_id: string;
  readonly id: string;
  readonly external_id: string;
  readonly display_name: string;
  readonly email: string;
  readonly email_domain: string;
  readonly username: string;
  readonly employee_id: string;
  readonly email_key: string;
  readonly username_key: string;
  readonly user_id: string | null;
  readonly owner_by_hand: boolean;
  readonly type_by_hand: boolean;
  readonly match_count: number;
  readonly source_no: number;
  readonly added_revision: number;
  readonly account_type: string;
  readonly status: string;
  readonly profile: unknown;
  readonly search_text: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  /** The key of `external_id`: two are the same where this is; `accounts_by_key` answers by app. */
  readonly external_key: string;
  /** What names that look the same have in common; `accounts_by_look` answers for those that are there. */
  readonly look_alike_key: string;
  /** The account that it goes on as, which has its name, too; null for none. */
  readonly merged_into_id: string | null;
  /** True if its owner was found by an address that they had before. */
  readonly owner_by_former_address: boolean;
}

/**
 * `grants_public`: a grant as it was from `added_revision` on, until `removed_revision`: also those that are over. `grants_pkey` answers
 * by entitlement, `grants_by_account` by account, `grants_by_addition` and `grants_by_removal` by revision.
 */
export interface GrantPublic {
  readonly tenant_id: string;
  readonly app_id: string;
  readonly entitlement_id: string;
  readonly account_id: string;
  readonly added_revision: number;
  readonly removed_revision: number | null;
  readonly source_no: number;
  readonly is_derived: boolean;
  readonly granted_at: Date | null;
  readonly last_used_at: Date | null;
  readonly deprovision_at: Date | null;
  readonly paths: unknown;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly ended_at: Date | null;
}

/** `grants_held`: a grant that is held now. `grants_open` answers by entitlement, `grants_by_account` by account. */
export interface GrantHeld {
  readonly tenant_id: string;
  readonly app_id: string;
  readonly entitlement_id: string;
  readonly account_id: string;
  readonly added_revision: number;
  readonly source_no: number;
  readonly is_derived: boolean;
  readonly granted_at: Date | null;
  readonly last_used_at: Date | null;
  readonly deprovision_at: Date | null;
  readonly paths: unknown;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/**
 * `links_public`: an entitlement that gives another one, from `added_revision` on, until `removed_revision`: also those that are over.
 * `entitlement_links_pkey` answers by what gives, `entitlement_links_by_target` by what is given, `entitlement_links_by_removal` by
 * revision.
 */
export interface LinkPublic {
  readonly tenant_id: string;
  readonly app_id: string;
  readonly from_entitlement_id: string;
  readonly to_entitlement_id: string;
  readonly added_revision: number;
  readonly removed_revision: number | null;
}

/** `source_links_public`: a link that a source tells of by itself; `source_links_pkey` answers by source. */
export interface SourceLinkPublic {
  readonly tenant_id: string;
  readonly app_id: string;
  readonly source_no: number;
  readonly from_entitlement_id: string;
  readonly to_entitlement_id: string;
}

/**
 * `revisions_public`: a change of the access in an app: when, by whom and through what. `inventory_revisions_pkey` answers by number,
 * `inventory_revisions_by_app` by app, `inventory_revisions_by_time` by time.
 */
export interface RevisionPublic {
  readonly tenant_id: string;
  readonly revision: number;
  readonly app_id: string;
  readonly cause: string;
  readonly sync_id: string;
  readonly actor_id: string;
  readonly made_at: Date;
}

/**
 * `account_changes_public`: an account as it was before a revision changed it. `account_changes_pkey` answers by account,
 * `account_changes_by_revision` by revision.
 */
export interface AccountChange {
  readonly tenant_id: string;
  readonly app_id: string;
  readonly account_id: string;
  readonly revision: number;
  readonly before: unknown;
}

/**
 * `grant_changes_public`: a grant as it was before a revision changed it. `grant_changes_pkey` answers by grant,
 * `grant_changes_by_revision` by revision.
 */
export interface GrantChange {
  readonly tenant_id: string;
  readonly app_id: string;
  readonly entitlement_id: string;
  readonly account_id: string;
  readonly revision: number;
  readonly granted_at: Date | null;
  readonly last_used_at: Date | null;
  readonly deprovision_at: Date | null;
  readonly paths: unknown;
}
