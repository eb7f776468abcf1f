/**
 * Module that owns each table: only the stores of that module write it (test/house.test.ts holds the code to it). A module that wants a table of
 * another one written or read calls that module's public interface; clauses that read it all the same are counted. Nothing runs here.
 */

/** Each table of the schema, and its owner: a module of order.ts, or `jobs` and `db`, which are parts of the program beside the modules. */
export const owners: Readonly<Record<string, string>> = {
  schema_migrations: 'db',
  tenant_erasures: 'db',
  jobs: 'jobs',

  tenants: 'tenants',
  tenant_hosts: 'tenants',
  tenant_counters: 'tenants',
  tenant_keys: 'tenants',

  rate_windows: 'rates',

  events: 'audit',
  logs: 'audit',
  log_leaves: 'audit',
  log_nodes: 'audit',
  log_seals: 'audit',
  log_reviews: 'audit',
  log_keys: 'audit',

  log_checkpoints: 'log-proofs',
  log_settings: 'log-proofs',
  log_checks: 'log-proofs',
  log_anchors: 'log-proofs',

  deliveries: 'deliveries',

  // Filled by triggers of the tables whose texts it holds.
  search_texts: 'search',
  search_renames: 'search',

  users: 'directory',
  user_roles: 'directory',
  delegations: 'directory',
  user_preferences: 'directory',
  // Filled by triggers of users.
  departures: 'directory',
  suspensions: 'directory',
  user_changes: 'directory',
  former_words: 'directory',
  profile_attributes: 'directory',
  profile_values: 'directory',
  people_watch: 'directory',
  people_changes: 'directory',

  session_settings: 'credentials',
  personal_clients: 'credentials',
  assertion_uses: 'credentials',
  signing_keys: 'credentials',

  sessions: 'sessions',
  session_limits: 'sessions',
  sign_in_links: 'sessions',
  sign_in_states: 'sessions',
  device_grants: 'sessions',
  auth_configs: 'sessions',
  external_identities: 'sessions',
  mail_sign_in_settings: 'sessions',
  // Filled by a trigger of users.
  address_changes: 'sessions',

  step_up_providers: 'signatures',
  step_up_transactions: 'signatures',
  signatures: 'signatures',
  second_person_requests: 'second-persons',

  legal_holds: 'holds',

  classification_values: 'classifications',

  apps: 'catalog',
  app_owners: 'catalog',
  resource_types: 'catalog',
  resources: 'catalog',
  resource_owners: 'catalog',
  entitlements: 'catalog',
  entitlement_owners: 'catalog',
  account_owners: 'catalog',
  source_owners: 'catalog',
  user_owners: 'catalog',
  owner_entitlements: 'catalog',

  accounts: 'ledger',
  account_changes: 'ledger',
  grants: 'ledger',
  grant_changes: 'ledger',
  entitlement_links: 'ledger',
  source_links: 'ledger',
  inventory_revisions: 'ledger',

  sources: 'sources',
  source_secrets: 'sources',
  source_hosts: 'connector-tasks',
  connector_tasks: 'connector-tasks',

  directories: 'identity',

  access_profiles: 'access-profiles',
  access_profile_entitlements: 'access-profiles',

  syncs: 'syncs',
  sync_contents: 'syncs',

  fetches: 'fetches',
  fetch_rows: 'fetches',
  source_files: 'fetches',

  person_records: 'people',

  person_sources: 'person-claims',
  person_claims: 'person-claims',

  scim_resources: 'scim',

  policies: 'policies',
  policy_references: 'policies',

  conflict_monitors: 'conflicts',
  conflict_entitlements: 'conflicts',
  conflict_alerts: 'conflicts',
  conflict_detections: 'conflicts',

  review_setup_entitlements: 'snapshots',
  review_setup_resource_types: 'snapshots',
  review_accounts: 'snapshots',
  review_entitlements: 'snapshots',
  review_policies: 'snapshots',
  review_people: 'snapshots',
  review_peers: 'snapshots',
  review_reviewed: 'snapshots',
  review_conflict_grants: 'snapshots',
  review_items: 'snapshots',
  review_digests: 'snapshots',
  review_snapshots: 'snapshots',
  review_verdicts: 'snapshots',
  review_sources: 'snapshots',
  review_source_changes: 'snapshots',
  review_unchosen: 'snapshots',
  scope_entries: 'snapshots',

  task_reviews: 'tasks',
  review_policy_versions: 'tasks',
  review_routes: 'tasks',
  task_assignments: 'tasks',
  task_assignment_members: 'tasks',
  task_subject_assignments: 'tasks',
  tasks: 'tasks',
  task_numbers: 'tasks',
  task_actions: 'tasks',
  submissions: 'tasks',
  pending_decisions: 'tasks',
  pending_lists: 'tasks',
  // Filled by triggers of the tables whose rows it counts.
  task_progress_changes: 'tasks',
  task_progress: 'tasks',

  // Filled by a trigger of tasks where an item is denied, and by the module.
  revocations: 'revocations',
  // Filled by triggers of the table whose states it keeps.
  revocation_changes: 'revocations',
  revocation_marks: 'revocations',
  removal_sendings: 'revocations',

  reviews: 'reviews',
  review_owners: 'reviews',
  certified_until_ends: 'reviews',
  review_arrivals: 'reviews',

  review_templates: 'templates',
  template_owners: 'templates',
  template_entitlements: 'templates',
  template_resource_types: 'templates',
  template_occurrences: 'templates',
  template_triggered: 'templates',

  roll_forwards: 'roll-forwards',
  roll_forward_lines: 'roll-forwards',

  samples: 'samples',

  second_reviews: 'second-reviews',
  second_review_items: 'second-reviews',

  retention_settings: 'reports',
  reports: 'reports',
  report_chunks: 'reports',

  mails: 'notifications',
  mail_outbox: 'notifications',
  mail_reminders: 'notifications',
  mail_pace: 'notifications',
  notification_settings: 'notifications',
  email_providers: 'notifications',
};
