-- When people left, and came back: whoever is disabled, deleted or terminated is a leaver from the moment their record said so. Kept by triggers,
-- so that no writer can forget to; what ended while somebody had left is told from what nobody can explain.
CREATE TABLE departures (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  left_at timestamptz NOT NULL,
  -- Null while they are away.
  returned_at timestamptz,
  PRIMARY KEY (tenant_id, user_id, left_at)
);
SELECT guard_tenant_table('departures');

CREATE FUNCTION is_leaver(status text, employment_status text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT status <> 'ENABLED' OR employment_status = 'TERMINATED'$$;

CREATE FUNCTION note_new_departures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO countersign.departures (tenant_id, user_id, left_at)
    SELECT n.tenant_id, n.id, n.updated_at FROM new_rows n WHERE n.user_type = 'HUMAN' AND countersign.is_leaver(n.status, n.employment_status)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION note_departures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE countersign.departures d SET returned_at = n.updated_at
    FROM new_rows n JOIN old_rows o ON o.tenant_id = n.tenant_id AND o.id = n.id
    WHERE countersign.is_leaver(o.status, o.employment_status) AND NOT countersign.is_leaver(n.status, n.employment_status)
      AND d.tenant_id = n.tenant_id AND d.user_id = n.id AND d.returned_at IS NULL;
  INSERT INTO countersign.departures (tenant_id, user_id, left_at)
    SELECT n.tenant_id, n.id, n.updated_at FROM new_rows n JOIN old_rows o ON o.tenant_id = n.tenant_id AND o.id = n.id
    WHERE n.user_type = 'HUMAN' AND countersign.is_leaver(n.status, n.employment_status)
      AND NOT countersign.is_leaver(o.status, o.employment_status)
    -- Left and came back and left at one moment: it is one departure, which lasts.
    ON CONFLICT (tenant_id, user_id, left_at) DO UPDATE SET returned_at = NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER users_left_new AFTER INSERT ON users REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_new_departures();
CREATE TRIGGER users_left_changed AFTER UPDATE ON users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_departures();

-- Of those who had left before, the last change of their record is the latest moment at which it can have happened.
ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
ALTER TABLE departures NO FORCE ROW LEVEL SECURITY;
INSERT INTO departures (tenant_id, user_id, left_at)
  SELECT u.tenant_id, u.id, u.updated_at FROM users u WHERE u.user_type = 'HUMAN' AND is_leaver(u.status, u.employment_status);
ALTER TABLE users FORCE ROW LEVEL SECURITY;
ALTER TABLE departures FORCE ROW LEVEL SECURITY;

-- The roll-forward from an earlier review to this one: one for each review, made anew when it is asked for.
CREATE TABLE roll_forwards (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  first_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  error text NOT NULL DEFAULT '',
  first_revision bigint NOT NULL,
  -- That of the snapshot it was made of; a review that was prepared again has none.
  second_revision bigint NOT NULL,
  first_count bigint NOT NULL DEFAULT 0,
  second_count bigint NOT NULL DEFAULT 0,
  -- How many lines of each kind and cause.
  counts jsonb NOT NULL DEFAULT '{}',
  created_by_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  made_at timestamptz,
  PRIMARY KEY (tenant_id, review_id)
);
SELECT restrict_values('roll_forwards', 'state', ARRAY['PENDING', 'DONE', 'FAILED']);
SELECT guard_tenant_table('roll_forwards');

-- What happened to the items of either review between the two snapshots.
CREATE TABLE roll_forward_lines (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  cause text COLLATE "C" NOT NULL DEFAULT '',
  app_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  -- 0 where a scope made the difference.
  revision bigint NOT NULL,
  decided_in_id text COLLATE "C" NOT NULL DEFAULT '',
  left_out_by text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, review_id, number)
);
SELECT restrict_values('roll_forward_lines', 'kind', ARRAY['ADDED', 'REMOVED', 'ENTERED_SCOPE', 'LEFT_SCOPE']);
SELECT restrict_values('roll_forward_lines', 'cause', ARRAY['', 'DECISION', 'EXPIRY', 'LEAVER', 'UNEXPLAINED']);
SELECT guard_tenant_table('roll_forward_lines');
