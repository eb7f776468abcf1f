-- Events set jobs in motion, and dates are found by an index: nothing looks at every review or tenant again and again any more.

-- What a job is called for; see src/jobs/calls.ts. Rows are added and taken away, never changed, and no two exclude each other.
CREATE TABLE job_calls (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  run_at timestamptz NOT NULL
);
CREATE INDEX job_calls_due ON job_calls (run_at);
CREATE INDEX job_calls_by_subject ON job_calls (tenant_id, kind, subject_id);

-- When something happens to a review by itself: its start, or its close. The dates are RFC 3339 with their zone, so the cast depends on nothing.
CREATE FUNCTION review_next_at(state text, closing boolean, document jsonb) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE
    WHEN state = 'PENDING' AND document -> 'autoStartCampaign' = 'true' THEN nullif(document ->> 'scheduledStartDate', '')::timestamptz
    WHEN state = 'OPEN' AND NOT closing AND document -> 'autoCloseCampaign' = 'true' THEN nullif(document ->> 'completionDate', '')::timestamptz
  END;
END $$;
ALTER TABLE reviews
  -- Kept by the database, so that no rule can change a state or a date and forget it. Null: nothing is due.
  ADD COLUMN next_at timestamptz GENERATED ALWAYS AS (review_next_at(state, closing, document)) STORED,
  -- Up to which revision of the inventory tasks whose access is gone were ended. Null: up to that of the snapshot.
  ADD COLUMN access_revision bigint;
CREATE INDEX reviews_by_next_at ON reviews (tenant_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX reviews_open ON reviews (tenant_id, id) WHERE state = 'OPEN';

-- The jobs that looked again and again go; what they would have found is called for once, now.
DELETE FROM jobs WHERE state = 'WAITING' AND kind IN ('review.watch', 'review.schedule', 'report.auto');
INSERT INTO job_calls (tenant_id, kind, subject_id, run_at)
SELECT t.tenant_id, k.kind, t.tenant_id, now() FROM tenants t CROSS JOIN (VALUES ('reviews.access'), ('reviews.people'), ('reviews.timers')) AS k (kind)
WHERE t.deleted_at IS NULL;
DO $$
DECLARE found record;
BEGIN
  FOR found IN SELECT t.tenant_id AS id FROM tenants t WHERE t.deleted_at IS NULL
  LOOP
    PERFORM set_config('countersign.tenant_id', found.id, true);
    INSERT INTO job_calls (tenant_id, kind, subject_id, run_at)
    SELECT r.tenant_id, 'report.at-close', r.id, now() FROM reviews r
    WHERE r.tenant_id = found.id AND r.state = 'CLOSED' AND r.document -> 'autoGenerateReport' = 'true'
      AND NOT EXISTS (SELECT FROM reports p WHERE p.tenant_id = found.id AND p.review_id = r.id AND p.created_by_id = '');
  END LOOP;
  PERFORM set_config('countersign.tenant_id', '', true);
END $$;
