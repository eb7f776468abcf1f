-- Tasks by which removals are approved and carried out. They stand in batches of their own, which outlive the review, so that nothing that is
-- asked of a review finds them.

ALTER TABLE task_reviews ADD kind text NOT NULL DEFAULT 'CERTIFY';
SELECT restrict_values('task_reviews', 'kind', ARRAY['CERTIFY', 'REVOKE']);
CREATE INDEX task_reviews_of_removals ON task_reviews (tenant_id, id) WHERE kind = 'REVOKE';

SELECT restrict_values('tasks', 'outcome', ARRAY['', 'CERTIFIED', 'DECERTIFIED', 'CANCELLED', 'ERROR', 'WAIT_TIMED_OUT', 'REVOKED', 'DENIED']);
-- What became of the removal ended its task.
SELECT restrict_values('tasks', 'end_reason', ARRAY['', 'DECIDED', 'CARRIED', 'SKIPPED_AT_CLOSE', 'REVOKED_AT_CLOSE', 'NO_ACTION_AT_CLOSE', 'GRANT_GONE',
  'DELETED', 'OBJECT_GONE', 'CANCELLED', 'ESCALATED', 'STEP_SKIPPED', 'WAIT_TIMED_OUT', 'REMOVAL_ENDED']);
-- Said to be removed, said to be impossible, tried anew.
SELECT restrict_values('task_actions', 'kind', ARRAY['APPROVED', 'DENIED', 'COMMENTED', 'REASSIGNED', 'RESTARTED', 'ENDED', 'HANDED_OVER',
  'HARD_RESET', 'SKIPPED', 'ESCALATED', 'PASSED', 'AMENDED', 'REMINDED', 'PROVISIONED', 'ERRORED', 'RETRIED']);

-- Who holds what is removed: an account, or a resource that passes it on.
ALTER TABLE revocations ADD principal_kind text COLLATE "C" NOT NULL DEFAULT 'A' CHECK (principal_kind IN ('A', 'R'));
-- Who asked for a removal that no review denied, and why.
ALTER TABLE revocations ADD requested_by_id text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE revocations ADD description text NOT NULL DEFAULT '';

-- Whether a batch is one of removals: its tasks are no items of a review, so no counter of one has them.
CREATE FUNCTION is_of_removals(for_tenant text, of_batch text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM countersign.task_reviews b WHERE b.tenant_id = for_tenant AND b.id = of_batch AND b.kind = 'REVOKE') $$;

