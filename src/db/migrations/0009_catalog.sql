-- What public clients rely on: whole numbers for the version of a scope, names found as they are written, lists in the order in which they
-- were sent, and entitlements that share an alias.

-- A draft kept the version of its scope as any text, and "" for none; it is a whole number as text.
DO $$
DECLARE found record;
BEGIN
  FOR found IN SELECT t.tenant_id AS id FROM tenants t
  LOOP
    PERFORM set_config('countersign.tenant_id', found.id, true);
    UPDATE reviews r SET document = jsonb_set(r.document, '{scopingVersion}', to_jsonb(
      CASE WHEN r.document ->> 'scopingVersion' ~ '^-?[0-9]{1,18}$' THEN (r.document ->> 'scopingVersion')::bigint::text ELSE '0' END))
    WHERE r.tenant_id = found.id AND r.document ? 'scopingVersion' AND r.document ->> 'scopingVersion' !~ '^(0|-?[1-9][0-9]{0,17})$';
  END LOOP;
  PERFORM set_config('countersign.tenant_id', '', true);
END $$;

-- Names may be longer than what an index holds, so what is indexed is a number made of each. It is a column, because an index of an
-- expression is of no use under row-level security.
ALTER TABLE entitlements ADD COLUMN name_hash bigint NOT NULL GENERATED ALWAYS AS (hashtextextended(display_name, 0)) STORED;
CREATE INDEX entitlements_by_name ON entitlements (tenant_id, name_hash, id);
ALTER TABLE resource_types ADD COLUMN name_hash bigint NOT NULL GENERATED ALWAYS AS (hashtextextended(display_name, 0)) STORED;
CREATE INDEX resource_types_by_name ON resource_types (tenant_id, name_hash, id);

-- What a name is in any case.
CREATE FUNCTION name_in_any_case(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS
$$ SELECT lower(normalize(btrim(name), NFC)) $$;
ALTER TABLE policies ADD COLUMN name_hash bigint NOT NULL GENERATED ALWAYS AS (hashtextextended(name_in_any_case(display_name), 0)) STORED;
CREATE INDEX policies_by_name ON policies (tenant_id, name_hash, id);

-- Where an owner, or an entitlement of an access profile, stands in its list. Those of before have no place, and stand in the order of ids.
ALTER TABLE app_owners ADD COLUMN place integer NOT NULL DEFAULT 0;
ALTER TABLE entitlement_owners ADD COLUMN place integer NOT NULL DEFAULT 0;
ALTER TABLE resource_owners ADD COLUMN place integer NOT NULL DEFAULT 0;
ALTER TABLE access_profile_entitlements ADD COLUMN place integer NOT NULL DEFAULT 0;

DROP INDEX entitlements_by_alias;
CREATE INDEX entitlements_by_alias ON entitlements (tenant_id, alias, id) WHERE alias <> '' AND deleted_at IS NULL;
