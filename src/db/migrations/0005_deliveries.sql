-- Deliveries: effects outside the database, such as a mail or a call of a webhook (docs/decisions/0016-deliveries.md). What one is and what
-- came of it stands in `deliveries`, under forced row-level security. When it is due stands in `delivery_queue`, which holds ids and times
-- alone and stands outside, because a runner looks for work before it knows a tenant.
CREATE TABLE deliveries (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  -- References alone, never a secret: administrators see it.
  payload jsonb NOT NULL DEFAULT '{}',
  state text NOT NULL DEFAULT 'WAITING' CHECK (state IN ('WAITING', 'DONE', 'DEAD', 'DISCARDED')),
  attempts integer NOT NULL DEFAULT 0,
  repeats integer NOT NULL DEFAULT 0,
  error text NOT NULL DEFAULT '',
  receipt jsonb NOT NULL DEFAULT '{}',
  discard_reason text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX deliveries_by_key ON deliveries (tenant_id, kind, idempotency_key);
CREATE INDEX deliveries_by_state ON deliveries (tenant_id, state, id);
CREATE INDEX deliveries_by_kind ON deliveries (tenant_id, kind, id);
CREATE INDEX deliveries_by_kind_and_state ON deliveries (tenant_id, kind, state, id);
CREATE INDEX deliveries_ended ON deliveries (tenant_id, ended_at) WHERE ended_at IS NOT NULL;

-- One row for each delivery that is WAITING or DEAD.
CREATE TABLE delivery_queue (
  tenant_id text COLLATE "C" NOT NULL,
  delivery_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- When it may be taken. A lease moves it to the lease's end; null where it is dead.
  run_at timestamptz,
  -- Since when it should have been done.
  due_since timestamptz NOT NULL,
  -- Who works on it; '' for nobody.
  lease_token text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, delivery_id)
);
CREATE INDEX delivery_queue_due ON delivery_queue (kind, run_at) WHERE run_at IS NOT NULL;
CREATE INDEX delivery_queue_by_tenant ON delivery_queue (kind, tenant_id, run_at) WHERE run_at IS NOT NULL;

ALTER TABLE deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON deliveries USING (tenant_id = (SELECT current_tenant_id())) WITH CHECK (tenant_id = (SELECT current_tenant_id()));
