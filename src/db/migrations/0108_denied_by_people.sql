-- What people denied, counted beside what they decided. Without it what the close or a policy revoked is told as denied, and somebody's denials are
-- told from acts alone, of which some were amended or undone.

ALTER TABLE task_progress_changes
  -- Of by_people: those that are denied.
  ADD denied_by_people bigint NOT NULL DEFAULT 0;
ALTER TABLE task_progress
  -- Of by_people: those that are denied.
  ADD denied_by_people bigint NOT NULL DEFAULT 0;

-- As before, with how many of what people decided is denied.
CREATE OR REPLACE FUNCTION note_added_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT countersign.is_of_removals(n.tenant_id, n.review_id) FROM added n LIMIT 1) THEN
    RETURN NULL;
  END IF;
  INSERT INTO countersign.task_progress_changes AS p
      (tenant_id, review_id, app_id, assignment_id, department, day, total, open, certified, revoked, cancelled, without_outcome, by_people, denied_by_people, by_policy, carried, skipped)
    SELECT c.tenant_id, c.review_id, c.app_id, c.assignment_id, coalesce(a.department, ''), c.day,
      sum(c.total), sum(c.open), sum(c.certified), sum(c.revoked), sum(c.cancelled), sum(c.without_outcome),
      sum(c.by_people), sum(c.denied_by_people), sum(c.by_policy), sum(c.carried), sum(c.skipped)
    FROM (
      SELECT t.tenant_id, t.review_id, t.app_id, t.account_id, coalesce(t.assignment_id, '') AS assignment_id, (t.created_at AT TIME ZONE 'UTC')::date AS day,
        count(*) AS total, count(*) FILTER (WHERE t.state = 'OPEN') AS open,
        count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'CERTIFIED') AS certified,
        count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'DECERTIFIED') AS revoked,
        count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'CANCELLED') AS cancelled,
        count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome NOT IN ('CERTIFIED', 'DECERTIFIED', 'CANCELLED')) AS without_outcome,
        count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome IN ('CERTIFIED', 'DECERTIFIED') AND t.end_reason = 'DECIDED' AND t.decided_by_id IS NOT NULL) AS by_people,
        count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'DECERTIFIED' AND t.end_reason = 'DECIDED' AND t.decided_by_id IS NOT NULL) AS denied_by_people,
        count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome IN ('CERTIFIED', 'DECERTIFIED') AND t.end_reason = 'DECIDED' AND t.decided_by_id IS NULL) AS by_policy,
        count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome IN ('CERTIFIED', 'DECERTIFIED') AND t.end_reason = 'CARRIED') AS carried,
        count(*) FILTER (WHERE t.state = 'CLOSED' AND t.end_reason = 'SKIPPED_AT_CLOSE') AS skipped
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
      (tenant_id, review_id, app_id, assignment_id, department, day, total, open, certified, revoked, cancelled, without_outcome, by_people, denied_by_people, by_policy, carried, skipped)
    SELECT c.tenant_id, c.review_id, c.app_id, c.assignment_id, coalesce(a.department, ''), c.day,
      sum(c.total), sum(c.open), sum(c.certified), sum(c.revoked), sum(c.cancelled), sum(c.without_outcome),
      sum(c.by_people), sum(c.denied_by_people), sum(c.by_policy), sum(c.carried), sum(c.skipped)
    FROM (
      SELECT t.tenant_id, t.review_id, t.app_id, t.account_id, t.assignment_id, (SELECT (max(n.updated_at) AT TIME ZONE 'UTC')::date FROM added n) AS day,
        sum(t.n) AS total, coalesce(sum(t.n) FILTER (WHERE t.state = 'OPEN'), 0) AS open,
        coalesce(sum(t.n) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'CERTIFIED'), 0) AS certified,
        coalesce(sum(t.n) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'DECERTIFIED'), 0) AS revoked,
        coalesce(sum(t.n) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'CANCELLED'), 0) AS cancelled,
        coalesce(sum(t.n) FILTER (WHERE t.state = 'CLOSED' AND t.outcome NOT IN ('CERTIFIED', 'DECERTIFIED', 'CANCELLED')), 0) AS without_outcome,
        coalesce(sum(t.n) FILTER (WHERE t.state = 'CLOSED' AND t.outcome IN ('CERTIFIED', 'DECERTIFIED') AND t.end_reason = 'DECIDED' AND t.decided_by_id IS NOT NULL), 0) AS by_people,
        coalesce(sum(t.n) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'DECERTIFIED' AND t.end_reason = 'DECIDED' AND t.decided_by_id IS NOT NULL), 0) AS denied_by_people,
        coalesce(sum(t.n) FILTER (WHERE t.state = 'CLOSED' AND t.outcome IN ('CERTIFIED', 'DECERTIFIED') AND t.end_reason = 'DECIDED' AND t.decided_by_id IS NULL), 0) AS by_policy,
        coalesce(sum(t.n) FILTER (WHERE t.state = 'CLOSED' AND t.outcome IN ('CERTIFIED', 'DECERTIFIED') AND t.end_reason = 'CARRIED'), 0) AS carried,
        coalesce(sum(t.n) FILTER (WHERE t.state = 'CLOSED' AND t.end_reason = 'SKIPPED_AT_CLOSE'), 0) AS skipped
      FROM (
        SELECT n.tenant_id, n.review_id, n.app_id, n.account_id, coalesce(n.assignment_id, '') AS assignment_id, n.state, n.outcome,
          n.end_reason, n.decided_by_id, 1 AS n FROM added n
        UNION ALL
        SELECT o.tenant_id, o.review_id, o.app_id, o.account_id, coalesce(o.assignment_id, ''), o.state, o.outcome, o.end_reason,
          o.decided_by_id, -1 FROM removed o) t
      GROUP BY 1, 2, 3, 4, 5) c
    LEFT JOIN LATERAL (
      SELECT x.department FROM countersign.review_accounts x
      WHERE x.tenant_id = c.tenant_id AND x.review_id = c.review_id AND x.app_id = c.app_id AND x.account_id = c.account_id OFFSET 0) a ON true
    GROUP BY 1, 2, 3, 4, 5, 6
    HAVING sum(c.total) <> 0 OR sum(c.open) <> 0 OR sum(c.certified) <> 0 OR sum(c.revoked) <> 0 OR sum(c.cancelled) <> 0
      OR sum(c.without_outcome) <> 0 OR sum(c.by_people) <> 0 OR sum(c.denied_by_people) <> 0 OR sum(c.by_policy) <> 0 OR sum(c.carried) <> 0 OR sum(c.skipped) <> 0;
  RETURN NULL;
