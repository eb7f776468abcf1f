-- A task is written into every index, when it is made and again when it ends. Five indexes hold all tasks now in place of nine: the orders of names are
-- kept for those alone who have many tasks, and numbers lead to tasks by a row for each piece.

-- Which tasks have the numbers from one on to another. Their ids count on as their numbers do, from the first.
CREATE TABLE task_numbers (
  tenant_id text COLLATE "C" NOT NULL,
  first_number bigint NOT NULL,
  last_number bigint NOT NULL,
  first_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, first_number)
);
CREATE INDEX task_numbers_by_review ON task_numbers (tenant_id, review_id);

-- The first tasks of a reviewer set, up to a number, are few enough to be sorted for a page. The others are in order: the indexes of names have them.
ALTER TABLE tasks ADD in_order boolean NOT NULL DEFAULT false;

-- Forced row-level security shows the owner no row of any tenant.
ALTER TABLE tasks NO FORCE ROW LEVEL SECURITY;

INSERT INTO task_numbers (tenant_id, first_number, last_number, first_id, review_id)
  SELECT t.tenant_id, min(t.numeric_id), max(t.numeric_id), min(t.id), t.review_id
  FROM tasks t WHERE t.id ~ '^.{19}[0-9]{8}$' GROUP BY t.tenant_id, t.review_id, left(t.id, 19), t.numeric_id - right(t.id, 8)::bigint
  UNION ALL
  SELECT t.tenant_id, t.numeric_id, t.numeric_id, t.id, t.review_id FROM tasks t WHERE t.id !~ '^.{19}[0-9]{8}$';

-- Nothing that is counted changes.
ALTER TABLE tasks DISABLE TRIGGER USER;
UPDATE tasks t SET in_order = true FROM (
    SELECT s.tenant_id, s.assignment_id FROM tasks s WHERE s.assignment_id IS NOT NULL GROUP BY s.tenant_id, s.assignment_id HAVING count(*) > 5000) s
  WHERE t.tenant_id = s.tenant_id AND t.assignment_id = s.assignment_id;
ALTER TABLE tasks ENABLE TRIGGER USER;

ALTER TABLE tasks FORCE ROW LEVEL SECURITY;
SELECT guard_tenant_table('task_numbers');

DROP INDEX tasks_by_number, tasks_by_attention, tasks_by_account_key, tasks_by_owner_key, tasks_by_place_key, tasks_by_assignment, tasks_ended_by_assignment;

CREATE INDEX tasks_by_assignment ON tasks (tenant_id, assignment_id, state, in_order, id);
CREATE INDEX tasks_by_account_key ON tasks (tenant_id, assignment_id, state, account_key, account_id) WHERE in_order;
CREATE INDEX tasks_by_owner_key ON tasks (tenant_id, assignment_id, state, owner_key, account_id) WHERE in_order;
CREATE INDEX tasks_by_place_key ON tasks (tenant_id, assignment_id, state, place_key, id) WHERE in_order;
-- Tasks that ended lately are asked for while a review is open; those that its close ends are not.
CREATE INDEX tasks_ended_by_assignment ON tasks (tenant_id, assignment_id, ended_at)
  WHERE ended_at IS NOT NULL AND end_reason NOT IN ('SKIPPED_AT_CLOSE', 'REVOKED_AT_CLOSE', 'NO_ACTION_AT_CLOSE');

-- A task that moves to another set is in order there: so many may move to one that they could not be sorted for each page.
CREATE FUNCTION order_moved_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.in_order := true;
  RETURN NEW;
END $$;
CREATE TRIGGER tasks_order_moved BEFORE UPDATE OF assignment_id ON tasks FOR EACH ROW
  WHEN (NEW.assignment_id IS NOT NULL AND OLD.assignment_id IS DISTINCT FROM NEW.assignment_id) EXECUTE FUNCTION order_moved_task();
