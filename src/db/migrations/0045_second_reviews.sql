-- Blind second reviews: a random share of what people decided in a review is asked again of others. Nothing follows from the answers by itself.
CREATE TABLE second_reviews (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  state text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'ENDED')),
  -- The draw: the population sorted by the SHA-256 of seed, slash and task id, the first `items` of it.
  seed text NOT NULL,
  population bigint NOT NULL,
  population_digest text NOT NULL,
  items bigint NOT NULL,
  reviewer_ids text[] NOT NULL,
  created_by_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, review_id)
);
CREATE INDEX second_reviews_open ON second_reviews (tenant_id, review_id) WHERE state = 'OPEN';
SELECT guard_tenant_table('second_reviews');

CREATE TABLE second_review_items (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  -- In the order of the draw, from 1.
  place integer NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  -- As the item stood when it was drawn.
  first_decision text NOT NULL CHECK (first_decision IN ('APPROVE', 'DENY')),
  first_decided_by_id text COLLATE "C" NOT NULL,
  first_decided_at timestamptz NOT NULL,
  -- Those of its reviewers who had nothing to do with it.
  reviewer_ids text[] NOT NULL,
  -- Empty until it is answered.
  decision text NOT NULL DEFAULT '' CHECK (decision IN ('', 'APPROVE', 'DENY')),
  decided_by_id text COLLATE "C" NOT NULL DEFAULT '',
  comment text NOT NULL DEFAULT '',
  decided_at timestamptz,
  PRIMARY KEY (tenant_id, review_id, place)
);
CREATE UNIQUE INDEX second_review_items_by_task ON second_review_items (tenant_id, task_id);
SELECT guard_tenant_table('second_review_items');
