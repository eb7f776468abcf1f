-- How far reviews are, kept as it changes: counting a million tasks takes longer than anybody who looks should wait. Triggers write what each
-- statement changed, so that no statement over tasks can forget to; a job folds that into the counters. What is read is always both together.

CREATE TABLE task_progress_changes (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  -- Of tasks: where they are counted. Empty for nobody, or no department.
  app_id text COLLATE "C" NOT NULL DEFAULT '',
  assignment_id text COLLATE "C" NOT NULL DEFAULT '',
  department text NOT NULL DEFAULT '',
  -- The day of the change in UTC.
  day date,
  -- Of actions: who acted; empty for tasks.
  actor_id text COLLATE "C" NOT NULL DEFAULT '',
  total bigint NOT NULL DEFAULT 0,
  open bigint NOT NULL DEFAULT 0,
  certified bigint NOT NULL DEFAULT 0,
  revoked bigint NOT NULL DEFAULT 0,
  cancelled bigint NOT NULL DEFAULT 0,
  without_outcome bigint NOT NULL DEFAULT 0,
  approvals bigint NOT NULL DEFAULT 0,
  denials bigint NOT NULL DEFAULT 0,
  acted_at timestamptz,
  PRIMARY KEY (tenant_id, review_id, id)
);

CREATE TABLE task_progress (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  dimension text COLLATE "C" NOT NULL,
  -- The id of the reviewer set, the app or the person who acted; the department; the day.
  key text COLLATE "C" NOT NULL,
  total bigint NOT NULL DEFAULT 0,
  open bigint NOT NULL DEFAULT 0,
  certified bigint NOT NULL DEFAULT 0,
  revoked bigint NOT NULL DEFAULT 0,
  cancelled bigint NOT NULL DEFAULT 0,
  without_outcome bigint NOT NULL DEFAULT 0,
  approvals bigint NOT NULL DEFAULT 0,
  denials bigint NOT NULL DEFAULT 0,
  -- When somebody acted last.
  last_at timestamptz,
  PRIMARY KEY (tenant_id, review_id, dimension, key)
);
SELECT restrict_values('task_progress', 'dimension', ARRAY['ASSIGNMENT', 'APP', 'DEPARTMENT', 'DAY', 'ACTOR']);

SELECT guard_tenant_table('task_progress_changes');
SELECT guard_tenant_table('task_progress');

-- Counts tasks that are new. By accounts first, which are few beside their tasks, so that a department is looked up once for each.
CREATE FUNCTION note_added_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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

-- Counts what a change of tasks took away and what it brought, on the day of the change. Changes of nothing that is counted leave no row.
CREATE FUNCTION note_changed_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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

-- Counts what people did.
CREATE FUNCTION note_task_actions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO countersign.task_progress_changes AS p (tenant_id, review_id, actor_id, approvals, denials, acted_at)
    SELECT a.tenant_id, a.review_id, a.actor_id, count(*) FILTER (WHERE a.kind = 'APPROVED'), count(*) FILTER (WHERE a.kind = 'DENIED'), max(a.created_at)
    FROM added a WHERE a.actor_id <> '' GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;

CREATE TRIGGER tasks_note_added AFTER INSERT ON tasks REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_added_tasks();
CREATE TRIGGER tasks_note_changed AFTER UPDATE ON tasks REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_tasks();
CREATE TRIGGER task_actions_note_added AFTER INSERT ON task_actions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_task_actions();

-- Counters of the reviews that are there. Forced row-level security shows the owner no row of any tenant.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tasks', 'task_actions', 'review_accounts', 'task_progress'] LOOP
    EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
  END LOOP;

  INSERT INTO task_progress (tenant_id, review_id, dimension, key, total, open, certified, revoked, cancelled, without_outcome)
    SELECT t.tenant_id, t.review_id, d.dimension, d.key, count(*), count(*) FILTER (WHERE t.state = 'OPEN'),
      count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'CERTIFIED'), count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'DECERTIFIED'),
      count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome = 'CANCELLED'),
      count(*) FILTER (WHERE t.state = 'CLOSED' AND t.outcome NOT IN ('CERTIFIED', 'DECERTIFIED', 'CANCELLED'))
    FROM tasks t
    LEFT JOIN review_accounts a ON a.tenant_id = t.tenant_id AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
    CROSS JOIN LATERAL (VALUES ('ASSIGNMENT', coalesce(t.assignment_id, '')), ('APP', t.app_id), ('DEPARTMENT', coalesce(a.department, ''))) AS d (dimension, key)
    GROUP BY 1, 2, 3, 4;
  -- What was made on the day it was made, what ended on the day it ended.
  INSERT INTO task_progress (tenant_id, review_id, dimension, key, total, open, certified, revoked, cancelled, without_outcome)
    SELECT t.tenant_id, t.review_id, 'DAY', (d.at AT TIME ZONE 'UTC')::date::text, count(*) FILTER (WHERE d.n = 1), sum(d.n),
      count(*) FILTER (WHERE d.n = -1 AND t.outcome = 'CERTIFIED'), count(*) FILTER (WHERE d.n = -1 AND t.outcome = 'DECERTIFIED'),
      count(*) FILTER (WHERE d.n = -1 AND t.outcome = 'CANCELLED'),
      count(*) FILTER (WHERE d.n = -1 AND t.outcome NOT IN ('CERTIFIED', 'DECERTIFIED', 'CANCELLED'))
    FROM tasks t
    CROSS JOIN LATERAL (SELECT t.created_at AS at, 1 AS n UNION ALL SELECT coalesce(t.ended_at, t.updated_at), -1 WHERE t.state = 'CLOSED') d
    GROUP BY 1, 2, 3, 4;
  INSERT INTO task_progress (tenant_id, review_id, dimension, key, approvals, denials, last_at)
    SELECT x.tenant_id, x.review_id, 'ACTOR', x.actor_id, count(*) FILTER (WHERE x.kind = 'APPROVED'), count(*) FILTER (WHERE x.kind = 'DENIED'),
      max(x.created_at)
    FROM task_actions x WHERE x.actor_id <> '' GROUP BY 1, 2, 4;

  FOREACH name IN ARRAY ARRAY['tasks', 'task_actions', 'review_accounts', 'task_progress'] LOOP
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
END $$;
