-- Until when alone access is certified: a new review asks again then.
ALTER TABLE tasks ADD certify_until timestamptz;
CREATE INDEX tasks_by_certify_until ON tasks (tenant_id, certify_until) WHERE certify_until IS NOT NULL;
