-- Decisions that reviewers have staged and not submitted. Nothing is decided by them.
CREATE TABLE pending_decisions (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  decision text NOT NULL CHECK (decision IN ('APPROVE', 'DENY')),
  comment text NOT NULL DEFAULT '',
  policy_step_id text COLLATE "C" NOT NULL DEFAULT '',
  certify_until timestamptz,
  is_amendment boolean NOT NULL DEFAULT false,
  -- When a decision about this task was first staged; changing it leaves that alone.
  staged_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, review_id, user_id, task_id)
);
CREATE INDEX pending_decisions_by_user ON pending_decisions (tenant_id, user_id, task_id);
SELECT guard_tenant_table('pending_decisions');

-- What the close of the review found staged and dropped.
ALTER TABLE task_reviews ADD dropped_pending bigint NOT NULL DEFAULT 0;

-- A submission that is sent again is known by its key, and answered as it was.
ALTER TABLE submissions
  ADD idempotency_key text COLLATE "C" NOT NULL DEFAULT '',
  ADD request_digest text COLLATE "C" NOT NULL DEFAULT '',
  ADD results jsonb;
CREATE UNIQUE INDEX submissions_by_key ON submissions (tenant_id, review_id, user_id, idempotency_key) WHERE idempotency_key <> '';
