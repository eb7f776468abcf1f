-- Removals that the connector of a source carries out (docs/decisions/0079-removals-through-connectors.md).
ALTER TABLE sources ADD COLUMN removals_enabled boolean NOT NULL DEFAULT false;
ALTER TABLE sources ADD COLUMN removals_hourly integer NOT NULL DEFAULT 20 CHECK (removals_hourly BETWEEN 1 AND 1000);

CREATE OR REPLACE VIEW sources_public WITH (security_invoker = true) AS
SELECT tenant_id, id, app_id, source_no, kind, display_name, name_key, description, document, column_mapping, match_order, scim_token_hash,
  paused_at, created_at, updated_at, deleted_at, removals_enabled, removals_hourly, stale_since
FROM sources;

SELECT restrict_values('connector_tasks', 'kind', ARRAY['SYNC', 'REVOKE', 'DELETE']);
-- The content of a removal as it is sent: the Grant as the connector wrote it, or a DeleteResourceTask; and the resource type that its host has to provision.
ALTER TABLE connector_tasks ADD COLUMN message bytea;
ALTER TABLE connector_tasks ADD COLUMN resource_type text NOT NULL DEFAULT '';

-- What became of a removal whose policy leaves it to a connector: a row each, written anew when it is started anew.
CREATE TABLE removal_sendings (
  tenant_id text COLLATE "C" NOT NULL,
  revocation_id text COLLATE "C" NOT NULL,
  -- '' where no source reports the access.
  source_id text COLLATE "C" NOT NULL,
  way text NOT NULL CHECK (way IN ('GRANT', 'ACCOUNT')),
  state text NOT NULL CHECK (state IN ('PLANNED', 'WAITING', 'LIMITED', 'SENT', 'DONE', 'FAILED', 'PEOPLE', 'ENDED')),
  -- The reason why people are asked; '' where they are not.
  reason text NOT NULL DEFAULT '',
  -- The task of the connector; '' before it has one.
  task_id text COLLATE "C" NOT NULL DEFAULT '',
  -- Number of answers that let it be tried again.
  failures integer NOT NULL DEFAULT 0,
  -- The host that it was sent to last.
  host_id text NOT NULL DEFAULT '',
  hostname text NOT NULL DEFAULT '',
  package text NOT NULL DEFAULT '',
  package_version text NOT NULL DEFAULT '',
  planned_at timestamptz NOT NULL,
  -- When it was first let through the limits.
  passed_at timestamptz,
  sent_at timestamptz,
  ended_at timestamptz,
  -- What was carried out has yet to be proven by a sync that is asked for.
  wants_proof boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, revocation_id)
);
CREATE INDEX removal_sendings_open ON removal_sendings (tenant_id, source_id, state, revocation_id)
  WHERE state IN ('PLANNED', 'WAITING', 'LIMITED', 'SENT') OR wants_proof;
CREATE INDEX removal_sendings_passed ON removal_sendings (tenant_id, source_id, passed_at) WHERE passed_at IS NOT NULL;
CREATE INDEX removal_sendings_by_task ON removal_sendings (tenant_id, task_id) WHERE task_id <> '';
SELECT guard_tenant_table('removal_sendings');
