-- Monitors of access conflicts: what nobody should hold together. Whoever holds an entitlement of group A and one of group B is in conflict.
CREATE TABLE conflict_monitors (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  description text NOT NULL DEFAULT '',
  enabled boolean NOT NULL DEFAULT false,
  -- In conflict is who holds one of group A and none of group B.
  negate_group_b boolean NOT NULL DEFAULT false,
  set_a_id text COLLATE "C" NOT NULL,
  set_b_id text COLLATE "C" NOT NULL,
  -- The NotificationConfig message as sent; null where none was ever sent.
  notification_config jsonb,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
SELECT guard_tenant_table('conflict_monitors');

-- The entitlements of monitors, each in one group.
CREATE TABLE conflict_entitlements (
  tenant_id text COLLATE "C" NOT NULL,
  monitor_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  side text COLLATE "C" NOT NULL CHECK (side IN ('A', 'B')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, monitor_id, app_id, entitlement_id)
);
CREATE INDEX conflict_entitlements_by_entitlement ON conflict_entitlements (tenant_id, app_id, entitlement_id);
SELECT guard_tenant_table('conflict_entitlements');

-- What monitors found: one row for each monitor and principal, however often the conflict comes and goes.
CREATE TABLE conflict_alerts (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  monitor_id text COLLATE "C" NOT NULL,
  -- The person's id, or app and account with a slash between them for an account without owner.
  principal text COLLATE "C" NOT NULL,
  -- The same apart; empty where the principal is of the other kind.
  user_id text COLLATE "C" NOT NULL DEFAULT '',
  app_id text COLLATE "C" NOT NULL DEFAULT '',
  account_id text COLLATE "C" NOT NULL DEFAULT '',
  state text NOT NULL CHECK (state IN ('ACTIVE', 'EXEMPTED', 'RESOLVED')),
  -- Counts the times it became active after it was not there or resolved.
  generation integer NOT NULL DEFAULT 1,
  -- What made it when it became active: objects with appId, appEntitlementId and group.
  entitlements jsonb NOT NULL DEFAULT '[]',
  activated_at timestamptz NOT NULL,
  resolved_at timestamptz,
  resolution text NOT NULL DEFAULT '' CHECK (resolution IN ('', 'NO_LONGER_HELD', 'MONITOR_CHANGED', 'MONITOR_DISABLED', 'MONITOR_DELETED')),
  exempt_reason text NOT NULL DEFAULT '',
  exempted_by_id text COLLATE "C" NOT NULL DEFAULT '',
  exempted_by_review_id text COLLATE "C" NOT NULL DEFAULT '',
  exempted_at timestamptz,
  exempt_until timestamptz,
  -- The change that gave it its state: what one detection found is reported together.
  change_id text COLLATE "C" NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX conflict_alerts_by_principal ON conflict_alerts (tenant_id, monitor_id, principal);
CREATE INDEX conflict_alerts_by_monitor ON conflict_alerts (tenant_id, monitor_id, id);
CREATE INDEX conflict_alerts_by_user ON conflict_alerts (tenant_id, user_id, id) WHERE user_id <> '';
CREATE INDEX conflict_alerts_open ON conflict_alerts (tenant_id, state, id) WHERE state <> 'RESOLVED';
CREATE INDEX conflict_alerts_by_change ON conflict_alerts (tenant_id, change_id, id);
CREATE INDEX conflict_alerts_exempt_until ON conflict_alerts (tenant_id, exempt_until, id) WHERE exempt_until IS NOT NULL;
SELECT guard_tenant_table('conflict_alerts');

-- How far a tenant's inventory was looked through for conflicts.
CREATE TABLE conflict_detections (
  tenant_id text COLLATE "C" NOT NULL,
  -- The last revision that was looked at.
  revision bigint NOT NULL,
  -- When everything was looked at last, whatever had changed; null for never.
  whole_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id)
);
SELECT guard_tenant_table('conflict_detections');
