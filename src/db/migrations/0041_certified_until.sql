-- Access that is certified until a date is asked about again when that date passes: which item was, by which review, so that it happens once.
CREATE TABLE certified_until_ends (
  tenant_id text COLLATE "C" NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  certify_until timestamptz NOT NULL,
  -- The review that asks again; empty where the access had ended by then.
  review_id text COLLATE "C" NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, task_id, certify_until)
);
CREATE INDEX certified_until_ends_by_time ON certified_until_ends (tenant_id, certify_until);
SELECT guard_tenant_table('certified_until_ends');

-- A review may be narrowed to grants that are named one by one.
SELECT restrict_values('scope_entries', 'list', ARRAY['MONITOR', 'RESOURCE', 'SCOPE_ROLE', 'EXCLUSION', 'CHANGES_ONLY', 'GRANT']);

-- What was certified until a date before there were such reviews gets its own, at its date or now.
INSERT INTO job_calls (tenant_id, kind, subject_id, run_at)
SELECT t.tenant_id, 'reviews.certified-until', t.tenant_id, now() FROM tenants t WHERE t.deleted_at IS NULL;
