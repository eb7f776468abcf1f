-- The first schema. Every table begins its primary key with tenant_id, so that it can be spread by tenant; every tenant table is under
-- forced row-level security (see the end). Outside stand only: tenants, tenant_hosts, jobs and schema_migrations.
-- Identifiers are 27 characters of [0-9A-Za-z], sortable by time of creation, compared byte by byte (COLLATE "C").

-- The tenant of this connection. Raises where none is set: a policy that compared with nothing would silently see nothing.
CREATE FUNCTION current_tenant_id() RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE value text := current_setting('countersign.tenant_id', true);
BEGIN
  IF value IS NULL OR value = '' THEN
    RAISE EXCEPTION 'no tenant is set on this connection' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN value;
END $$;

-- The last 8 characters of an identifier made in bulk: a prefix made once per statement, then this counter.
CREATE FUNCTION id_suffix(counter bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN lpad(counter::text, 8, '0');

CREATE FUNCTION task_assignment_id(batch_id text, reason text, user_ids text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN left(encode(sha256((batch_id || '/' || reason || '/' || array_to_string(user_ids, ','))::bytea), 'hex'), 27);

-- Foundation ---------------------------------------------------------------------------------------------------------------------

CREATE TABLE tenants (
  tenant_id text COLLATE "C" PRIMARY KEY,
  display_name text NOT NULL,
  -- 32 random bytes; keys for page tokens and signed links are derived from it.
  secret bytea NOT NULL,
  issued_credentials_allowed boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);

CREATE TABLE tenant_hosts (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  -- Lower-case, with its port where the client's Host header carries one.
  host text NOT NULL PRIMARY KEY,
  created_at timestamptz NOT NULL
);
CREATE INDEX tenant_hosts_by_tenant ON tenant_hosts (tenant_id);

CREATE TABLE jobs (
  id text COLLATE "C" PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  state text NOT NULL DEFAULT 'WAITING' CHECK (state IN ('WAITING', 'DONE', 'FAILED')),
  cursor jsonb NOT NULL DEFAULT '{}',
  done bigint NOT NULL DEFAULT 0,
  total bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  error text NOT NULL DEFAULT '',
  run_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX jobs_one_waiting ON jobs (tenant_id, kind, subject_id) WHERE state = 'WAITING';
CREATE INDEX jobs_due ON jobs (run_at) WHERE state = 'WAITING';
CREATE INDEX jobs_by_subject ON jobs (tenant_id, subject_id, created_at);

-- Numbers that count up per tenant: the inventory's revision, the tasks' numericId.
CREATE TABLE tenant_counters (
  tenant_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  value bigint NOT NULL,
  PRIMARY KEY (tenant_id, name)
);

-- One row per change, written in the transaction of the change: audit record, evidence and outbox at once.
CREATE TABLE events (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  occurred_at timestamptz NOT NULL,
  kind text NOT NULL,
  actor_kind text NOT NULL,
  actor_id text COLLATE "C" NOT NULL DEFAULT '',
  credential_id text COLLATE "C" NOT NULL DEFAULT '',
  -- Who issued the credential, where that was somebody else than its holder.
  issuer_id text COLLATE "C" NOT NULL DEFAULT '',
  source_ip text NOT NULL DEFAULT '',
  request_id text NOT NULL DEFAULT '',
  target_type text NOT NULL DEFAULT '',
  target_id text COLLATE "C" NOT NULL DEFAULT '',
  data jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX events_by_target ON events (tenant_id, target_id, id) WHERE target_id <> '';

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE users (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  -- Lower-case address: the key of people imports.
  email_key text COLLATE "C" NOT NULL,
  display_name text NOT NULL DEFAULT '',
  status text NOT NULL DEFAULT 'ENABLED' CHECK (status IN ('ENABLED', 'DISABLED', 'DELETED')),
  employment_status text NOT NULL DEFAULT '',
  department text NOT NULL DEFAULT '',
  job_title text NOT NULL DEFAULT '',
  manager_id text COLLATE "C",
  profile jsonb NOT NULL DEFAULT '{}',
  -- The people source that delivers this person; empty for the first administrator and people made by hand.
  source text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX users_by_email ON users (tenant_id, email_key);
CREATE INDEX users_by_manager ON users (tenant_id, manager_id) WHERE manager_id IS NOT NULL;
CREATE INDEX users_by_source ON users (tenant_id, source);

-- Roles beyond Basic User, which everybody holds and nobody's row says.
CREATE TABLE user_roles (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  role_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, role_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE INDEX user_roles_by_role ON user_roles (tenant_id, role_id, user_id);

CREATE TABLE personal_clients (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  issuer_id text COLLATE "C" NOT NULL DEFAULT '',
  display_name text NOT NULL,
  -- The public half of the Ed25519 key, base64url; the private half is shown once and never kept.
  public_key text NOT NULL,
  scoped_roles text[] NOT NULL DEFAULT '{}',
  allow_source_cidr text[] NOT NULL DEFAULT '{}',
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE UNIQUE INDEX personal_clients_by_client_id ON personal_clients (tenant_id, client_id);
CREATE INDEX personal_clients_by_user ON personal_clients (tenant_id, user_id, id);

-- Client assertions already used (RFC 7523 section 3, point 7), remembered until they expire.
CREATE TABLE assertion_uses (
  tenant_id text COLLATE "C" NOT NULL,
  -- SHA-256 over client id and jti, or over the whole assertion where it has no jti.
  digest bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, digest)
);
CREATE INDEX assertion_uses_by_expiry ON assertion_uses (tenant_id, expires_at);

CREATE TABLE signing_keys (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  public_jwk jsonb NOT NULL,
  private_jwk jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  -- From then on it signs nothing new.
  retired_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);

-- Inventory ----------------------------------------------------------------------------------------------------------------------

CREATE TABLE apps (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  name_key text NOT NULL,
  certify_policy_id text COLLATE "C" NOT NULL DEFAULT '',
  -- The other writable members of the App message, as sent.
  document jsonb NOT NULL DEFAULT '{}',
  -- Accounts that are not deleted; kept by imports, since counting a million for a page of apps takes too long.
  user_count bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX apps_by_name ON apps (tenant_id, name_key) WHERE deleted_at IS NULL;

CREATE TABLE app_owners (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, app_id, user_id),
  FOREIGN KEY (tenant_id, app_id) REFERENCES apps,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE INDEX app_owners_by_user ON app_owners (tenant_id, user_id);

CREATE TABLE resource_types (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- The name under which the source knows it: the key of imports.
  external_id text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, app_id, id)
);
CREATE UNIQUE INDEX resource_types_by_external_id ON resource_types (tenant_id, app_id, external_id);
CREATE UNIQUE INDEX resource_types_by_id ON resource_types (tenant_id, id);

CREATE TABLE resources (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  resource_type_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, app_id, id)
);
CREATE UNIQUE INDEX resources_by_external_id ON resources (tenant_id, app_id, resource_type_id, external_id);
CREATE UNIQUE INDEX resources_by_id ON resources (tenant_id, id);
CREATE INDEX resources_by_type ON resources (tenant_id, app_id, resource_type_id, id);

CREATE TABLE entitlements (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- Both empty for the app's built-in entitlement, app access, which each of its accounts holds.
  resource_type_id text COLLATE "C" NOT NULL DEFAULT '',
  resource_id text COLLATE "C" NOT NULL DEFAULT '',
  external_id text COLLATE "C" NOT NULL,
  is_app_access boolean NOT NULL DEFAULT false,
  display_name text NOT NULL,
  description text NOT NULL DEFAULT '',
  certify_policy_id text COLLATE "C" NOT NULL DEFAULT '',
  -- Open grants; kept by imports.
  grant_count bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, app_id, id)
);
CREATE UNIQUE INDEX entitlements_by_external_id ON entitlements (tenant_id, app_id, resource_id, external_id);
CREATE UNIQUE INDEX entitlements_by_id ON entitlements (tenant_id, id);
CREATE UNIQUE INDEX entitlements_app_access ON entitlements (tenant_id, app_id) WHERE is_app_access;
CREATE INDEX entitlements_by_resource_type ON entitlements (tenant_id, app_id, resource_type_id, id);

CREATE TABLE accounts (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  display_name text NOT NULL DEFAULT '',
  email text NOT NULL DEFAULT '',
  -- Its owner; null where nobody owns it.
  user_id text COLLATE "C",
  account_type text NOT NULL DEFAULT 'USER' CHECK (account_type IN ('USER', 'SERVICE_ACCOUNT', 'SYSTEM_ACCOUNT')),
  status text NOT NULL DEFAULT 'ENABLED' CHECK (status IN ('ENABLED', 'DISABLED', 'DELETED')),
  profile jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, app_id, id)
);
CREATE UNIQUE INDEX accounts_by_external_id ON accounts (tenant_id, app_id, external_id);
CREATE UNIQUE INDEX accounts_by_id ON accounts (tenant_id, id);
CREATE INDEX accounts_by_user ON accounts (tenant_id, user_id, app_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX accounts_unowned ON accounts (tenant_id, id) WHERE user_id IS NULL;

-- Who holds what, with history: a row lives from added_revision (inclusive) to removed_revision (exclusive) of the tenant's inventory.
-- Every transaction that touches grants takes the tenant's next revision under its lock, so "as of revision N" is one fixed set of rows.
CREATE TABLE grants (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  added_revision bigint NOT NULL,
  removed_revision bigint,
  -- As the source says; null where it does not.
  granted_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, app_id, entitlement_id, account_id, added_revision)
);
CREATE INDEX grants_by_account ON grants (tenant_id, app_id, account_id);

CREATE TABLE imports (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('PEOPLE', 'GRANTS')),
  source text NOT NULL,
  app_id text COLLATE "C" NOT NULL DEFAULT '',
  file_sha256 text NOT NULL,
  -- The inventory revision it made; null for people.
  revision bigint,
  rows bigint NOT NULL,
  added bigint NOT NULL,
  changed bigint NOT NULL,
  removed bigint NOT NULL,
  unchanged bigint NOT NULL,
  warning_count bigint NOT NULL,
  warnings jsonb NOT NULL DEFAULT '[]',
  created_by_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX imports_by_app ON imports (tenant_id, app_id, id) WHERE app_id <> '';

-- Governance ---------------------------------------------------------------------------------------------------------------------

CREATE TABLE policies (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  policy_type text NOT NULL,
  system_builtin boolean NOT NULL DEFAULT false,
  -- The writable members of the Policy message, as sent.
  document jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX policies_builtin ON policies (tenant_id, policy_type) WHERE system_builtin;

-- A batch is the tasks that were made together: its id is the review's. It alone says whether its tasks are shown and decided.
CREATE TABLE task_batches (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  state text NOT NULL DEFAULT 'HIDDEN' CHECK (state IN ('HIDDEN', 'OPEN', 'CLOSING', 'CLOSED', 'CANCELLED')),
  -- People who may see and decide every task of the batch.
  manager_ids text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);

-- A set of people who may decide, shared by all tasks of a batch that ask the same people for the same reason. Its id is a digest of
-- batch, reason and people, so that the same set is one row and is found without being looked up.
CREATE TABLE task_assignments (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  user_ids text[] NOT NULL,
  -- MANAGER, APP_OWNERS, USERS, SELF, FALLBACK_USERS, FALLBACK_APP_OWNERS, REVIEW_OWNERS, ADMINISTRATORS, REASSIGNED, HANDED_OVER
  reason text NOT NULL,
  is_fallback boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX task_assignments_by_batch ON task_assignments (tenant_id, batch_id);

CREATE TABLE task_assignment_members (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  assignment_id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, user_id, assignment_id)
);
CREATE INDEX task_assignment_members_by_assignment ON task_assignment_members (tenant_id, assignment_id);

-- Who is asked first about each person's access to each app, under each policy of a batch: bounded by accounts, not by grants.
CREATE TABLE task_subject_assignments (
  tenant_id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  policy_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  -- Empty for the accounts that nobody owns.
  user_id text COLLATE "C" NOT NULL,
  -- Null: nobody was found.
  assignment_id text COLLATE "C",
  PRIMARY KEY (tenant_id, batch_id, policy_id, app_id, user_id)
);

CREATE TABLE tasks (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  numeric_id bigint NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  -- The person whose access it is; null for an account nobody owns.
  user_id text COLLATE "C",
  policy_id text COLLATE "C" NOT NULL,
  -- The current step of the policy, from 0.
  step smallint NOT NULL DEFAULT 0,
  -- Counts up with each step entered and each restart; policyStepId is made of it.
  step_generation smallint NOT NULL DEFAULT 0,
  -- Null: nobody was found.
  assignment_id text COLLATE "C",
  granted_at timestamptz,
  last_used_at timestamptz,
  state text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'CLOSED')),
  outcome text NOT NULL DEFAULT '' CHECK (outcome IN ('', 'CERTIFIED', 'DECERTIFIED', 'CANCELLED', 'ERROR')),
  -- Why it ended, so that "nobody decided" is never mistaken for "access was gone".
  end_reason text NOT NULL DEFAULT '' CHECK (end_reason IN ('', 'DECIDED', 'SKIPPED_AT_CLOSE', 'REVOKED_AT_CLOSE', 'NO_ACTION_AT_CLOSE', 'GRANT_GONE', 'DELETED')),
  decided_by_id text COLLATE "C",
  -- Who issued the credential that decided, where that was somebody else.
  decided_issuer_id text COLLATE "C",
  ended_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX tasks_one_per_grant ON tasks (tenant_id, batch_id, account_id, entitlement_id);
CREATE INDEX tasks_by_batch ON tasks (tenant_id, batch_id, id);
CREATE INDEX tasks_by_assignment ON tasks (tenant_id, assignment_id, state, id);

-- What people did to a task: decisions, comments, reassignments, restarts. Task audits are read from here.
CREATE TABLE task_actions (
  tenant_id text COLLATE "C" NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('APPROVED', 'DENIED', 'COMMENTED', 'REASSIGNED', 'RESTARTED', 'ENDED')),
  step smallint NOT NULL,
  step_generation smallint NOT NULL,
  actor_id text COLLATE "C" NOT NULL DEFAULT '',
  credential_id text COLLATE "C" NOT NULL DEFAULT '',
  issuer_id text COLLATE "C" NOT NULL DEFAULT '',
  comment text NOT NULL DEFAULT '',
  data jsonb NOT NULL DEFAULT '{}',
  submission_id text COLLATE "C" NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, task_id, id)
);
CREATE INDEX task_actions_by_batch ON task_actions (tenant_id, batch_id, id);
-- The tasks a person had a hand in stay visible to them: decided, handed on, restarted.
CREATE INDEX task_actions_by_actor ON task_actions (tenant_id, actor_id, task_id) WHERE actor_id <> '' AND kind <> 'COMMENTED';
CREATE TRIGGER task_actions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON task_actions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE submissions (
  tenant_id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  issuer_id text COLLATE "C" NOT NULL DEFAULT '',
  submitted bigint NOT NULL,
  certified bigint NOT NULL,
  denied bigint NOT NULL,
  refused bigint NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, batch_id, id)
);
CREATE INDEX submissions_by_user ON submissions (tenant_id, batch_id, user_id, id);

