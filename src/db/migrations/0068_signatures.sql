-- Signatures: providers at which people prove anew who they are, each time that somebody did, and what was signed
-- (docs/decisions/0062-signatures.md).

CREATE TABLE step_up_providers (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- As it was sent, without the secret.
  document jsonb NOT NULL,
  -- Sealed with a key of the tenant; empty for none.
  client_secret text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  last_tested_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
SELECT guard_tenant_table('step_up_providers');

CREATE TABLE step_up_transactions (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  provider_id text COLLATE "C" NOT NULL,
  -- Who has to prove who they are.
  user_id text COLLATE "C" NOT NULL,
  -- The session it was begun in, whose browser has to come back; empty for none.
  session_id text COLLATE "C" NOT NULL,
  state text NOT NULL CHECK (state IN ('PENDING', 'VERIFIED', 'ERROR')),
  error_message text NOT NULL DEFAULT '',
  -- What it signs; empty for a test. Of a single task, which one.
  signature_id text COLLATE "C" NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  policy_step_id text COLLATE "C" NOT NULL,
  -- SHA-256 of the state that the browser brings back.
  state_hash bytea NOT NULL,
  nonce text NOT NULL,
  -- Of PKCE, sealed with a key of the tenant; empty once it was used.
  code_verifier text NOT NULL,
  -- What the provider said, as it was signed, and by which of its keys.
  id_token text NOT NULL DEFAULT '',
  claims jsonb,
  -- The issuer, the client and the acr values that were asked for, and the key as a JWK.
  provider jsonb,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX step_up_transactions_by_state ON step_up_transactions (tenant_id, state_hash);
CREATE INDEX step_up_transactions_by_user ON step_up_transactions (tenant_id, user_id, id);
CREATE INDEX step_up_transactions_by_signature ON step_up_transactions (tenant_id, signature_id, id);
SELECT guard_tenant_table('step_up_transactions');

CREATE TABLE signatures (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- The session or credential by which it was signed.
  credential_id text COLLATE "C" NOT NULL,
  state text NOT NULL CHECK (state IN ('PREPARED', 'SIGNED', 'ENDED')),
  ended_by text NOT NULL DEFAULT '' CHECK (ended_by IN ('', 'REPLACED', 'CHANGED', 'CLOSED')),
  submission_id text COLLATE "C" NOT NULL,
  -- What is signed, byte for byte; the salts of its commitments, and what they commit to.
  record text NOT NULL,
  record_sha256 text NOT NULL,
  person jsonb NOT NULL,
  person_salt text NOT NULL,
  comment_salts jsonb NOT NULL,
  -- What was submitted, so that it can be decided once it is signed.
  request jsonb NOT NULL,
  -- The key of the submission, and the hash of its request; empty for none.
  idempotency_key text NOT NULL,
  request_digest text NOT NULL,
  printed_name text NOT NULL,
  meaning text NOT NULL,
  certified integer NOT NULL,
  denied integer NOT NULL,
  -- As the review said when it was prepared; empty for none.
  provider_id text COLLATE "C" NOT NULL,
  tsp_url text NOT NULL,
  -- The step-up by which it was signed; empty for none.
  transaction_id text COLLATE "C" NOT NULL DEFAULT '',
  -- The server's whole reply.
  time_stamp bytea,
  time_stamp_server text NOT NULL DEFAULT '',
  -- In base64url; empty where it was signed in a session.
  credential_key text NOT NULL DEFAULT '',
  credential_signature text NOT NULL DEFAULT '',
  prepared_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  signed_at timestamptz,
  -- The event that recorded it; empty until then.
  event_id text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, id),
  CHECK ((state = 'SIGNED') = (signed_at IS NOT NULL)),
  CHECK ((state = 'ENDED') = (ended_by <> ''))
);
CREATE INDEX signatures_by_review ON signatures (tenant_id, review_id, id);
CREATE INDEX signatures_by_event ON signatures (tenant_id, event_id);
CREATE INDEX signatures_by_submission ON signatures (tenant_id, submission_id);
SELECT guard_tenant_table('signatures');

-- What the tasks of a review ask of who decides them: the review's signatureConfig from its start on; null where it asks for no signatures.
ALTER TABLE task_reviews ADD COLUMN signature jsonb;
