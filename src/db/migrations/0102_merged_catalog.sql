-- Resource types, resources and entitlements of one app whose names are the same by now are made one by the job that makes accounts one
-- (src/domains/name-merges): the oldest id stays. The other is gone like any that was deleted, and says which one it is.
ALTER TABLE resource_types ADD COLUMN merged_into_id text COLLATE "C";
ALTER TABLE resources ADD COLUMN merged_into_id text COLLATE "C";
ALTER TABLE entitlements ADD COLUMN merged_into_id text COLLATE "C",
  -- The resource on which it was before this revision; '' where it was always on the one it is on.
  ADD COLUMN moved_from_id text COLLATE "C" NOT NULL DEFAULT '',
  ADD COLUMN moved_revision bigint;
CREATE INDEX resource_types_twins ON resource_types (tenant_id, app_id, id) WHERE twin > 0 AND merged_into_id IS NULL AND deleted_at IS NULL;
CREATE INDEX resources_twins ON resources (tenant_id, app_id, id) WHERE twin > 0 AND merged_into_id IS NULL AND deleted_at IS NULL;
CREATE INDEX entitlements_twins ON entitlements (tenant_id, app_id, id) WHERE twin > 0 AND merged_into_id IS NULL AND deleted_at IS NULL;
CREATE INDEX resource_types_merged ON resource_types (tenant_id, id) WHERE merged_into_id IS NOT NULL;
CREATE INDEX resources_merged ON resources (tenant_id, id) WHERE merged_into_id IS NOT NULL;
CREATE INDEX entitlements_merged ON entitlements (tenant_id, id) WHERE merged_into_id IS NOT NULL;
CREATE INDEX entitlements_moved ON entitlements (tenant_id, app_id, moved_from_id) WHERE moved_from_id <> '';
CREATE OR REPLACE VIEW resource_types_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, external_id, display_name, trait_ids, created_at, updated_at, deleted_at, external_key, look_alike_key, merged_into_id
FROM resource_types;
CREATE OR REPLACE VIEW resources_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, resource_type_id, external_id, display_name, document, created_at, updated_at, deleted_at, parent_id, external_key,
  look_alike_key, merged_into_id
FROM resources;
CREATE OR REPLACE VIEW entitlements_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, resource_type_id, resource_id, external_id, is_app_access, display_name, description, certify_policy_id,
  alias, slug, purpose, risk_level_value_id, compliance_framework_value_ids, is_manual, source_no, document, grant_count, search_text,
  created_at, updated_at, deleted_at, last_used_at, external_key, look_alike_key, merged_into_id, moved_from_id, moved_revision
FROM entitlements;

-- A document with some ids in place of others, as values, as names of members and inside the quotes of expressions. What becomes the same by that stands
-- once; of two members of one name the one that had it already stays.
CREATE FUNCTION rename_ids(document jsonb, from_ids text[], into_ids text[]) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  value text;
  changed jsonb;
