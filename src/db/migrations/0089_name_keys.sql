-- Two names are the same where their keys are. Kept by the database, of what it stores, so that no writer can forget it; src/lib/names/same-name.ts
-- makes the same keys of what comes in, and a test holds both together.
CREATE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN name COLLATE "C" ~ '^([!-~]+( [!-~]+)*)?$' THEN name
  ELSE regexp_replace(regexp_replace(normalize(name, NFC) COLLATE "C",
    '^[\u0009-\u000D\u0020\u0085\u00A0\u00AD\u1680\u2000-\u200D\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF]+|[\u0009-\u000D\u0020\u0085\u00A0\u00AD\u1680\u2000-\u200D\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF]+$', '', 'g'),
    '[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+', ' ', 'g') END;

-- What names that look the same have in common: compatibility forms, case, white space and what nobody sees do not count. Letters are taken from their
-- marks before case is folded, so that a database whose locale knows no more than ASCII folds most of them, too; the rest is named. Cut to what an index
-- can hold: it asks a person to look, and decides nothing by itself.
CREATE FUNCTION look_alike_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN name COLLATE "C" ~ '^[!-~]*$' THEN left(lower(name COLLATE "C"), 500)
  ELSE left(normalize(replace(translate(lower(regexp_replace(normalize(name, NFKD) COLLATE "C",
    '[\u0009-\u000D\u0020\u0085\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]+', '', 'g')
    COLLATE "default") COLLATE "C",
    'ẞÆŒÞØŁÐĐĦςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІҐЂЉЊЋЏ',
    'ßæœþøłðđħσαβγδεζηθικλμνξοπρστυφχψωабвгдежзиклмнопрстуфхцчшщъыьэюяєіґђљњћџ'), 'ß', 'ss'), NFC), 500) END;

-- Of names stored until now that have one key, the one in use keeps it, else the oldest; the others stay apart by a number behind theirs, so that nothing
-- is lost. They stand in the list of what looks the same.
ALTER TABLE resource_types ADD COLUMN twin smallint NOT NULL DEFAULT 0;
ALTER TABLE resources ADD COLUMN twin smallint NOT NULL DEFAULT 0;
ALTER TABLE entitlements ADD COLUMN twin smallint NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN twin smallint NOT NULL DEFAULT 0;
ALTER TABLE resource_types NO FORCE ROW LEVEL SECURITY;
ALTER TABLE resources NO FORCE ROW LEVEL SECURITY;
ALTER TABLE entitlements NO FORCE ROW LEVEL SECURITY;
ALTER TABLE accounts NO FORCE ROW LEVEL SECURITY;
ALTER TABLE sync_contents NO FORCE ROW LEVEL SECURITY;
ALTER TABLE sources NO FORCE ROW LEVEL SECURITY;
ALTER TABLE apps NO FORCE ROW LEVEL SECURITY;
ALTER TABLE classification_values NO FORCE ROW LEVEL SECURITY;
ALTER TABLE scim_resources NO FORCE ROW LEVEL SECURITY;
ALTER TABLE accounts DISABLE TRIGGER accounts_profile_updated;
CREATE TEMP TABLE twins ON COMMIT DROP AS
SELECT 'entitlements' AS of, n.tenant_id, n.app_id, n.id, n.place FROM (
  SELECT e.tenant_id, e.app_id, e.id, row_number() OVER (PARTITION BY e.tenant_id, e.app_id, e.resource_id, name_key(e.external_id)
    ORDER BY e.grant_count > 0 DESC, e.deleted_at IS NULL DESC, e.id) - 1 AS place FROM entitlements e) n WHERE n.place > 0
UNION ALL SELECT 'resources', n.tenant_id, n.app_id, n.id, n.place FROM (
  SELECT r.tenant_id, r.app_id, r.id, row_number() OVER (PARTITION BY r.tenant_id, r.app_id, r.resource_type_id, name_key(r.external_id)
    ORDER BY EXISTS (SELECT FROM entitlements e WHERE e.tenant_id = r.tenant_id AND e.app_id = r.app_id AND e.resource_id = r.id AND e.grant_count > 0) DESC,
      r.deleted_at IS NULL DESC, r.id) - 1 AS place
  FROM (SELECT * FROM resources r WHERE name_key(r.external_id) IN (
    SELECT name_key(o.external_id) FROM resources o GROUP BY o.tenant_id, o.app_id, o.resource_type_id, name_key(o.external_id) HAVING count(*) > 1)) r) n
  WHERE n.place > 0
