-- Names of apps are compared as all other names are: their case counts. Where two have one key by now, each keeps the key it has; both stand in the list of
-- what looks the same.
ALTER TABLE apps NO FORCE ROW LEVEL SECURITY;
UPDATE apps p SET name_key = name_key(p.display_name) WHERE p.deleted_at IS NULL AND name_key(p.display_name) <> p.name_key
  AND NOT EXISTS (SELECT FROM apps o WHERE o.tenant_id = p.tenant_id AND o.deleted_at IS NULL AND o.id <> p.id
    AND (o.name_key = name_key(p.display_name) OR name_key(o.display_name) = name_key(p.display_name)));
ALTER TABLE apps FORCE ROW LEVEL SECURITY;