CREATE TABLE reviews (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  state text NOT NULL DEFAULT 'DRAFT' CHECK (state IN ('DRAFT', 'PREPARING', 'REVIEW', 'PENDING', 'STARTING', 'OPEN', 'CLOSED', 'DELETED')),
  -- Close was accepted: from then on nothing is decided any more.
  closing boolean NOT NULL DEFAULT false,
  close_decision text NOT NULL DEFAULT '',
  -- The writable members of the AccessReview message, as sent.
  document jsonb NOT NULL,
  created_by_id text COLLATE "C" NOT NULL,
  scoping_version bigint NOT NULL DEFAULT 0,
  -- The inventory revision of the snapshot.
  prepared_revision bigint,
  -- Counts prepares and resets, so that a chunk of a prepare that was reset meanwhile does nothing.
  prepare_generation bigint NOT NULL DEFAULT 0,
  expected_ticket_count bigint,
  phase text NOT NULL DEFAULT '',
  phase_error text NOT NULL DEFAULT '',
  phase_job_id text COLLATE "C" NOT NULL DEFAULT '',
  sources_frozen_at timestamptz,
  started_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  deleted_by_id text COLLATE "C",
  delete_reason text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, id)
);

CREATE INDEX reviews_by_creator ON reviews (tenant_id, created_by_id, id);

