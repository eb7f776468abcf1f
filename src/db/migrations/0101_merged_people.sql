-- People whom an administrator merged: the row that is left says whom they are. Evidence names it by its own words; nothing of it is in force.
ALTER TABLE users ADD COLUMN merged_into_id text COLLATE "C";
CREATE INDEX users_merged ON users (tenant_id, merged_into_id) WHERE merged_into_id IS NOT NULL;

CREATE OR REPLACE VIEW users_public WITH (security_invoker = true) AS
SELECT tenant_id, id, email, email_key, email_domain, display_name, status, user_type, username, username_key, employee_id, external_id,
  employment_status, employment_type, department, job_title, manager_id, profile, source, search_text, created_at, updated_at, deleted_at,
  maker_id, merged_into_id
FROM users;
