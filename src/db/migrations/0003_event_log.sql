-- The event log: every event gets a position after its commit, without a gap, and a leaf in the Merkle tree of its tenant
-- (docs/decisions/0015-event-log.md). Writers only leave behind which transaction wrote an event and in which order; the sealer does the rest.

-- One order of writing for all tenants. A transaction that reads what another committed draws higher numbers than that one did.
CREATE SEQUENCE events_seq;

-- Rows from before have their order in their ids (seq 0), and the time of this migration as the first the database's clock can vouch for.
ALTER TABLE events
  ADD COLUMN xact xid8 NOT NULL DEFAULT pg_current_xact_id(),
  ADD COLUMN seq bigint NOT NULL DEFAULT 0,
  ADD COLUMN written_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN review_id text COLLATE "C" NOT NULL DEFAULT '',
  -- Set by an erasure alone: the commitment to what was erased.
  ADD COLUMN content_hash bytea,
  ADD COLUMN erased_at timestamptz;

-- Both in one statement, since each of them writes the table anew.
ALTER TABLE events
  ADD COLUMN salt uuid DEFAULT gen_random_uuid(),
  ALTER COLUMN review_id TYPE text COLLATE "C" USING CASE
    WHEN target_type = 'access_review' THEN target_id
    WHEN target_type = 'task' THEN coalesce(data ->> 'reviewId', '')
    ELSE '' END;

ALTER TABLE events
  ALTER COLUMN seq SET DEFAULT nextval('events_seq'),
  -- The database's clock, beside the writer's in occurred_at.
  ALTER COLUMN written_at SET DEFAULT clock_timestamp();
ALTER SEQUENCE events_seq OWNED BY events.seq;
CREATE INDEX events_by_xact ON events (tenant_id, xact);

-- An event is never changed but by its erasure: its content goes, and the commitment to it stays.
DROP TRIGGER events_append_only ON events;
CREATE TRIGGER events_append_only BEFORE DELETE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE FUNCTION refuse_all_but_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE erasable text[] := ARRAY['data', 'source_ip', 'salt', 'content_hash', 'erased_at'];
BEGIN
  IF OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL AND NEW.data = '{}' AND NEW.source_ip = '' AND NEW.salt IS NULL
    AND octet_length(NEW.content_hash) = 32 AND to_jsonb(NEW) - erasable = to_jsonb(OLD) - erasable
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'rows of % are never changed, only erased', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER events_erased_only BEFORE UPDATE ON events FOR EACH ROW EXECUTE FUNCTION refuse_all_but_erasure();

-- A tenant's log. An epoch is one tree; the one that is open grows, and whoever makes it grow holds its row's lock.
CREATE TABLE logs (
  tenant_id text COLLATE "C" NOT NULL,
  epoch integer NOT NULL,
  -- What a tree is known by outside: HOST/log/TENANT/EPOCH, with the host the tenant had when the epoch began.
  origin text NOT NULL,
  -- The position of the epoch's first leaf.
  base bigint NOT NULL,
  -- Leaves in this epoch's tree, the root above them, and the roots of its full subtrees, largest first.
  size bigint NOT NULL,
  root bytea NOT NULL,
  frontier bytea NOT NULL,
  -- What the last seal saw: whatever it did not see is still to be sealed. Null until all events from before are.
  snapshot pg_snapshot,
  state text NOT NULL CHECK (state IN ('OPEN', 'ENDED')),
  PRIMARY KEY (tenant_id, epoch)
);
CREATE UNIQUE INDEX logs_one_open ON logs (tenant_id) WHERE state = 'OPEN';

CREATE TABLE log_leaves (
  tenant_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  leaf_hash bytea NOT NULL,
  PRIMARY KEY (tenant_id, position)
);
CREATE UNIQUE INDEX log_leaves_by_event ON log_leaves (tenant_id, event_id);

-- Roots of full subtrees of 256^level leaves of an epoch's tree.
CREATE TABLE log_nodes (
  tenant_id text COLLATE "C" NOT NULL,
  epoch integer NOT NULL,
  level smallint NOT NULL,
  index bigint NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (tenant_id, epoch, level, index)
);

-- One row for each transaction that sealed: from which position, how many, when.
CREATE TABLE log_seals (
  tenant_id text COLLATE "C" NOT NULL,
  first_position bigint NOT NULL,
  size integer NOT NULL,
  sealed_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, first_position)
);
CREATE INDEX log_seals_by_time ON log_seals (tenant_id, sealed_at, first_position);

-- The last event of each review: its number within the review, and its position.
CREATE TABLE log_reviews (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (tenant_id, review_id)
);

CREATE TRIGGER log_leaves_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_leaves FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_nodes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_nodes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['logs', 'log_leaves', 'log_nodes', 'log_seals', 'log_reviews']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY tenant ON %I USING (tenant_id = (SELECT current_tenant_id())) WITH CHECK (tenant_id = (SELECT current_tenant_id()))', name);
  END LOOP;
END $$;