CREATE TABLE review_owners (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, review_id, user_id),
  FOREIGN KEY (tenant_id, review_id) REFERENCES reviews
);
CREATE INDEX review_owners_by_user ON review_owners (tenant_id, user_id, review_id);

CREATE TABLE review_setup_entitlements (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  custom_policy_id text COLLATE "C" NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, review_id, app_id, entitlement_id),
  FOREIGN KEY (tenant_id, review_id) REFERENCES reviews
);

CREATE TABLE review_setup_resource_types (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  resource_type_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, review_id, app_id, resource_type_id),
  FOREIGN KEY (tenant_id, review_id) REFERENCES reviews
);

-- The snapshot of a prepared review: what the reviewer is shown and the report says, whatever happens to the inventory later.
CREATE TABLE review_accounts (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  external_id text NOT NULL,
  account_type text NOT NULL,
  account_status text NOT NULL,
  user_id text COLLATE "C",
  user_email text NOT NULL DEFAULT '',
  user_display_name text NOT NULL DEFAULT '',
  user_status text NOT NULL DEFAULT '',
  employment_status text NOT NULL DEFAULT '',
  department text NOT NULL DEFAULT '',
  job_title text NOT NULL DEFAULT '',
  manager_id text COLLATE "C",
  manager_email text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, review_id, app_id, account_id)
);

