-- What happens to a review by itself now begins with its draft: at its start date it is prepared and started. What holds it, what its sources
-- were like at the snapshot, who acknowledged its decisions and what was found out about it stand beside it.

CREATE FUNCTION review_next_at(state text, closing boolean, document jsonb, look_at timestamptz, stopped boolean)
RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE due timestamptz;
BEGIN
  due := CASE
    WHEN stopped THEN NULL
    WHEN state IN ('DRAFT', 'PENDING') AND document -> 'autoStartCampaign' = 'true' THEN nullif(document ->> 'scheduledStartDate', '')::timestamptz
    WHEN state = 'OPEN' AND NOT closing AND document -> 'autoCloseCampaign' = 'true' THEN nullif(document ->> 'completionDate', '')::timestamptz
  END;
  RETURN CASE WHEN due IS NOT NULL THEN greatest(due, look_at) END;
END $$;

ALTER TABLE reviews
  DROP COLUMN next_at,
  -- What is due waits until then for the next look; null: it does not wait.
  ADD COLUMN look_at timestamptz,
  -- What was due failed for good: nothing happens by itself before somebody changes the review.
  ADD COLUMN schedule_stopped boolean NOT NULL DEFAULT false,
  -- Since when what is due is held: a start by its sources, a close by its acknowledgement. Null: it is not.
  ADD COLUMN held_at timestamptz,
  ADD COLUMN reminded_at timestamptz,
  -- When the watch over an open review last looked at it.
  ADD COLUMN watched_at timestamptz,
  ADD COLUMN error_state text NOT NULL DEFAULT '' CHECK (error_state IN ('', 'SELECTION_QUOTA')),
  ADD COLUMN insights text NOT NULL DEFAULT '',
  -- The sources of the apps in scope at the snapshot; null before it, and for snapshots that were taken without it.
  ADD COLUMN accuracy jsonb,
  -- Who acknowledges the decisions, whether that is required, and who did.
  ADD COLUMN acknowledgement jsonb NOT NULL DEFAULT '{}';
DROP FUNCTION review_next_at(text, boolean, jsonb);

-- A draft whose date has passed was never started by itself, and is not now.
ALTER TABLE reviews NO FORCE ROW LEVEL SECURITY;
UPDATE reviews SET schedule_stopped = true
WHERE state = 'DRAFT' AND document -> 'autoStartCampaign' = 'true' AND nullif(document ->> 'scheduledStartDate', '')::timestamptz <= now();
ALTER TABLE reviews FORCE ROW LEVEL SECURITY;

ALTER TABLE reviews
  ADD COLUMN next_at timestamptz GENERATED ALWAYS AS (review_next_at(state, closing, document, look_at, schedule_stopped)) STORED;
CREATE INDEX reviews_by_next_at ON reviews (tenant_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX reviews_held ON reviews (tenant_id, id) WHERE held_at IS NOT NULL;

-- Drafts with a date ahead are found from now on.
INSERT INTO job_calls (tenant_id, kind, subject_id, run_at)
SELECT t.tenant_id, 'reviews.timers', t.tenant_id, now() FROM tenants t WHERE t.deleted_at IS NULL;
