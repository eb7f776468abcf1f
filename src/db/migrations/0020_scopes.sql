-- What a snapshot is made of, kept so that it can be explained and made again: every account of the apps in scope with the filter that left it
-- out, the people who own them, what the scope said, and digests of what was found.

ALTER TABLE review_accounts
  -- As the account was; expressions and replays read it.
  ADD display_name text NOT NULL DEFAULT '',
  ADD email text NOT NULL DEFAULT '',
  ADD username text NOT NULL DEFAULT '',
  ADD employee_id text COLLATE "C" NOT NULL DEFAULT '',
  ADD profile jsonb NOT NULL DEFAULT '{}',
  -- The access profiles that the scope names and its owner holds in full.
  ADD access_profile_ids text[] NOT NULL DEFAULT '{}',
  -- The filter that left it out; empty for an account whose grants are asked about.
  ADD excluded_by text NOT NULL DEFAULT '' CHECK (excluded_by IN ('', 'EXCLUDED_BY_LIST', 'EXCLUSION_SCOPE', 'LEGACY', 'ACCOUNT', 'ACCOUNT_CEL',
    'UNOWNED', 'USER', 'USER_CEL', 'CEL_ERROR')),
  -- What went wrong while an expression was evaluated for the account or its owner; empty for nothing.
  ADD cel_error text NOT NULL DEFAULT '';

-- What reads a review by its accounts wants those with tasks.
DROP INDEX review_accounts_by_key;
DROP INDEX review_accounts_by_owner;
DROP INDEX review_accounts_by_user;
CREATE INDEX review_accounts_by_key ON review_accounts (tenant_id, review_id, account_key, account_id) WHERE excluded_by = '';
CREATE INDEX review_accounts_by_owner ON review_accounts (tenant_id, review_id, owner_key, account_id) WHERE excluded_by = '';
CREATE INDEX review_accounts_by_user ON review_accounts (tenant_id, review_id, user_id) WHERE user_id IS NOT NULL AND excluded_by = '';

ALTER TABLE review_entitlements
  ADD is_app_access boolean NOT NULL DEFAULT false,
  ADD alias text COLLATE "C" NOT NULL DEFAULT '',
  ADD slug text NOT NULL DEFAULT '',
  ADD purpose text NOT NULL DEFAULT 'ASSIGNMENT',
  ADD risk_level_value_id text COLLATE "C" NOT NULL DEFAULT '',
  ADD compliance_framework_value_ids text[] NOT NULL DEFAULT '{}',
  -- The access profiles that give it, of those by which the scope includes and of those by which it excludes.
  ADD included_profile_ids text[] NOT NULL DEFAULT '{}',
  ADD excluded_profile_ids text[] NOT NULL DEFAULT '{}',
  -- Chosen, but on the list of what is left out.
  ADD is_excluded boolean NOT NULL DEFAULT false;

-- The owners of the accounts of a snapshot, as they were.
CREATE TABLE review_people (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  display_name text NOT NULL,
  username text NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  user_type text NOT NULL,
  employment_status text NOT NULL,
  employment_type text NOT NULL,
  department text NOT NULL,
  job_title text NOT NULL,
  manager_id text COLLATE "C",
  manager_email text NOT NULL,
  profile jsonb NOT NULL,
  -- The filter of people that leaves out what they own; empty for nobody's.
  excluded_by text NOT NULL DEFAULT '' CHECK (excluded_by IN ('', 'USER', 'USER_CEL', 'CEL_ERROR')),
  cel_error text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, review_id, user_id)
);
SELECT guard_tenant_table('review_people');

-- What was decided lately, where the scope asks for what was not: a decision made later changes nothing of a snapshot.
CREATE TABLE review_reviewed (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, review_id, account_id, entitlement_id)
);
SELECT guard_tenant_table('review_reviewed');

-- Digests of the items of each principal of a snapshot: an account, or a resource that passes an entitlement on.
CREATE TABLE review_digests (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  -- A for an account, R for a resource: in this order they stand in the digest of an app.
  principal_kind text COLLATE "C" NOT NULL CHECK (principal_kind IN ('A', 'R')),
  principal_id text COLLATE "C" NOT NULL,
  items bigint NOT NULL,
  digest bytea NOT NULL,
  PRIMARY KEY (tenant_id, review_id, app_id, principal_kind, principal_id)
);
SELECT guard_tenant_table('review_digests');

-- Lists behind the markers of a scope, and what is left out of it, of a review or of a template.
CREATE TABLE scope_entries (
  tenant_id text COLLATE "C" NOT NULL,
  -- The review or template.
  subject_id text COLLATE "C" NOT NULL,
  list text NOT NULL CHECK (list IN ('MONITOR', 'RESOURCE', 'SCOPE_ROLE', 'EXCLUSION')),
  -- Where it stands in its list.
  place integer NOT NULL,
  -- What an exclusion leaves out; empty in the other lists.
  kind text NOT NULL DEFAULT '' CHECK (kind IN ('', 'ENTITLEMENT', 'RESOURCE', 'RESOURCE_TYPE', 'USER', 'ACCOUNT', 'GRANT')),
  app_id text COLLATE "C" NOT NULL DEFAULT '',
  -- Of the monitor, resource, resource type or person.
  object_id text COLLATE "C" NOT NULL DEFAULT '',
  entitlement_id text COLLATE "C" NOT NULL DEFAULT '',
  account_id text COLLATE "C" NOT NULL DEFAULT '',
  -- Of a pair of scope and role, the role's resource; object_id is the scope's.
  role_resource_id text COLLATE "C" NOT NULL DEFAULT '',
  reason text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, subject_id, list, place)
);
SELECT guard_tenant_table('scope_entries');

ALTER TABLE reviews
  -- SHA-256 over what the scope said and over the items found, in hex; empty before the first prepare.
  ADD scope_hash text NOT NULL DEFAULT '',
  ADD items_hash text NOT NULL DEFAULT '',
  -- The review that the items are compared with; null where there is none.
  ADD predecessor_id text COLLATE "C";
