-- Routes: a review flattens its policies, with their rules and the policies they refer to, into numbered ways through steps. A task is on one.

-- Which policy refers to which: by a rule, as its baseline, or by an escalation. Kept with the documents.
CREATE TABLE policy_references (
  tenant_id text COLLATE "C" NOT NULL,
  policy_id text COLLATE "C" NOT NULL,
  referenced_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, policy_id, referenced_id)
);
CREATE INDEX policy_references_by_referenced ON policy_references (tenant_id, referenced_id);

-- The document is that of the policy the steps stand in, with the steps of the route as its only ones.
CREATE TABLE review_routes (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  route_no smallint NOT NULL,
  policy_id text COLLATE "C" NOT NULL,
  step_key text COLLATE "C" NOT NULL,
  document jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, review_id, route_no)
);

-- Whether items of the review name the policy; the others are referred to.
ALTER TABLE review_policies ADD is_root boolean NOT NULL DEFAULT true;

ALTER TABLE tasks
  ADD route_no smallint NOT NULL DEFAULT 0,
  -- When something happens to it by itself (a wait is over, an escalation is due), and when its step was entered. Null: nothing does.
  ADD next_at timestamptz,
  ADD entered_at timestamptz;
CREATE INDEX tasks_by_moment ON tasks (tenant_id, next_at) WHERE next_at IS NOT NULL;

-- Found per what the rule of a route reads: always the app, the entitlement or its resource where owners of these are asked, and the person.
ALTER TABLE task_subject_assignments
  ADD route_no smallint NOT NULL DEFAULT 0,
  ADD object_id text COLLATE "C" NOT NULL DEFAULT '';

-- The numbers of the conditions of policies that hold for the account, and for the entitlement.
ALTER TABLE review_accounts ADD conditions smallint[] NOT NULL DEFAULT '{}';
ALTER TABLE review_entitlements ADD conditions smallint[] NOT NULL DEFAULT '{}';

SELECT restrict_values('tasks', 'outcome', ARRAY['', 'CERTIFIED', 'DECERTIFIED', 'CANCELLED', 'ERROR', 'WAIT_TIMED_OUT']);
SELECT restrict_values('tasks', 'end_reason', ARRAY['', 'DECIDED', 'SKIPPED_AT_CLOSE', 'REVOKED_AT_CLOSE', 'NO_ACTION_AT_CLOSE', 'GRANT_GONE',
  'DELETED', 'OBJECT_GONE', 'CANCELLED', 'ESCALATED', 'STEP_SKIPPED', 'WAIT_TIMED_OUT']);
SELECT restrict_values('task_actions', 'kind', ARRAY['APPROVED', 'DENIED', 'COMMENTED', 'REASSIGNED', 'RESTARTED', 'ENDED', 'HANDED_OVER',
  'HARD_RESET', 'SKIPPED', 'ESCALATED', 'PASSED', 'AMENDED', 'REMINDED']);

-- Forced row-level security shows the owner no row of any tenant.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['policies', 'review_policies', 'tasks', 'task_subject_assignments'] LOOP
    EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
  END LOOP;

  INSERT INTO policy_references (tenant_id, policy_id, referenced_id)
    SELECT p.tenant_id, p.id, x.id FROM policies p
    CROSS JOIN LATERAL (
      SELECT p.document ->> 'baselinePolicyId' AS id
      UNION SELECT r ->> 'policyId' FROM jsonb_path_query(p.document, 'lax $.rules[*]') r
      UNION SELECT e #>> '{escalation,replacePolicy,policyId}'
        FROM jsonb_path_query(p.document, 'lax $.policySteps.*.steps[*].approval') e WHERE e ->> 'escalationEnabled' = 'true') x
    WHERE p.deleted_at IS NULL AND x.id <> '';

  -- Each policy that a review froze had one chain of steps: those under `certify`, or under the only key there is.
  INSERT INTO review_routes (tenant_id, review_id, route_no, policy_id, step_key, document, created_at)
    SELECT p.tenant_id, p.review_id, row_number() OVER (PARTITION BY p.tenant_id, p.review_id ORDER BY p.policy_id) - 1, p.policy_id, 'certify',
      (p.document - 'rules' - 'baselinePolicyId') || jsonb_build_object('policySteps', jsonb_build_object('certify', coalesce(
        p.document -> 'policySteps' -> 'certify',
        (SELECT min(k.value::text)::jsonb FROM jsonb_each(p.document -> 'policySteps') k HAVING count(*) = 1),
        '{"steps": []}'))),
      now()
    FROM review_policies p;

  -- Nothing that is counted changes.
  ALTER TABLE tasks DISABLE TRIGGER USER;
  UPDATE tasks t SET route_no = r.route_no FROM review_routes r
    WHERE r.route_no > 0 AND r.tenant_id = t.tenant_id AND r.review_id = t.review_id AND r.policy_id = t.policy_id;
  ALTER TABLE tasks ENABLE TRIGGER USER;
  UPDATE task_subject_assignments s SET route_no = r.route_no FROM review_routes r
    WHERE r.route_no > 0 AND r.tenant_id = s.tenant_id AND r.review_id = s.review_id AND r.policy_id = s.policy_id;

  FOREACH name IN ARRAY ARRAY['policies', 'review_policies', 'tasks', 'task_subject_assignments'] LOOP
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
END $$;

ALTER TABLE task_subject_assignments DROP CONSTRAINT task_subject_assignments_pkey, DROP COLUMN policy_id,
  ADD PRIMARY KEY (tenant_id, review_id, route_no, app_id, object_id, user_id);

SELECT guard_tenant_table('policy_references');
SELECT guard_tenant_table('review_routes');
