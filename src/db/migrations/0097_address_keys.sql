-- Keys of addresses, user names and employee ids, as src/lib/names/same-name.ts makes them: a test holds both together. Letters are taken from their
-- marks before case is folded, so that a database whose locale knows no more than ASCII folds most of them, too; the rest is named.
CREATE FUNCTION address_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN name COLLATE "C" ~ '^[!-~]*$' THEN lower(name COLLATE "C")
  ELSE normalize(translate(lower(regexp_replace(normalize(name, NFD) COLLATE "C",
    '[\u0009-\u000D\u0020\u0085\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]+', '', 'g')
    COLLATE "default") COLLATE "C",
    'ẞÆŒÞØŁÐĐĦςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІҐЂЉЊЋЏ',
    'ßæœþøłðđħσαβγδεζηθικλμνξοπρστυφχψωабвгдежзиклмнопрстуфхцчшщъыьэюяєіґђљњћџ'), NFC) END;
CREATE FUNCTION id_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN name COLLATE "C" ~ '^[!-~]*$' THEN name
  ELSE normalize(regexp_replace(normalize(name, NFC) COLLATE "C",
    '[\u0009-\u000D\u0020\u0085\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]+', '', 'g'),
    NFC) END;

-- What is stored gets its key by the rules of today. An address whose key somebody else has by now keeps the one it has: two people are not made one here.
-- Words of an act stay as they were: a changed employee id is kept among the former words by its trigger.
ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
ALTER TABLE former_words NO FORCE ROW LEVEL SECURITY;
ALTER TABLE person_records NO FORCE ROW LEVEL SECURITY;
ALTER TABLE accounts NO FORCE ROW LEVEL SECURITY;
ALTER TABLE accounts DISABLE TRIGGER accounts_profile_updated;
ALTER TABLE users DISABLE TRIGGER USER;
ALTER TABLE users ENABLE TRIGGER users_keep_former_words;
CREATE TEMP TABLE address_keys ON COMMIT DROP AS
SELECT u.tenant_id, u.id, u.email_key AS before, address_key(u.email_key) AS key FROM users u WHERE address_key(u.email_key) <> u.email_key;
UPDATE users u SET email_key = k.key FROM address_keys k WHERE u.tenant_id = k.tenant_id AND u.id = k.id AND k.key <> ''
  AND NOT EXISTS (SELECT FROM users o WHERE o.tenant_id = k.tenant_id AND o.email_key = k.key)
  AND NOT EXISTS (SELECT FROM address_keys o WHERE o.tenant_id = k.tenant_id AND o.key = k.key AND o.id < k.id);
UPDATE users u SET employee_id = id_key(u.employee_id), updated_at = now() WHERE id_key(u.employee_id) <> u.employee_id;
UPDATE former_words w SET email_key = address_key(w.email_key) WHERE address_key(w.email_key) <> w.email_key;
UPDATE person_records k SET email_key = address_key(k.email_key), employee_id = id_key(k.employee_id)
  WHERE address_key(k.email_key) <> k.email_key OR id_key(k.employee_id) <> k.employee_id;
CREATE TEMP TABLE anchors ON COMMIT DROP AS
SELECT k.tenant_id, k.id, k.source_id, k.anchor_kind, CASE k.anchor_kind WHEN 'EMPLOYEE_ID' THEN id_key(k.anchor) ELSE address_key(k.anchor) END AS key
FROM person_records k WHERE k.anchor_kind IN ('EMPLOYEE_ID', 'ADDRESS')
  AND k.anchor <> CASE k.anchor_kind WHEN 'EMPLOYEE_ID' THEN id_key(k.anchor) ELSE address_key(k.anchor) END;
UPDATE person_records k SET anchor = n.key FROM anchors n WHERE k.tenant_id = n.tenant_id AND k.id = n.id AND n.key <> ''
  AND NOT EXISTS (SELECT FROM person_records o WHERE o.tenant_id = n.tenant_id AND o.source_id = n.source_id AND o.anchor_kind = n.anchor_kind
    AND o.anchor = n.key)
  AND NOT EXISTS (SELECT FROM anchors o WHERE o.tenant_id = n.tenant_id AND o.source_id = n.source_id AND o.anchor_kind = n.anchor_kind
    AND o.key = n.key AND o.id < n.id);
UPDATE accounts a SET employee_id = id_key(a.employee_id) WHERE id_key(a.employee_id) <> a.employee_id;
DROP TABLE address_keys;
DROP TABLE anchors;
ALTER TABLE accounts ENABLE TRIGGER accounts_profile_updated;
ALTER TABLE users ENABLE TRIGGER USER;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
ALTER TABLE former_words FORCE ROW LEVEL SECURITY;
ALTER TABLE person_records FORCE ROW LEVEL SECURITY;
ALTER TABLE accounts FORCE ROW LEVEL SECURITY;

-- The columns that were no more than lower case are made by the same rule. An expression is changed in place by none of the releases that we run on.
DROP VIEW users_public;
DROP VIEW accounts_public;
ALTER TABLE users DROP COLUMN username_key,
  ADD COLUMN username_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (address_key(username)) STORED;
ALTER TABLE person_records DROP COLUMN username_key,
  ADD COLUMN username_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (address_key(username)) STORED;
ALTER TABLE accounts DROP COLUMN email_key, DROP COLUMN username_key,
  ADD COLUMN email_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (address_key(email)) STORED,
  ADD COLUMN username_key text COLLATE "C" NOT NULL
    GENERATED ALWAYS AS (address_key(CASE WHEN username <> '' THEN username ELSE external_id COLLATE "default" END)) STORED;
CREATE INDEX users_by_username ON users (tenant_id, username_key) WHERE username_key <> '';
CREATE INDEX accounts_by_email ON accounts (tenant_id, email_key) WHERE email_key <> '';
CREATE INDEX accounts_by_username ON accounts (tenant_id, username_key) WHERE username_key <> '';
CREATE VIEW users_public WITH (security_invoker = true) AS
SELECT tenant_id, id, email, email_key, email_domain, display_name, status, user_type, username, username_key, employee_id, external_id,
  employment_status, employment_type, department, job_title, manager_id, profile, source, search_text, created_at, updated_at, deleted_at,
  maker_id
FROM users;
CREATE VIEW accounts_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, external_id, display_name, email, email_domain, username, employee_id, email_key, username_key, user_id,
  owner_by_hand, type_by_hand, match_count, source_no, added_revision, account_type, status, profile, search_text, created_at, updated_at,
  deleted_at, external_key, look_alike_key
FROM accounts;
