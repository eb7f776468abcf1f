-- A process whose clock ran ahead wrote what is due with that clock. What was written says when it was written, by the same clock, so that a
-- process with a right clock finds rows from the future and moves them back.
ALTER TABLE job_calls ADD COLUMN called_at timestamptz;
CREATE INDEX job_calls_by_clock ON job_calls (called_at);
CREATE INDEX jobs_by_clock ON jobs (updated_at) WHERE state = 'WAITING';
ALTER TABLE delivery_queue ADD COLUMN written_at timestamptz;
CREATE INDEX delivery_queue_by_clock ON delivery_queue (written_at);
ALTER TABLE mail_pace ADD COLUMN written_at timestamptz;
