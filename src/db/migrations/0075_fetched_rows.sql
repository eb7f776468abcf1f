-- Knowledge of a sync about its data: the earliest moment they can be of, whether everything was there ('' says so, else a word for what was not), and the
-- fetch that brought them, null for an upload. Proofs of removals and the age of a source go by these.
ALTER TABLE syncs
  ADD COLUMN observed_from timestamptz,
  ADD COLUMN is_complete boolean NOT NULL DEFAULT true,
  ADD COLUMN incomplete_reason text NOT NULL DEFAULT '',
  ADD COLUMN fetch_id text COLLATE "C";
-- Of all tenants: the owner of the table may be a plain role, who is held to one as everybody is.
ALTER TABLE syncs NO FORCE ROW LEVEL SECURITY;
UPDATE syncs SET observed_from = started_at;
ALTER TABLE syncs FORCE ROW LEVEL SECURITY;
ALTER TABLE syncs ALTER COLUMN observed_from SET NOT NULL, ALTER COLUMN is_complete DROP DEFAULT, ALTER COLUMN incomplete_reason DROP DEFAULT;
SELECT restrict_values('syncs', 'file_format', ARRAY['', 'CSV', 'XLSX', 'C1Z']);

CREATE OR REPLACE VIEW syncs_public WITH (security_invoker = true) AS
SELECT tenant_id, id, kind, state, source, source_id, app_id, previous_id, revision, rows, changed, removed, error, created_by_id,
  started_at, ended_at, created_at, reading, file_sha256, file_format, rejected, counts, parts, elsewhere, observed_from, is_complete, incomplete_reason
FROM syncs;

-- Texts that a source said last to be shown of a resource or an entitlement; '' for none. The shown ones follow them as long as nobody wrote something else.
ALTER TABLE resources ADD COLUMN source_name text NOT NULL DEFAULT '', ADD COLUMN source_description text NOT NULL DEFAULT '';
ALTER TABLE entitlements ADD COLUMN source_name text NOT NULL DEFAULT '', ADD COLUMN source_description text NOT NULL DEFAULT '',
  ADD COLUMN source_purpose text NOT NULL DEFAULT '';

-- Links that a source tells of by themselves, without a grant whose path has them; each counts once in entitlement_links.grant_count.
CREATE TABLE source_links (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  source_no smallint NOT NULL,
  from_entitlement_id text COLLATE "C" NOT NULL,
  to_entitlement_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, app_id, source_no, from_entitlement_id, to_entitlement_id),
  FOREIGN KEY (tenant_id, app_id, from_entitlement_id) REFERENCES entitlements,
  FOREIGN KEY (tenant_id, app_id, to_entitlement_id) REFERENCES entitlements
);
SELECT guard_tenant_table('source_links');
CREATE VIEW source_links_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, source_no, from_entitlement_id, to_entitlement_id FROM source_links;
