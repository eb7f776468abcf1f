-- An internationalised domain is known in two spellings, `bücher.example` and `xn--bcher-kva.example` (RFC 5890). The key of an address has it in its own
-- letters, however it is spelled, as src/lib/names/same-name.ts makes it: what `xn--` says is worked out here, while the way back needs tables of
-- characters that the database does not have. Addresses stay as they were written.
DO $migration$
DECLARE
  fold text := '"default"';
  unseen text := '[\u0009-\u000D\u0020\u0085\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]+';
  capitals text := 'ẞÆŒÞØŁÐĐĦςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІҐЂЉЊЋЏ';
  smalls text := 'ßæœþøłðđħσαβγδεζηθικλμνξοπρστυφχψωабвгдежзиклмнопрстуфхцчшщъыьэюяєіґђљњћџ';
  odd text := E'\u3002\u0345\u1C80\u1C81\u1C82\u1C83\u1C84\u1C85\u1C86\u1C87\u1C88';
  plain text := '.ιвдосттъѣꙋ';
  knows boolean;
BEGIN
  -- As in 0103_keys_in_every_locale.
  IF lower('Ə' COLLATE "default") <> 'ə' THEN
    SELECT coalesce((SELECT quote_ident(c.collname) FROM pg_collation c
      WHERE c.collnamespace = 'pg_catalog'::regnamespace AND c.collname IN ('pg_c_utf8', 'und-x-icu') ORDER BY c.collname LIMIT 1), fold) INTO fold;
  END IF;
  -- The list is for locales that know no capitals but those of ASCII. Going through it costs more than all else.
  EXECUTE format('SELECT translate(lower(%L COLLATE %s) COLLATE "C", %L, %L) = %L', capitals, fold, 'ς', 'σ', smalls) INTO knows;
  IF knows THEN
    capitals := 'ς';
    smalls := 'σ';
  END IF;
  EXECUTE format($f$CREATE FUNCTION fold_address(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN name COLLATE "C" ~ '^[!-~]*$' THEN lower(name COLLATE "C")
      ELSE normalize(translate(lower(lower(regexp_replace(normalize(name, NFD) COLLATE "C", %L, '', 'g')) COLLATE %s) COLLATE "C", %L, %L), NFC) END$f$,
    unseen, fold, capitals, smalls);
  EXECUTE format($f$CREATE FUNCTION fold_domain(domain text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN domain COLLATE "C" ~ '^[!-~]*$' THEN lower(domain COLLATE "C")
      ELSE normalize(translate(lower(lower(regexp_replace(normalize(domain, NFKD) COLLATE "C", %L, '', 'g')) COLLATE %s) COLLATE "C", %L, %L), NFC) END$f$,
    unseen, fold, capitals || odd, smalls || plain);
END $migration$;

-- What a label says behind its `xn--` (Punycode, RFC 3492); null for what says nothing.
CREATE FUNCTION decode_label(label text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  basic integer := greatest(length(label) - position('-' IN reverse(label)), 0);
  at integer;
  said text;
  code bigint := 128;
  place bigint := 0;
  before bigint;
  weight bigint;
  bias bigint := 72;
  delta bigint;
  k bigint;
  digit integer;
  lowest integer;
BEGIN
  IF position('-' IN label) = 0 THEN
    basic := 0;
  END IF;
  said := left(label, basic);
  at := CASE WHEN basic = 0 THEN 1 ELSE basic + 2 END;
  WHILE at <= length(label) LOOP
    before := place;
    weight := 1;
    k := 36;
    LOOP
      digit := position(substr(label, at, 1) IN 'abcdefghijklmnopqrstuvwxyz0123456789') - 1;
      IF digit < 0 OR at > length(label) THEN
        RETURN NULL;
      END IF;
      at := at + 1;
      place := place + digit * weight;
      lowest := CASE WHEN k <= bias THEN 1 WHEN k >= bias + 26 THEN 26 ELSE k - bias END;
      EXIT WHEN digit < lowest;
      weight := weight * (36 - lowest);
      IF place > 2147483647 OR weight > 2147483647 THEN
        RETURN NULL;
      END IF;
      k := k + 36;
    END LOOP;
    delta := (place - before) / CASE before WHEN 0 THEN 700 ELSE 2 END;
    delta := delta + delta / (length(said) + 1);
    bias := 0;
    WHILE delta > 455 LOOP
      delta := delta / 35;
      bias := bias + 36;
    END LOOP;
    bias := bias + 36 * delta / (delta + 38);
    code := code + place / (length(said) + 1);
    place := place % (length(said) + 1);
    IF code > 1114111 OR code BETWEEN 55296 AND 57343 THEN
      RETURN NULL;
    END IF;
    said := left(said, place::integer) || chr(code::integer) || substr(said, place::integer + 1);
    place := place + 1;
  END LOOP;
  RETURN said;
END $$;

-- A domain with its labels read, as src/lib/names/read-labels.ts reads them; whatever can be no label of a domain stays as it is.
CREATE FUNCTION read_labels(domain text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  label text;
  said text;
  bare text;
  folded text;
  labels text[] := '{}';
BEGIN
  FOREACH label IN ARRAY string_to_array(domain, '.') LOOP
    said := CASE WHEN label COLLATE "C" ~ '^xn--[a-z0-9_-]+$' AND length(label) <= 63 THEN countersign.decode_label(substr(label, 5)) END;
    bare := regexp_replace(said COLLATE "C", '[\u03C2\u200C\u200D\u13A0-\u13F5]', '', 'g');
    folded := countersign.fold_domain(bare);
    labels := labels || CASE WHEN said IS NULL OR folded <> bare OR folded COLLATE "C" ~ '^[!-~]*$' AND countersign.fold_domain(said) COLLATE "C" ~ '^[!-~]*$'
      THEN label ELSE said END;
  END LOOP;
  RETURN array_to_string(labels, '.');
END $$;

-- What is no plain text gets its key here: the planner would write out each use of a value again, and folding is dear.
CREATE FUNCTION unplain_address_key(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  key text := countersign.fold_address(name);
  domain text := substring(key FROM '@([^@]*)$');
  said text;
BEGIN
  IF domain IS NULL OR position('xn--' IN domain) = 0 AND domain COLLATE "C" ~ '^[!-~]*$' THEN
    RETURN key;
  END IF;
  said := countersign.fold_domain(domain);
  IF position('xn--' IN said) > 0 THEN
    said := countersign.fold_domain(countersign.read_labels(said));
  END IF;
  RETURN left(key, length(key) - length(domain)) || said;
END $$;
CREATE OR REPLACE FUNCTION address_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN name COLLATE "C" ~ '^[!-~]*$' AND strpos(lower(name COLLATE "C"), 'xn--') = 0 THEN lower(name COLLATE "C")
  ELSE unplain_address_key(name) END;

-- Spells an address by what the labels of its domain say, and changes nothing else.
CREATE FUNCTION read_address(address text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN strpos(address, '@') = 0 OR strpos(address, 'xn--') = 0 THEN address
  ELSE regexp_replace(address COLLATE "C", '[^@]*$', '') || read_labels(substring(address COLLATE "C" FROM '[^@]*$')) END;

-- Another spelling of the domain is no other address: whoever was signed in by it stays so, and no mail goes out.
CREATE OR REPLACE FUNCTION note_address_changes() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
  INSERT INTO countersign.address_changes (tenant_id, user_id, changed_at, old_address, new_address)
    SELECT n.tenant_id, n.id, greatest(n.updated_at, date_trunc('milliseconds', clock_timestamp())), o.email, n.email
    FROM new_rows n JOIN old_rows o ON o.tenant_id = n.tenant_id AND o.id = n.id
    WHERE n.user_type = 'HUMAN' AND o.email <> ''
      AND countersign.read_address(lower(o.email COLLATE "C")) <> countersign.read_address(lower(n.email COLLATE "C"))
    -- Changed twice at one moment: the first address is the one that was used.
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- What is stored gets its key by the rule of today, made of the address itself: some are of a release whose keys went by the locale of the database
-- (0097_address_keys). Where several people have one address by it, all stay. One has the key: whoever is enabled, before those who are not, and of several
-- the oldest. Nobody is found by the address of the others until it is another one, or the one who has the key is gone; see docs/operations.md.
ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
ALTER TABLE users DISABLE TRIGGER USER;
ALTER TABLE former_words NO FORCE ROW LEVEL SECURITY;
ALTER TABLE person_records NO FORCE ROW LEVEL SECURITY;
ALTER TABLE person_records DISABLE TRIGGER USER;
ALTER TABLE accounts NO FORCE ROW LEVEL SECURITY;
ALTER TABLE accounts DISABLE TRIGGER USER;
ALTER TABLE scim_resources NO FORCE ROW LEVEL SECURITY;
ALTER TABLE scim_resources DISABLE TRIGGER USER;
CREATE TEMP TABLE address_keys ON COMMIT DROP AS
SELECT u.tenant_id, u.id, u.email_key AS before, address_key(u.email) AS key, u.status, u.created_at FROM users u
WHERE u.email_key <> '' AND u.email_key <> address_key(u.email);
INSERT INTO address_keys
SELECT u.tenant_id, u.id, u.email_key, u.email_key, u.status, u.created_at FROM users u
WHERE EXISTS (SELECT FROM address_keys k WHERE k.tenant_id = u.tenant_id AND k.key = u.email_key AND k.id <> u.id) AND u.email_key = address_key(u.email);
DELETE FROM address_keys WHERE key = '';
CREATE TEMP TABLE key_holders ON COMMIT DROP AS
SELECT DISTINCT ON (k.tenant_id, k.key) k.* FROM address_keys k
ORDER BY k.tenant_id, k.key, k.status = 'ENABLED' DESC, k.status = 'DELETED', k.created_at, k.before = k.key DESC, k.id;
-- Whoever had the key and has it no longer takes the one that the holder had, which is nobody's by the rule of today.
CREATE TEMP TABLE new_keys ON COMMIT DROP AS
SELECT DISTINCT ON (x.tenant_id, x.key) x.tenant_id, x.id, x.key FROM (
  SELECT h.tenant_id, h.id, h.key, 1 AS place FROM key_holders h WHERE h.before <> h.key
  UNION ALL
  SELECT k.tenant_id, k.id, h.before, 2 FROM key_holders h JOIN address_keys k ON k.tenant_id = h.tenant_id AND k.key = h.key AND k.before = h.key
  WHERE k.id <> h.id) AS x ORDER BY x.tenant_id, x.key, x.place;
UPDATE users u SET email_key = '' FROM new_keys n WHERE u.tenant_id = n.tenant_id AND u.id = n.id;
UPDATE users u SET email_key = n.key FROM new_keys n WHERE u.tenant_id = n.tenant_id AND u.id = n.id
  AND NOT EXISTS (SELECT FROM users o WHERE o.tenant_id = n.tenant_id AND o.email_key = n.key AND o.email_key <> '');
-- A key that somebody whose address is another one was left with: it stays theirs.
UPDATE users u SET email_key = k.before FROM address_keys k WHERE u.tenant_id = k.tenant_id AND u.id = k.id AND u.email_key = ''
  AND NOT EXISTS (SELECT FROM users o WHERE o.tenant_id = k.tenant_id AND o.email_key = k.before AND o.email_key <> '');
DO $migration$
DECLARE
  others text := (SELECT string_agg(k.id, ', ' ORDER BY k.id) FROM address_keys k
    JOIN key_holders h ON h.tenant_id = k.tenant_id AND h.key = k.key AND h.id <> k.id);
BEGIN
  IF others IS NOT NULL THEN
    RAISE WARNING 'people whose address somebody else has in another spelling; merge them or change their address: %', others;
  END IF;
END $migration$;
UPDATE users SET username = username WHERE username_key <> address_key(username);
UPDATE former_words SET email_key = address_key(email) WHERE email_key <> '' AND email_key <> address_key(email) AND address_key(email) <> '';
UPDATE person_records SET email_key = CASE WHEN email_key = '' OR address_key(email) = '' THEN email_key ELSE address_key(email) END, username = username
  WHERE (email_key <> '' AND email_key <> address_key(email)) OR username_key <> address_key(username);
CREATE TEMP TABLE anchors ON COMMIT DROP AS
SELECT k.tenant_id, k.id, k.source_id, address_key(k.anchor) AS key FROM person_records k
WHERE k.anchor_kind = 'ADDRESS' AND k.anchor <> address_key(k.anchor);
-- Of two records of one source and one address each stays, with the anchor that it has: the file that names one of them goes on with that one.
UPDATE person_records k SET anchor = n.key FROM anchors n WHERE k.tenant_id = n.tenant_id AND k.id = n.id AND n.key <> ''
  AND NOT EXISTS (SELECT FROM person_records o WHERE o.tenant_id = n.tenant_id AND o.source_id = n.source_id AND o.anchor_kind = 'ADDRESS' AND o.anchor = n.key)
  AND NOT EXISTS (SELECT FROM anchors o WHERE o.tenant_id = n.tenant_id AND o.source_id = n.source_id AND o.key = n.key AND o.id < n.id);
CREATE TEMP TABLE user_names ON COMMIT DROP AS
SELECT r.tenant_id, r.source_id, r.id, r.deleted_at IS NULL AS is_live, address_key(r.name_key) AS key, r.name_key AS before
FROM scim_resources r WHERE r.kind = 'USER' AND r.name_key <> address_key(r.name_key);
UPDATE scim_resources r SET name_key = n.key FROM user_names n
WHERE n.tenant_id = r.tenant_id AND n.source_id = r.source_id AND n.id = r.id AND (NOT n.is_live
  OR NOT EXISTS (SELECT FROM scim_resources o WHERE o.tenant_id = n.tenant_id AND o.source_id = n.source_id AND o.kind = 'USER' AND o.deleted_at IS NULL
      AND o.name_key = n.key)
    AND NOT EXISTS (SELECT FROM user_names o WHERE o.tenant_id = n.tenant_id AND o.source_id = n.source_id AND o.is_live AND o.key = n.key AND o.id < n.id));
UPDATE accounts SET email = email, username = username
  WHERE email_key <> address_key(email) OR username_key <> address_key(CASE WHEN username <> '' THEN username ELSE external_id COLLATE "default" END);
DROP TABLE address_keys, key_holders, new_keys, anchors, user_names;
ALTER TABLE users ENABLE TRIGGER USER;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
ALTER TABLE former_words FORCE ROW LEVEL SECURITY;
ALTER TABLE person_records ENABLE TRIGGER USER;
ALTER TABLE person_records FORCE ROW LEVEL SECURITY;
ALTER TABLE accounts ENABLE TRIGGER USER;
ALTER TABLE accounts FORCE ROW LEVEL SECURITY;
ALTER TABLE scim_resources ENABLE TRIGGER USER;
ALTER TABLE scim_resources FORCE ROW LEVEL SECURITY;

-- The domain of an account's address is that of its key, as the one of a person's is.
ALTER TABLE accounts RENAME COLUMN email_domain TO email_domain_before;
ALTER TABLE accounts ADD COLUMN email_domain text COLLATE "C" NOT NULL GENERATED ALWAYS AS (split_part(address_key(email), '@', 2)) STORED;
CREATE OR REPLACE VIEW accounts_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, external_id, display_name, email, email_domain, username, employee_id, email_key, username_key, user_id,
  owner_by_hand, type_by_hand, match_count, source_no, added_revision, account_type, status, profile, search_text, created_at, updated_at,
  deleted_at, external_key, look_alike_key, merged_into_id, owner_by_former_address
FROM accounts;
ALTER TABLE accounts DROP COLUMN email_domain_before;
CREATE INDEX accounts_by_email_domain ON accounts (tenant_id, email_domain, id) WHERE email_domain <> '';
