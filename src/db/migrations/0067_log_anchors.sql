-- Checkpoints that others hold (docs/decisions/0070-anchors.md).

-- The places a tenant chose: [{kind, url, publicKey}].
ALTER TABLE log_settings ADD COLUMN anchors jsonb NOT NULL DEFAULT '[]';

-- Checkpoints that places hold, and the one that is on its way to each: what it is of is known once it is there, since the newest is sent at each attempt.
CREATE TABLE log_anchors (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('TIME_STAMP', 'WITNESS', 'FILE')),
  -- The URL, or '' for the folder of the operator.
  place text NOT NULL,
  created_at timestamptz NOT NULL,
  -- These are absent until the place has it.
  anchored_at timestamptz,
  epoch integer,
  size bigint,
  root bytea,
  vouched_at timestamptz,
  -- The reply of a time stamp server, the line of a witness.
  proof bytea,
  error text NOT NULL DEFAULT '',
  failing_since timestamptz,
  -- Since it was told that it fails.
  told_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  CHECK (num_nulls(anchored_at, epoch, size, root) IN (0, 4))
);
SELECT guard_tenant_table('log_anchors');
CREATE UNIQUE INDEX log_anchors_on_their_way ON log_anchors (tenant_id, kind, place) WHERE anchored_at IS NULL;
CREATE INDEX log_anchors_by_place ON log_anchors (tenant_id, kind, place, id) WHERE anchored_at IS NOT NULL;
CREATE INDEX log_anchors_by_size ON log_anchors (tenant_id, epoch, size) WHERE anchored_at IS NOT NULL;

-- Seconds since the anchor that has failed for the longest does, of all tenants; for the metrics. It looks at one tenant after the other, under
-- row-level security.
CREATE FUNCTION find_oldest_failing_anchor() RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  tenant record;
  oldest timestamptz;
BEGIN
  FOR tenant IN SELECT t.tenant_id FROM tenants t WHERE t.deleted_at IS NULL ORDER BY t.tenant_id
  LOOP
    PERFORM set_config('countersign.tenant_id', tenant.tenant_id, true);
    oldest := least(oldest, (SELECT min(a.failing_since) FROM log_anchors a WHERE a.tenant_id = tenant.tenant_id AND a.anchored_at IS NULL));
  END LOOP;
  PERFORM set_config('countersign.tenant_id', '', true);
  RETURN oldest;
END $$;
