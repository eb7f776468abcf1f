-- When sources fetch and how old their data may be, for modules that tell people of it.
CREATE OR REPLACE VIEW sources_public WITH (security_invoker = true) AS
SELECT tenant_id, id, app_id, source_no, kind, display_name, name_key, description, document, column_mapping, match_order, scim_token_hash,
  paused_at, created_at, updated_at, deleted_at, removals_enabled, removals_hourly, stale_since, schedule, zone, stale_after
FROM sources;
