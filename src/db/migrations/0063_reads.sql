-- Reads of other modules' tables: views with the columns that others may rely on. The tables may change behind them. The planner
-- sees through each, since it is one SELECT of one table; row-level security is that of who reads. What each promises is told by the reads.ts
-- of its module.

CREATE VIEW tenants_public WITH (security_invoker = true) AS
SELECT tenant_id, display_name, issued_credentials_allowed, created_at, deleted_at, issued_answers
FROM tenants;

CREATE VIEW users_public WITH (security_invoker = true) AS
SELECT tenant_id, id, email, email_key, email_domain, display_name, status, user_type, username, username_key, employee_id, external_id,
  employment_status, employment_type, department, job_title, manager_id, profile, source, search_text, created_at, updated_at, deleted_at,
  maker_id
FROM users;

CREATE VIEW roles_held WITH (security_invoker = true) AS
SELECT tenant_id, user_id, role_id, created_at
FROM user_roles;

CREATE VIEW delegations_set WITH (security_invoker = true) AS
SELECT tenant_id, user_id, delegated_user_id, starts_at, expires_at, created_at, updated_at
FROM delegations;

CREATE VIEW departures_known WITH (security_invoker = true) AS
SELECT tenant_id, user_id, left_at, returned_at
FROM departures;

CREATE VIEW classifications_public WITH (security_invoker = true) AS
SELECT tenant_id, id, attribute_type_id, value, created_at, deleted_at
FROM classification_values;

CREATE VIEW apps_public WITH (security_invoker = true) AS
SELECT tenant_id, id, display_name, name_key, certify_policy_id, document, search_text, created_at, updated_at, deleted_at
FROM apps;

CREATE VIEW resource_types_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, external_id, display_name, trait_ids, created_at, updated_at, deleted_at
FROM resource_types;

CREATE VIEW resources_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, resource_type_id, external_id, display_name, document, created_at, updated_at, deleted_at, parent_id
FROM resources;

CREATE VIEW entitlements_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, resource_type_id, resource_id, external_id, is_app_access, display_name, description, certify_policy_id,
  alias, slug, purpose, risk_level_value_id, compliance_framework_value_ids, is_manual, source_no, document, grant_count, search_text,
  created_at, updated_at, deleted_at, last_used_at
FROM entitlements;

CREATE VIEW accounts_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, external_id, display_name, email, email_domain, username, employee_id, email_key, username_key, user_id,
  owner_by_hand, type_by_hand, match_count, source_no, added_revision, account_type, status, profile, search_text, created_at, updated_at,
  deleted_at
FROM accounts;

CREATE VIEW grants_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, entitlement_id, account_id, added_revision, removed_revision, source_no, is_derived, granted_at, last_used_at,
  deprovision_at, paths, created_at, updated_at, ended_at
FROM grants;

CREATE VIEW grants_held WITH (security_invoker = true) AS
SELECT tenant_id, app_id, entitlement_id, account_id, added_revision, source_no, is_derived, granted_at, last_used_at, deprovision_at,
  paths, created_at, updated_at
FROM grants
WHERE removed_revision IS NULL;

CREATE VIEW links_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, from_entitlement_id, to_entitlement_id, added_revision, removed_revision
FROM entitlement_links;

CREATE VIEW revisions_public WITH (security_invoker = true) AS
SELECT tenant_id, revision, app_id, cause, sync_id, actor_id, made_at
FROM inventory_revisions;

CREATE VIEW account_changes_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, account_id, revision, before
FROM account_changes;

CREATE VIEW grant_changes_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, entitlement_id, account_id, revision, granted_at, last_used_at, deprovision_at, paths
FROM grant_changes;

CREATE VIEW sources_public WITH (security_invoker = true) AS
SELECT tenant_id, id, app_id, source_no, kind, display_name, name_key, description, document, column_mapping, match_order, scim_token_hash,
  paused_at, created_at, updated_at, deleted_at
FROM sources;

CREATE VIEW profiles_public WITH (security_invoker = true) AS
SELECT tenant_id, id, display_name, document, deleted_at
FROM access_profiles;

CREATE VIEW profile_entitlements_public WITH (security_invoker = true) AS
SELECT tenant_id, profile_id, part, app_id, entitlement_id
FROM access_profile_entitlements;

CREATE VIEW syncs_public WITH (security_invoker = true) AS
SELECT tenant_id, id, kind, state, source, source_id, app_id, previous_id, revision, rows, changed, removed, error, created_by_id,
  started_at, ended_at, created_at, reading
FROM syncs;

CREATE VIEW policies_public WITH (security_invoker = true) AS
SELECT tenant_id, id, display_name, policy_type, document, created_at, updated_at, deleted_at
FROM policies;

