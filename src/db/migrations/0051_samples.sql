-- What loading the sample company made, so that it can be removed again and nothing else with it.
CREATE TABLE samples (
  tenant_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  marked_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, kind, object_id)
);
SELECT restrict_values('samples', 'kind', ARRAY['USER', 'APP', 'REVIEW', 'MONITOR']);
SELECT guard_tenant_table('samples');
