-- One queue (docs/decisions/0053-one-queue.md): calls for jobs, jobs, and the places of deliveries are rows of `jobs`. What a delivery is and what
-- came of it stays in `deliveries`, under forced row-level security.
ALTER TABLE jobs
  -- INSIDE: chunks of work, each one transaction. OUTSIDE: an effect outside the database, made under a lease.
  ADD COLUMN lane text NOT NULL DEFAULT 'INSIDE' CHECK (lane = ANY (ARRAY['INSIDE', 'OUTSIDE'])),
  -- The worker that has an effect; '' for nobody. The lease lasts until run_at.
  ADD COLUMN lease_token text NOT NULL DEFAULT '',
  -- Since when an effect should have been there, whatever its attempts and leases did to run_at; null inside.
  ADD COLUMN due_since timestamptz;
-- CALLED: what a job is called for. Such rows are only ever added and taken away, and no two exclude each other.
SELECT restrict_values('jobs', 'state', ARRAY['CALLED', 'WAITING', 'DONE', 'FAILED', 'CANCELLED']);

DROP INDEX jobs_due;
DROP INDEX jobs_by_subject;
DROP INDEX jobs_by_clock;

INSERT INTO jobs (id, tenant_id, kind, subject_id, state, run_at, created_at, updated_at)
SELECT left(md5(random()::text), 19) || id_suffix(row_number() OVER (ORDER BY c.id)), c.tenant_id, c.kind, c.subject_id, 'CALLED', c.run_at,
  coalesce(c.called_at, c.run_at), coalesce(c.called_at, c.run_at)
FROM job_calls c;

-- A place takes the id of its delivery. Attempts and ends are known under row-level security alone.
DO $$
DECLARE found record;
BEGIN
  FOR found IN SELECT DISTINCT q.tenant_id AS id FROM delivery_queue q
  LOOP
    PERFORM set_config('countersign.tenant_id', found.id, true);
    INSERT INTO jobs (id, tenant_id, lane, kind, subject_id, state, attempts, run_at, due_since, lease_token, created_at, updated_at)
    SELECT d.id, d.tenant_id, 'OUTSIDE', d.kind, d.id, CASE WHEN q.run_at IS NULL THEN 'FAILED' ELSE 'WAITING' END, d.attempts,
      coalesce(q.run_at, d.ended_at, d.updated_at), q.due_since, q.lease_token, d.created_at, coalesce(d.ended_at, q.written_at, d.updated_at)
    FROM delivery_queue q JOIN deliveries d ON d.tenant_id = q.tenant_id AND d.id = q.delivery_id
    WHERE q.tenant_id = found.id;
  END LOOP;
  PERFORM set_config('countersign.tenant_id', '', true);
END $$;
DROP TABLE job_calls;
DROP TABLE delivery_queue;

-- Each index holds the rows of one question alone, so that a long history, or a burst in the other lane, makes none of them longer.
CREATE INDEX jobs_inside_due ON jobs (run_at) WHERE state = 'WAITING' AND lane = 'INSIDE';
CREATE INDEX jobs_outside_due ON jobs (kind, run_at) WHERE state = 'WAITING' AND lane = 'OUTSIDE';
CREATE INDEX jobs_outside_by_tenant ON jobs (tenant_id, kind, run_at) WHERE state = 'WAITING' AND lane = 'OUTSIDE';
CREATE INDEX jobs_called_due ON jobs (run_at) WHERE state = 'CALLED';
CREATE INDEX jobs_called_by_subject ON jobs (tenant_id, kind, subject_id) WHERE state = 'CALLED';
CREATE INDEX jobs_by_subject ON jobs (tenant_id, subject_id, created_at) WHERE state <> 'CALLED';
CREATE INDEX jobs_by_clock ON jobs (updated_at) WHERE state IN ('CALLED', 'WAITING', 'FAILED');
-- The part of the table that changes is small beside its history: a share of the whole would be too long to wait for.
ALTER TABLE jobs SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 5000);
