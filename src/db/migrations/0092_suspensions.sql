-- Suspended rights: what a person held when they stopped being enabled. Nothing of it is in force, and it stays so when they are enabled again,
-- until an administrator restores it. Kept by a trigger, so that no writer can forget to: no person who is not enabled holds a role or a
-- delegation, and no credential of theirs answers.
CREATE TABLE suspensions (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('ROLE', 'CREDENTIAL', 'DELEGATION')),
  -- The role, the credential, or the person in whose place somebody decided.
  object_id text COLLATE "C" NOT NULL,
  -- Of a delegation: who decided, and the times.
  delegated_user_id text COLLATE "C" NOT NULL DEFAULT '',
  starts_at timestamptz,
  expires_at timestamptz,
  given_at timestamptz NOT NULL,
  suspended_at timestamptz NOT NULL,
  -- DISABLED or DELETED as they left; UPGRADED where they had left before anything was suspended.
  cause text NOT NULL CHECK (cause IN ('DISABLED', 'DELETED', 'UPGRADED')),
  -- The source that said so; empty where none did.
  source_id text COLLATE "C" NOT NULL DEFAULT '',
  -- False until its event is written.
  is_told boolean NOT NULL DEFAULT FALSE,
  PRIMARY KEY (tenant_id, user_id, kind, object_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
SELECT guard_tenant_table('suspensions');
CREATE INDEX suspensions_by_object ON suspensions (tenant_id, object_id);
CREATE INDEX suspensions_untold ON suspensions (tenant_id) WHERE NOT is_told;

CREATE FUNCTION suspend_leavers() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE tenant text;
BEGIN
  IF NOT EXISTS (SELECT FROM new_rows n JOIN old_rows o ON o.tenant_id = n.tenant_id AND o.id = n.id
      WHERE n.status <> 'ENABLED' AND o.status = 'ENABLED' AND n.user_type = 'HUMAN') THEN
    RETURN NULL;
  END IF;
  -- The last enabled Super Administrator stays one, whoever writes. Whoever disables people has the lock of roles already.
  FOR tenant IN SELECT DISTINCT r.tenant_id FROM new_rows n JOIN old_rows o ON o.tenant_id = n.tenant_id AND o.id = n.id
      JOIN countersign.user_roles r ON r.tenant_id = n.tenant_id AND r.user_id = n.id AND r.role_id = '000000000SuperAdministrator'
      WHERE n.status <> 'ENABLED' AND o.status = 'ENABLED' AND n.user_type = 'HUMAN' LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended('countersign.roles.' || tenant, 1));
    IF NOT EXISTS (SELECT FROM countersign.user_roles r JOIN countersign.users u ON u.tenant_id = r.tenant_id AND u.id = r.user_id
        WHERE r.tenant_id = tenant AND r.role_id = '000000000SuperAdministrator' AND u.status = 'ENABLED' AND u.user_type = 'HUMAN') THEN
      RAISE EXCEPTION 'the last enabled Super Administrator of a tenant stays enabled' USING ERRCODE = 'CS001';
    END IF;
  END LOOP;
  WITH gone AS (
    DELETE FROM countersign.user_roles r USING new_rows n JOIN old_rows o ON o.tenant_id = n.tenant_id AND o.id = n.id
    WHERE r.tenant_id = n.tenant_id AND r.user_id = n.id AND n.status <> 'ENABLED' AND o.status = 'ENABLED' AND n.user_type = 'HUMAN'
    RETURNING r.tenant_id, r.user_id, r.role_id, r.created_at, n.updated_at, n.status, n.source)
  INSERT INTO countersign.suspensions (tenant_id, user_id, kind, object_id, given_at, suspended_at, cause, source_id)
    SELECT tenant_id, user_id, 'ROLE', role_id, created_at, updated_at, status, source FROM gone
    ON CONFLICT DO NOTHING;
  INSERT INTO countersign.suspensions (tenant_id, user_id, kind, object_id, given_at, suspended_at, cause, source_id)
    SELECT c.tenant_id, c.user_id, 'CREDENTIAL', c.id, c.created_at, n.updated_at, n.status, n.source
    FROM new_rows n JOIN old_rows o ON o.tenant_id = n.tenant_id AND o.id = n.id
    JOIN countersign.personal_clients c ON c.tenant_id = n.tenant_id AND c.user_id = n.id
    WHERE n.status <> 'ENABLED' AND o.status = 'ENABLED' AND n.user_type = 'HUMAN' AND c.deleted_at IS NULL
      AND (c.expires_at IS NULL OR c.expires_at > n.updated_at)
    -- Suspended before, and not restored: it stays as it was.
    ON CONFLICT DO NOTHING;
  -- Of a delegation both of whose people leave, whoever made it has it. What is over stays where it counts for nothing.
  WITH gone AS (
    DELETE FROM countersign.delegations d USING new_rows n JOIN old_rows o ON o.tenant_id = n.tenant_id AND o.id = n.id
    WHERE d.tenant_id = n.tenant_id AND d.user_id = n.id AND n.status <> 'ENABLED' AND o.status = 'ENABLED' AND n.user_type = 'HUMAN'
      AND (d.expires_at IS NULL OR d.expires_at > n.updated_at)
    RETURNING d.tenant_id, d.user_id, d.delegated_user_id, d.starts_at, d.expires_at, d.created_at, n.updated_at, n.status, n.source)
  INSERT INTO countersign.suspensions (tenant_id, user_id, kind, object_id, delegated_user_id, starts_at, expires_at, given_at, suspended_at,
      cause, source_id)
    SELECT tenant_id, user_id, 'DELEGATION', user_id, delegated_user_id, starts_at, expires_at, created_at, updated_at, status, source FROM gone
    ON CONFLICT DO NOTHING;
  WITH gone AS (
    DELETE FROM countersign.delegations d USING new_rows n JOIN old_rows o ON o.tenant_id = n.tenant_id AND o.id = n.id
    WHERE d.tenant_id = n.tenant_id AND d.delegated_user_id = n.id AND n.status <> 'ENABLED' AND o.status = 'ENABLED' AND n.user_type = 'HUMAN'
      AND (d.expires_at IS NULL OR d.expires_at > n.updated_at)
    RETURNING d.tenant_id, d.user_id, d.delegated_user_id, d.starts_at, d.expires_at, d.created_at, n.updated_at, n.status, n.source)
  INSERT INTO countersign.suspensions (tenant_id, user_id, kind, object_id, delegated_user_id, starts_at, expires_at, given_at, suspended_at,
      cause, source_id)
    SELECT tenant_id, delegated_user_id, 'DELEGATION', user_id, delegated_user_id, starts_at, expires_at, created_at, updated_at, status, source
    FROM gone
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER users_suspended AFTER UPDATE ON users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION suspend_leavers();

