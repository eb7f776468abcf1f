-- The sessions of a company that live are listed newest first. Most that are kept have ended.
CREATE INDEX sessions_live_by_id ON sessions (tenant_id, id) WHERE ended_at IS NULL;
