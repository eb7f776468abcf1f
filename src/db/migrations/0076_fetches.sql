-- Sources that fetch by themselves, and each fetch with the state it is in.
SELECT restrict_values('sources', 'kind', ARRAY['FILE', 'SCIM', 'FOLDER', 'HTTPS', 'S3', 'SQL', 'LDAP', 'BATON']);

ALTER TABLE sources
  -- Five fields of cron; '' for the usual schedule of the kind.
  ADD COLUMN schedule text NOT NULL DEFAULT '',
  -- IANA name of the zone that the schedule and times without a zone are in; '' where nobody said one.
  ADD COLUMN zone text NOT NULL DEFAULT '',
  -- The next scheduled fetch; null where none is.
  ADD COLUMN next_at timestamptz,
  -- Age at which its data are stale, in seconds; null for the usual of the kind.
  ADD COLUMN stale_after integer CHECK (stale_after BETWEEN 3600 AND 34560000),
  -- Since when its data are too old; null while they are not.
  ADD COLUMN stale_since timestamptz;
CREATE INDEX sources_by_next ON sources (tenant_id, next_at) WHERE next_at IS NOT NULL;

-- A fetch: what was asked of another system, and what came of it.
CREATE TABLE fetches (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  reason text NOT NULL CHECK (reason IN ('SCHEDULED', 'FORCED', 'RETRY')),
  state text NOT NULL CHECK (state IN ('WAITING', 'RUNNING', 'READING', 'UNCHANGED', 'DONE', 'HELD', 'DISCARDED', 'SUPERSEDED', 'FAILED', 'SKIPPED')),
  -- Fetches in a row before this one that failed: chooses the pause before the next try.
  failures smallint NOT NULL DEFAULT 0,
  -- The person who asked for it; '' for the schedule.
  requested_by_id text COLLATE "C" NOT NULL DEFAULT '',
  -- Says who works on it: a process whose lease was lost changes nothing.
  lease_token text NOT NULL DEFAULT '',
  -- Says what the place held, in words of the kind: the same again is not read again.
  mark text NOT NULL DEFAULT '',
  -- The earliest moment its data can be of.
  observed_from timestamptz,
  -- Contents that are held (fetch_rows), in order: kind, format, columns.
  contents jsonb NOT NULL DEFAULT '[]',
  bytes bigint NOT NULL DEFAULT 0,
  incomplete_reason text NOT NULL DEFAULT '',
  warnings text[] NOT NULL DEFAULT '{}',
  -- The reason why it failed, is held or was discarded, for people.
  error text NOT NULL DEFAULT '',
  -- The syncs it became; '' before that.
  people_sync_id text COLLATE "C" NOT NULL DEFAULT '',
  sync_id text COLLATE "C" NOT NULL DEFAULT '',
  run_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  updated_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
SELECT guard_tenant_table('fetches');
CREATE UNIQUE INDEX fetches_under_way ON fetches (tenant_id, source_id) WHERE state IN ('WAITING', 'RUNNING', 'READING');
CREATE INDEX fetches_by_source ON fetches (tenant_id, source_id, id);
CREATE INDEX fetches_by_state ON fetches (tenant_id, state, id);

-- Rows that a held fetch brought, compressed with zstd, in pieces: each is imported as it is, or thrown away.
CREATE TABLE fetch_rows (
  tenant_id text COLLATE "C" NOT NULL,
  fetch_id text COLLATE "C" NOT NULL,
  content smallint NOT NULL,
  piece integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (tenant_id, fetch_id, content, piece),
  FOREIGN KEY (tenant_id, fetch_id) REFERENCES fetches ON DELETE CASCADE
);
SELECT guard_tenant_table('fetch_rows');
ALTER TABLE fetch_rows ALTER COLUMN bytes SET STORAGE EXTERNAL;