CREATE TABLE review_entitlements (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  app_display_name text NOT NULL,
  resource_type_id text COLLATE "C" NOT NULL,
  resource_type_display_name text NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  resource_display_name text NOT NULL,
  display_name text NOT NULL,
  description text NOT NULL,
  policy_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, review_id, app_id, entitlement_id)
);

-- The policies of a prepared review, resolved: later edits of a policy do not touch it.
CREATE TABLE review_policies (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  policy_id text COLLATE "C" NOT NULL,
  document jsonb NOT NULL,
  PRIMARY KEY (tenant_id, review_id, policy_id)
);

-- Outward ------------------------------------------------------------------------------------------------------------------------

CREATE TABLE reports (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  format text NOT NULL CHECK (format IN ('CSV', 'JSON')),
  columns text[] NOT NULL DEFAULT '{}',
  state text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'OK', 'ERROR')),
  error text NOT NULL DEFAULT '',
  size_bytes bigint NOT NULL DEFAULT 0,
  hashes jsonb NOT NULL DEFAULT '{}',
  created_by_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX reports_by_review ON reports (tenant_id, review_id, id);

-- The file in pieces, so that any process can serve it and none holds it whole.
CREATE TABLE report_chunks (
  tenant_id text COLLATE "C" NOT NULL,
  report_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (tenant_id, report_id, number)
);

-- Row-level security -------------------------------------------------------------------------------------------------------------
-- The subselect makes the tenant an init plan: computed once per statement, not once per row.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'tenant_counters', 'events', 'users', 'user_roles', 'personal_clients', 'assertion_uses', 'signing_keys',
    'apps', 'app_owners', 'resource_types', 'resources', 'entitlements', 'accounts', 'grants', 'imports',
    'policies', 'task_batches', 'task_assignments', 'task_assignment_members', 'task_subject_assignments', 'tasks', 'task_actions', 'submissions',
    'reviews', 'review_owners', 'review_setup_entitlements', 'review_setup_resource_types',
    'review_accounts', 'review_entitlements', 'review_policies', 'reports', 'report_chunks']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY tenant ON %I USING (tenant_id = (SELECT current_tenant_id())) WITH CHECK (tenant_id = (SELECT current_tenant_id()))', name);
  END LOOP;
END $$;