UNION ALL SELECT 'resource_types', n.tenant_id, n.app_id, n.id, n.place FROM (
  SELECT t.tenant_id, t.app_id, t.id, row_number() OVER (PARTITION BY t.tenant_id, t.app_id, name_key(t.external_id)
    ORDER BY EXISTS (SELECT FROM entitlements e WHERE e.tenant_id = t.tenant_id AND e.app_id = t.app_id AND e.resource_type_id = t.id AND e.grant_count > 0) DESC,
      t.deleted_at IS NULL DESC, t.id) - 1 AS place FROM resource_types t) n WHERE n.place > 0
UNION ALL SELECT 'accounts', n.tenant_id, n.app_id, n.id, n.place FROM (
  SELECT a.tenant_id, a.app_id, a.id, row_number() OVER (PARTITION BY a.tenant_id, a.app_id, name_key(a.external_id)
    ORDER BY a.status <> 'DELETED' DESC, a.id) - 1 AS place FROM accounts a) n WHERE n.place > 0;
UPDATE resource_types t SET twin = n.place FROM twins n WHERE n.of = 'resource_types' AND t.tenant_id = n.tenant_id AND t.app_id = n.app_id AND t.id = n.id;
UPDATE resources t SET twin = n.place FROM twins n WHERE n.of = 'resources' AND t.tenant_id = n.tenant_id AND t.app_id = n.app_id AND t.id = n.id;
UPDATE entitlements t SET twin = n.place FROM twins n WHERE n.of = 'entitlements' AND t.tenant_id = n.tenant_id AND t.app_id = n.app_id AND t.id = n.id;
UPDATE accounts t SET twin = n.place FROM twins n WHERE n.of = 'accounts' AND t.tenant_id = n.tenant_id AND t.app_id = n.app_id AND t.id = n.id;
-- The next file of an app that has any is held against all of it.
DELETE FROM sync_contents c USING sources s, twins n WHERE s.tenant_id = c.tenant_id AND s.id = c.source_id AND n.tenant_id = s.tenant_id AND n.app_id = s.app_id;
DROP TABLE twins;
ALTER TABLE accounts ENABLE TRIGGER accounts_profile_updated;
ALTER TABLE resource_types FORCE ROW LEVEL SECURITY;
ALTER TABLE resources FORCE ROW LEVEL SECURITY;
ALTER TABLE entitlements FORCE ROW LEVEL SECURITY;
ALTER TABLE accounts FORCE ROW LEVEL SECURITY;
ALTER TABLE sync_contents FORCE ROW LEVEL SECURITY;
-- Keys of names that code makes are made as it does now; where another has that one already, each keeps its own.
UPDATE apps p SET name_key = name_key(p.name_key) WHERE p.deleted_at IS NULL AND name_key(p.name_key) <> p.name_key
  AND (SELECT count(*) FROM apps o WHERE o.tenant_id = p.tenant_id AND o.deleted_at IS NULL AND name_key(o.name_key) = name_key(p.name_key)) = 1;
UPDATE classification_values v SET value_key = name_key(v.value_key) WHERE v.deleted_at IS NULL AND name_key(v.value_key) <> v.value_key
  AND (SELECT count(*) FROM classification_values o WHERE o.tenant_id = v.tenant_id AND o.attribute_type_id = v.attribute_type_id AND o.deleted_at IS NULL
    AND name_key(o.value_key) = name_key(v.value_key)) = 1;
UPDATE scim_resources r SET name_key = name_key(r.name_key) WHERE r.kind = 'GROUP' AND name_key(r.name_key) <> r.name_key;
CREATE TEMP TABLE user_names ON COMMIT DROP AS
SELECT r.tenant_id, r.source_id, r.id, r.deleted_at IS NULL AS is_live, replace(normalize(regexp_replace(normalize(r.name_key, NFC) COLLATE "C",
    '[\u0009-\u000D\u0020\u0085\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]+', '', 'g'),
    NFC), 'ς', 'σ') AS key
FROM scim_resources r WHERE r.kind = 'USER';
UPDATE scim_resources r SET name_key = n.key FROM user_names n
WHERE n.tenant_id = r.tenant_id AND n.source_id = r.source_id AND n.id = r.id AND n.key <> r.name_key AND (NOT n.is_live
  OR (SELECT count(*) FROM user_names o WHERE o.tenant_id = n.tenant_id AND o.source_id = n.source_id AND o.key = n.key AND o.is_live) = 1);
