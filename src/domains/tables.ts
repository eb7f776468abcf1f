/**
 * Which module owns which table: only the stores of that module write it, everybody may read it (test/house.test.ts holds the code to it). A
 * module that wants a table of another one written calls that module's public interface. Nothing runs here.
 */

/** Each table of the schema, and its owner: a module of order.ts, or `jobs` and `db`, which are parts of the program beside the modules. */
export const owners: Readonly<Record<string, string>> = {
  schema_migrations: 'db',
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

  users: 'directory',
  user_roles: 'directory',
  delegations: 'directory',
  profile_attributes: 'directory',
  profile_values: 'directory',

  session_settings: 'credentials',
  personal_clients: 'credentials',
  assertion_uses: 'credentials',
  signing_keys: 'credentials',

  classification_values: 'classifications',

  apps: 'catalog',
  app_owners: 'catalog',
  resource_types: 'catalog',
  resources: 'catalog',
  resource_owners: 'catalog',
  entitlements: 'catalog',
  entitlement_owners: 'catalog',

  accounts: 'ledger',
  account_changes: 'ledger',
  grants: 'ledger',
  grant_changes: 'ledger',
  inventory_revisions: 'ledger',

  sources: 'sources',

  directories: 'identity',

  access_profiles: 'access-profiles',
  access_profile_entitlements: 'access-profiles',

  syncs: 'syncs',

  scim_resources: 'scim',

  policies: 'policies',

  task_reviews: 'tasks',
  task_assignments: 'tasks',
  task_assignment_members: 'tasks',
  task_subject_assignments: 'tasks',
  tasks: 'tasks',
  task_actions: 'tasks',
  submissions: 'tasks',

  reviews: 'reviews',
  review_owners: 'reviews',
  review_setup_entitlements: 'reviews',
  review_setup_resource_types: 'reviews',
  review_accounts: 'reviews',
  review_entitlements: 'reviews',
  review_policies: 'reviews',

  reports: 'reports',
  report_chunks: 'reports',
};
