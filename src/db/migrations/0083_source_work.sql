-- How old the data of the sources of all tenants are, and how many fetches are held, for the metrics: by kind alone. It looks at one tenant after the
-- other, under row-level security.
CREATE FUNCTION count_source_work(most integer) RETURNS TABLE (kind text, oldest timestamptz, held bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  tenant record;
BEGIN
  FOR tenant IN SELECT t.tenant_id FROM tenants t WHERE t.deleted_at IS NULL ORDER BY t.tenant_id LIMIT most
  LOOP
    PERFORM set_config('countersign.tenant_id', tenant.tenant_id, true);
    RETURN QUERY SELECT s.kind, min(y.observed_from),
      sum((SELECT count(*) FROM fetches f WHERE f.tenant_id = s.tenant_id AND f.source_id = s.id AND f.state = 'HELD'))::bigint
    FROM sources s LEFT JOIN syncs y ON y.tenant_id = s.tenant_id AND y.id = s.last_sync_id
    WHERE s.tenant_id = tenant.tenant_id AND s.kind <> 'SCIM' AND s.deleted_at IS NULL AND s.paused_at IS NULL GROUP BY s.kind;
  END LOOP;
  PERFORM set_config('countersign.tenant_id', '', true);
END $$;
