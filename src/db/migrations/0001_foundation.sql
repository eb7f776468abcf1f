-- The first schema. Every table begins its primary key with tenant_id, so that it can be spread by tenant; every tenant table is under
-- forced row-level security (see the end). Outside stand only: tenants, tenant_hosts, jobs, search_texts and schema_migrations.
-- Identifiers are 27 characters of [0-9A-Za-z], sortable by time of creation, compared byte by byte (COLLATE "C").

-- The tenant of this connection. Raises where none is set: a policy that compared with nothing would silently see nothing.
CREATE FUNCTION current_tenant_id() RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE value text := current_setting('countersign.tenant_id', true);
BEGIN
  IF value IS NULL OR value = '' THEN
    RAISE EXCEPTION 'no tenant is set on this connection' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN value;
END $$;

-- The last 8 characters of an identifier made in bulk: a prefix made once per statement, then this counter.
CREATE FUNCTION id_suffix(counter bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN lpad(counter::text, 8, '0');

CREATE FUNCTION task_assignment_id(batch_id text, reason text, user_ids text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN left(encode(sha256((batch_id || '/' || reason || '/' || array_to_string(user_ids, ','))::bytea), 'hex'), 27);

-- Text search (docs/decisions/0011-text-search.md): what two spellings of a text have in common. Compatibility forms, accents and case are
-- gone, also where the database's locale knows no case beyond ASCII; marks of other scripts that carry sound stay.
CREATE FUNCTION search_fold(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  IF octet_length(value) > length(value) THEN
    value := regexp_replace(normalize(value, NFKD),
      '[\u00AD\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u064B-\u065F\u0670\u1AB0-\u1AFF\u1DC0-\u1DFF\u200B-\u200D\u2060\u20D0-\u20F0\uFE00-\uFE0F\uFE20-\uFE2F\uFEFF]',
      '', 'g');
    -- Most names are ASCII by now; what follows costs more than all before it.
    IF octet_length(value) > length(value) THEN
      value := translate(lower(value COLLATE "default") COLLATE "C",
        'ÆŒÞẞØøŁłĐđðĦħıςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІҐЂЉЊЋЏ',
        'æœþßoolldddhhiσαβγδεζηθικλμνξοπρστυφχψωабвгдежзиклмнопрстуфхцчшщъыьэюяєіґђљњћџ');
      value := replace(replace(replace(replace(value, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    END IF;
  END IF;
  RETURN lower(value COLLATE "C");
END $$;

-- The words of a query as patterns of LIKE that find them anywhere; a text is found where LIKE ALL of them holds.
CREATE FUNCTION search_patterns(query text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY(SELECT '%' || regexp_replace(w.word, '([\\%_])', '\\\1', 'g') || '%'
    FROM regexp_split_to_table(search_fold(query), '\s+') AS w(word) WHERE w.word <> '');

-- Every three neighbouring characters of a folded text, each as a number of its own for every tenant and kind of thing, so that one index
-- holds them apart. Of scripts whose words are of two characters, every two as well; of others those two that few texts have in one place:
-- with a rare letter, or where a letter stands beside a digit. Behind those of three, of which a text has two fewer than characters.
CREATE FUNCTION search_grams(tenant_id text, kind text, value text) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  seed bigint := hashtextextended(tenant_id || '/' || kind, 0);
  grams bigint[] := ARRAY(SELECT hashtextextended(substr(value, g.n, 3), seed) FROM generate_series(1, length(value) - 2) AS g(n));
  place integer := 0;
BEGIN
  LOOP
    place := regexp_instr(value COLLATE "C", '[jkqvwxz][!-~]|[!-~][jkqvwxz]|[a-z][0-9]|[0-9][a-z]', place + 1);
    EXIT WHEN place = 0;
    grams := grams || hashtextextended(substr(value, place, 2), seed);
  END LOOP;
  IF octet_length(value) > length(value) THEN
    grams := grams || ARRAY(SELECT hashtextextended(substr(value, g.n, 2), seed) FROM generate_series(1, length(value) - 1) AS g(n)
      WHERE substr(value, g.n, 2) ~ '^[\u2E80-\U0003FFFF]{2}$');
  END IF;
  RETURN grams;
END $$;

-- Foundation ---------------------------------------------------------------------------------------------------------------------

CREATE TABLE tenants (
  tenant_id text COLLATE "C" PRIMARY KEY,
  display_name text NOT NULL,
  -- 32 random bytes; keys for page tokens and signed links are derived from it.
  secret bytea NOT NULL,
  issued_credentials_allowed boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);

CREATE TABLE tenant_hosts (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  -- Lower-case, with its port where the client's Host header carries one.
  host text NOT NULL PRIMARY KEY,
  created_at timestamptz NOT NULL
);
CREATE INDEX tenant_hosts_by_tenant ON tenant_hosts (tenant_id);

CREATE TABLE jobs (
  id text COLLATE "C" PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  state text NOT NULL DEFAULT 'WAITING' CHECK (state IN ('WAITING', 'DONE', 'FAILED')),
  cursor jsonb NOT NULL DEFAULT '{}',
  done bigint NOT NULL DEFAULT 0,
  total bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  error text NOT NULL DEFAULT '',
  run_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX jobs_one_waiting ON jobs (tenant_id, kind, subject_id) WHERE state = 'WAITING';
CREATE INDEX jobs_due ON jobs (run_at) WHERE state = 'WAITING';
CREATE INDEX jobs_by_subject ON jobs (tenant_id, subject_id, created_at);

-- Numbers that count up per tenant: the inventory's revision, the tasks' numericId.
CREATE TABLE tenant_counters (
  tenant_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  value bigint NOT NULL,
  PRIMARY KEY (tenant_id, name)
);

-- One row per change, written in the transaction of the change: audit record, evidence and outbox at once.
CREATE TABLE events (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  occurred_at timestamptz NOT NULL,
  kind text NOT NULL,
  actor_kind text NOT NULL,
  actor_id text COLLATE "C" NOT NULL DEFAULT '',
  credential_id text COLLATE "C" NOT NULL DEFAULT '',
  -- Who issued the credential, where that was somebody else than its holder.
  issuer_id text COLLATE "C" NOT NULL DEFAULT '',
  source_ip text NOT NULL DEFAULT '',
  request_id text NOT NULL DEFAULT '',
  target_type text NOT NULL DEFAULT '',
  target_id text COLLATE "C" NOT NULL DEFAULT '',
  data jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX events_by_target ON events (tenant_id, target_id, id) WHERE target_id <> '';

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE users (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  -- Lower-case address: the key of people imports.
  email_key text COLLATE "C" NOT NULL,
  -- Kept by the database; an account whose domain is none of these is external.
  email_domain text COLLATE "C" NOT NULL GENERATED ALWAYS AS (split_part(email_key, '@', 2)) STORED,
  display_name text NOT NULL DEFAULT '',
  status text NOT NULL DEFAULT 'ENABLED' CHECK (status IN ('ENABLED', 'DISABLED', 'DELETED')),
  -- HUMAN, or SERVICE for the user behind a service principal, which has no address and is never asked to review.
  user_type text NOT NULL DEFAULT 'HUMAN' CHECK (user_type IN ('HUMAN', 'SERVICE')),
  username text NOT NULL DEFAULT '',
  -- Kept by the database: an index over lower(username) would not be used under row-level security.
  username_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(username)) STORED,
  employee_id text COLLATE "C" NOT NULL DEFAULT '',
  -- The id the delivering system has for this person (SCIM's externalId).
  external_id text COLLATE "C" NOT NULL DEFAULT '',
  employment_status text NOT NULL DEFAULT '',
  employment_type text NOT NULL DEFAULT '',
  department text NOT NULL DEFAULT '',
  job_title text NOT NULL DEFAULT '',
  manager_id text COLLATE "C",
  profile jsonb NOT NULL DEFAULT '{}',
  -- The connector that told of this person last, of people or of an app that pushes them; empty for the first administrator and people made
  -- by hand. Its id: names are chosen by people, and those of two connectors may be the same.
  source text COLLATE "C" NOT NULL DEFAULT '',
  -- What text search looks in; kept by the database.
  search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (left(search_fold(display_name || E'\n' || email || E'\n' || username || E'\n' || employee_id || E'\n' || external_id), 4000)) STORED,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX users_by_email ON users (tenant_id, email_key) WHERE email_key <> '';
CREATE INDEX users_by_email_domain ON users (tenant_id, email_domain) WHERE email_domain <> '' AND status <> 'DELETED' AND user_type = 'HUMAN';
CREATE INDEX users_by_employee_id ON users (tenant_id, employee_id) WHERE employee_id <> '';
CREATE INDEX users_by_username ON users (tenant_id, username_key) WHERE username_key <> '';
CREATE INDEX users_without_manager ON users (tenant_id, id) WHERE manager_id IS NULL AND status = 'ENABLED' AND user_type = 'HUMAN';
CREATE INDEX users_left ON users (tenant_id, id) WHERE (status <> 'ENABLED' OR employment_status = 'TERMINATED') AND user_type = 'HUMAN';
CREATE INDEX users_by_manager ON users (tenant_id, manager_id, id) WHERE manager_id IS NOT NULL;
CREATE INDEX users_by_source ON users (tenant_id, source, id);
CREATE INDEX users_by_department ON users (tenant_id, department, id);
CREATE INDEX users_by_job_title ON users (tenant_id, job_title, id);
CREATE INDEX users_not_enabled ON users (tenant_id, id) WHERE status <> 'ENABLED';
CREATE INDEX users_services ON users (tenant_id, id) WHERE user_type = 'SERVICE';

-- Roles beyond Basic User, which everybody holds and nobody's row says.
CREATE TABLE user_roles (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  role_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, role_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE INDEX user_roles_by_role ON user_roles (tenant_id, role_id, user_id);

-- Who decides in somebody's place, from starts_at on and until expires_at where they are set. One per person; former ones are in the events.
CREATE TABLE delegations (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  delegated_user_id text COLLATE "C" NOT NULL,
  starts_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users,
  FOREIGN KEY (tenant_id, delegated_user_id) REFERENCES users
);
CREATE INDEX delegations_by_delegate ON delegations (tenant_id, delegated_user_id);

-- The types of profile attributes of people and of accounts; an attribute without a row here is text.
CREATE TABLE profile_attributes (
  tenant_id text COLLATE "C" NOT NULL,
  subject text NOT NULL CHECK (subject IN ('USER', 'ACCOUNT')),
  name text COLLATE "C" NOT NULL,
  value_type text NOT NULL CHECK (value_type IN ('TEXT', 'NUMBER', 'BOOLEAN', 'DATE')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, subject, name)
);

-- The values of the attributes that have a row above, one row each, of people and accounts that are not deleted: what a search of values
-- reads. The triggers on users and accounts keep it, so that no writer can forget to.
CREATE TABLE profile_values (
  tenant_id text COLLATE "C" NOT NULL,
  subject text NOT NULL,
  name text COLLATE "C" NOT NULL,
  -- The user's or the account's id.
  object_id text COLLATE "C" NOT NULL,
  -- See profile_key(); a number has none.
  text_key text COLLATE "C",
  number_value double precision,
  PRIMARY KEY (tenant_id, subject, object_id, name)
);
CREATE INDEX profile_values_by_text ON profile_values (tenant_id, subject, name, text_key, object_id) WHERE text_key IS NOT NULL;
CREATE INDEX profile_values_by_number ON profile_values (tenant_id, subject, name, number_value, object_id) WHERE number_value IS NOT NULL;

-- A value of a profile as its attribute's type has it, JSON null for an empty one, SQL null where it does not fit. What fits is said once
-- more in src/domains/directory/profile-types.ts.
CREATE FUNCTION profile_value(value jsonb, value_type text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN btrim(v.t) = '' AND value_type <> 'TEXT' OR jsonb_typeof(value) = 'null' THEN 'null'::jsonb
    WHEN value_type = 'TEXT' THEN CASE WHEN jsonb_typeof(value) IN ('number', 'boolean') THEN to_jsonb(v.t) ELSE value END
    WHEN jsonb_typeof(value) NOT IN ('string', 'number', 'boolean') THEN NULL
    WHEN value_type = 'NUMBER' THEN CASE WHEN btrim(v.t) ~ '^[+-]?[0-9]{1,15}(\.[0-9]{1,15})?$' THEN to_jsonb(btrim(v.t)::numeric) END
    WHEN value_type = 'BOOLEAN' THEN CASE lower(btrim(v.t)) WHEN 'true' THEN 'true'::jsonb WHEN 'yes' THEN 'true'::jsonb
      WHEN 'false' THEN 'false'::jsonb WHEN 'no' THEN 'false'::jsonb END
    -- A day beyond its month's last leads into the next month.
    WHEN value_type = 'DATE' THEN CASE WHEN btrim(v.t) !~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' OR btrim(v.t) < '0001' THEN NULL
      WHEN extract(month FROM make_date(left(btrim(v.t), 4)::integer, substr(btrim(v.t), 6, 2)::integer, 1) + (right(btrim(v.t), 2)::integer - 1))
        = substr(btrim(v.t), 6, 2)::integer THEN to_jsonb(btrim(v.t)) END
  END FROM (SELECT value #>> '{}' AS t) v $$;

-- What equal values have in common: the text in lower case, cut where it is too long for an index.
CREATE FUNCTION profile_key(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN length(value) <= 200 THEN lower(value) ELSE left(lower(value), 200) || md5(lower(value)) END $$;

-- A profile with the values of typed attributes as their types have them. Those that do not fit stay as they are: whoever writes refuses
-- them first.
CREATE FUNCTION typed_profile(profile jsonb, types jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN profile ?| ARRAY(SELECT jsonb_object_keys(types)) THEN
    (SELECT coalesce(jsonb_object_agg(e.key, e.typed), '{}') FROM (
       SELECT p.key, CASE WHEN types ? p.key THEN coalesce(profile_value(p.value, types ->> p.key), p.value) ELSE p.value END AS typed
       FROM jsonb_each(profile) p) e
     WHERE NOT (types ? e.key AND e.typed = 'null'))
  ELSE profile END $$;

-- Dynamic, because a plan kept from a change of one row would be the wrong one for a change of a hundred thousand; and what changed is found
-- before anything is joined with it, because nobody knows beforehand how many profiles have an attribute.
CREATE FUNCTION keep_profile_values() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  subject text := TG_ARGV[0];
  changed text := 'SELECT n.tenant_id, n.id, n.profile, n.deleted_at FROM new_rows n';
BEGIN
  IF NOT EXISTS (SELECT FROM profile_attributes a WHERE a.tenant_id = (SELECT n.tenant_id FROM new_rows n LIMIT 1) AND a.subject = TG_ARGV[0]) THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    changed := changed || ' JOIN old_rows o ON o.tenant_id = n.tenant_id AND o.id = n.id
      WHERE (o.profile, o.deleted_at) IS DISTINCT FROM (n.profile, n.deleted_at)';
    EXECUTE format('WITH c AS MATERIALIZED (%s) DELETE FROM profile_values v USING c
      WHERE v.tenant_id = c.tenant_id AND v.subject = $1 AND v.object_id = c.id', changed) USING subject;
  END IF;
  EXECUTE format('WITH c AS MATERIALIZED (%s)
    INSERT INTO profile_values (tenant_id, subject, name, object_id, text_key, number_value)
    SELECT c.tenant_id, a.subject, a.name, c.id, CASE WHEN a.value_type <> ''NUMBER'' THEN profile_key(c.profile ->> a.name) END,
      CASE WHEN a.value_type = ''NUMBER'' THEN (c.profile ->> a.name)::float8 END
    FROM c JOIN profile_attributes a ON a.tenant_id = c.tenant_id AND a.subject = $1 AND c.profile ? a.name
    WHERE c.deleted_at IS NULL AND (a.value_type <> ''NUMBER'' OR jsonb_typeof(c.profile -> a.name) = ''number'')
      AND jsonb_typeof(c.profile -> a.name) IN (''string'', ''number'', ''boolean'')', changed) USING subject;
  RETURN NULL;
END $$;
CREATE TRIGGER users_profile_inserted AFTER INSERT ON users REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_profile_values('USER');
CREATE TRIGGER users_profile_updated AFTER UPDATE ON users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_profile_values('USER');

-- What a tenant has set about sessions and source addresses, as the SessionSettings message.
CREATE TABLE session_settings (
  tenant_id text COLLATE "C" PRIMARY KEY,
  document jsonb NOT NULL,
  updated_at timestamptz NOT NULL
);

-- API credentials: those of people (client id .../pcc) and those of service principals (.../spc), which have one life and one way to a token.
CREATE TABLE personal_clients (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL DEFAULT 'PERSONAL' CHECK (kind IN ('PERSONAL', 'SERVICE')),
  client_id text NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  issuer_id text COLLATE "C" NOT NULL DEFAULT '',
  display_name text NOT NULL,
  -- The public half of the Ed25519 key, base64url; the private half is shown once and never kept.
  public_key text NOT NULL,
  scoped_roles text[] NOT NULL DEFAULT '{}',
  allow_source_cidr text[] NOT NULL DEFAULT '{}',
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE UNIQUE INDEX personal_clients_by_client_id ON personal_clients (tenant_id, client_id);
CREATE INDEX personal_clients_by_user ON personal_clients (tenant_id, user_id, id);

-- Client assertions already used (RFC 7523 section 3, point 7), remembered until they expire.
CREATE TABLE assertion_uses (
  tenant_id text COLLATE "C" NOT NULL,
  -- SHA-256 over client id and jti, or over the whole assertion where it has no jti.
  digest bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, digest)
);
CREATE INDEX assertion_uses_by_expiry ON assertion_uses (tenant_id, expires_at);

CREATE TABLE signing_keys (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  public_jwk jsonb NOT NULL,
  private_jwk jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  -- From then on it signs nothing new.
  retired_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);

-- Inventory ----------------------------------------------------------------------------------------------------------------------

-- Risk levels, compliance frameworks: values that entitlements carry. The types are fixed (src/domains/attributes).
CREATE TABLE attribute_values (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  attribute_type_id text COLLATE "C" NOT NULL,
  value text NOT NULL,
  value_key text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX attribute_values_by_value ON attribute_values (tenant_id, attribute_type_id, value_key) WHERE deleted_at IS NULL;

CREATE TABLE apps (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  name_key text NOT NULL,
  certify_policy_id text COLLATE "C" NOT NULL DEFAULT '',
  -- The other writable members of the App message, as sent.
  document jsonb NOT NULL DEFAULT '{}',
  -- Accounts that are not deleted; kept by imports, since counting a million for a page of apps takes too long.
  user_count bigint NOT NULL DEFAULT 0,
  -- What text search looks in; kept by the database.
  search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (left(search_fold(display_name || E'\n' || coalesce(document ->> 'description', '')), 4000)) STORED,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX apps_by_name ON apps (tenant_id, name_key) WHERE deleted_at IS NULL;

CREATE TABLE app_owners (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, app_id, user_id),
  FOREIGN KEY (tenant_id, app_id) REFERENCES apps,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE INDEX app_owners_by_user ON app_owners (tenant_id, user_id, app_id);

-- An app whose people are the people of the tenant.
CREATE TABLE directories (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  merge_config jsonb NOT NULL DEFAULT '{}',
  account_filter jsonb NOT NULL DEFAULT '{}',
  -- What merge_config stands for: the order new sources of the app match in; null where it asks for none.
  match_order text[],
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, app_id),
  FOREIGN KEY (tenant_id, app_id) REFERENCES apps
);

CREATE TABLE resource_types (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- The name under which the source knows it: the key of imports. Its own id where it was made by hand.
  external_id text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  trait_ids text[] NOT NULL DEFAULT '{}',
  -- Made by hand: imports do not touch it.
  is_manual boolean NOT NULL DEFAULT false,
  -- What text search looks in; kept by the database.
  search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (left(search_fold(display_name || E'\n' || external_id), 4000)) STORED,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, app_id, id)
);
CREATE UNIQUE INDEX resource_types_by_external_id ON resource_types (tenant_id, app_id, external_id);
CREATE UNIQUE INDEX resource_types_by_id ON resource_types (tenant_id, id);

CREATE TABLE resources (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  resource_type_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  is_manual boolean NOT NULL DEFAULT false,
  -- Rows of resource_owners; kept by the triggers on them, so that no writer can forget to.
  owner_count integer NOT NULL DEFAULT 0,
  -- The other writable members of the AppResource message, as sent.
  document jsonb NOT NULL DEFAULT '{}',
  -- What text search looks in; kept by the database.
  search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (left(search_fold(display_name || E'\n' || external_id || E'\n' || coalesce(document ->> 'description', '') || E'\n' || coalesce(document ->> 'customDescription', '')), 4000)) STORED,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, app_id, id)
);
CREATE UNIQUE INDEX resources_by_external_id ON resources (tenant_id, app_id, resource_type_id, external_id);
CREATE UNIQUE INDEX resources_by_id ON resources (tenant_id, id);
CREATE INDEX resources_by_type ON resources (tenant_id, app_id, resource_type_id, id);
-- Those that nobody owns, in the tenant and in an app: a page of them passes over none that are owned.
CREATE INDEX resources_unowned ON resources (tenant_id, id) WHERE owner_count = 0 AND deleted_at IS NULL;
CREATE INDEX resources_unowned_by_app ON resources (tenant_id, app_id, id) WHERE owner_count = 0 AND deleted_at IS NULL;

CREATE TABLE resource_owners (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, app_id, resource_id, user_id),
  FOREIGN KEY (tenant_id, app_id, resource_id) REFERENCES resources,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE INDEX resource_owners_by_user ON resource_owners (tenant_id, user_id, app_id, resource_id);

-- Adds and takes away, rather than counting again: of two who add owners to one resource, the second then counts on from the first.
CREATE FUNCTION keep_owner_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE resources r SET owner_count = r.owner_count + c.n * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
  FROM (SELECT x.tenant_id, x.app_id, x.resource_id, count(*)::int AS n FROM changed x GROUP BY x.tenant_id, x.app_id, x.resource_id) c
  WHERE r.tenant_id = c.tenant_id AND r.app_id = c.app_id AND r.id = c.resource_id;
  RETURN NULL;
END $$;
CREATE TRIGGER resource_owners_added AFTER INSERT ON resource_owners REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_owner_count();
CREATE TRIGGER resource_owners_removed AFTER DELETE ON resource_owners REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_owner_count();

CREATE TABLE entitlements (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- Both empty for the app's built-in entitlement, app access, which each of its accounts holds.
  resource_type_id text COLLATE "C" NOT NULL DEFAULT '',
  resource_id text COLLATE "C" NOT NULL DEFAULT '',
  external_id text COLLATE "C" NOT NULL,
  is_app_access boolean NOT NULL DEFAULT false,
  display_name text NOT NULL,
  description text NOT NULL DEFAULT '',
  certify_policy_id text COLLATE "C" NOT NULL DEFAULT '',
  alias text COLLATE "C" NOT NULL DEFAULT '',
  slug text NOT NULL DEFAULT '',
  purpose text NOT NULL DEFAULT 'ASSIGNMENT' CHECK (purpose IN ('ASSIGNMENT', 'PERMISSION', 'OWNERSHIP')),
  risk_level_value_id text COLLATE "C" NOT NULL DEFAULT '',
  compliance_framework_value_ids text[] NOT NULL DEFAULT '{}',
  -- Made by hand: its grants are given and taken by hand, and imports touch neither.
  is_manual boolean NOT NULL DEFAULT false,
  -- The connector that first told of it (connectors.source_no); 0 for those made by hand and for app access.
  source_no smallint NOT NULL DEFAULT 0,
  -- The other writable members of the AppEntitlement message, as sent.
  document jsonb NOT NULL DEFAULT '{}',
  -- Open grants; kept by imports and by whoever else changes grants.
  grant_count bigint NOT NULL DEFAULT 0,
  -- What text search looks in; kept by the database.
  search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (left(search_fold(display_name || E'\n' || external_id || E'\n' || alias || E'\n' || slug || E'\n' || description), 4000)) STORED,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, app_id, id)
);
CREATE UNIQUE INDEX entitlements_by_external_id ON entitlements (tenant_id, app_id, resource_id, external_id);
CREATE UNIQUE INDEX entitlements_by_id ON entitlements (tenant_id, id);
CREATE UNIQUE INDEX entitlements_app_access ON entitlements (tenant_id, app_id) WHERE is_app_access;
CREATE INDEX entitlements_by_resource_type ON entitlements (tenant_id, app_id, resource_type_id, id);

CREATE UNIQUE INDEX entitlements_by_alias ON entitlements (tenant_id, alias) WHERE alias <> '' AND deleted_at IS NULL;
CREATE INDEX entitlements_by_risk_level ON entitlements (tenant_id, risk_level_value_id, id) WHERE risk_level_value_id <> '';
-- The slug as it is shown (src/domains/catalog/view-entitlements.ts).
CREATE INDEX entitlements_by_slug ON entitlements (tenant_id, (CASE WHEN slug <> '' OR is_manual THEN slug ELSE external_id END));

CREATE TABLE entitlement_owners (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, app_id, entitlement_id, user_id),
  FOREIGN KEY (tenant_id, app_id, entitlement_id) REFERENCES entitlements,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users
);
CREATE INDEX entitlement_owners_by_user ON entitlement_owners (tenant_id, user_id, app_id, entitlement_id);

CREATE TABLE accounts (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  display_name text NOT NULL DEFAULT '',
  email text NOT NULL DEFAULT '',
  email_domain text COLLATE "C" NOT NULL GENERATED ALWAYS AS (split_part(lower(email), '@', 2)) STORED,
  username text NOT NULL DEFAULT '',
  employee_id text COLLATE "C" NOT NULL DEFAULT '',
  -- Kept by the database: what the accounts of one person are found by when that person changes. Its name stands for a user name.
  email_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(email)) STORED,
  username_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(CASE WHEN username <> '' THEN username ELSE external_id COLLATE "default" END)) STORED,
  -- Its owner; null where nobody owns it.
  user_id text COLLATE "C",
  -- Set by hand: syncs leave the owner, or the type, as it is.
  owner_by_hand boolean NOT NULL DEFAULT false,
  type_by_hand boolean NOT NULL DEFAULT false,
  -- How many people the account matches by the first rule that finds any; more than one is ambiguous and leaves it without an owner.
  match_count integer NOT NULL DEFAULT 0,
  -- The connector it comes from (connectors.source_no); 0 for accounts made by hand.
  source_no smallint NOT NULL DEFAULT 0,
  -- The inventory revision it first appeared in.
  added_revision bigint NOT NULL DEFAULT 0,
  account_type text NOT NULL DEFAULT 'USER' CHECK (account_type IN ('USER', 'SERVICE_ACCOUNT', 'SYSTEM_ACCOUNT')),
  status text NOT NULL DEFAULT 'ENABLED' CHECK (status IN ('ENABLED', 'DISABLED', 'DELETED')),
  profile jsonb NOT NULL DEFAULT '{}',
  -- What text search looks in; kept by the database.
  search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (left(search_fold(display_name || E'\n' || email || E'\n' || username || E'\n' || employee_id || E'\n' || external_id), 4000)) STORED,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, app_id, id)
);
CREATE UNIQUE INDEX accounts_by_external_id ON accounts (tenant_id, app_id, external_id);
CREATE UNIQUE INDEX accounts_by_id ON accounts (tenant_id, id);
CREATE INDEX accounts_by_user ON accounts (tenant_id, user_id, app_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX accounts_unowned ON accounts (tenant_id, id) WHERE user_id IS NULL;
CREATE INDEX accounts_by_email ON accounts (tenant_id, email_key) WHERE email_key <> '';
CREATE INDEX accounts_by_employee_id ON accounts (tenant_id, employee_id) WHERE employee_id <> '';
CREATE INDEX accounts_by_username ON accounts (tenant_id, username_key) WHERE username_key <> '';
CREATE TRIGGER accounts_profile_inserted AFTER INSERT ON accounts REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_profile_values('ACCOUNT');
CREATE TRIGGER accounts_profile_updated AFTER UPDATE ON accounts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_profile_values('ACCOUNT');
CREATE INDEX accounts_by_email_domain ON accounts (tenant_id, email_domain, id) WHERE email_domain <> '';
CREATE INDEX accounts_not_of_people ON accounts (tenant_id, id) WHERE account_type <> 'USER';
CREATE INDEX accounts_not_enabled ON accounts (tenant_id, id) WHERE status <> 'ENABLED';
CREATE INDEX accounts_unowned_by_app ON accounts (tenant_id, app_id, id) WHERE user_id IS NULL AND status <> 'DELETED';
CREATE INDEX accounts_ambiguous ON accounts (tenant_id, app_id, id) WHERE match_count > 1 AND user_id IS NULL AND NOT owner_by_hand AND status <> 'DELETED';

-- Who holds what, with history: a row lives from added_revision (inclusive) to removed_revision (exclusive) of the tenant's inventory.
-- Every transaction that touches grants takes the tenant's next revision under its lock, so "as of revision N" is one fixed set of rows. The
-- deletion of an app is one revision, too, though a job writes it down piece by piece: nobody reads a deleted app as of it or later.
CREATE TABLE grants (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  added_revision bigint NOT NULL,
  removed_revision bigint,
  -- The connector it comes from (connectors.source_no); 0 for grants given by hand.
  source_no smallint NOT NULL DEFAULT 0,
  -- App access that follows from having an account, rather than being told by a source or given by hand.
  is_derived boolean NOT NULL DEFAULT false,
  -- As the source says; null where it does not.
  granted_at timestamptz,
  last_used_at timestamptz,
  -- Until when it was given; null for no end.
  deprovision_at timestamptz,
  -- How it is held: null for directly, else an array of paths, each an array of entitlement ids of the same app from the one the account
  -- holds itself to the last that passes this one on; an empty path among them says that it is also held directly.
  paths jsonb,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, app_id, entitlement_id, account_id, added_revision)
);
CREATE INDEX grants_by_account ON grants (tenant_id, app_id, account_id);
-- One open grant of each; pages of what is held now step over nothing that ended.
CREATE UNIQUE INDEX grants_open ON grants (tenant_id, app_id, entitlement_id, account_id) WHERE removed_revision IS NULL;
-- What the feed reads. The app access that follows from accounts stands apart: otherwise a page would step over all accounts of a sync.
CREATE INDEX grants_by_addition ON grants (tenant_id, added_revision, is_derived, entitlement_id, account_id);
CREATE INDEX grants_by_removal ON grants (tenant_id, removed_revision, is_derived, entitlement_id, account_id) WHERE removed_revision IS NOT NULL;
-- Those that we end when their time is over; a source ends its own.
-- Entitlements that somebody holds until a certain time.
CREATE INDEX grants_expiring ON grants (tenant_id, app_id, entitlement_id)
  WHERE deprovision_at IS NOT NULL AND removed_revision IS NULL;
CREATE INDEX grants_by_deprovision ON grants (tenant_id, deprovision_at)
  WHERE deprovision_at IS NOT NULL AND removed_revision IS NULL AND source_no = 0;

-- What made each revision of the inventory: one sync, or one act of one person. A revision is of one app.
CREATE TABLE inventory_revisions (
  tenant_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  cause text NOT NULL CHECK (cause IN ('IMPORT', 'MANUAL', 'SCIM', 'EXPIRY')),
  -- The import that made it; '' for the other causes.
  import_id text COLLATE "C" NOT NULL DEFAULT '',
  actor_id text COLLATE "C" NOT NULL DEFAULT '',
  made_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, revision)
);
CREATE INDEX inventory_revisions_by_app ON inventory_revisions (tenant_id, app_id, revision);
CREATE INDEX inventory_revisions_by_time ON inventory_revisions (tenant_id, made_at, revision);

-- What an open grant said before a revision changed it; together with the grant itself, what it said at any revision.
CREATE TABLE grant_changes (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  granted_at timestamptz,
  last_used_at timestamptz,
  deprovision_at timestamptz,
  paths jsonb,
  PRIMARY KEY (tenant_id, app_id, entitlement_id, account_id, revision)
);
CREATE INDEX grant_changes_by_revision ON grant_changes (tenant_id, app_id, revision, entitlement_id, account_id);

-- What an account said before a revision changed it: owner, type, status, address, names, profile.
CREATE TABLE account_changes (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  before jsonb NOT NULL,
  PRIMARY KEY (tenant_id, app_id, account_id, revision)
);
CREATE INDEX account_changes_by_revision ON account_changes (tenant_id, app_id, revision);

-- Data sources: of an app's access, or (app_id '') of people. A file source is fed by imports, a SCIM source by an identity provider.
CREATE TABLE connectors (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- '' for sources of people.
  app_id text COLLATE "C" NOT NULL DEFAULT '',
  -- Counts from 1 within the app; grants and accounts carry it.
  source_no smallint NOT NULL,
  kind text NOT NULL DEFAULT 'FILE' CHECK (kind IN ('FILE', 'SCIM')),
  display_name text NOT NULL,
  name_key text NOT NULL,
  description text NOT NULL DEFAULT '',
  user_ids text[] NOT NULL DEFAULT '{}',
  -- The other writable members of the Connector message, as sent.
  document jsonb NOT NULL DEFAULT '{}',
  -- Its config as sent, but for what looks like a secret; nothing here reads it. Null where none was ever sent.
  config jsonb,
  config_updated_at timestamptz,
  -- Wanted column -> column of the file; empty where files have the wanted names.
  column_mapping jsonb NOT NULL DEFAULT '{}',
  -- An import that takes away more than this share, in percent, needs allow_removals.
  removal_share smallint NOT NULL DEFAULT 20 CHECK (removal_share BETWEEN 0 AND 100),
  -- The order in which accounts are matched to people.
  match_order text[] NOT NULL DEFAULT '{EMAIL,EMPLOYEE_ID,USERNAME}',
  -- SHA-256 of the token an identity provider sends; null where there is none.
  scim_token_hash bytea,
  paused_at timestamptz,
  last_import_id text COLLATE "C" NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX connectors_by_number ON connectors (tenant_id, app_id, source_no);
CREATE UNIQUE INDEX connectors_by_name ON connectors (tenant_id, app_id, name_key) WHERE deleted_at IS NULL;

-- Syncs: one row for each file that was taken in, or refused for its rows (FAILED, changing nothing).
CREATE TABLE imports (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('PEOPLE', 'GRANTS')),
  state text NOT NULL DEFAULT 'DONE' CHECK (state IN ('DONE', 'FAILED')),
  source text NOT NULL,
  connector_id text COLLATE "C" NOT NULL DEFAULT '',
  app_id text COLLATE "C" NOT NULL DEFAULT '',
  -- The last one of the same connector that was done before.
  previous_id text COLLATE "C" NOT NULL DEFAULT '',
  file_sha256 text NOT NULL,
  -- '' where the file was refused before that was known, as is its hash where it was not read to its end.
  file_format text NOT NULL DEFAULT 'CSV' CHECK (file_format IN ('', 'CSV', 'XLSX')),
  -- The sheet and the mapping that were asked for with this file alone, as JSON; '' for none.
  read_as text NOT NULL DEFAULT '',
  -- The inventory revision as of which the file holds; null for people and where it failed.
  revision bigint,
  rows bigint NOT NULL,
  added bigint NOT NULL,
  changed bigint NOT NULL,
  removed bigint NOT NULL,
  unchanged bigint NOT NULL,
  -- Rows that were refused; they refuse the file.
  rejected bigint NOT NULL DEFAULT 0,
  -- Added, changed, removed and total by kind: people, accounts, resources, entitlements, grants.
  counts jsonb NOT NULL DEFAULT '{}',
  warning_count bigint NOT NULL,
  warnings jsonb NOT NULL DEFAULT '[]',
  -- Why it failed, and the first 100 row errors.
  error text NOT NULL DEFAULT '',
  row_errors jsonb NOT NULL DEFAULT '[]',
  created_by_id text COLLATE "C" NOT NULL,
  -- What matching saw of the people (a digest), so that the same file under the same people is known to change nothing.
  people_digest text NOT NULL DEFAULT '',
  -- What its rows say, in no order: the same rows in another order or spelling are known to be the same. '' where order matters.
  content_digest text NOT NULL DEFAULT '',
  -- Of the first bytes as they came: a file that begins otherwise is another one.
  head_sha256 text NOT NULL DEFAULT '',
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX imports_by_connector ON imports (tenant_id, connector_id, id);
CREATE INDEX imports_by_app ON imports (tenant_id, app_id, id) WHERE app_id <> '';

-- People and groups as identity providers pushed them over SCIM, under the ids they know them by, and what they stand for here.
CREATE TABLE scim_resources (
  tenant_id text COLLATE "C" NOT NULL,
  connector_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('USER', 'GROUP')),
  -- The userName, or a group's displayName, in lower case as the program folds it.
  name_key text COLLATE "C" NOT NULL,
  -- As the provider calls it; '' for nothing.
  external_id text COLLATE "C" NOT NULL DEFAULT '',
  is_active boolean NOT NULL DEFAULT true,
  -- The other attributes that filters may name, in lower case.
  keys jsonb NOT NULL DEFAULT '{}',
  -- All that the provider said; members of groups are grants.
  document jsonb NOT NULL,
  -- Counts changes, of memberships too.
  version bigint NOT NULL DEFAULT 1,
  -- Of users: the person, and the account in the connector's app. A person may stand behind several.
  user_id text COLLATE "C",
  account_id text COLLATE "C",
  -- Of groups: what its members hold.
  entitlement_id text COLLATE "C",
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, connector_id, id)
);
-- What pages are counted and cut by: offsets step over its entries.
CREATE INDEX scim_resources_live ON scim_resources (tenant_id, connector_id, kind, id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX scim_resources_one_user ON scim_resources (tenant_id, connector_id, name_key) WHERE kind = 'USER' AND deleted_at IS NULL;
CREATE INDEX scim_resources_by_name ON scim_resources (tenant_id, connector_id, kind, name_key);
CREATE INDEX scim_resources_by_external_id ON scim_resources (tenant_id, connector_id, kind, external_id) WHERE external_id <> '';
CREATE INDEX scim_resources_by_user ON scim_resources (tenant_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX scim_resources_by_account ON scim_resources (tenant_id, connector_id, account_id) WHERE account_id IS NOT NULL;
CREATE INDEX scim_resources_by_entitlement ON scim_resources (tenant_id, connector_id, entitlement_id) WHERE entitlement_id IS NOT NULL;

-- Access profiles: sets of entitlements that belong together (the public API calls them request catalogs).
CREATE TABLE request_catalogs (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  published boolean NOT NULL DEFAULT false,
  visible_to_everyone boolean NOT NULL DEFAULT false,
  created_by_id text COLLATE "C" NOT NULL,
  -- The other writable members of the RequestCatalog message, as sent.
  document jsonb NOT NULL DEFAULT '{}',
  -- How many people hold all it gives, where counting takes too long for a reply: when and as of which inventory revision a job counted them.
  -- Null where what it gives has changed since, or nobody has counted yet.
  member_count bigint NOT NULL DEFAULT 0,
  counted_revision bigint,
  counted_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);

-- REQUESTABLE: what the profile gives; VISIBLE: who holds one of these sees the profile.
CREATE TABLE request_catalog_entitlements (
  tenant_id text COLLATE "C" NOT NULL,
  catalog_id text COLLATE "C" NOT NULL,
  part text NOT NULL CHECK (part IN ('REQUESTABLE', 'VISIBLE')),
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, catalog_id, part, app_id, entitlement_id),
  FOREIGN KEY (tenant_id, catalog_id) REFERENCES request_catalogs,
  FOREIGN KEY (tenant_id, app_id, entitlement_id) REFERENCES entitlements
);
CREATE INDEX request_catalog_entitlements_by_entitlement ON request_catalog_entitlements (tenant_id, app_id, entitlement_id);

-- Governance ---------------------------------------------------------------------------------------------------------------------

CREATE TABLE policies (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  policy_type text NOT NULL,
  system_builtin boolean NOT NULL DEFAULT false,
  -- The writable members of the Policy message, as sent.
  document jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX policies_builtin ON policies (tenant_id, policy_type) WHERE system_builtin;

-- A batch is the tasks that were made together: its id is the review's. It alone says whether its tasks are shown and decided.
CREATE TABLE task_batches (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  state text NOT NULL DEFAULT 'HIDDEN' CHECK (state IN ('HIDDEN', 'OPEN', 'CLOSING', 'CLOSED', 'CANCELLED')),
  -- People who may see and decide every task of the batch.
  manager_ids text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);

-- A set of people who may decide, shared by all tasks of a batch that ask the same people for the same reason. Its id is a digest of
-- batch, reason and people, so that the same set is one row and is found without being looked up.
CREATE TABLE task_assignments (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  user_ids text[] NOT NULL,
  -- MANAGER, APP_OWNERS, USERS, SELF, FALLBACK_USERS, FALLBACK_APP_OWNERS, REVIEW_OWNERS, ADMINISTRATORS, REASSIGNED, HANDED_OVER
  reason text NOT NULL,
  is_fallback boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX task_assignments_by_batch ON task_assignments (tenant_id, batch_id);

CREATE TABLE task_assignment_members (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  assignment_id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, user_id, assignment_id)
);
CREATE INDEX task_assignment_members_by_assignment ON task_assignment_members (tenant_id, assignment_id);

-- Who is asked first about each person's access to each app, under each policy of a batch: bounded by accounts, not by grants.
CREATE TABLE task_subject_assignments (
  tenant_id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  policy_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  -- Empty for the accounts that nobody owns.
  user_id text COLLATE "C" NOT NULL,
  -- Null: nobody was found.
  assignment_id text COLLATE "C",
  PRIMARY KEY (tenant_id, batch_id, policy_id, app_id, user_id)
);

CREATE TABLE tasks (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  numeric_id bigint NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  -- The person whose access it is; null for an account nobody owns.
  user_id text COLLATE "C",
  policy_id text COLLATE "C" NOT NULL,
  -- The current step of the policy, from 0.
  step smallint NOT NULL DEFAULT 0,
  -- Counts up with each step entered and each restart; policyStepId is made of it.
  step_generation smallint NOT NULL DEFAULT 0,
  -- Null: nobody was found.
  assignment_id text COLLATE "C",
  granted_at timestamptz,
  last_used_at timestamptz,
  state text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'CLOSED')),
  outcome text NOT NULL DEFAULT '' CHECK (outcome IN ('', 'CERTIFIED', 'DECERTIFIED', 'CANCELLED', 'ERROR')),
  -- Why it ended, so that "nobody decided" is never mistaken for "access was gone".
  end_reason text NOT NULL DEFAULT '' CHECK (end_reason IN ('', 'DECIDED', 'SKIPPED_AT_CLOSE', 'REVOKED_AT_CLOSE', 'NO_ACTION_AT_CLOSE', 'GRANT_GONE', 'DELETED')),
  decided_by_id text COLLATE "C",
  -- Who issued the credential that decided, where that was somebody else.
  decided_issuer_id text COLLATE "C",
  ended_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX tasks_one_per_grant ON tasks (tenant_id, batch_id, account_id, entitlement_id);
CREATE INDEX tasks_by_batch ON tasks (tenant_id, batch_id, id);
CREATE INDEX tasks_by_assignment ON tasks (tenant_id, assignment_id, state, id);

-- What people did to a task: decisions, comments, reassignments, restarts. Task audits are read from here.
CREATE TABLE task_actions (
  tenant_id text COLLATE "C" NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('APPROVED', 'DENIED', 'COMMENTED', 'REASSIGNED', 'RESTARTED', 'ENDED')),
  step smallint NOT NULL,
  step_generation smallint NOT NULL,
  actor_id text COLLATE "C" NOT NULL DEFAULT '',
  credential_id text COLLATE "C" NOT NULL DEFAULT '',
  issuer_id text COLLATE "C" NOT NULL DEFAULT '',
  comment text NOT NULL DEFAULT '',
  data jsonb NOT NULL DEFAULT '{}',
  submission_id text COLLATE "C" NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, task_id, id)
);
CREATE INDEX task_actions_by_batch ON task_actions (tenant_id, batch_id, id);
-- The tasks a person had a hand in stay visible to them: decided, handed on, restarted.
CREATE INDEX task_actions_by_actor ON task_actions (tenant_id, actor_id, task_id) WHERE actor_id <> '' AND kind <> 'COMMENTED';
CREATE TRIGGER task_actions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON task_actions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE submissions (
  tenant_id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  issuer_id text COLLATE "C" NOT NULL DEFAULT '',
  submitted bigint NOT NULL,
  certified bigint NOT NULL,
  denied bigint NOT NULL,
  refused bigint NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, batch_id, id)
);
CREATE INDEX submissions_by_user ON submissions (tenant_id, batch_id, user_id, id);

CREATE TABLE reviews (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  state text NOT NULL DEFAULT 'DRAFT' CHECK (state IN ('DRAFT', 'PREPARING', 'REVIEW', 'PENDING', 'STARTING', 'OPEN', 'CLOSED', 'DELETED')),
  -- Close was accepted: from then on nothing is decided any more.
  closing boolean NOT NULL DEFAULT false,
  close_decision text NOT NULL DEFAULT '',
  -- The writable members of the AccessReview message, as sent.
  document jsonb NOT NULL,
  created_by_id text COLLATE "C" NOT NULL,
  scoping_version bigint NOT NULL DEFAULT 0,
  -- The inventory revision of the snapshot.
  prepared_revision bigint,
  -- Counts prepares and resets, so that a chunk of a prepare that was reset meanwhile does nothing.
  prepare_generation bigint NOT NULL DEFAULT 0,
  expected_ticket_count bigint,
  phase text NOT NULL DEFAULT '',
  phase_error text NOT NULL DEFAULT '',
  phase_job_id text COLLATE "C" NOT NULL DEFAULT '',
  sources_frozen_at timestamptz,
  started_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  deleted_by_id text COLLATE "C",
  delete_reason text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, id)
);

CREATE INDEX reviews_by_creator ON reviews (tenant_id, created_by_id, id);

CREATE TABLE review_owners (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, review_id, user_id),
  FOREIGN KEY (tenant_id, review_id) REFERENCES reviews
);
CREATE INDEX review_owners_by_user ON review_owners (tenant_id, user_id, review_id);

CREATE TABLE review_setup_entitlements (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  custom_policy_id text COLLATE "C" NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, review_id, app_id, entitlement_id),
  FOREIGN KEY (tenant_id, review_id) REFERENCES reviews
);

CREATE TABLE review_setup_resource_types (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  resource_type_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, review_id, app_id, resource_type_id),
  FOREIGN KEY (tenant_id, review_id) REFERENCES reviews
);

-- The snapshot of a prepared review: what the reviewer is shown and the report says, whatever happens to the inventory later.
CREATE TABLE review_accounts (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  external_id text NOT NULL,
  account_type text NOT NULL,
  account_status text NOT NULL,
  user_id text COLLATE "C",
  user_email text NOT NULL DEFAULT '',
  user_display_name text NOT NULL DEFAULT '',
  user_status text NOT NULL DEFAULT '',
  employment_status text NOT NULL DEFAULT '',
  department text NOT NULL DEFAULT '',
  job_title text NOT NULL DEFAULT '',
  manager_id text COLLATE "C",
  manager_email text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, review_id, app_id, account_id)
);

CREATE TABLE review_entitlements (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  app_display_name text NOT NULL,
  resource_type_id text COLLATE "C" NOT NULL,
  resource_type_display_name text NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  resource_display_name text NOT NULL,
  display_name text NOT NULL,
  description text NOT NULL,
  policy_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, review_id, app_id, entitlement_id)
);

-- The policies of a prepared review, resolved: later edits of a policy do not touch it.
CREATE TABLE review_policies (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  policy_id text COLLATE "C" NOT NULL,
  document jsonb NOT NULL,
  PRIMARY KEY (tenant_id, review_id, policy_id)
);

-- Outward ------------------------------------------------------------------------------------------------------------------------

CREATE TABLE reports (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  format text NOT NULL CHECK (format IN ('CSV', 'JSON')),
  columns text[] NOT NULL DEFAULT '{}',
  state text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'OK', 'ERROR')),
  error text NOT NULL DEFAULT '',
  size_bytes bigint NOT NULL DEFAULT 0,
  hashes jsonb NOT NULL DEFAULT '{}',
  created_by_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX reports_by_review ON reports (tenant_id, review_id, id);

-- The file in pieces, so that any process can serve it and none holds it whole.
CREATE TABLE report_chunks (
  tenant_id text COLLATE "C" NOT NULL,
  report_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (tenant_id, report_id, number)
);

-- Text search --------------------------------------------------------------------------------------------------------------------
-- The texts of what there is much of, once more, outside row-level security: under it no index answers LIKE or @>. Only the functions below
-- read it, and they refuse every tenant but the connection's own. The triggers keep it.
CREATE TABLE search_texts (
  tenant_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  text text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, kind, id)
);
CREATE INDEX search_texts_by_gram ON search_texts USING gin (search_grams(tenant_id, kind, text));