CREATE VIEW monitors_public WITH (security_invoker = true) AS
SELECT tenant_id, id, display_name, description, enabled, negate_group_b, notification_config, created_at, updated_at, deleted_at
FROM conflict_monitors;

CREATE VIEW alerts_public WITH (security_invoker = true) AS
SELECT tenant_id, id, monitor_id, principal, user_id, app_id, account_id, state, entitlements, activated_at, change_id
FROM conflict_alerts;

CREATE VIEW snapshot_accounts WITH (security_invoker = true) AS
SELECT tenant_id, review_id, app_id, account_id, external_id, account_type, account_status, user_id, user_email, user_display_name,
  user_status, employment_status, department, job_title, manager_id, manager_email, account_key, owner_key, conditions, display_name,
  email, username, employee_id, profile, access_profile_ids, excluded_by, is_external, principal_kind
FROM review_accounts;

CREATE VIEW snapshot_entitlements WITH (security_invoker = true) AS
SELECT tenant_id, review_id, app_id, entitlement_id, app_display_name, resource_type_id, resource_type_display_name, resource_id,
  resource_display_name, display_name, description, policy_id, place_key, conditions, is_app_access, alias, slug, purpose,
  risk_level_value_id, compliance_framework_value_ids, included_profile_ids, excluded_profile_ids, is_excluded, is_carrier,
  risk_level_display_name
FROM review_entitlements;

CREATE VIEW snapshot_policies WITH (security_invoker = true) AS
SELECT tenant_id, review_id, policy_id, document, is_root
FROM review_policies;

CREATE VIEW snapshot_people WITH (security_invoker = true) AS
SELECT tenant_id, review_id, user_id, email, display_name, username, employee_id, status, user_type, employment_status, employment_type,
  department, job_title, manager_id, manager_email, profile, excluded_by, peer_kind, peer_group, peers
FROM review_people;

CREATE VIEW snapshot_peers WITH (security_invoker = true) AS
SELECT tenant_id, review_id, app_id, entitlement_id, peer_group, holders
FROM review_peers;

CREATE VIEW snapshot_items WITH (security_invoker = true) AS
SELECT tenant_id, review_id, app_id, account_id, entitlement_id, granted_at, ends_at, conditions
FROM review_items;

CREATE VIEW snapshot_conflicts WITH (security_invoker = true) AS
SELECT tenant_id, review_id, app_id, account_id, entitlement_id, monitor_ids
FROM review_conflict_grants;

CREATE VIEW setup_entitlements WITH (security_invoker = true) AS
SELECT tenant_id, review_id, app_id, entitlement_id, custom_policy_id, created_at, updated_at
FROM review_setup_entitlements;

CREATE VIEW tasks_public WITH (security_invoker = true) AS
SELECT tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, user_id, policy_id, step, assignment_id, granted_at,
  last_used_at, state, outcome, end_reason, decided_by_id, decided_issuer_id, ended_at, created_at, updated_at, route_no, certify_until,
  score, flags, peers, principal_kind
FROM tasks;

CREATE VIEW task_reviews_public WITH (security_invoker = true) AS
SELECT tenant_id, id, state, manager_ids, created_at, updated_at, kind
FROM task_reviews;

CREATE VIEW assignments_public WITH (security_invoker = true) AS
SELECT tenant_id, id, review_id, user_ids, reason, is_fallback, created_at
FROM task_assignments;

CREATE VIEW assignees_public WITH (security_invoker = true) AS
SELECT tenant_id, user_id, assignment_id, review_id
FROM task_assignment_members;

CREATE VIEW task_actions_public WITH (security_invoker = true) AS
SELECT tenant_id, task_id, id, review_id, kind, step, actor_id, issuer_id, comment, data, submission_id, created_at
FROM task_actions;

CREATE VIEW routes_public WITH (security_invoker = true) AS
SELECT tenant_id, review_id, route_no, document, created_at
FROM review_routes;

CREATE VIEW revocations_public WITH (security_invoker = true) AS
SELECT tenant_id, id, review_id, certify_task_id, revoke_task_id, app_id, entitlement_id, account_id, user_id, state, state_at, actor_id,
  sync_id, revision, note, source_no, requested_at, started_at, due_at, overdue_count, claimed_by_id, created_at, updated_at,
  principal_kind, requested_by_id, description, claimed_issuer_id, actor_issuer_id
FROM revocations;

CREATE VIEW reviews_public WITH (security_invoker = true) AS
SELECT tenant_id, id, state, closing, document, created_by_id, prepared_revision, sources_frozen_at, started_at, closed_at, created_at,
  updated_at, deleted_at, next_at, template_id, independence
FROM reviews;

CREATE VIEW review_owners_public WITH (security_invoker = true) AS
SELECT tenant_id, review_id, user_id, created_at
FROM review_owners;