END $$;

-- Counters of the reviews that are there. Forced row-level security shows the owner no row of any tenant.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tasks', 'task_reviews', 'review_accounts', 'task_progress'] LOOP
    EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
  END LOOP;
  INSERT INTO task_progress AS p (tenant_id, review_id, dimension, key, denied_by_people)
    SELECT t.tenant_id, t.review_id, d.dimension, d.key, count(*)
    FROM tasks t
    JOIN task_reviews b ON b.tenant_id = t.tenant_id AND b.id = t.review_id AND b.kind = 'CERTIFY'
    LEFT JOIN review_accounts a ON a.tenant_id = t.tenant_id AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
    CROSS JOIN LATERAL (VALUES ('ASSIGNMENT', coalesce(t.assignment_id, '')), ('APP', t.app_id), ('DEPARTMENT', coalesce(a.department, '')),
      ('DAY', (coalesce(t.ended_at, t.updated_at) AT TIME ZONE 'UTC')::date::text)) AS d (dimension, key)
    WHERE t.state = 'CLOSED' AND t.outcome = 'DECERTIFIED' AND t.end_reason = 'DECIDED' AND t.decided_by_id IS NOT NULL GROUP BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, review_id, dimension, key) DO UPDATE SET denied_by_people = excluded.denied_by_people;
  FOREACH name IN ARRAY ARRAY['tasks', 'task_reviews', 'review_accounts', 'task_progress'] LOOP
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
END $$;
