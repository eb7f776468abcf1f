-- What somebody reads of their own affairs: what came of their decisions, what they submitted, and how they want the service to look.

-- Whose decision denied the access; empty where nobody's did, as for what a close denied, and for removals that were asked for by themselves.
ALTER TABLE revocations ADD denied_by_id text COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX revocations_by_denier ON revocations (tenant_id, denied_by_id, review_id) WHERE denied_by_id <> '';

-- As before, with whose decision it was.
CREATE OR REPLACE FUNCTION follow_denials() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added n WHERE n.outcome = 'DECERTIFIED') THEN
    INSERT INTO countersign.revocations (tenant_id, id, review_id, certify_task_id, app_id, entitlement_id, account_id, user_id, principal_kind,
        denied_by_id, state, state_at, actor_id, created_at, updated_at)
      SELECT n.tenant_id, n.id || CASE WHEN k.n > 0 THEN '-' || k.n ELSE '' END, n.review_id, n.id, n.app_id, n.entitlement_id, n.account_id, n.user_id,
        n.principal_kind, coalesce(n.decided_by_id, ''), 'HELD', n.updated_at, coalesce(n.decided_by_id, ''), n.updated_at, n.updated_at
      FROM added n JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id
      CROSS JOIN LATERAL (SELECT count(*) AS n FROM countersign.revocations r WHERE r.tenant_id = n.tenant_id AND r.certify_task_id = n.id OFFSET 0) k
      WHERE n.outcome = 'DECERTIFIED' AND o.outcome <> 'DECERTIFIED';
  END IF;
  IF EXISTS (SELECT FROM removed o WHERE o.outcome = 'DECERTIFIED') THEN
    UPDATE countersign.revocations r SET state = 'CANCELLED', state_at = n.updated_at, actor_id = coalesce(n.decided_by_id, ''), sync_id = '',
        revision = NULL, note = 'The denial was taken back.', due_at = NULL, updated_at = n.updated_at
      FROM added n JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id
      WHERE n.outcome <> 'DECERTIFIED' AND o.outcome = 'DECERTIFIED'
        AND r.tenant_id = n.tenant_id AND r.certify_task_id = n.id AND r.state IN ('HELD', 'REQUESTED', 'IN_PROGRESS');
  END IF;
  RETURN NULL;
END $$;

-- Forced row-level security shows the owner no row of any tenant.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tasks', 'revocations'] LOOP
    EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
  END LOOP;
  UPDATE revocations r SET denied_by_id = t.decided_by_id FROM tasks t
    WHERE t.tenant_id = r.tenant_id AND t.id = r.certify_task_id AND r.certify_task_id <> '' AND t.outcome = 'DECERTIFIED' AND t.decided_by_id IS NOT NULL;
  FOREACH name IN ARRAY ARRAY['tasks', 'revocations'] LOOP
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
END $$;

-- What somebody certified until a date.
CREATE INDEX tasks_certified_until_by ON tasks (tenant_id, decided_by_id, certify_until) WHERE certify_until IS NOT NULL;
-- What somebody submitted, in all reviews.
CREATE INDEX submissions_by_person ON submissions (tenant_id, user_id, id);

-- How a person wants the service to look and to be used. No row for whoever never chose anything.
CREATE TABLE user_preferences (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  theme text NOT NULL,
  -- A tag of BCP 47, and the name of a time zone; both empty where the browser's count.
  language text COLLATE "C" NOT NULL DEFAULT '',
  time_zone text COLLATE "C" NOT NULL DEFAULT '',
  -- Whether single letters act as keys; some people need them off.
  letter_keys boolean NOT NULL DEFAULT true,
  -- Names of commands, and the keys that were chosen for them.
  keys jsonb NOT NULL DEFAULT '{}',
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
);
SELECT restrict_values('user_preferences', 'theme', ARRAY['SYSTEM', 'LIGHT', 'DARK']);
SELECT guard_tenant_table('user_preferences');
