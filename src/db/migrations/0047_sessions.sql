-- Sessions of browsers. The token that a cookie carries is kept as its SHA-256 alone.
CREATE TABLE sessions (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- Who made the link that began it, where that was somebody else; such a session gives what a credential of that person for another gives.
  issuer_id text COLLATE "C" NOT NULL DEFAULT '',
  how text NOT NULL CHECK (how IN ('LINK', 'PROVIDER')),
  -- The provider that said who it is.
  provider_id text COLLATE "C" NOT NULL DEFAULT '',
  -- Where it began, and the browser as it named itself.
  address text NOT NULL DEFAULT '',
  browser text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  -- Written once a minute at most.
  last_used_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE UNIQUE INDEX sessions_by_token ON sessions (tenant_id, token_hash);
CREATE INDEX sessions_by_user ON sessions (tenant_id, user_id, id);
CREATE INDEX sessions_ended ON sessions (tenant_id, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX sessions_live ON sessions (tenant_id, last_used_at) WHERE ended_at IS NULL;
SELECT guard_tenant_table('sessions');

-- How long sessions live in this tenant, in seconds; without a row the defaults hold.
CREATE TABLE session_limits (
  tenant_id text COLLATE "C" PRIMARY KEY,
  idle_seconds integer NOT NULL,
  length_seconds integer NOT NULL,
  updated_at timestamptz NOT NULL
);
SELECT guard_tenant_table('session_limits');

-- Links that sign somebody in once.
CREATE TABLE sign_in_links (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  secret_hash bytea NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  issuer_id text COLLATE "C" NOT NULL DEFAULT '',
  -- SHA-256 of the cookie of the browser that asked for it; null: any browser may open it.
  browser_hash bytea,
  -- Where the browser goes afterwards.
  to_path text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE INDEX sign_in_links_by_end ON sign_in_links (tenant_id, expires_at);
SELECT guard_tenant_table('sign_in_links');

-- Sign-ins that are with a provider right now; taken out when it answers.
CREATE TABLE sign_in_states (
  tenant_id text COLLATE "C" NOT NULL,
  state_hash bytea NOT NULL,
  auth_config_id text COLLATE "C" NOT NULL,
  browser_hash bytea NOT NULL,
  nonce text NOT NULL,
  -- Of PKCE (RFC 7636), sealed with a key of the tenant.
  code_verifier text NOT NULL,
  to_path text NOT NULL DEFAULT '',
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, state_hash)
);
CREATE INDEX sign_in_states_by_end ON sign_in_states (tenant_id, expires_at);
SELECT guard_tenant_table('sign_in_states');

-- Identity providers by which people sign in.
CREATE TABLE auth_configs (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- As it was sent, without the secret.
  document jsonb NOT NULL,
  -- Sealed with a key of the tenant; empty for none.
  client_secret text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
SELECT guard_tenant_table('auth_configs');

-- Who somebody is at an issuer, from their first sign-in on: mail addresses change hands, subjects do not.
CREATE TABLE external_identities (
  tenant_id text COLLATE "C" NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, issuer, subject),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE INDEX external_identities_by_user ON external_identities (tenant_id, user_id);
SELECT guard_tenant_table('external_identities');