-- As before, and no statement over tasks of removals is counted: one statement never changes tasks of both kinds.
CREATE OR REPLACE FUNCTION note_added_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT countersign.is_of_removals(n.tenant_id, n.review_id) FROM added n LIMIT 1) THEN
    RETURN NULL;
  END IF;
  INSERT INTO countersign.task_progress_changes AS p
      (tenant_id, review_id, app_id, assignment_id, department, day, total, open, certified, revoked, cancelled, without_outcome)
    SELECT c.tenant_id, c.review_id, c.app_id, c.assignment_id, coalesce(a.department, ''), c.day,
      sum(c.total), sum(c.open), sum(c.certified), sum(c.revoked), sum(c.cancelled), sum(c.without_outcome)
    FROM (
      SELECT t.tenant_id, t.review_id, t.app_id, t.account_id, coalesce(t.assignment_id, '') AS assignment_id, (t.created_at AT TIME ZONE 'UTC')::date AS day,
        count(*) AS total, count(*) FILTER (WHERE t.state = 'OPEN') AS open,
        count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'CERTIFIED') AS certified,
        count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'DECERTIFIED') AS revoked,
        count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'CANCELLED') AS cancelled,
        count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome NOT IN ('CERTIFIED', 'DECERTIFIED', 'CANCELLED')) AS without_outcome
      FROM added t GROUP BY 1, 2, 3, 4, 5, 6) c
    LEFT JOIN LATERAL (
      SELECT x.department FROM countersign.review_accounts x
      WHERE x.tenant_id = c.tenant_id AND x.review_id = c.review_id AND x.app_id = c.app_id AND x.account_id = c.account_id OFFSET 0) a ON true
    GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_changed_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT countersign.is_of_removals(n.tenant_id, n.review_id) FROM added n LIMIT 1) THEN
    RETURN NULL;
  END IF;
  INSERT INTO countersign.task_progress_changes AS p
      (tenant_id, review_id, app_id, assignment_id, department, day, total, open, certified, revoked, cancelled, without_outcome)
    SELECT c.tenant_id, c.review_id, c.app_id, c.assignment_id, coalesce(a.department, ''), c.day,
      sum(c.total), sum(c.open), sum(c.certified), sum(c.revoked), sum(c.cancelled), sum(c.without_outcome)
    FROM (
      SELECT t.tenant_id, t.review_id, t.app_id, t.account_id, t.assignment_id, (SELECT (max(n.updated_at) AT TIME ZONE 'UTC')::date FROM added n) AS day,
        sum(t.n) AS total, coalesce(sum(t.n) FILTER (WHERE t.state = 'OPEN'), 0) AS open,
        coalesce(sum(t.n) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'CERTIFIED'), 0) AS certified,
        coalesce(sum(t.n) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'DECERTIFIED'), 0) AS revoked,
        coalesce(sum(t.n) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'CANCELLED'), 0) AS cancelled,
        coalesce(sum(t.n) FILTER (WHERE t.state = 'CLOSED' AND t.outcome NOT IN ('CERTIFIED', 'DECERTIFIED', 'CANCELLED')), 0) AS without_outcome
      FROM (
        SELECT n.tenant_id, n.review_id, n.app_id, n.account_id, coalesce(n.assignment_id, '') AS assignment_id, n.state, n.outcome, 1 AS n FROM added n
        UNION ALL
        SELECT o.tenant_id, o.review_id, o.app_id, o.account_id, coalesce(o.assignment_id, ''), o.state, o.outcome, -1 FROM removed o) t
      GROUP BY 1, 2, 3, 4, 5) c
    LEFT JOIN LATERAL (
      SELECT x.department FROM countersign.review_accounts x
      WHERE x.tenant_id = c.tenant_id AND x.review_id = c.review_id AND x.app_id = c.app_id AND x.account_id = c.account_id OFFSET 0) a ON true
    GROUP BY 1, 2, 3, 4, 5, 6
    HAVING sum(c.total) <> 0 OR sum(c.open) <> 0 OR sum(c.certified) <> 0 OR sum(c.revoked) <> 0 OR sum(c.cancelled) <> 0
      OR sum(c.without_outcome) <> 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_task_actions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT countersign.is_of_removals(n.tenant_id, n.review_id) FROM added n LIMIT 1) THEN
    RETURN NULL;
  END IF;
  INSERT INTO countersign.task_progress_changes AS p (tenant_id, review_id, actor_id, approvals, denials, acted_at)
    SELECT a.tenant_id, a.review_id, a.actor_id, count(*) FILTER (WHERE a.kind = 'APPROVED'), count(*) FILTER (WHERE a.kind = 'DENIED'), max(a.created_at)
    FROM added a WHERE a.actor_id <> '' GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;

-- As before, with who holds it.
CREATE OR REPLACE FUNCTION follow_denials() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added n WHERE n.outcome = 'DECERTIFIED') THEN
    INSERT INTO countersign.revocations (tenant_id, id, review_id, certify_task_id, app_id, entitlement_id, account_id, user_id, principal_kind,
        state, state_at, actor_id, created_at, updated_at)
      SELECT n.tenant_id, n.id || CASE WHEN k.n > 0 THEN '-' || k.n ELSE '' END, n.review_id, n.id, n.app_id, n.entitlement_id, n.account_id, n.user_id,
        n.principal_kind, 'HELD', n.updated_at, coalesce(n.decided_by_id, ''), n.updated_at, n.updated_at
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

-- The task of a removal stands as the removal does, whatever changed that.
CREATE FUNCTION follow_removals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE countersign.tasks t SET state = s.state, outcome = s.outcome, end_reason = CASE s.state WHEN 'CLOSED' THEN 'REMOVAL_ENDED' ELSE '' END,
      ended_at = CASE s.state WHEN 'CLOSED' THEN n.state_at END, decided_by_id = CASE s.state WHEN 'CLOSED' THEN nullif(n.actor_id, '') END,
      decided_issuer_id = NULL, next_at = NULL, entered_at = NULL, updated_at = n.updated_at
    FROM added n JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id AND o.state <> n.state
    CROSS JOIN LATERAL (SELECT CASE WHEN n.state IN ('REFUSED', 'VERIFIED', 'ATTESTED', 'ERROR', 'CANCELLED') THEN 'CLOSED' ELSE 'OPEN' END AS state,
      CASE n.state WHEN 'REFUSED' THEN 'DENIED' WHEN 'VERIFIED' THEN 'REVOKED' WHEN 'ATTESTED' THEN 'REVOKED' WHEN 'ERROR' THEN 'ERROR'
        WHEN 'CANCELLED' THEN 'CANCELLED' ELSE '' END AS outcome) s
    WHERE n.revoke_task_id <> '' AND t.tenant_id = n.tenant_id AND t.id = n.revoke_task_id AND (t.state <> s.state OR t.outcome <> s.outcome);
  RETURN NULL;
