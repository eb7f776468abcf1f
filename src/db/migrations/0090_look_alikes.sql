-- Grants whose account and entitlement look like these and are others, as of a revision; null for now. Found by the key of the account, and then among what
-- the accounts of that key hold, step by step: each is few rows, whatever the planner believes. Of app access an account counts that may sign in.
CREATE FUNCTION look_alike_grants(for_tenant text, of_app text, of_entitlement text, of_account text, at bigint)
  RETURNS TABLE (entitlement_id text, entitlement_name text, account_id text, account text) LANGUAGE sql STABLE AS $$
  SELECT o.id, o.display_name, b.id, b.external_id
  FROM (SELECT e.id, e.look_alike_key, e.is_app_access, e.resource_id, e.resource_type_id FROM countersign.entitlements e
    WHERE e.tenant_id = for_tenant AND e.app_id = of_app AND e.id = of_entitlement OFFSET 0) e
  CROSS JOIN LATERAL (SELECT a.look_alike_key FROM countersign.accounts a
    WHERE a.tenant_id = for_tenant AND a.app_id = of_app AND a.id = of_account OFFSET 0) a
  CROSS JOIN LATERAL (SELECT b.id, b.external_id FROM countersign.accounts b
    WHERE b.tenant_id = for_tenant AND b.app_id = of_app AND b.look_alike_key = a.look_alike_key AND b.status <> 'DELETED'
      AND (NOT e.is_app_access OR b.status = 'ENABLED' AND b.id <> of_account) OFFSET 0) b
  CROSS JOIN LATERAL (SELECT x.entitlement_id FROM countersign.grants x
    WHERE x.tenant_id = for_tenant AND x.app_id = of_app AND x.account_id = b.id AND x.added_revision <= coalesce(at, x.added_revision)
      AND (x.removed_revision IS NULL OR x.removed_revision > at) OFFSET 0) x
  CROSS JOIN LATERAL (SELECT o.id, o.display_name, o.resource_id, o.resource_type_id FROM countersign.entitlements o
    WHERE o.tenant_id = for_tenant AND o.app_id = of_app AND o.id = x.entitlement_id AND o.look_alike_key = e.look_alike_key
      AND o.is_app_access = e.is_app_access AND (o.id <> of_entitlement OR b.id <> of_account) OFFSET 0) o
  WHERE e.is_app_access OR (
    (SELECT r.look_alike_key FROM countersign.resources r WHERE r.tenant_id = for_tenant AND r.app_id = of_app AND r.id = o.resource_id)
      = (SELECT r.look_alike_key FROM countersign.resources r WHERE r.tenant_id = for_tenant AND r.app_id = of_app AND r.id = e.resource_id)
    AND (SELECT t.look_alike_key FROM countersign.resource_types t WHERE t.tenant_id = for_tenant AND t.app_id = of_app AND t.id = o.resource_type_id)
      = (SELECT t.look_alike_key FROM countersign.resource_types t WHERE t.tenant_id = for_tenant AND t.app_id = of_app AND t.id = e.resource_type_id)) $$;

-- Also the ways that only look like the access: with the account and the entitlement.
CREATE OR REPLACE FUNCTION residual_access(for_tenant text, of_app text, of_entitlement text, of_account text, of_user text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('entitlementId', w.entitlement_id, 'entitlementDisplayName', w.entitlement_name,
      'accountId', w.account_id, 'account', w.account, 'looksTheSame', w.looks_the_same) ORDER BY w.looks_the_same, w.entitlement_id, w.account_id), '[]') FROM (
    (SELECT DISTINCT f.id AS entitlement_id, f.display_name AS entitlement_name, '' AS account_id, '' AS account, false AS looks_the_same
      FROM countersign.grants x CROSS JOIN LATERAL jsonb_array_elements(x.paths) AS p (path)
      JOIN countersign.entitlements f ON f.tenant_id = for_tenant AND f.app_id = x.app_id AND f.id = p.path ->> 0
      WHERE x.tenant_id = for_tenant AND x.app_id = of_app AND x.entitlement_id = of_entitlement AND x.account_id = of_account
        AND x.removed_revision IS NULL AND x.paths IS NOT NULL ORDER BY f.id LIMIT 20)
    UNION ALL
    (SELECT '', '', o.id, o.external_id, false FROM countersign.accounts o
      JOIN countersign.grants x ON x.tenant_id = for_tenant AND x.app_id = o.app_id AND x.entitlement_id = of_entitlement AND x.account_id = o.id
        AND x.removed_revision IS NULL
      WHERE o.tenant_id = for_tenant AND o.user_id = of_user AND o.app_id = of_app AND o.id <> of_account AND o.deleted_at IS NULL
        AND o.look_alike_key <> (SELECT a.look_alike_key FROM countersign.accounts a WHERE a.tenant_id = for_tenant AND a.app_id = of_app AND a.id = of_account)
      ORDER BY o.id LIMIT 20)
    UNION ALL
    (SELECT l.entitlement_id, l.entitlement_name, l.account_id, l.account, true
      FROM countersign.look_alike_grants(for_tenant, of_app, of_entitlement, of_account, NULL) l
      ORDER BY l.entitlement_id, l.account_id LIMIT 20)) w $$;
