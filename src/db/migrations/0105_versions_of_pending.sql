-- How often the staged decisions of somebody in a review were changed: who writes them says which version they know, and is told where it is another.
CREATE TABLE pending_lists (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, review_id, user_id)
);
SELECT guard_tenant_table('pending_lists');
