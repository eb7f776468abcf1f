-- What tasks are sorted and searched by stands in the tasks, as the snapshot of their review has it: no name is looked up for a page, and every
-- order is that of an index. The keys are of the snapshot, so nothing that happens to the inventory later changes them.

-- Folded as searches are (search_fold), so that É stands beside E and 'jose' finds José. 200 characters keep them short enough for an index.
ALTER TABLE review_accounts
  ADD account_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (left(search_fold(external_id), 200)) STORED,
  ADD owner_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (left(search_fold(user_display_name || ' ' || user_email), 200)) STORED;
ALTER TABLE review_entitlements
  ADD place_key text COLLATE "C" NOT NULL
    GENERATED ALWAYS AS (left(search_fold(app_display_name || ' ' || resource_display_name || ' ' || display_name), 200)) STORED;

-- A review is read in an order by its accounts or its entitlements, of which there are few beside its tasks, and then their tasks.
CREATE INDEX review_accounts_by_key ON review_accounts (tenant_id, review_id, account_key, account_id);
CREATE INDEX review_accounts_by_owner ON review_accounts (tenant_id, review_id, owner_key, account_id);
CREATE INDEX review_accounts_by_user ON review_accounts (tenant_id, review_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX review_entitlements_by_place ON review_entitlements (tenant_id, review_id, place_key, entitlement_id);
CREATE INDEX review_entitlements_by_resource ON review_entitlements (tenant_id, review_id, resource_id, entitlement_id);

ALTER TABLE tasks
  ADD account_key text COLLATE "C" NOT NULL DEFAULT '',
  ADD owner_key text COLLATE "C" NOT NULL DEFAULT '',
  ADD place_key text COLLATE "C" NOT NULL DEFAULT '';

-- People and accounts whose searched text became another, and when last. The index of texts knows what they are called now, and a snapshot what
-- they were called: what the index proposes for a snapshot is complete together with these.
CREATE TABLE search_renames (
  tenant_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  renamed_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, kind, id)
);
CREATE INDEX search_renames_by_time ON search_renames (tenant_id, kind, renamed_at);

CREATE OR REPLACE FUNCTION change_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM search_texts t WHERE t.tenant_id = OLD.tenant_id AND t.kind = TG_ARGV[0] AND t.id = OLD.id;
  ELSE
    UPDATE search_texts t SET text = NEW.search_text WHERE t.tenant_id = NEW.tenant_id AND t.kind = TG_ARGV[0] AND t.id = NEW.id;
  END IF;
  IF TG_ARGV[0] IN ('USER', 'ACCOUNT') THEN
    INSERT INTO search_renames (tenant_id, kind, id, renamed_at) VALUES (OLD.tenant_id, TG_ARGV[0], OLD.id, now())
      ON CONFLICT (tenant_id, kind, id) DO UPDATE SET renamed_at = excluded.renamed_at;
  END IF;
  RETURN NULL;
END $$;

-- Forced row-level security shows the owner no row of any tenant.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tasks', 'review_accounts', 'review_entitlements', 'accounts', 'users'] LOOP
    EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
  END LOOP;

  UPDATE tasks t SET account_key = a.account_key, owner_key = a.owner_key, place_key = e.place_key
    FROM review_accounts a, review_entitlements e
    WHERE a.tenant_id = t.tenant_id AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
      AND e.tenant_id = t.tenant_id AND e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id;

  INSERT INTO search_renames (tenant_id, kind, id, renamed_at)
    SELECT DISTINCT n.tenant_id, 'ACCOUNT', n.account_id, now() FROM review_accounts n
    LEFT JOIN accounts a ON a.tenant_id = n.tenant_id AND a.app_id = n.app_id AND a.id = n.account_id
    WHERE a.external_id IS DISTINCT FROM n.external_id
    UNION ALL
    SELECT DISTINCT n.tenant_id, 'USER', n.user_id, now() FROM review_accounts n
    LEFT JOIN users u ON u.tenant_id = n.tenant_id AND u.id = n.user_id
    WHERE n.user_id IS NOT NULL AND (u.display_name IS DISTINCT FROM n.user_display_name OR u.email IS DISTINCT FROM n.user_email);

  FOREACH name IN ARRAY ARRAY['tasks', 'review_accounts', 'review_entitlements', 'accounts', 'users'] LOOP
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
END $$;

SELECT guard_tenant_table('search_renames');

-- What people call a task by.
CREATE INDEX tasks_by_number ON tasks (tenant_id, numeric_id);
-- The tasks of an entitlement in a review; those of an account are found by tasks_one_per_grant.
CREATE INDEX tasks_by_entitlement ON tasks (tenant_id, review_id, entitlement_id, id);
-- A reviewer's tasks in every order, since those may be a small part of a review or most of it. The tasks of an account are few, so that their
-- order by id needs no index; those of an entitlement may be many.
CREATE INDEX tasks_by_account_key ON tasks (tenant_id, assignment_id, state, account_key, account_id);
CREATE INDEX tasks_by_owner_key ON tasks (tenant_id, assignment_id, state, owner_key, account_id);
CREATE INDEX tasks_by_place_key ON tasks (tenant_id, assignment_id, state, place_key, id);
