-- How often something was done in a window of time: limits that hold over all processes. The key is the SHA-256 of what is counted and for whom. What is
-- lost in a crash is counted anew, so nothing of it is written ahead.
CREATE UNLOGGED TABLE rate_windows (
  tenant_id text COLLATE "C" NOT NULL,
  key bytea NOT NULL,
  ends_at timestamptz NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (tenant_id, key)
) WITH (fillfactor = 70);
CREATE INDEX rate_windows_by_end ON rate_windows (tenant_id, ends_at);
SELECT guard_tenant_table('rate_windows');
