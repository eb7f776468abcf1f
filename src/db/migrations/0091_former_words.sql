-- Words by which people were named before: name, address and employee id, each with the moment until which they were theirs. Evidence names people by the
-- words of its act. Kept by a trigger of users, so that no writer can forget to. What a person is called now stands in users alone: nobody pays
-- for people who never changed.
CREATE TABLE former_words (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  valid_until timestamptz NOT NULL,
  display_name text NOT NULL,
  email text NOT NULL,
  -- Key of the address, as users had it.
  email_key text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, user_id, valid_until)
);
CREATE INDEX former_words_by_email ON former_words (tenant_id, email_key) WHERE email_key <> '';
SELECT guard_tenant_table('former_words');

-- A change carries the moment at which its request began, and may wait long for its turn: it is of the moment at which it is written down, so that what
-- was done meanwhile keeps the words that were shown. Dynamic, because a plan kept from a change of one row would be the wrong one for many.
CREATE FUNCTION keep_former_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE 'INSERT INTO countersign.former_words (tenant_id, user_id, valid_until, display_name, email, email_key, employee_id)
    SELECT o.tenant_id, o.id, greatest(n.updated_at, date_trunc(''milliseconds'', clock_timestamp())), o.display_name, o.email, o.email_key, o.employee_id
    FROM new_rows n JOIN old_rows o ON o.tenant_id = n.tenant_id AND o.id = n.id
    WHERE (o.display_name, o.email, o.employee_id) IS DISTINCT FROM (n.display_name, n.email, n.employee_id)
    -- Changed twice at one moment: the first words are those until then.
    ON CONFLICT DO NOTHING';
  RETURN NULL;
END $$;
CREATE TRIGGER users_keep_former_words AFTER UPDATE ON users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_former_words();

-- Names and addresses from before are known as far as changes of people were kept; of employee ids only today's is.
ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
ALTER TABLE user_changes NO FORCE ROW LEVEL SECURITY;
ALTER TABLE former_words NO FORCE ROW LEVEL SECURITY;
INSERT INTO former_words (tenant_id, user_id, valid_until, display_name, email, email_key, employee_id)
  SELECT f.tenant_id, f.user_id, f.changed_at, f.display_name, f.email, lower(f.email), f.employee_id FROM (
    SELECT c.tenant_id, c.user_id, c.changed_at, u.employee_id,
      coalesce((SELECT x.facts -> 'displayName' ->> 0 FROM user_changes x WHERE x.tenant_id = c.tenant_id AND x.user_id = c.user_id
        AND x.changed_at >= c.changed_at AND x.facts ? 'displayName' ORDER BY x.changed_at LIMIT 1), u.display_name) AS display_name,
      coalesce((SELECT x.facts -> 'email' ->> 0 FROM user_changes x WHERE x.tenant_id = c.tenant_id AND x.user_id = c.user_id
        AND x.changed_at >= c.changed_at AND x.facts ? 'email' ORDER BY x.changed_at LIMIT 1), u.email) AS email
    FROM user_changes c JOIN users u ON u.tenant_id = c.tenant_id AND u.id = c.user_id
    WHERE c.facts ?| ARRAY['displayName', 'email']) f;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
ALTER TABLE user_changes FORCE ROW LEVEL SECURITY;
ALTER TABLE former_words FORCE ROW LEVEL SECURITY;

-- The words of a person at a moment: the first of those before that were valid beyond it, or today's. Two look-ups by key each; the planner sees through
-- it. Of no moment, those of today.
CREATE FUNCTION person_words(for_tenant text, of_person text, at timestamptz)
RETURNS TABLE (display_name text, email text, employee_id text) LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN f.user_id IS NULL THEN u.display_name ELSE f.display_name END, CASE WHEN f.user_id IS NULL THEN u.email ELSE f.email END,
    CASE WHEN f.user_id IS NULL THEN u.employee_id ELSE f.employee_id END
  FROM countersign.users u LEFT JOIN LATERAL (
    SELECT w.* FROM countersign.former_words w WHERE w.tenant_id = for_tenant AND w.user_id = of_person AND w.valid_until > at
    ORDER BY w.valid_until LIMIT 1) f ON true
  WHERE u.tenant_id = for_tenant AND u.id = of_person $$;

-- With the moment of the claim: whoever claimed it is named as they were then.
CREATE OR REPLACE VIEW revocations_public WITH (security_invoker = true) AS
SELECT tenant_id, id, review_id, certify_task_id, revoke_task_id, app_id, entitlement_id, account_id, user_id, state, state_at, actor_id,
  sync_id, revision, note, source_no, requested_at, started_at, due_at, overdue_count, claimed_by_id, created_at, updated_at,
  principal_kind, requested_by_id, description, claimed_issuer_id, actor_issuer_id, claimed_at
FROM revocations;
