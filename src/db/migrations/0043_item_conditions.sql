-- Items of a snapshot that conditions or first steps are evaluated for one by one, while it is prepared: those that read the entitlement and its
-- holder together, and that the database cannot evaluate. Numbers of conditions as in review_accounts; a failure is -1 less the number.
CREATE TABLE review_items (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  granted_at timestamptz,
  ends_at timestamptz,
  conditions smallint[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, review_id, app_id, account_id, entitlement_id)
);
SELECT guard_tenant_table('review_items');

-- The monitors whose conflicts a grant of the snapshot made. Of older snapshots that is not known.
ALTER TABLE review_conflict_grants ADD monitor_ids text[] COLLATE "C" NOT NULL DEFAULT '{}';
