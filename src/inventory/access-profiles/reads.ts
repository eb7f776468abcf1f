/**
 * Data other modules may read of the access profiles: a view for each interface, made by a migration. A column that is renamed in its table keeps
 * its name here. The columns are compared with the schema (test/schema.test.ts). Nothing runs here.
 */

/** `profiles_public`: an access profile, also one that is gone (`deleted_at`). `access_profiles_pkey` answers by id. */
export interface ProfilePublic {
  readonly tenant_id: string;
  readonly id: string;
  readonly display_name: string;
  readonly document: unknown;
  readonly deleted_at: Date | null;
}

/**
 * `profile_entitlements_public`: an entitlement in a part of an access profile. `access_profile_entitlements_pkey` answers by profile,
 * `access_profile_entitlements_by_entitlement` by entitlement.
 */
export interface ProfileEntitlement {
  readonly tenant_id: string;
  readonly profile_id: string;
  readonly part: string;
  readonly app_id: string;
  readonly entitlement_id: string;
}
