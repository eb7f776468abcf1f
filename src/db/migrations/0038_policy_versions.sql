-- The policies of a review as they were when a task of it was reset: what prepare froze stays for all the others. Version 0 is what prepare froze.
CREATE TABLE review_policy_versions (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  version smallint NOT NULL CHECK (version > 0),
  root_id text COLLATE "C" NOT NULL,
  -- Of the documents, so that an unchanged policy is kept once.
  digest text NOT NULL,
  -- By the id of each policy that can be reached.
  documents jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, review_id, version)
);
SELECT guard_tenant_table('review_policy_versions');

ALTER TABLE review_routes ADD version smallint NOT NULL DEFAULT 0;