CREATE FUNCTION add_search_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_texts (tenant_id, kind, id, text) SELECT a.tenant_id, TG_ARGV[0], a.id, a.search_text FROM added a ORDER BY a.tenant_id, a.id;
  RETURN NULL;
END $$;

-- For each row, but only where its text is another: most changes touch many rows and no text.
CREATE FUNCTION change_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM search_texts t WHERE t.tenant_id = OLD.tenant_id AND t.kind = TG_ARGV[0] AND t.id = OLD.id;
  ELSE
    UPDATE search_texts t SET text = NEW.search_text WHERE t.tenant_id = NEW.tenant_id AND t.kind = TG_ARGV[0] AND t.id = NEW.id;
  END IF;
  RETURN NULL;
END $$;

DO $$
DECLARE searched record;
BEGIN
  FOR searched IN SELECT * FROM (VALUES ('users', 'USER'), ('accounts', 'ACCOUNT'), ('entitlements', 'ENTITLEMENT'), ('resources', 'RESOURCE')) AS v(name, kind)
  LOOP
    EXECUTE format('CREATE TRIGGER %I_text_added AFTER INSERT ON %I REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_search_texts(%L)',
      searched.name, searched.name, searched.kind);
    EXECUTE format('CREATE TRIGGER %I_text_changed AFTER UPDATE ON %I FOR EACH ROW WHEN (OLD.search_text IS DISTINCT FROM NEW.search_text) EXECUTE FUNCTION change_search_text(%L)',
      searched.name, searched.name, searched.kind);
    EXECUTE format('CREATE TRIGGER %I_text_removed AFTER DELETE ON %I FOR EACH ROW EXECUTE FUNCTION change_search_text(%L)',
      searched.name, searched.name, searched.kind);
  END LOOP;
