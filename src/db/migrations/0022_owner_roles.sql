-- Owners stand in roles, entitlements own things beside people, and accounts, sources and people have owners too. Those of before are in the role
-- 'owner', which is what the first version of the API reads and writes.

ALTER TABLE app_owners ADD COLUMN role_slug text COLLATE "C" NOT NULL DEFAULT 'owner', DROP CONSTRAINT app_owners_pkey,
  ADD PRIMARY KEY (tenant_id, app_id, role_slug, user_id);
ALTER TABLE entitlement_owners ADD COLUMN role_slug text COLLATE "C" NOT NULL DEFAULT 'owner', DROP CONSTRAINT entitlement_owners_pkey,
  ADD PRIMARY KEY (tenant_id, app_id, entitlement_id, role_slug, user_id);
ALTER TABLE resource_owners ADD COLUMN role_slug text COLLATE "C" NOT NULL DEFAULT 'owner', DROP CONSTRAINT resource_owners_pkey,
  ADD PRIMARY KEY (tenant_id, app_id, resource_id, role_slug, user_id);

-- Who answers for an account, beside the person it belongs to (accounts.user_id).
CREATE TABLE account_owners (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  role_slug text COLLATE "C" NOT NULL DEFAULT 'owner',
  user_id text COLLATE "C" NOT NULL,
  place integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, app_id, account_id, role_slug, user_id),
  FOREIGN KEY (tenant_id, app_id, account_id) REFERENCES accounts,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE INDEX account_owners_by_user ON account_owners (tenant_id, user_id, app_id, account_id);

CREATE TABLE source_owners (
  tenant_id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  role_slug text COLLATE "C" NOT NULL DEFAULT 'owner',
  user_id text COLLATE "C" NOT NULL,
  place integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, source_id, role_slug, user_id),
  FOREIGN KEY (tenant_id, source_id) REFERENCES sources,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE INDEX source_owners_by_user ON source_owners (tenant_id, user_id, source_id);

CREATE TABLE user_owners (
  tenant_id text COLLATE "C" NOT NULL,
  -- Who is owned; user_id owns.
  owned_id text COLLATE "C" NOT NULL,
  role_slug text COLLATE "C" NOT NULL DEFAULT 'owner',
  user_id text COLLATE "C" NOT NULL,
  place integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, owned_id, role_slug, user_id),
  FOREIGN KEY (tenant_id, owned_id) REFERENCES users,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE INDEX user_owners_by_user ON user_owners (tenant_id, user_id, owned_id);

-- Entitlements that own something of any kind: whoever owns an account that holds one is an owner.
CREATE TABLE owner_entitlements (
  tenant_id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('app', 'entitlement', 'resource', 'account', 'source', 'user')),
  -- The app of what is owned; '' for a person.
  app_id text COLLATE "C" NOT NULL,
  -- What is owned: an app by its own id.
  object_id text COLLATE "C" NOT NULL,
  role_slug text COLLATE "C" NOT NULL DEFAULT 'owner',
  owner_app_id text COLLATE "C" NOT NULL,
  owner_entitlement_id text COLLATE "C" NOT NULL,
  place integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, kind, app_id, object_id, role_slug, owner_app_id, owner_entitlement_id),
  FOREIGN KEY (tenant_id, owner_app_id, owner_entitlement_id) REFERENCES entitlements
);
CREATE INDEX owner_entitlements_by_owner ON owner_entitlements (tenant_id, owner_app_id, owner_entitlement_id);

-- A resource that an entitlement owns is not unowned.
CREATE FUNCTION keep_count_of_owning_entitlements() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE resources r SET owner_count = r.owner_count + c.n * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
  FROM (SELECT x.tenant_id, x.app_id, x.object_id, count(*)::int AS n FROM changed x WHERE x.kind = 'resource'
        GROUP BY x.tenant_id, x.app_id, x.object_id) c
  WHERE r.tenant_id = c.tenant_id AND r.app_id = c.app_id AND r.id = c.object_id;
  RETURN NULL;
END $$;
CREATE TRIGGER owner_entitlements_added AFTER INSERT ON owner_entitlements REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_count_of_owning_entitlements();
CREATE TRIGGER owner_entitlements_removed AFTER DELETE ON owner_entitlements REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_count_of_owning_entitlements();

-- The people of a source were a list in its row. Forced row-level security shows the owner no row of any tenant.
ALTER TABLE sources NO FORCE ROW LEVEL SECURITY;
ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
INSERT INTO source_owners (tenant_id, source_id, user_id, place, created_at)
  SELECT s.tenant_id, s.id, n.id, min(n.place), s.created_at FROM sources s CROSS JOIN LATERAL unnest(s.user_ids) WITH ORDINALITY AS n (id, place)
  JOIN users u ON u.tenant_id = s.tenant_id AND u.id = n.id
  GROUP BY s.tenant_id, s.id, n.id, s.created_at;
ALTER TABLE sources FORCE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
ALTER TABLE sources DROP COLUMN user_ids;

SELECT guard_tenant_table('account_owners');
SELECT guard_tenant_table('source_owners');
SELECT guard_tenant_table('user_owners');
SELECT guard_tenant_table('owner_entitlements');
