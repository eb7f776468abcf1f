-- Connectors that speak to us: their credentials, the hosts they run on, and the tasks they are given (docs/decisions/0074-connectors.md).

-- A connector's credential belongs to a source and to nobody: it outlives whoever made it.
ALTER TABLE personal_clients ALTER COLUMN user_id DROP NOT NULL;
ALTER TABLE personal_clients ADD COLUMN source_id text COLLATE "C" NOT NULL DEFAULT '';
SELECT restrict_values('personal_clients', 'kind', ARRAY['PERSONAL', 'SERVICE', 'CONNECTOR']);
ALTER TABLE personal_clients ADD CONSTRAINT personal_clients_owner CHECK ((kind = 'CONNECTOR') = (user_id IS NULL) AND (kind = 'CONNECTOR') = (source_id <> ''));
CREATE INDEX personal_clients_by_source ON personal_clients (tenant_id, source_id, id) WHERE source_id <> '';

-- Tasks of connectors. A lease is held by the host that took it; what it uploads is read by the process that received it.
CREATE TABLE connector_tasks (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('SYNC', 'REVOKE')),
  state text NOT NULL CHECK (state IN ('WAITING', 'RUNNING', 'READING', 'DONE', 'FAILED', 'CANCELLED')),
  host_id text NOT NULL DEFAULT '',
  leased_until timestamptz,
  -- Number of times it was handed out.
  attempts integer NOT NULL DEFAULT 0,
  not_before timestamptz,
  -- The fetch that a sync is of; '' for others.
  fetch_id text COLLATE "C" NOT NULL DEFAULT '',
  -- SHA-256 in hex of what was uploaded; '' before.
  sha256 text NOT NULL DEFAULT '',
  error text NOT NULL DEFAULT '',
  -- The last 64 KiB of the connector's log, where it uploaded one.
  log text NOT NULL DEFAULT '',
  -- Earliest moment that what it uploads can be of: when it was last handed out.
  started_at timestamptz,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, source_id) REFERENCES sources
);
CREATE INDEX connector_tasks_open ON connector_tasks (tenant_id, source_id, id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX connector_tasks_one_sync ON connector_tasks (tenant_id, source_id) WHERE kind = 'SYNC' AND ended_at IS NULL;
CREATE INDEX connector_tasks_by_source ON connector_tasks (tenant_id, source_id, id);
SELECT guard_tenant_table('connector_tasks');

-- The hosts on which the connector of a source runs, as it says of itself.
CREATE TABLE source_hosts (
  tenant_id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  host_id text NOT NULL,
  hostname text NOT NULL DEFAULT '',
  platform text NOT NULL DEFAULT '',
  package text NOT NULL DEFAULT '',
  package_version text NOT NULL DEFAULT '',
  -- Names of capabilities of the connector, and of each of its resource types.
  capabilities text[] NOT NULL DEFAULT '{}',
  type_capabilities jsonb NOT NULL DEFAULT '{}',
  greeted_at timestamptz,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, source_id, host_id),
  FOREIGN KEY (tenant_id, source_id) REFERENCES sources
);
SELECT guard_tenant_table('source_hosts');
