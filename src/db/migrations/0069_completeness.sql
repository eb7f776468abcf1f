-- What a review rests on, frozen with it and held by its event: one verdict for each grant, what came in from where, and a commitment to whoever is
-- named (docs/decisions/0064-completeness.md).

-- The head of a snapshot: the event that recorded its rows, and what it is of.
CREATE TABLE review_snapshots (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  taken_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, review_id)
);
CREATE UNIQUE INDEX review_snapshots_by_event ON review_snapshots (tenant_id, event_id);
SELECT guard_tenant_table('review_snapshots');

-- The grants of each app in a snapshot by the first filter that leaves them out; IN for what is asked about.
CREATE TABLE review_verdicts (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  -- Grants of accounts (A), links of resources (R).
  principal_kind text NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('ENTITLEMENT_NOT_CHOSEN', 'ACCOUNT_FILTER', 'ACCOUNT_EXPRESSION', 'USER_FILTER', 'USER_EXPRESSION',
    'GRANT_FILTER', 'CONFLICT', 'SCOPE', 'INCLUSION_SCOPE', 'EXCLUSION_SCOPE', 'EXCLUDED_SELECTION', 'IN')),
  grants bigint NOT NULL,
  PRIMARY KEY (tenant_id, review_id, app_id, principal_kind, verdict)
);
SELECT guard_tenant_table('review_verdicts');

-- What each source of the apps of a snapshot brought, from its last file to what is held of it; source 0 is what was given by hand, -1 the app access
-- that follows from accounts.
CREATE TABLE review_sources (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  source_no smallint NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  kind text NOT NULL,
  -- Its last file that was done; '' for none.
  sync_id text COLLATE "C" NOT NULL,
  sync_revision bigint,
  synced_at timestamptz,
  file_sha256 text NOT NULL,
  file_format text NOT NULL,
  -- Rows of the file, one for each grant that a row names; of these the distinct grants, those named again, and those refused.
  rows bigint NOT NULL,
  accepted bigint NOT NULL,
  duplicates bigint NOT NULL,
  rejected bigint NOT NULL,
  -- Of the accepted ones, those that another source holds.
  elsewhere bigint NOT NULL,
  -- Grants of the source as of its file, what was added and ended since, and what is held as of the snapshot.
  held_then bigint NOT NULL,
  added bigint NOT NULL,
  ended bigint NOT NULL,
  held bigint NOT NULL,
  PRIMARY KEY (tenant_id, review_id, app_id, source_no)
);
SELECT guard_tenant_table('review_sources');

-- The revisions between the last file of a source and the snapshot that added or ended grants of it.
CREATE TABLE review_source_changes (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  source_no smallint NOT NULL,
  revision bigint NOT NULL,
  cause text NOT NULL,
  added bigint NOT NULL,
  ended bigint NOT NULL,
  PRIMARY KEY (tenant_id, review_id, app_id, source_no, revision)
);
SELECT guard_tenant_table('review_source_changes');

-- The entitlements of the apps of a snapshot that were not chosen.
CREATE TABLE review_unchosen (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  app_display_name text NOT NULL,
  display_name text NOT NULL,
  description text NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  resource_display_name text NOT NULL,
  resource_type_id text COLLATE "C" NOT NULL,
  resource_type_display_name text NOT NULL,
  is_app_access boolean NOT NULL,
  risk_level_value_id text NOT NULL,
  compliance_framework_value_ids text[] NOT NULL,
  PRIMARY KEY (tenant_id, review_id, app_id, entitlement_id)
);
SELECT guard_tenant_table('review_unchosen');

-- The verdict on an account by itself, and a commitment to what it is called; the salt goes where the names go. '' and nothing in snapshots from before.
ALTER TABLE review_accounts ADD COLUMN verdict text NOT NULL DEFAULT '', ADD COLUMN salt uuid, ADD COLUMN commitment bytea;
ALTER TABLE review_people ADD COLUMN salt uuid, ADD COLUMN commitment bytea;

-- Who was asked about an item when it was made; null for nobody, and in items from before.
ALTER TABLE tasks ADD COLUMN asked_id text COLLATE "C";

-- The event that recorded an import; '' in those from before. Grants that its rows name, and those of them that another source held; null where that
-- was not counted.
ALTER TABLE syncs ADD COLUMN event_id text COLLATE "C" DEFAULT '', ADD COLUMN parts bigint, ADD COLUMN elsewhere bigint;
ALTER TABLE syncs ALTER COLUMN event_id DROP DEFAULT;
CREATE INDEX syncs_by_event ON syncs (tenant_id, event_id);

CREATE VIEW snapshot_heads WITH (security_invoker = true) AS
SELECT tenant_id, review_id, event_id, revision, taken_at FROM review_snapshots;

CREATE OR REPLACE VIEW syncs_public WITH (security_invoker = true) AS
SELECT tenant_id, id, kind, state, source, source_id, app_id, previous_id, revision, rows, changed, removed, error, created_by_id,
  started_at, ended_at, created_at, reading, file_sha256, file_format, rejected, counts, parts, elsewhere
FROM syncs;
