-- When each entitlement was last used, and what people were before they changed.

-- The latest use that a source ever reported of any of its grants, ended ones too; null where none reported any.
ALTER TABLE entitlements ADD COLUMN last_used_at timestamptz;

-- What nobody described: app access is described by us.
CREATE INDEX entitlements_undescribed ON entitlements (tenant_id, app_id, id) WHERE description = '' AND deleted_at IS NULL AND NOT is_app_access;

-- Since when changes of a person are kept; null for since they were made. Those who were there before this migration have the moment of it.
ALTER TABLE users ADD COLUMN facts_since timestamptz DEFAULT now();
ALTER TABLE users ALTER COLUMN facts_since DROP DEFAULT;

-- What changed about people, one row for each moment: the facts by their names in expressions, each with what it was and what it became.
CREATE TABLE user_changes (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  changed_at timestamptz NOT NULL,
  -- The source that the person is of since; '' for none.
  source text COLLATE "C" NOT NULL,
  facts jsonb NOT NULL,
  PRIMARY KEY (tenant_id, user_id, changed_at)
);
SELECT guard_tenant_table('user_changes');

-- The cost is in proportion to what changed. What changes twice at one moment, as in one import, becomes one row: the first before, the last after.
CREATE FUNCTION keep_user_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO countersign.user_changes AS c (tenant_id, user_id, changed_at, source, facts)
    SELECT n.tenant_id, n.id, n.updated_at, n.source, f.facts
    FROM added n
    JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id
    CROSS JOIN LATERAL (
      SELECT jsonb_object_agg(v.name, jsonb_build_array(v.was, v.became)) AS facts
      FROM (VALUES ('displayName', o.display_name, n.display_name), ('email', o.email, n.email), ('status', o.status, n.status),
        ('employmentStatus', o.employment_status, n.employment_status), ('employmentType', o.employment_type, n.employment_type),
        ('department', o.department, n.department), ('jobTitle', o.job_title, n.job_title),
        ('managerId', coalesce(o.manager_id, ''), coalesce(n.manager_id, ''))) AS v (name, was, became)
      WHERE v.was IS DISTINCT FROM v.became) f
    WHERE n.user_type = 'HUMAN'
      AND (n.display_name, n.email, n.status, n.employment_status, n.employment_type, n.department, n.job_title, n.manager_id)
        IS DISTINCT FROM (o.display_name, o.email, o.status, o.employment_status, o.employment_type, o.department, o.job_title, o.manager_id)
  ON CONFLICT (tenant_id, user_id, changed_at) DO UPDATE SET source = excluded.source, facts = c.facts || (
    SELECT jsonb_object_agg(x.key, CASE WHEN c.facts ? x.key THEN jsonb_build_array(c.facts -> x.key -> 0, x.value -> 1) ELSE x.value END)
    FROM jsonb_each(excluded.facts) AS x);
  RETURN NULL;
END $$;
CREATE TRIGGER users_keep_changes AFTER UPDATE ON users REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_user_changes();

-- Forced row-level security shows the owner no row of any tenant.
ALTER TABLE grants NO FORCE ROW LEVEL SECURITY;
ALTER TABLE entitlements NO FORCE ROW LEVEL SECURITY;
UPDATE entitlements e SET last_used_at = g.used
  FROM (SELECT tenant_id, app_id, entitlement_id, max(last_used_at) AS used FROM grants WHERE last_used_at IS NOT NULL
    GROUP BY tenant_id, app_id, entitlement_id) AS g
  WHERE e.tenant_id = g.tenant_id AND e.app_id = g.app_id AND e.id = g.entitlement_id;
ALTER TABLE grants FORCE ROW LEVEL SECURITY;
ALTER TABLE entitlements FORCE ROW LEVEL SECURITY;
