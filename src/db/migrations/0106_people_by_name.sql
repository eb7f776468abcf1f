-- People are listed by their names. The key is what a search folds (search_fold), so that Östberg stands among those with O; who has no name stands by
-- the address that is shown instead. Numbers get zeros in front, so that Person 2 comes before Person 10.
CREATE FUNCTION list_key(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  key text := ltrim(countersign.search_fold(left(name, 200)));
BEGIN
  IF key ~ '\d' THEN
    key := regexp_replace(regexp_replace(key, '(\d+)', '00000000\1', 'g'), '0*(\d{9,})', '\1', 'g');
  END IF;
  RETURN left(key, 200);
END $$;

ALTER TABLE users
  ADD list_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (list_key(CASE WHEN display_name = '' THEN email ELSE display_name END)) STORED;
CREATE INDEX users_by_list_key ON users (tenant_id, list_key, id);

CREATE OR REPLACE VIEW users_public WITH (security_invoker = true) AS
SELECT tenant_id, id, email, email_key, email_domain, display_name, status, user_type, username, username_key, employee_id, external_id,
  employment_status, employment_type, department, job_title, manager_id, profile, source, search_text, created_at, updated_at, deleted_at,
  maker_id, merged_into_id, list_key
FROM users;
