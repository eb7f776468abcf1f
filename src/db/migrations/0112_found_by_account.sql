-- What is held is found by its account, an id that is one in the tenant, and no longer by the app before it. An index that begins with the app looks as good
-- to a planner without statistics as the one that is meant, for all it knows is that both find little: a page then read all that is held in an app.
DROP INDEX grants_by_account;
CREATE INDEX grants_by_account ON grants (tenant_id, account_id);
DROP INDEX revocations_by_access;
CREATE INDEX revocations_by_access ON revocations (tenant_id, account_id, entitlement_id);
CREATE INDEX accounts_looking_alike ON accounts (tenant_id, look_alike_key) WHERE status <> 'DELETED';

-- As before, each step by ids that are one in the tenant; the app is compared afterwards.
CREATE OR REPLACE FUNCTION look_alike_grants(for_tenant text, of_app text, of_entitlement text, of_account text, at bigint)
  RETURNS TABLE (entitlement_id text, entitlement_name text, account_id text, account text) LANGUAGE sql STABLE AS $$
  SELECT o.id, o.display_name, b.id, b.external_id
  FROM (SELECT e.id, e.app_id, e.look_alike_key, e.is_app_access, e.resource_id, e.resource_type_id FROM countersign.entitlements e
    WHERE e.tenant_id = for_tenant AND e.id = of_entitlement OFFSET 0) e
  CROSS JOIN LATERAL (SELECT a.app_id, a.look_alike_key FROM countersign.accounts a
    WHERE a.tenant_id = for_tenant AND a.id = of_account OFFSET 0) a
  CROSS JOIN LATERAL (SELECT b.id, b.app_id, b.external_id, b.status FROM countersign.accounts b
    WHERE b.tenant_id = for_tenant AND b.look_alike_key = a.look_alike_key AND b.status <> 'DELETED' OFFSET 0) b
  CROSS JOIN LATERAL (SELECT x.entitlement_id FROM countersign.grants x
    WHERE b.app_id = of_app AND (NOT e.is_app_access OR b.status = 'ENABLED' AND b.id <> of_account)
      AND x.tenant_id = for_tenant AND x.account_id = b.id AND x.added_revision <= coalesce(at, x.added_revision)
      AND (x.removed_revision IS NULL OR x.removed_revision > at) OFFSET 0) x
  CROSS JOIN LATERAL (SELECT o.id, o.app_id, o.display_name, o.look_alike_key, o.is_app_access, o.resource_id, o.resource_type_id FROM countersign.entitlements o
    WHERE o.tenant_id = for_tenant AND o.id = x.entitlement_id OFFSET 0) o
  WHERE e.app_id = of_app AND a.app_id = of_app AND o.app_id = of_app
    AND o.look_alike_key = e.look_alike_key AND o.is_app_access = e.is_app_access AND (o.id <> of_entitlement OR b.id <> of_account)
    AND (e.is_app_access OR (
      (SELECT r.look_alike_key FROM countersign.resources r WHERE r.tenant_id = for_tenant AND r.id = o.resource_id)
        = (SELECT r.look_alike_key FROM countersign.resources r WHERE r.tenant_id = for_tenant AND r.id = e.resource_id)
      AND (SELECT t.look_alike_key FROM countersign.resource_types t WHERE t.tenant_id = for_tenant AND t.id = o.resource_type_id)
        = (SELECT t.look_alike_key FROM countersign.resource_types t WHERE t.tenant_id = for_tenant AND t.id = e.resource_type_id))) $$;

CREATE OR REPLACE FUNCTION residual_access(for_tenant text, of_app text, of_entitlement text, of_account text, of_user text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('entitlementId', w.entitlement_id, 'entitlementDisplayName', w.entitlement_name,
      'accountId', w.account_id, 'account', w.account, 'looksTheSame', w.looks_the_same) ORDER BY w.looks_the_same, w.entitlement_id, w.account_id), '[]') FROM (
    (SELECT DISTINCT f.id AS entitlement_id, f.display_name AS entitlement_name, '' AS account_id, '' AS account, false AS looks_the_same
      FROM (SELECT x.app_id, x.entitlement_id, x.paths FROM countersign.grants x WHERE x.tenant_id = for_tenant AND x.account_id = of_account
        AND x.removed_revision IS NULL AND x.paths IS NOT NULL OFFSET 0) x
      CROSS JOIN LATERAL jsonb_array_elements(x.paths) AS p (path)
      CROSS JOIN LATERAL (SELECT f.id, f.app_id, f.display_name FROM countersign.entitlements f
        WHERE f.tenant_id = for_tenant AND f.id = p.path ->> 0 OFFSET 0) f
      WHERE x.app_id = of_app AND x.entitlement_id = of_entitlement AND f.app_id = of_app ORDER BY f.id LIMIT 20)
    UNION ALL
    (SELECT '', '', o.id, o.external_id, false
      FROM (SELECT o.id, o.app_id, o.external_id, o.deleted_at, o.look_alike_key FROM countersign.accounts o
        WHERE o.tenant_id = for_tenant AND o.user_id = of_user OFFSET 0) o
      CROSS JOIN LATERAL (SELECT x.entitlement_id FROM countersign.grants x WHERE o.app_id = of_app AND o.id <> of_account AND o.deleted_at IS NULL
        AND x.tenant_id = for_tenant AND x.account_id = o.id AND x.removed_revision IS NULL OFFSET 0) x
      WHERE x.entitlement_id = of_entitlement
        AND o.look_alike_key <> (SELECT a.look_alike_key FROM countersign.accounts a WHERE a.tenant_id = for_tenant AND a.id = of_account)
      ORDER BY o.id LIMIT 20)
    UNION ALL
    (SELECT l.entitlement_id, l.entitlement_name, l.account_id, l.account, true
      FROM countersign.look_alike_grants(for_tenant, of_app, of_entitlement, of_account, NULL) l
      ORDER BY l.entitlement_id, l.account_id LIMIT 20)) w $$;