END $$;
CREATE TRIGGER revocations_follow AFTER UPDATE ON revocations REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION follow_removals();

-- What removals are about, as it is when their tasks are made: beside a batch as beside a review, so that its tasks are found by the same names.
CREATE FUNCTION keep_removal_snapshot(for_tenant text, of_batch text, removal_ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO countersign.review_accounts (tenant_id, review_id, app_id, account_id, principal_kind, external_id, display_name, email, username,
      account_type, account_status, user_id, user_email, user_display_name, user_status, employment_status, department, job_title, manager_id,
      manager_email)
    SELECT DISTINCT ON (r.app_id, r.account_id) for_tenant, of_batch, r.app_id, r.account_id, r.principal_kind,
      coalesce(a.external_id, q.display_name, r.account_id), coalesce(a.display_name, q.display_name, ''), coalesce(a.email, ''),
      coalesce(a.username, ''), CASE r.principal_kind WHEN 'R' THEN 'RESOURCE' ELSE coalesce(a.account_type, 'USER') END,
      CASE r.principal_kind WHEN 'R' THEN '' ELSE coalesce(a.status, 'DELETED') END, r.user_id, coalesce(u.email, ''), coalesce(u.display_name, ''),
      coalesce(u.status, ''), coalesce(u.employment_status, ''), coalesce(u.department, ''), coalesce(u.job_title, ''), u.manager_id,
      coalesce(m.email, '')
    FROM countersign.revocations r
    LEFT JOIN countersign.accounts a ON a.tenant_id = for_tenant AND a.app_id = r.app_id AND a.id = r.account_id
    LEFT JOIN countersign.resources q ON q.tenant_id = for_tenant AND q.app_id = r.app_id AND q.id = r.account_id AND r.principal_kind = 'R'
    LEFT JOIN countersign.users u ON u.tenant_id = for_tenant AND u.id = r.user_id
    LEFT JOIN countersign.users m ON m.tenant_id = for_tenant AND m.id = u.manager_id
    WHERE r.tenant_id = for_tenant AND r.id = ANY (removal_ids) ORDER BY r.app_id, r.account_id
    ON CONFLICT DO NOTHING;
  INSERT INTO countersign.review_entitlements (tenant_id, review_id, app_id, entitlement_id, app_display_name, resource_type_id,
      resource_type_display_name, resource_id, resource_display_name, display_name, description, policy_id, is_app_access, alias, slug, purpose,
      risk_level_value_id, compliance_framework_value_ids, risk_level_display_name)
    SELECT DISTINCT ON (r.app_id, r.entitlement_id) for_tenant, of_batch, r.app_id, r.entitlement_id, p.display_name, e.resource_type_id,
      coalesce(y.display_name, ''), e.resource_id, coalesce(q.display_name, ''), e.display_name, e.description,
      coalesce(nullif(e.document ->> 'revokePolicyId', ''), p.document ->> 'revokePolicyId', ''), e.is_app_access, e.alias, e.slug, e.purpose,
      e.risk_level_value_id, e.compliance_framework_value_ids,
      coalesce((SELECT v.value FROM countersign.classification_values v WHERE v.tenant_id = for_tenant AND v.id = e.risk_level_value_id), '')
    FROM countersign.revocations r
    JOIN countersign.apps p ON p.tenant_id = for_tenant AND p.id = r.app_id
    JOIN countersign.entitlements e ON e.tenant_id = for_tenant AND e.app_id = r.app_id AND e.id = r.entitlement_id
    LEFT JOIN countersign.resources q ON q.tenant_id = for_tenant AND q.app_id = r.app_id AND q.id = e.resource_id
    LEFT JOIN countersign.resource_types y ON y.tenant_id = for_tenant AND y.app_id = r.app_id AND y.id = e.resource_type_id
    WHERE r.tenant_id = for_tenant AND r.id = ANY (removal_ids) ORDER BY r.app_id, r.entitlement_id
    ON CONFLICT DO NOTHING;
END $$;

-- Removals that were made before know who holds what they take away. Forced row-level security shows the owner no row of any tenant.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tasks', 'revocations'] LOOP
    EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
  END LOOP;
  UPDATE revocations r SET principal_kind = 'R' FROM tasks t
    WHERE t.tenant_id = r.tenant_id AND t.id = r.certify_task_id AND t.principal_kind = 'R';
  FOREACH name IN ARRAY ARRAY['tasks', 'revocations'] LOOP
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
END $$;
