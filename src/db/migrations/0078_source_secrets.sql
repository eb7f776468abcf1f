-- Secrets by which sources sign in elsewhere (docs/decisions/0078-secrets-of-sources.md). They are sealed by a key of the tenant, and that key is wrapped
-- by the key of the installation, which is never in the database.
CREATE TABLE tenant_keys (
  tenant_id text COLLATE "C" NOT NULL,
  no integer NOT NULL CHECK (no > 0),
  -- Key of the installation that wrapped it.
  kek_id text NOT NULL,
  wrapped text NOT NULL,
  created_at timestamptz NOT NULL,
  retired_at timestamptz,
  PRIMARY KEY (tenant_id, no)
);
SELECT guard_tenant_table('tenant_keys');

CREATE TABLE source_secrets (
  tenant_id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  -- Tenant's key that sealed it; null where it is in a file of the operator.
  key_no integer,
  sealed text NOT NULL,
  -- Name of that file, '' for none.
  from_file text NOT NULL,
  set_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, source_id, name),
  CHECK ((key_no IS NULL) = (sealed = '') AND (sealed = '') <> (from_file = ''))
);
SELECT guard_tenant_table('source_secrets');
