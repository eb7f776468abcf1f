-- The sources that may change the address, the status and the manager of a person: those that made the person, and those that an administrator
-- gave the person to. Files need no row: Super Administrators upload them.
CREATE TABLE person_sources (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  how text NOT NULL CHECK (how IN ('MADE', 'GIVEN')),
  -- The administrator, where the person was given.
  given_by_id text COLLATE "C" NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, source_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
SELECT guard_tenant_table('person_sources');

-- A source made those people who came into being in the same transaction as the user that it pushed.
ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
ALTER TABLE scim_resources NO FORCE ROW LEVEL SECURITY;
ALTER TABLE person_sources NO FORCE ROW LEVEL SECURITY;
INSERT INTO person_sources (tenant_id, user_id, source_id, how, created_at)
  SELECT u.tenant_id, u.id, r.source_id, 'MADE', u.created_at
  FROM scim_resources r JOIN users u ON u.tenant_id = r.tenant_id AND u.id = r.user_id AND u.created_at = r.created_at
  WHERE r.kind = 'USER' ON CONFLICT DO NOTHING;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
ALTER TABLE scim_resources FORCE ROW LEVEL SECURITY;
ALTER TABLE person_sources FORCE ROW LEVEL SECURITY;

-- What a source asks to change of a person whom it may not change without an administrator: the latest of each source and person.
CREATE TABLE person_claims (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- MATCH: the source names a person who is not its own. CHANGE: a person of its own who holds a role.
  kind text NOT NULL CHECK (kind IN ('MATCH', 'CHANGE')),
  state text NOT NULL CHECK (state IN ('WAITING', 'ACCEPTED', 'REJECTED')),
  -- What the person would say: member of the person -> value.
  wanted jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by_id text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE UNIQUE INDEX person_claims_by_person ON person_claims (tenant_id, user_id, source_id);
CREATE INDEX person_claims_waiting ON person_claims (tenant_id, source_id, id) WHERE state = 'WAITING';
SELECT guard_tenant_table('person_claims');

-- Addresses that people had before. Kept by a trigger, so that no writer can forget to: links and sessions by mail end with the address, and whoever
-- had the old one is told.
CREATE TABLE address_changes (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  changed_at timestamptz NOT NULL,
  old_address text NOT NULL,
  new_address text NOT NULL,
  -- Null until the mail to the old address was made.
  told_at timestamptz,
  PRIMARY KEY (tenant_id, user_id, changed_at)
);
CREATE INDEX address_changes_untold ON address_changes (tenant_id, user_id, changed_at) WHERE told_at IS NULL;
CREATE INDEX address_changes_by_time ON address_changes (tenant_id, changed_at);
SELECT guard_tenant_table('address_changes');

-- In the collation "C" only the case of A to Z is left out of account: a letter that merely looks like one of them makes another address.
CREATE FUNCTION note_address_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO countersign.address_changes (tenant_id, user_id, changed_at, old_address, new_address)
    SELECT n.tenant_id, n.id, n.updated_at, o.email, n.email FROM new_rows n JOIN old_rows o ON o.tenant_id = n.tenant_id AND o.id = n.id
    WHERE n.user_type = 'HUMAN' AND o.email <> '' AND lower(o.email COLLATE "C") <> lower(n.email COLLATE "C")
    -- Changed twice at one moment: the first address is the one that was used.
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER users_address_changed AFTER UPDATE ON users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_address_changes();

-- Links by mail are told from links that somebody printed: they end with the address.
SELECT restrict_values('sessions', 'how', ARRAY['LINK', 'MAIL', 'PROVIDER', 'DEVICE']);