-- Given anew, by hand or by restoring it, a role is not suspended any more, and neither is what a person's new delegation takes the place of, nor a
-- credential that was revoked.
CREATE FUNCTION forget_suspended_roles() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM countersign.suspensions s USING new_rows n
    WHERE s.tenant_id = n.tenant_id AND s.user_id = n.user_id AND s.kind = 'ROLE' AND s.object_id = n.role_id;
  RETURN NULL;
END $$;
CREATE TRIGGER user_roles_given AFTER INSERT ON user_roles REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION forget_suspended_roles();

CREATE FUNCTION forget_suspended_delegations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM countersign.suspensions s USING new_rows n
    WHERE s.tenant_id = n.tenant_id AND s.object_id = n.user_id AND s.kind = 'DELEGATION';
  RETURN NULL;
END $$;
CREATE TRIGGER delegations_given AFTER INSERT ON delegations REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION forget_suspended_delegations();

CREATE FUNCTION forget_suspended_credential() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM countersign.suspensions s
    WHERE s.tenant_id = NEW.tenant_id AND s.user_id = NEW.user_id AND s.kind = 'CREDENTIAL' AND s.object_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER personal_clients_revoked AFTER UPDATE OF deleted_at ON personal_clients FOR EACH ROW
  WHEN (NEW.deleted_at IS NOT NULL AND NEW.user_id IS NOT NULL) EXECUTE FUNCTION forget_suspended_credential();