DROP TABLE user_names;
ALTER TABLE sources FORCE ROW LEVEL SECURITY;
ALTER TABLE apps FORCE ROW LEVEL SECURITY;
ALTER TABLE classification_values FORCE ROW LEVEL SECURITY;
ALTER TABLE scim_resources FORCE ROW LEVEL SECURITY;

ALTER TABLE resource_types
  ADD COLUMN external_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (name_key(external_id) || CASE twin WHEN 0 THEN '' ELSE E'\x1f' || twin::text END) STORED,
  ADD COLUMN look_alike_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (look_alike_key(external_id)) STORED;
ALTER TABLE resources
  ADD COLUMN external_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (name_key(external_id) || CASE twin WHEN 0 THEN '' ELSE E'\x1f' || twin::text END) STORED,
  ADD COLUMN look_alike_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (look_alike_key(external_id)) STORED;
ALTER TABLE entitlements
  ADD COLUMN external_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (name_key(external_id) || CASE twin WHEN 0 THEN '' ELSE E'\x1f' || twin::text END) STORED,
  ADD COLUMN look_alike_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (look_alike_key(external_id)) STORED;
ALTER TABLE accounts
  ADD COLUMN external_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (name_key(external_id) || CASE twin WHEN 0 THEN '' ELSE E'\x1f' || twin::text END) STORED,
  ADD COLUMN look_alike_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (look_alike_key(external_id)) STORED;

DROP INDEX resource_types_by_external_id;
DROP INDEX resources_by_external_id;
DROP INDEX entitlements_by_external_id;
DROP INDEX accounts_by_external_id;
CREATE UNIQUE INDEX resource_types_by_key ON resource_types (tenant_id, app_id, external_key);
CREATE UNIQUE INDEX resources_by_key ON resources (tenant_id, app_id, resource_type_id, external_key);
CREATE UNIQUE INDEX entitlements_by_key ON entitlements (tenant_id, app_id, resource_id, external_key);
CREATE UNIQUE INDEX accounts_by_key ON accounts (tenant_id, app_id, external_key);
CREATE INDEX accounts_by_look ON accounts (tenant_id, app_id, look_alike_key) WHERE status <> 'DELETED';
-- Of tables filled just now the planner knows nothing: all indexes cost the same, and it takes the newest. That is to be one that finds a row by its id.
DROP INDEX resource_types_by_id;
DROP INDEX resources_by_id;
DROP INDEX entitlements_by_id;
DROP INDEX accounts_by_id;
DROP INDEX accounts_by_user;
CREATE UNIQUE INDEX resource_types_by_id ON resource_types (tenant_id, id);
CREATE UNIQUE INDEX resources_by_id ON resources (tenant_id, id);
CREATE UNIQUE INDEX entitlements_by_id ON entitlements (tenant_id, id);
CREATE UNIQUE INDEX accounts_by_id ON accounts (tenant_id, id);
CREATE INDEX accounts_by_user ON accounts (tenant_id, user_id, app_id, id) WHERE user_id IS NOT NULL;

CREATE OR REPLACE VIEW resource_types_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, external_id, display_name, trait_ids, created_at, updated_at, deleted_at, external_key, look_alike_key
FROM resource_types;
CREATE OR REPLACE VIEW resources_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, resource_type_id, external_id, display_name, document, created_at, updated_at, deleted_at, parent_id, external_key,
  look_alike_key
FROM resources;
CREATE OR REPLACE VIEW entitlements_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, resource_type_id, resource_id, external_id, is_app_access, display_name, description, certify_policy_id,
  alias, slug, purpose, risk_level_value_id, compliance_framework_value_ids, is_manual, source_no, document, grant_count, search_text,
  created_at, updated_at, deleted_at, last_used_at, external_key, look_alike_key
FROM entitlements;
CREATE OR REPLACE VIEW accounts_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, external_id, display_name, email, email_domain, username, employee_id, email_key, username_key, user_id,
  owner_by_hand, type_by_hand, match_count, source_no, added_revision, account_type, status, profile, search_text, created_at, updated_at,
  deleted_at, external_key, look_alike_key
FROM accounts;
