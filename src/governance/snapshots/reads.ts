/**
 * Data other modules may read of what a review froze: a view for each interface, made by a migration, and functions. A column that is renamed in
 * its table keeps its name here. The columns are compared with the schema (test/schema.test.ts).
 */
import { type Sql, sql } from '../../lib/sql.ts';

/** `snapshot_accounts`: an account as a review froze it, with its owner. `review_accounts_pkey` answers by review, app and account. */
export interface SnapshotAccount {
  readonly tenant_id: string;
  readonly review_id: string;
  readonly app_id: string;
  readonly account_id: string;
  readonly external_id: string;
  readonly account_type: string;
  readonly account_status: string;
  readonly user_id: string | null;
  readonly user_email: string;
  readonly user_display_name: string;
  readonly user_status: string;
  readonly employment_status: string;
  readonly department: string;
  readonly job_title: string;
  readonly manager_id: string | null;
  readonly manager_email: string;
  readonly account_key: string;
  readonly owner_key: string;
  readonly conditions: readonly number[];
  readonly display_name: string;
  readonly email: string;
  readonly username: string;
  readonly employee_id: string;
  readonly profile: unknown;
  readonly access_profile_ids: readonly string[];
  readonly excluded_by: string;
  readonly is_external: boolean;
  readonly principal_kind: string;
  readonly owner_by_former_address: boolean;
}

/**
 * `snapshot_entitlements`: an entitlement as a review froze it, with its app and resource. `review_entitlements_pkey` answers by review,
 * app and entitlement.
 */
export interface SnapshotEntitlement {
  readonly tenant_id: string;
  readonly review_id: string;
  readonly app_id: string;
  readonly entitlement_id: string;
  readonly app_display_name: string;
  readonly resource_type_id: string;
  readonly resource_type_display_name: string;
  readonly resource_id: string;
  readonly resource_display_name: string;
  readonly display_name: string;
  readonly description: string;
  readonly policy_id: string;
  readonly place_key: string;
  readonly conditions: readonly number[];
  readonly is_app_access: boolean;
  readonly alias: string;
  readonly slug: string;
  readonly purpose: string;
  readonly risk_level_value_id: string;
  readonly compliance_framework_value_ids: readonly string[];
  readonly included_profile_ids: readonly string[];
  readonly excluded_profile_ids: readonly string[];
  readonly is_excluded: boolean;
  readonly is_carrier: boolean;
  readonly risk_level_display_name: string;
}

/** `snapshot_policies`: a policy as a review froze it. `review_policies_pkey` answers by review and policy. */
export interface SnapshotPolicy {
  readonly tenant_id: string;
  readonly review_id: string;
  readonly policy_id: string;
  readonly document: unknown;
  readonly is_root: boolean;
}

/** `snapshot_people`: a person as a review froze them, with what their peers are. `review_people_pkey` answers by review and person. */
export interface SnapshotPerson {
  readonly tenant_id: string;
  readonly review_id: string;
  readonly user_id: string;
  readonly email: string;
  readonly display_name: string;
  readonly username: string;
  readonly employee_id: string;
  readonly status: string;
  readonly user_type: string;
  readonly employment_status: string;
  readonly employment_type: string;
  readonly department: string;
  readonly job_title: string;
  readonly manager_id: string | null;
  readonly manager_email: string;
  readonly profile: unknown;
  readonly excluded_by: string;
  readonly peer_kind: number;
  readonly peer_group: number;
  readonly peers: number;
}

/**
 * `snapshot_peers`: the number of peers that hold an entitlement, as a review froze it. `review_peers_pkey` answers by review, app and
 * entitlement.
 */
export interface SnapshotPeers {
  readonly tenant_id: string;
  readonly review_id: string;
  readonly app_id: string;
  readonly entitlement_id: string;
  readonly peer_group: number;
  readonly holders: number;
}

/** `snapshot_items`: a grant as a review froze it. `review_items_pkey` answers by review and grant. */
export interface SnapshotItem {
  readonly tenant_id: string;
  readonly review_id: string;
  readonly app_id: string;
  readonly account_id: string;
  readonly entitlement_id: string;
  readonly granted_at: Date | null;
  readonly ends_at: Date | null;
  readonly conditions: readonly number[];
}

/**
 * `snapshot_conflicts`: the conflicts that a grant was part of when a review froze it. `review_conflict_grants_pkey` answers by review and
 * grant.
 */
export interface SnapshotConflict {
  readonly tenant_id: string;
  readonly review_id: string;
  readonly app_id: string;
  readonly account_id: string;
  readonly entitlement_id: string;
  readonly monitor_ids: readonly string[];
}

/** `snapshot_heads`: the event that recorded a snapshot. `review_snapshots_pkey` answers by review, `review_snapshots_by_event` by event. */
export interface SnapshotHead {
  readonly tenant_id: string;
  readonly review_id: string;
  readonly event_id: string;
  readonly revision: number;
  readonly taken_at: Date;
}

/**
 * `setup_entitlements`: an entitlement that the scope of a review names, with a policy of its own. `review_setup_entitlements_pkey`
 * answers by review and entitlement.
 */
export interface SetupEntitlement {
  readonly tenant_id: string;
  readonly review_id: string;
  readonly app_id: string;
  readonly entitlement_id: string;
  readonly custom_policy_id: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/**
 * Returns the condition that the entitlement `e` is in the snapshot of a review, or in what it is set up with; `review_entitlements_pkey` and
 * `review_setup_entitlements_pkey` answer.
 */
export function getIsInReviewSql(tenantId: string, id: string): Sql {
  return sql`(EXISTS (SELECT FROM review_entitlements r
      WHERE r.tenant_id = ${tenantId} AND r.review_id = ${id} AND r.app_id = e.app_id AND r.entitlement_id = e.id AND NOT r.is_excluded)
    OR EXISTS (SELECT FROM review_setup_entitlements s
      WHERE s.tenant_id = ${tenantId} AND s.review_id = ${id} AND s.app_id = e.app_id AND s.entitlement_id = e.id))`;
}
