-- The grants of a snapshot that made an active alert of an access conflict when it was taken.
CREATE TABLE review_conflict_grants (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, review_id, app_id, account_id, entitlement_id)
);
SELECT guard_tenant_table('review_conflict_grants');
