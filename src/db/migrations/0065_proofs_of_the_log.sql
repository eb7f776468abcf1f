-- Proofs of the event log: signed checkpoints, the keys they are signed with, codes by which the service knows its own events, and what evidence
-- belongs to which event (docs/decisions/0059-proofs-of-the-log.md).

-- The keys of a tenant's log, one generation after the other. Of one that comes from the operator's file only the public half is here; the seed of
-- one that was made without a file stands beside it.
CREATE TABLE log_keys (
  tenant_id text COLLATE "C" NOT NULL,
  generation integer NOT NULL,
  source text NOT NULL CHECK (source IN ('TENANT', 'FILE')),
  public_key bytea NOT NULL,
  seed bytea,
  created_at timestamptz NOT NULL,
  -- Since when it only signs beside its successor.
  retired_at timestamptz,
  -- Known so that nobody remembers a key that they made in a transaction which is still open.
  xact xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (tenant_id, generation),
  CHECK ((source = 'TENANT') = (seed IS NOT NULL))
);
SELECT guard_tenant_table('log_keys');

-- The keys of all tenants, for a start, which looks whether it has their secrets: one tenant after the other, under row-level security.
CREATE FUNCTION list_all_log_keys() RETURNS SETOF log_keys LANGUAGE plpgsql AS $$
DECLARE
  tenant record;
BEGIN
  FOR tenant IN SELECT t.tenant_id FROM tenants t
    WHERE NOT EXISTS (SELECT FROM tenant_erasures e WHERE e.tenant_id = t.tenant_id) ORDER BY t.tenant_id
  LOOP
    PERFORM set_config('countersign.tenant_id', tenant.tenant_id, true);
    RETURN QUERY SELECT * FROM log_keys k WHERE k.tenant_id = tenant.tenant_id ORDER BY k.generation DESC;
  END LOOP;
  PERFORM set_config('countersign.tenant_id', '', true);
END $$;

-- Checkpoints that were signed: the note, byte for byte.
CREATE TABLE log_checkpoints (
  tenant_id text COLLATE "C" NOT NULL,
  epoch integer NOT NULL,
  size bigint NOT NULL,
  root bytea NOT NULL,
  note text NOT NULL,
  signed_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, epoch, size)
);
SELECT guard_tenant_table('log_checkpoints');
CREATE TRIGGER log_checkpoints_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_checkpoints_own_rows AFTER DELETE ON log_checkpoints REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_others_rows();

-- Settings of a tenant's log; no row where nothing was ever set.
CREATE TABLE log_settings (
  tenant_id text COLLATE "C" PRIMARY KEY,
  -- Everybody may read checkpoints and hashes, without a token.
  publishes boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL
);
SELECT guard_tenant_table('log_settings');

-- The nights' checks: what was looked at, and what did not hold.
CREATE TABLE log_checks (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  checked_at timestamptz NOT NULL,
  size bigint NOT NULL,
  findings integer NOT NULL,
  -- The first of them, as sentences.
  sentences jsonb NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
SELECT guard_tenant_table('log_checks');

-- Set where a log is smaller than a checkpoint it signed, or another one: nothing is sealed or signed until somebody restarts it.
ALTER TABLE logs ADD COLUMN behind_since timestamptz;

-- The event's place among those of its review, which is part of its leaf. Absent in leaves from before.
ALTER TABLE log_leaves ADD COLUMN review_number integer, ADD COLUMN review_previous bigint;

-- The code of the service that wrote an event, and by which generation of the key. Absent in events from before.
ALTER TABLE events ADD COLUMN mac bytea, ADD COLUMN mac_generation integer;

-- The event that recorded a row of evidence. Rows from before have ''.
ALTER TABLE task_actions ADD COLUMN event_id text COLLATE "C" DEFAULT '';
ALTER TABLE task_actions ALTER COLUMN event_id DROP DEFAULT;
ALTER TABLE submissions ADD COLUMN event_id text COLLATE "C" DEFAULT '';
ALTER TABLE submissions ALTER COLUMN event_id DROP DEFAULT;
-- Ids of events grow with time, so both indexes grow at their ends alone.
CREATE INDEX task_actions_by_event ON task_actions (tenant_id, event_id);
CREATE INDEX submissions_by_event ON submissions (tenant_id, event_id);

-- Findings of the last checks of all tenants' logs, and how many logs are behind, for the metrics: sums alone. It looks at one tenant after the other,
-- under row-level security.
CREATE FUNCTION count_log_findings(OUT findings bigint, OUT behind bigint, OUT oldest_check timestamptz) LANGUAGE plpgsql AS $$
DECLARE
  tenant record;
  seen record;
BEGIN
  findings := 0;
  behind := 0;
  FOR tenant IN SELECT t.tenant_id FROM tenants t WHERE t.deleted_at IS NULL ORDER BY t.tenant_id
  LOOP
    PERFORM set_config('countersign.tenant_id', tenant.tenant_id, true);
    SELECT c.findings, c.checked_at INTO seen FROM log_checks c WHERE c.tenant_id = tenant.tenant_id ORDER BY c.id DESC LIMIT 1;
    findings := findings + coalesce(seen.findings, 0);
    oldest_check := least(oldest_check, seen.checked_at);
    behind := behind + (SELECT count(*) FROM logs l WHERE l.tenant_id = tenant.tenant_id AND l.state = 'OPEN' AND l.behind_since IS NOT NULL);
  END LOOP;
  PERFORM set_config('countersign.tenant_id', '', true);
END $$;