BEGIN
  IF jsonb_typeof(document) = 'string' THEN
    value := document #>> '{}';
    FOR place IN 1 .. cardinality(from_ids) LOOP
      IF value = from_ids[place] THEN
        RETURN to_jsonb(into_ids[place]);
      END IF;
      value := replace(replace(value, '"' || from_ids[place] || '"', '"' || into_ids[place] || '"'),
        '''' || from_ids[place] || '''', '''' || into_ids[place] || '''');
    END LOOP;
    RETURN to_jsonb(value);
  ELSIF jsonb_typeof(document) = 'array' THEN
    SELECT coalesce(jsonb_agg(countersign.rename_ids(e.value, from_ids, into_ids) ORDER BY e.place), '[]') INTO changed
      FROM jsonb_array_elements(document) WITH ORDINALITY AS e (value, place);
    IF changed = document THEN
      RETURN document;
    END IF;
    RETURN (SELECT jsonb_agg(n.value ORDER BY n.place) FROM (SELECT e.value, min(e.place) AS place
      FROM jsonb_array_elements(changed) WITH ORDINALITY AS e (value, place) GROUP BY e.value) n);
  ELSIF jsonb_typeof(document) = 'object' THEN
    RETURN (SELECT coalesce(jsonb_object_agg(n.name, n.value), '{}') FROM (
      SELECT DISTINCT ON (m.name) m.name, m.value FROM (
        SELECT coalesce(into_ids[array_position(from_ids, e.key)], e.key) AS name, e.key, countersign.rename_ids(e.value, from_ids, into_ids) AS value
        FROM jsonb_each(document) AS e) m ORDER BY m.name, m.name = m.key DESC, m.key) n);
  END IF;
  RETURN document;
END $$;

-- As before, of the entitlement, the account or the resource that is there.
CREATE OR REPLACE FUNCTION follow_denials() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added n WHERE n.outcome = 'DECERTIFIED') THEN
    INSERT INTO countersign.revocations (tenant_id, id, review_id, certify_task_id, app_id, entitlement_id, account_id, user_id, principal_kind,
        denied_by_id, denied_issuer_id, state, state_at, actor_id, actor_issuer_id, created_at, updated_at)
      SELECT n.tenant_id, n.id || CASE WHEN k.n > 0 THEN '-' || k.n ELSE '' END, n.review_id, n.id, n.app_id,
        coalesce(e.merged_into_id, n.entitlement_id), coalesce(m.merged_into_id, q.merged_into_id, n.account_id), n.user_id,
        n.principal_kind, coalesce(n.decided_by_id, ''), coalesce(n.decided_issuer_id, ''), 'HELD', n.updated_at, coalesce(n.decided_by_id, ''),
        coalesce(n.decided_issuer_id, ''), n.updated_at, n.updated_at
      FROM added n JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id
      CROSS JOIN LATERAL (SELECT count(*) AS n FROM countersign.revocations r WHERE r.tenant_id = n.tenant_id AND r.certify_task_id = n.id OFFSET 0) k
      LEFT JOIN LATERAL (SELECT a.merged_into_id FROM countersign.accounts a
        WHERE a.tenant_id = n.tenant_id AND a.app_id = n.app_id AND a.id = n.account_id OFFSET 0) m ON true
      LEFT JOIN LATERAL (SELECT x.merged_into_id FROM countersign.resources x WHERE n.principal_kind = 'R'
        AND x.tenant_id = n.tenant_id AND x.app_id = n.app_id AND x.id = n.account_id OFFSET 0) q ON true
      LEFT JOIN LATERAL (SELECT x.merged_into_id FROM countersign.entitlements x
        WHERE x.tenant_id = n.tenant_id AND x.app_id = n.app_id AND x.id = n.entitlement_id OFFSET 0) e ON true
      WHERE n.outcome = 'DECERTIFIED' AND o.outcome <> 'DECERTIFIED';
  END IF;
  IF EXISTS (SELECT FROM removed o WHERE o.outcome = 'DECERTIFIED') THEN
    UPDATE countersign.revocations r SET state = 'CANCELLED', state_at = n.updated_at, actor_id = coalesce(n.decided_by_id, ''),
        actor_issuer_id = coalesce(n.decided_issuer_id, ''), sync_id = '', revision = NULL, note = 'The denial was taken back.', due_at = NULL,
        updated_at = n.updated_at
      FROM added n JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id
      WHERE n.outcome <> 'DECERTIFIED' AND o.outcome = 'DECERTIFIED'
        AND r.tenant_id = n.tenant_id AND r.certify_task_id = n.id AND r.state IN ('HELD', 'REQUESTED', 'IN_PROGRESS');
  END IF;
  RETURN NULL;
END $$;

-- One job of each tenant that has any.
ALTER TABLE resource_types NO FORCE ROW LEVEL SECURITY;
ALTER TABLE resources NO FORCE ROW LEVEL SECURITY;
ALTER TABLE entitlements NO FORCE ROW LEVEL SECURITY;
INSERT INTO jobs (id, tenant_id, kind, subject_id, state, run_at, created_at, updated_at)
SELECT left(md5(random()::text), 19) || id_suffix(row_number() OVER (ORDER BY t.tenant_id)), t.tenant_id, 'names.merge', t.tenant_id, 'CALLED', now(), now(), now()
FROM (SELECT tenant_id FROM resource_types WHERE twin > 0 AND deleted_at IS NULL
  UNION SELECT tenant_id FROM resources WHERE twin > 0 AND deleted_at IS NULL
  UNION SELECT tenant_id FROM entitlements WHERE twin > 0 AND deleted_at IS NULL) t;
ALTER TABLE resource_types FORCE ROW LEVEL SECURITY;
ALTER TABLE resources FORCE ROW LEVEL SECURITY;
ALTER TABLE entitlements FORCE ROW LEVEL SECURITY;
