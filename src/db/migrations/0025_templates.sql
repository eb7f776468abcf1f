-- Templates of reviews, and what reviews know of the one they were made of.

CREATE TABLE review_templates (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- The writable members of the AccessReviewTemplate message, but for the time of the next review.
  document jsonb NOT NULL,
  created_by_id text COLLATE "C" NOT NULL,
  -- Goes up whenever the schedule begins anew; the numbers of its occurrences are the generation's.
  schedule_generation integer NOT NULL DEFAULT 0,
  -- The occurrence that comes next, and when; no moment where none comes.
  next_number integer NOT NULL DEFAULT 0,
  next_at timestamptz,
  -- The tenant's time zone where the schedule is computed in that, so that it can follow a change of it.
  tenant_zone text NOT NULL DEFAULT '',
  reviews_made integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX review_templates_by_creator ON review_templates (tenant_id, created_by_id, id) WHERE deleted_at IS NULL;
CREATE INDEX review_templates_due ON review_templates (tenant_id, next_at) WHERE next_at IS NOT NULL;
SELECT guard_tenant_table('review_templates');

CREATE TABLE template_owners (
  tenant_id text COLLATE "C" NOT NULL,
  template_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, template_id, user_id),
  FOREIGN KEY (tenant_id, template_id) REFERENCES review_templates
);
CREATE INDEX template_owners_by_user ON template_owners (tenant_id, user_id, template_id);
SELECT guard_tenant_table('template_owners');

-- What was chosen entitlement by entitlement and resource type by resource type; ids are as they were sent.
CREATE TABLE template_entitlements (
  tenant_id text COLLATE "C" NOT NULL,
  template_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, template_id, app_id, entitlement_id),
  FOREIGN KEY (tenant_id, template_id) REFERENCES review_templates
);
SELECT guard_tenant_table('template_entitlements');

CREATE TABLE template_resource_types (
  tenant_id text COLLATE "C" NOT NULL,
  template_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  resource_type_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, template_id, app_id, resource_type_id),
  FOREIGN KEY (tenant_id, template_id) REFERENCES review_templates
);
SELECT guard_tenant_table('template_resource_types');

-- What became of each occurrence: its review, or why there is none. The key is what makes it once.
CREATE TABLE template_occurrences (
  tenant_id text COLLATE "C" NOT NULL,
  template_id text COLLATE "C" NOT NULL,
  generation integer NOT NULL,
  number integer NOT NULL,
  occurs_at timestamptz NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('MADE', 'MISSED', 'SKIPPED')),
  review_id text COLLATE "C",
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, template_id, generation, number),
  FOREIGN KEY (tenant_id, template_id) REFERENCES review_templates
);
CREATE INDEX template_occurrences_by_time ON template_occurrences (tenant_id, template_id, occurs_at);
SELECT guard_tenant_table('template_occurrences');

-- The template of a review, as a column of plain text: under row-level security an index on the document itself would not be used.
ALTER TABLE reviews
  ADD COLUMN template_id text COLLATE "C" NOT NULL GENERATED ALWAYS AS (coalesce(document->>'accessReviewTemplateId', '')) STORED,
  -- The review that this one was copied from.
  ADD COLUMN duplicated_from_id text COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX reviews_by_template ON reviews (tenant_id, template_id, id) WHERE template_id <> '';
