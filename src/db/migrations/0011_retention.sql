-- How long reports and events are kept, the erasure of deleted tenants, and sums over all tenants for whoever watches the service.

-- What all tenants have at work, for the metrics: sums alone. It looks at one tenant after the other, under row-level security.
CREATE FUNCTION count_open_work(most integer, OUT open_reviews bigint, OUT open_tasks bigint, OUT oldest_delivery timestamptz) LANGUAGE plpgsql AS $$
DECLARE
  tenant record;
  seen record;
BEGIN
  open_reviews := 0;
  open_tasks := 0;
  FOR tenant IN SELECT t.tenant_id FROM tenants t WHERE t.deleted_at IS NULL ORDER BY t.tenant_id LIMIT most
  LOOP
    PERFORM set_config('countersign.tenant_id', tenant.tenant_id, true);
    SELECT count(*) AS reviews,
      coalesce(sum((SELECT count(*) FROM tasks k WHERE k.tenant_id = r.tenant_id AND k.review_id = r.id AND k.state = 'OPEN')), 0) AS tasks
    INTO seen FROM reviews r WHERE r.tenant_id = tenant.tenant_id AND r.state = 'OPEN';
    open_reviews := open_reviews + seen.reviews;
    open_tasks := open_tasks + seen.tasks;
    SELECT least(oldest_delivery, min(coalesce(y.ended_at, s.created_at))) AS oldest INTO seen
    FROM sources s LEFT JOIN syncs y ON y.tenant_id = s.tenant_id AND y.id = s.last_sync_id
    WHERE s.tenant_id = tenant.tenant_id AND s.kind = 'FILE' AND s.deleted_at IS NULL AND s.paused_at IS NULL;
    oldest_delivery := seen.oldest;
  END LOOP;
  PERFORM set_config('countersign.tenant_id', '', true);
END $$;

-- The host that a deleted tenant was known by: its own row in tenant_hosts goes with the deletion.
ALTER TABLE tenants ADD COLUMN former_host text NOT NULL DEFAULT '';

-- Erasures of deleted tenants. The receipt outlives the tenant, so it names nobody of it and stands outside row-level security.
CREATE TABLE tenant_erasures (
  tenant_id text COLLATE "C" PRIMARY KEY,
  host text NOT NULL,
  -- Who ran the command, as they said.
  erased_by text NOT NULL,
  begun_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- Rows that went, by table: grows with each piece, in the transaction that removes it.
  counts jsonb NOT NULL DEFAULT '{}',
  -- Where the tenant's log stood: epoch, size and root of each tree.
  log_heads jsonb NOT NULL DEFAULT '[]',
  -- SHA-256 of the finished receipt.
  receipt_hash text NOT NULL DEFAULT ''
);

CREATE FUNCTION refuse_change_of_receipt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.finished_at IS NOT NULL THEN
    RAISE EXCEPTION 'the receipt of an erasure is never changed or deleted' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tenant_erasures_kept BEFORE UPDATE OR DELETE ON tenant_erasures FOR EACH ROW EXECUTE FUNCTION refuse_change_of_receipt();

-- What is append-only stays so, but for the erasure of a deleted tenant: of the tenant that is set on the connection, while its erasure is under
-- way. The role that serves has no right to delete there at all.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (
    SELECT FROM countersign.tenant_erasures e JOIN countersign.tenants t ON t.tenant_id = e.tenant_id
    WHERE e.tenant_id = current_setting('countersign.tenant_id', true) AND e.finished_at IS NULL AND t.deleted_at IS NOT NULL)
  THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

-- An owner that passes row-level security could reach others' rows: it may not.
CREATE FUNCTION refuse_others_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM gone g WHERE g.tenant_id IS DISTINCT FROM current_setting('countersign.tenant_id', true)) THEN
    RAISE EXCEPTION 'rows of % of another tenant are never deleted', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['events', 'task_actions', 'log_leaves', 'log_nodes', 'log_seals']
  LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %I REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_others_rows()',
      name || '_own_rows', name);
  END LOOP;
END $$;

-- How long a tenant keeps what; no row where nothing was ever set.
CREATE TABLE retention_settings (
  tenant_id text COLLATE "C" PRIMARY KEY,
  report_days integer CHECK (report_days BETWEEN 1 AND 36500),
  -- Null or 0: the content of events is kept for ever.
  event_years integer CHECK (event_years BETWEEN 0 AND 100),
  -- Events from before are emptied, so that nobody looks at them again.
  emptied_until timestamptz,
  updated_at timestamptz NOT NULL
);
SELECT guard_tenant_table('retention_settings');
CREATE INDEX reports_finished ON reports (tenant_id, finished_at) WHERE state = 'OK';

-- The job that ends expired grants slept as a job until now, and is called for from now on: each looks once, and calls for itself.
UPDATE jobs SET run_at = now() WHERE kind = 'grants.expire' AND state = 'WAITING';

-- Nobody makes the deliveries of tenants that were deleted.
DELETE FROM delivery_queue q USING tenants t WHERE t.tenant_id = q.tenant_id AND t.deleted_at IS NOT NULL;

-- The tenants whose logs have something to seal: what became visible since the last seal looked, by its snapshot. A few index lookups for each
-- tenant in one statement, where asking for each by itself would keep a process busy that serves thousands.
CREATE FUNCTION list_tenants_to_seal() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  tenant record;
  seen pg_snapshot;
  xmax_now xid8 := pg_snapshot_xmax(pg_current_snapshot());
BEGIN
  FOR tenant IN SELECT t.tenant_id FROM tenants t WHERE NOT EXISTS (SELECT FROM tenant_erasures e WHERE e.tenant_id = t.tenant_id) ORDER BY t.tenant_id
  LOOP
    PERFORM set_config('countersign.tenant_id', tenant.tenant_id, true);
    SELECT l.snapshot INTO seen FROM logs l WHERE l.tenant_id = tenant.tenant_id AND l.state = 'OPEN';
    IF seen IS NULL OR pg_snapshot_xmax(seen) > xmax_now
      OR EXISTS (SELECT FROM events e WHERE e.tenant_id = tenant.tenant_id AND e.xact >= pg_snapshot_xmax(seen))
    THEN
      RETURN NEXT tenant.tenant_id;
    ELSIF pg_snapshot_xmin(seen) < pg_snapshot_xmax(seen) AND EXISTS (
      SELECT FROM events e WHERE e.tenant_id = tenant.tenant_id AND e.xact = ANY (ARRAY(SELECT pg_snapshot_xip(seen)))
        AND NOT EXISTS (SELECT FROM log_leaves l WHERE l.tenant_id = e.tenant_id AND l.event_id = e.id))
    THEN
      RETURN NEXT tenant.tenant_id;
    END IF;
  END LOOP;
  PERFORM set_config('countersign.tenant_id', '', true);
END $$;
