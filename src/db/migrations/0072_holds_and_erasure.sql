-- What ends evidence, and what keeps it (docs/decisions/0068-holds-and-erasure.md): requests that a second Super Administrator confirms, legal holds,
-- the emptying of reviews whose time is over, and the erasure of a person's data.

-- Acts that one Super Administrator asks for and another confirms.
CREATE TABLE second_person_requests (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('LIFT_HOLD', 'SHORTEN_RETENTION', 'ERASE_PERSON', 'PURGE_TENANT')),
  -- The hold, the tenant or the person.
  subject_id text COLLATE "C" NOT NULL,
  -- The review it belongs to; '' for none.
  review_id text COLLATE "C" NOT NULL DEFAULT '',
  -- What is to be: the settings of a retention.
  change jsonb NOT NULL DEFAULT '{}',
  reason text NOT NULL,
  state text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'CONFIRMED', 'REJECTED', 'EXPIRED')),
  asked_by_id text COLLATE "C" NOT NULL,
  -- Everybody who acted when it was asked: also who issued what it was asked with.
  behind_ids text[] NOT NULL,
  asked_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  answered_by_id text COLLATE "C" NOT NULL DEFAULT '',
  answered_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
SELECT guard_tenant_table('second_person_requests');
CREATE UNIQUE INDEX second_person_requests_open ON second_person_requests (tenant_id, kind, subject_id) WHERE state = 'OPEN';

-- Legal holds: while one stands, nothing it covers is emptied, erased, purged or deleted. Lifted ones stay as a record.
CREATE TABLE legal_holds (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- '' for a hold on the whole tenant.
  review_id text COLLATE "C" NOT NULL DEFAULT '',
  reason text NOT NULL,
  set_by_id text COLLATE "C" NOT NULL,
  set_at timestamptz NOT NULL,
  lift_reason text NOT NULL DEFAULT '',
  lift_asked_by_id text COLLATE "C" NOT NULL DEFAULT '',
  lifted_by_id text COLLATE "C" NOT NULL DEFAULT '',
  lifted_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
SELECT guard_tenant_table('legal_holds');
CREATE INDEX legal_holds_standing ON legal_holds (tenant_id, review_id) WHERE lifted_at IS NULL;
CREATE VIEW holds_standing WITH (security_invoker = true) AS
SELECT tenant_id, id, review_id, reason, set_by_id, set_at FROM legal_holds WHERE lifted_at IS NULL;

-- Years from its close that the content of a review is kept; null where nobody set any.
ALTER TABLE retention_settings ADD COLUMN review_years integer CHECK (review_years BETWEEN 1 AND 30);
ALTER TABLE reviews ADD COLUMN emptied_at timestamptz;
CREATE INDEX reviews_full ON reviews (tenant_id, (coalesce(closed_at, deleted_at))) WHERE emptied_at IS NULL AND prepared_revision IS NOT NULL;
ALTER TABLE users ADD COLUMN erased_at timestamptz;

-- Comments go, with the salts of commitments to them, and nothing else of an action.
ALTER TABLE task_actions ADD COLUMN emptied_at timestamptz;
DROP TRIGGER task_actions_append_only ON task_actions;
CREATE TRIGGER task_actions_append_only BEFORE DELETE OR TRUNCATE ON task_actions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE FUNCTION refuse_all_but_emptying() RETURNS trigger LANGUAGE plpgsql AS $$
-- is_related is computed behind this trigger, from data.
DECLARE emptied text[] := ARRAY['comment', 'data', 'emptied_at', 'is_related'];
BEGIN
  IF OLD.emptied_at IS NULL AND NEW.emptied_at IS NOT NULL AND NEW.comment = '' AND NEW.data = OLD.data - 'commentSalt'
    AND to_jsonb(NEW) - emptied = to_jsonb(OLD) - emptied THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'rows of % are never changed, only emptied', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER task_actions_emptied_only BEFORE UPDATE ON task_actions FOR EACH ROW EXECUTE FUNCTION refuse_all_but_emptying();

-- What a purge keeps of the log: the last checkpoint of each epoch, as it was signed.
ALTER TABLE tenant_erasures ADD COLUMN notes jsonb NOT NULL DEFAULT '[]', ADD COLUMN export_sha256 text NOT NULL DEFAULT '';
