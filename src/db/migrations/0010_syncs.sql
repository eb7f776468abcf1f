-- What the last file of a source said, as a digest for each group of its rows: a sync compares with the database only the groups that differ.
-- One row for each source of grants that was ever synced. It follows from the file alone and can go at any time: the next sync then compares all.
CREATE TABLE sync_contents (
  tenant_id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  -- The sync that wrote or confirmed it; of use only while that is the last one of the source.
  sync_id text COLLATE "C" NOT NULL,
  -- How rows were read: a hash of the columns, the mapping and the version of the reading.
  reading text NOT NULL,
  -- What the digests are made with. Whoever writes files must not know it, or could make rows whose digests add up to the same.
  digest_key bytea NOT NULL,
  -- 16 bytes for each group.
  digests bytea NOT NULL,
  PRIMARY KEY (tenant_id, source_id)
);
SELECT guard_tenant_table('sync_contents');
-- Digests do not compress.
ALTER TABLE sync_contents ALTER COLUMN digests SET STORAGE EXTERNAL;

-- Groups of rows have taken their place.
ALTER TABLE syncs DROP COLUMN content_digest, DROP COLUMN head_sha256;