CREATE VIEW suspensions_public WITH (security_invoker = true) AS
SELECT tenant_id, user_id, kind, object_id, suspended_at
FROM suspensions;

-- People who had left before: what they hold is suspended, so that coming back gives nothing of it. Only where a tenant has no enabled Super
-- Administrator do those who are keep that role, since nobody could restore it. Forced row-level security shows the owner no row of any tenant.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['users', 'user_roles', 'delegations', 'personal_clients', 'departures', 'suspensions'] LOOP
    EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
  END LOOP;
  CREATE TEMP TABLE left_before ON COMMIT DROP AS
    SELECT u.tenant_id, u.id, u.source, coalesce(
        (SELECT max(d.left_at) FROM departures d WHERE d.tenant_id = u.tenant_id AND d.user_id = u.id AND d.returned_at IS NULL), u.updated_at) AS at
    FROM users u WHERE u.status <> 'ENABLED' AND u.user_type = 'HUMAN';
  WITH gone AS (
    DELETE FROM user_roles r USING left_before l
    WHERE r.tenant_id = l.tenant_id AND r.user_id = l.id AND (r.role_id <> '000000000SuperAdministrator' OR EXISTS (
      SELECT FROM user_roles o JOIN users u ON u.tenant_id = o.tenant_id AND u.id = o.user_id
      WHERE o.tenant_id = r.tenant_id AND o.role_id = r.role_id AND u.status = 'ENABLED' AND u.user_type = 'HUMAN'))
    RETURNING r.*, l.at, l.source)
  INSERT INTO suspensions (tenant_id, user_id, kind, object_id, given_at, suspended_at, cause, source_id, is_told)
    SELECT tenant_id, user_id, 'ROLE', role_id, created_at, at, 'UPGRADED', source, TRUE FROM gone;
  INSERT INTO suspensions (tenant_id, user_id, kind, object_id, given_at, suspended_at, cause, source_id, is_told)
    SELECT c.tenant_id, c.user_id, 'CREDENTIAL', c.id, c.created_at, l.at, 'UPGRADED', l.source, TRUE
    FROM left_before l JOIN personal_clients c ON c.tenant_id = l.tenant_id AND c.user_id = l.id
    WHERE c.deleted_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now());
  WITH gone AS (
    DELETE FROM delegations d USING left_before l
    WHERE d.tenant_id = l.tenant_id AND d.user_id = l.id AND (d.expires_at IS NULL OR d.expires_at > now())
    RETURNING d.*, l.at, l.source)
  INSERT INTO suspensions (tenant_id, user_id, kind, object_id, delegated_user_id, starts_at, expires_at, given_at, suspended_at, cause,
      source_id, is_told)
    SELECT tenant_id, user_id, 'DELEGATION', user_id, delegated_user_id, starts_at, expires_at, created_at, at, 'UPGRADED', source, TRUE FROM gone;
  WITH gone AS (
    DELETE FROM delegations d USING left_before l
    WHERE d.tenant_id = l.tenant_id AND d.delegated_user_id = l.id AND (d.expires_at IS NULL OR d.expires_at > now())
    RETURNING d.*, l.at, l.source)
  INSERT INTO suspensions (tenant_id, user_id, kind, object_id, delegated_user_id, starts_at, expires_at, given_at, suspended_at, cause,
      source_id, is_told)
    SELECT tenant_id, delegated_user_id, 'DELEGATION', user_id, delegated_user_id, starts_at, expires_at, created_at, at, 'UPGRADED', source, TRUE
    FROM gone;
  DROP TABLE left_before;
  FOREACH name IN ARRAY ARRAY['users', 'user_roles', 'delegations', 'personal_clients', 'departures', 'suspensions'] LOOP
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
END $$;
