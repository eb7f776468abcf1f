-- Access that came into the scope of a review after its snapshot: counted while the review is open, kept here when it closes.
CREATE TABLE review_arrivals (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  -- The revision of the inventory that added it.
  added_revision bigint NOT NULL,
  -- The event of the close, which has the digest of these rows.
  event_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, review_id, app_id, account_id, entitlement_id)
);
SELECT guard_tenant_table('review_arrivals');
CREATE INDEX review_arrivals_by_event ON review_arrivals (tenant_id, event_id);

-- How many there are; null where nobody counted them. The review that a supplementary one is of; null for any other.
ALTER TABLE reviews ADD COLUMN arrived bigint;
ALTER TABLE reviews ADD COLUMN supplement_of_id text COLLATE "C";
CREATE INDEX reviews_by_supplemented ON reviews (tenant_id, supplement_of_id) WHERE supplement_of_id IS NOT NULL;