END $$;

CREATE FUNCTION require_own_tenant(for_tenant text) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF for_tenant IS DISTINCT FROM current_tenant_id() THEN
    RAISE EXCEPTION 'text is searched in the tenant of the connection alone' USING ERRCODE = 'insufficient_privilege';
  END IF;
END $$;

-- The id of the last of so many things after an id, null where fewer are left, and how many of them a query finds.
CREATE FUNCTION search_bound(for_tenant text, of_kind text, query text, after_id text, entries integer, OUT bound text, OUT matched bigint)
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  patterns text[] := search_patterns(query);
BEGIN
  PERFORM require_own_tenant(for_tenant);
  SELECT CASE WHEN count(*) = entries THEN max(n.id) END, count(*) FILTER (WHERE n.text LIKE ALL (patterns)) INTO bound, matched
    FROM (SELECT t.id, t.text FROM search_texts t WHERE t.tenant_id = for_tenant AND t.kind = of_kind AND t.id > after_id
      ORDER BY t.id LIMIT entries) n;
END $$;

-- The ids after an id of everything a query finds, in no order; null where they are more than `most`. Every third gram of a word
-- and its last have all its characters, and tell nearly as much as all of them in a third of the time; a word of two characters may have one
-- itself. Words too short for a gram are looked for in every text, in the order of ids.
CREATE FUNCTION search_candidates(for_tenant text, of_kind text, query text, after_id text, most integer) RETURNS text[] LANGUAGE plpgsql STABLE
  SET enable_seqscan = off AS $$
