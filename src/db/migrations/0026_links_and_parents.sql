-- What passes on what, and what lies below what: access that is inherited is reviewed by both.

-- "from passes on to": an adjacent pair of entitlements in the path of a grant, whose last step passes on the entitlement of the grant itself. There
-- is one while at least one open grant's paths have it. As of revision R: added_revision <= R AND (removed_revision IS NULL OR removed_revision > R).
-- Links of before this migration are known as far as they stand: since the first of the open grants that have them.
CREATE TABLE entitlement_links (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  from_entitlement_id text COLLATE "C" NOT NULL,
  to_entitlement_id text COLLATE "C" NOT NULL,
  added_revision bigint NOT NULL,
  removed_revision bigint,
  -- Open grants whose paths have it; 0 once it is removed.
  grant_count bigint NOT NULL,
  PRIMARY KEY (tenant_id, app_id, from_entitlement_id, to_entitlement_id, added_revision),
  FOREIGN KEY (tenant_id, app_id, from_entitlement_id) REFERENCES entitlements,
  FOREIGN KEY (tenant_id, app_id, to_entitlement_id) REFERENCES entitlements
);
CREATE UNIQUE INDEX entitlement_links_open ON entitlement_links (tenant_id, app_id, from_entitlement_id, to_entitlement_id) WHERE removed_revision IS NULL;
CREATE INDEX entitlement_links_by_target ON entitlement_links (tenant_id, app_id, to_entitlement_id, from_entitlement_id);

-- The links in the paths of one grant of `entitlement_id`, each once. An empty path, which says that it is also held directly, has none.
CREATE FUNCTION entitlement_link_pairs(paths jsonb, entitlement_id text) RETURNS TABLE (from_id text, to_id text) LANGUAGE sql IMMUTABLE AS $$
  SELECT DISTINCT s.id COLLATE "C", coalesce(p.path ->> s.place::integer, entitlement_id) COLLATE "C"
  FROM jsonb_array_elements(paths) AS p (path) CROSS JOIN LATERAL jsonb_array_elements_text(p.path) WITH ORDINALITY AS s (id, place) $$;

-- Inherited grants of a revision: what a large import adds to the links is read without the rest of it.
CREATE INDEX grants_inherited_by_addition ON grants (tenant_id, added_revision) WHERE paths IS NOT NULL;

-- The resource it lies below: one of the same app. What people say of it holds; where they say nothing, what the source says.
ALTER TABLE resources ADD COLUMN source_parent_id text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE resources ADD COLUMN parent_id text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
  coalesce(nullif(document ->> 'parentAppResourceId', ''), source_parent_id)) STORED;
CREATE INDEX resources_by_parent ON resources (tenant_id, app_id, parent_id) WHERE parent_id <> '';

-- Forced row-level security shows the owner no row of any tenant.
ALTER TABLE grants NO FORCE ROW LEVEL SECURITY;
ALTER TABLE entitlements NO FORCE ROW LEVEL SECURITY;
INSERT INTO entitlement_links (tenant_id, app_id, from_entitlement_id, to_entitlement_id, added_revision, grant_count)
  SELECT g.tenant_id, g.app_id, p.from_id, p.to_id, min(g.added_revision), count(*)
  FROM grants g CROSS JOIN LATERAL entitlement_link_pairs(g.paths, g.entitlement_id) p
  WHERE g.paths IS NOT NULL AND g.removed_revision IS NULL
  GROUP BY g.tenant_id, g.app_id, p.from_id, p.to_id;
ALTER TABLE grants FORCE ROW LEVEL SECURITY;
ALTER TABLE entitlements FORCE ROW LEVEL SECURITY;

SELECT guard_tenant_table('entitlement_links');
