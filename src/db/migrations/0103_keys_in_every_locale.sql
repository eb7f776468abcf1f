-- The keys of names fold their letters alike in every locale of a database, as src/lib/names/same-name.ts does. Those of ASCII come first and by
-- themselves: Turkish makes another letter of a capital I, Lithuanian adds a dot to it under an accent. For the others a locale that knows no letters but
-- those of ASCII (C) is replaced by one that knows all. What is stored is made anew where that changes it, which it does in such locales alone.
DO $migration$
DECLARE
  fold text := '"default"';
  probes text[] := ARRAY['ÖZIL', 'ÌX', 'Ə', 'Ŋ', 'Ա'];
  before text[] := ARRAY(SELECT address_key(p.name) || look_alike_key(p.name) FROM unnest(probes) WITH ORDINALITY AS p (name, place) ORDER BY p.place);
  unseen text := '[\u0009-\u000D\u0020\u0085\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]+';
  capitals text := 'ẞÆŒÞØŁÐĐĦςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІҐЂЉЊЋЏ';
  smalls text := 'ßæœþøłðđħσαβγδεζηθικλμνξοπρστυφχψωабвгдежзиклмнопрстуфхцчшщъыьэюяєіґђљњћџ';
  name text;
BEGIN
  IF lower('Ə' COLLATE "default") <> 'ə' THEN
    SELECT coalesce((SELECT quote_ident(c.collname) FROM pg_collation c
      WHERE c.collnamespace = 'pg_catalog'::regnamespace AND c.collname IN ('pg_c_utf8', 'und-x-icu') ORDER BY c.collname LIMIT 1), fold) INTO fold;
  END IF;
  -- Lower case, for what is compared in any case.
  EXECUTE format($f$CREATE FUNCTION fold_case(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C")
      ELSE replace(normalize(lower(lower(normalize(value, NFD) COLLATE "C") COLLATE %s), NFC) COLLATE "C", 'ς', 'σ') END$f$, fold);
  EXECUTE format($f$CREATE OR REPLACE FUNCTION address_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN name COLLATE "C" ~ '^[!-~]*$' THEN lower(name COLLATE "C")
      ELSE normalize(translate(lower(lower(regexp_replace(normalize(name, NFD) COLLATE "C", %L, '', 'g')) COLLATE %s) COLLATE "C", %L, %L), NFC) END$f$,
    unseen, fold, capitals, smalls);
  EXECUTE format($f$CREATE OR REPLACE FUNCTION look_alike_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN name COLLATE "C" ~ '^[!-~]*$' THEN left(lower(name COLLATE "C"), 500)
      ELSE left(normalize(replace(translate(lower(lower(regexp_replace(normalize(name, NFKD) COLLATE "C", %L, '', 'g')) COLLATE %s) COLLATE "C",
        %L, %L), 'ß', 'ss'), NFC), 500) END$f$,
    unseen, fold, capitals, smalls);
  IF ARRAY(SELECT address_key(p.name) || look_alike_key(p.name) FROM unnest(probes) WITH ORDINALITY AS p (name, place) ORDER BY p.place) = before THEN
    RETURN;
  END IF;
  FOREACH name IN ARRAY ARRAY['users', 'person_records', 'accounts', 'entitlements', 'resources', 'resource_types'] LOOP
    EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY, DISABLE TRIGGER USER', name);
  END LOOP;
  UPDATE users SET username = username WHERE username_key <> address_key(username);
  UPDATE person_records SET username = username WHERE username_key <> address_key(username);
  UPDATE accounts SET email = email, username = username, external_id = external_id
    WHERE email_key <> address_key(email) OR look_alike_key <> look_alike_key(external_id)
      OR username_key <> address_key(CASE WHEN username <> '' THEN username ELSE external_id COLLATE "default" END);
  UPDATE entitlements SET external_id = external_id WHERE look_alike_key <> look_alike_key(external_id);
  UPDATE resources SET external_id = external_id WHERE look_alike_key <> look_alike_key(external_id);
  UPDATE resource_types SET external_id = external_id WHERE look_alike_key <> look_alike_key(external_id);
  FOREACH name IN ARRAY ARRAY['users', 'person_records', 'accounts', 'entitlements', 'resources', 'resource_types'] LOOP
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY, ENABLE TRIGGER USER', name);
  END LOOP;
END $migration$;