DECLARE
  patterns text[] := search_patterns(query);
  grams bigint[];
  found text[];
BEGIN
  PERFORM require_own_tenant(for_tenant);
  grams := ARRAY(SELECT n.gram FROM (
      SELECT g.gram, row_number() OVER word AS number, count(*) OVER (PARTITION BY w.at) AS total
      FROM regexp_split_to_table(search_fold(query), '\s+') WITH ORDINALITY AS w(word, at),
        unnest(search_grams(for_tenant, of_kind, w.word)) WITH ORDINALITY AS g(gram, at)
      WHERE g.at <= greatest(length(w.word) - 2, 1)
      WINDOW word AS (PARTITION BY w.at ORDER BY g.at)) n
    WHERE n.number = n.total OR (n.number - 1) % greatest(3, (n.total + 5) / 6) = 0);
  IF cardinality(grams) = 0 THEN
    found := ARRAY(SELECT t.id FROM search_texts t
      WHERE t.tenant_id = for_tenant AND t.kind = of_kind AND t.id > after_id AND t.text LIKE ALL (patterns)
      ORDER BY t.id LIMIT most + 1);
  ELSE
    -- OFFSET keeps the other conditions out, so that nothing but the index of grams can be used.
    found := ARRAY(SELECT t.id FROM (SELECT * FROM search_texts s WHERE search_grams(s.tenant_id, s.kind, s.text) @> grams OFFSET 0) t
      WHERE t.tenant_id = for_tenant AND t.kind = of_kind AND t.id > after_id AND t.text LIKE ALL (patterns)
      LIMIT most + 1);
  END IF;
  -- What is looked for may be the id of the thing itself.
  RETURN CASE WHEN cardinality(found) <= most THEN found || btrim(query) END;
END $$;

-- Row-level security -------------------------------------------------------------------------------------------------------------
-- The subselect makes the tenant an init plan: computed once per statement, not once per row.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'tenant_counters', 'events', 'users', 'user_roles', 'personal_clients', 'assertion_uses', 'signing_keys',
    'delegations', 'profile_attributes', 'profile_values', 'session_settings', 'attribute_values', 'directories', 'resource_owners', 'entitlement_owners',
    'apps', 'app_owners', 'resource_types', 'resources', 'entitlements', 'accounts', 'grants', 'imports',
    'inventory_revisions', 'grant_changes', 'account_changes', 'connectors', 'scim_resources', 'request_catalogs', 'request_catalog_entitlements',
    'policies', 'task_batches', 'task_assignments', 'task_assignment_members', 'task_subject_assignments', 'tasks', 'task_actions', 'submissions',
    'reviews', 'review_owners', 'review_setup_entitlements', 'review_setup_resource_types',
    'review_accounts', 'review_entitlements', 'review_policies', 'reports', 'report_chunks']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY tenant ON %I USING (tenant_id = (SELECT current_tenant_id())) WITH CHECK (tenant_id = (SELECT current_tenant_id()))', name);
  END LOOP;
END $$;
