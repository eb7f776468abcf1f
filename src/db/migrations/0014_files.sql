-- How each file was read, and what its import left for somebody to look at.
ALTER TABLE syncs ADD COLUMN reading jsonb NOT NULL DEFAULT '{}';
ALTER TABLE syncs ADD COLUMN findings jsonb NOT NULL DEFAULT '{}';
