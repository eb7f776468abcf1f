-- Reviews ask about links, too: that a resource passes an entitlement on to whoever holds one of its own. Who holds what is asked about, the
-- principal, is then a resource: A is an account, R a resource. `account_id` is the id of either.

ALTER TABLE review_accounts
  ADD principal_kind text COLLATE "C" NOT NULL DEFAULT 'A' CHECK (principal_kind IN ('A', 'R'));

ALTER TABLE tasks
  ADD principal_kind text COLLATE "C" NOT NULL DEFAULT 'A' CHECK (principal_kind IN ('A', 'R'));

-- Links that a revision removed: what a running review follows.
CREATE INDEX entitlement_links_by_removal ON entitlement_links (tenant_id, removed_revision, app_id, from_entitlement_id, to_entitlement_id)
  WHERE removed_revision IS NOT NULL;

-- Resources of a snapshot: a text is found in their names without reading its accounts.
CREATE INDEX review_accounts_resources ON review_accounts (tenant_id, review_id, account_id) WHERE principal_kind = 'R';
