-- The ways by which access is held besides its own grant, as a JSON list: the first entitlement of each path that the grant is inherited by, and other
-- accounts of the same person in the app with the same entitlement. Looked up by key; at most twenty of each.
CREATE FUNCTION residual_access(for_tenant text, of_app text, of_entitlement text, of_account text, of_user text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('entitlementId', w.entitlement_id, 'entitlementDisplayName', w.entitlement_name,
      'accountId', w.account_id, 'account', w.account) ORDER BY w.entitlement_id, w.account_id), '[]') FROM (
    (SELECT DISTINCT f.id AS entitlement_id, f.display_name AS entitlement_name, '' AS account_id, '' AS account
      FROM countersign.grants x CROSS JOIN LATERAL jsonb_array_elements(x.paths) AS p (path)
      JOIN countersign.entitlements f ON f.tenant_id = for_tenant AND f.app_id = x.app_id AND f.id = p.path ->> 0
      WHERE x.tenant_id = for_tenant AND x.app_id = of_app AND x.entitlement_id = of_entitlement AND x.account_id = of_account
        AND x.removed_revision IS NULL AND x.paths IS NOT NULL ORDER BY f.id LIMIT 20)
    UNION ALL
    (SELECT '', '', o.id, o.external_id FROM countersign.accounts o
      JOIN countersign.grants x ON x.tenant_id = for_tenant AND x.app_id = o.app_id AND x.entitlement_id = of_entitlement AND x.account_id = o.id
        AND x.removed_revision IS NULL
      WHERE o.tenant_id = for_tenant AND o.user_id = of_user AND o.app_id = of_app AND o.id <> of_account AND o.deleted_at IS NULL
      ORDER BY o.id LIMIT 20)) w $$;

-- Removals are read by age; those of an app, of a review or in a state by age among these alone.
CREATE INDEX revocations_by_state_age ON revocations (tenant_id, state, created_at, id);
CREATE INDEX revocations_by_app_age ON revocations (tenant_id, app_id, created_at, id);
CREATE INDEX revocations_by_review_age ON revocations (tenant_id, review_id, created_at, id) WHERE review_id <> '';
