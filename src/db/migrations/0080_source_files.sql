-- The last file that the connector of a source sent and that was imported, in pieces (docs/decisions/0079-removals-through-connectors.md). Pieces of a
-- fetch that is not done yet wait beside it. They are compressed already.
CREATE TABLE source_files (
  tenant_id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  fetch_id text COLLATE "C" NOT NULL,
  piece integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (tenant_id, source_id, fetch_id, piece)
);
ALTER TABLE source_files ALTER COLUMN bytes SET STORAGE EXTERNAL;
SELECT guard_tenant_table('source_files');

SELECT restrict_values('fetches', 'reason', ARRAY['SCHEDULED', 'FORCED', 'RETRY', 'REMOVAL']);
