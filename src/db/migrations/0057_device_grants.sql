-- Sign-ins from a terminal (RFC 8628): a program asks for a code, a person confirms it in a browser, the program fetches its session.
CREATE TABLE device_grants (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- SHA-256 of the code that the program keeps.
  device_hash bytea NOT NULL,
  -- The code that the person compares; it alone gives nothing.
  user_code text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  -- Where the program is, and how it names itself.
  address text NOT NULL,
  agent text NOT NULL,
  state text NOT NULL CHECK (state IN ('PENDING', 'APPROVED', 'DENIED')),
  -- The session that confirmed it, and the person; empty before.
  session_id text COLLATE "C" NOT NULL DEFAULT '',
  user_id text COLLATE "C" NOT NULL DEFAULT '',
  -- The program waits so long between two questions.
  interval_seconds integer NOT NULL,
  polled_at timestamptz,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX device_grants_by_device ON device_grants (tenant_id, device_hash);
CREATE UNIQUE INDEX device_grants_by_code ON device_grants (tenant_id, user_code);
CREATE INDEX device_grants_by_end ON device_grants (tenant_id, expires_at);
SELECT guard_tenant_table('device_grants');

SELECT restrict_values('sessions', 'how', ARRAY['LINK', 'PROVIDER', 'DEVICE']);
