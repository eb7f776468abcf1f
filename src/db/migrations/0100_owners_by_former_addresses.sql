-- An account may have its owner by an address that they had before: kept with it, so that whoever looks at it is told.
ALTER TABLE accounts ADD COLUMN owner_by_former_address boolean NOT NULL DEFAULT false;
CREATE INDEX accounts_by_former_address ON accounts (tenant_id, app_id, id) WHERE owner_by_former_address AND status <> 'DELETED';
ALTER TABLE review_accounts ADD COLUMN owner_by_former_address boolean NOT NULL DEFAULT false;

-- Whose record says an address or a user name is asked for one account at a time, too.
CREATE INDEX person_records_by_email ON person_records (tenant_id, email_key) WHERE email_key <> '' AND state = 'LIVE';
CREATE INDEX person_records_by_username ON person_records (tenant_id, username_key) WHERE username_key <> '' AND state = 'LIVE';

CREATE OR REPLACE VIEW accounts_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, external_id, display_name, email, email_domain, username, employee_id, email_key, username_key, user_id,
  owner_by_hand, type_by_hand, match_count, source_no, added_revision, account_type, status, profile, search_text, created_at, updated_at,
  deleted_at, external_key, look_alike_key, merged_into_id, owner_by_former_address
FROM accounts;
CREATE OR REPLACE VIEW snapshot_accounts WITH (security_invoker = true) AS
SELECT tenant_id, review_id, app_id, account_id, external_id, account_type, account_status, user_id, user_email, user_display_name,
  user_status, employment_status, department, job_title, manager_id, manager_email, account_key, owner_key, conditions, display_name,
  email, username, employee_id, profile, access_profile_ids, excluded_by, is_external, principal_kind, owner_by_former_address
FROM review_accounts;

-- Of addresses that move from one person to another in one statement the key was taken away before: the former address keeps one.
ALTER TABLE former_words NO FORCE ROW LEVEL SECURITY;
UPDATE former_words SET email_key = address_key(email) WHERE email_key = '' AND email <> '';
ALTER TABLE former_words FORCE ROW LEVEL SECURITY;
