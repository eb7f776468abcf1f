/**
 * Which module owns which table: only the stores of that module write it, everybody may read it (test/house.test.ts holds the code to it). A
 * module that wants a table of another one written calls that module's public interface. Nothing runs here.
 */

/** Each table of the schema, and its owner: a module of order.ts, or `jobs` and `db`, which are parts of the program beside the modules. */
export const owners: Readonly<Record<string, string>> = {
  schema_migrations: 'db',
  tenant_erasures: 'db',
  jobs: 'jobs',
  job_calls: 'jobs',

  tenants: 'tenants',
  tenant_hosts: 'tenants',
  tenant_counters: 'tenants',

  events: 'audit',
  logs: 'audit',
  log_leaves: 'audit',
  log_nodes: 'audit',
  log_seals: 'audit',
  log_reviews: 'audit',

  deliveries: 'deliveries',
  delivery_queue: 'deliveries',

  // Filled by triggers of the tables whose texts it holds.
  search_texts: 'search',
  search_renames: 'search',

  users: 'directory',
  user_roles: 'directory',
  delegations: 'directory',
  user_preferences: 'directory',
  // Filled by triggers of users.
  departures: 'directory',
  user_changes: 'directory',
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
  auth_configs: 'sessions',
  external_identities: 'sessions',

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
  inventory_revisions: 'ledger',

  sources: 'sources',

  directories: 'identity',

  access_profiles: 'access-profiles',
  access_profile_entitlements: 'access-profiles',

  syncs: 'syncs',
  sync_contents: 'syncs',

  scim_resources: 'scim',

  policies: 'policies',
  policy_references: 'policies',

  conflict_monitors: 'conflicts',
  conflict_entitlements: 'conflicts',
  conflict_alerts: 'conflicts',
  conflict_detections: 'conflicts',

  task_reviews: 'tasks',
  review_policy_versions: 'tasks',
  review_routes: 'tasks',
  task_assignments: 'tasks',
  task_assignment_members: 'tasks',
  task_subject_assignments: 'tasks',
  tasks: 'tasks',
  task_actions: 'tasks',
  submissions: 'tasks',
  pending_decisions: 'tasks',
  // Filled by triggers of the tables whose rows it counts.
  task_progress_changes: 'tasks',
  task_progress: 'tasks',

  // Filled by a trigger of tasks where an item is denied, and by the module.
  revocations: 'revocations',
  // Filled by triggers of the table whose states it keeps.
  revocation_changes: 'revocations',
  revocation_marks: 'revocations',

  reviews: 'reviews',
  review_owners: 'reviews',
  review_setup_entitlements: 'reviews',
  review_setup_resource_types: 'reviews',
  review_accounts: 'reviews',
  review_entitlements: 'reviews',
  review_policies: 'reviews',
  review_people: 'reviews',
  review_peers: 'reviews',
  review_reviewed: 'reviews',
  review_conflict_grants: 'reviews',
  review_items: 'reviews',
  review_digests: 'reviews',
  scope_entries: 'reviews',
  certified_until_ends: 'reviews',

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
