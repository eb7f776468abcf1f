-- Reviews that people set in motion: which templates look at what becomes of people, people as they were before they changed, and whom a template
-- makes a review for.

ALTER TABLE review_templates
  -- Kinds of what sets a review in motion: MOVER, LEAVER.
  ADD COLUMN triggers text[] COLLATE "C" NOT NULL DEFAULT '{}',
  ADD COLUMN trigger_condition text NOT NULL DEFAULT '',
  -- What was before is not caught up.
  ADD COLUMN triggers_since timestamptz;
CREATE INDEX review_templates_triggered ON review_templates (tenant_id, id) WHERE triggers <> '{}' AND deleted_at IS NULL;

-- A review that a trigger made follows no schedule, and no other review waits for it.
ALTER TABLE reviews ADD COLUMN triggered boolean NOT NULL DEFAULT false;

-- Whether changes of people are noted; the row is what those who decide that wait for.
CREATE TABLE people_watch (
  tenant_id text COLLATE "C" PRIMARY KEY,
  is_on boolean NOT NULL
);
SELECT guard_tenant_table('people_watch');

-- Each person that changed since somebody looked, as they were before the first of those changes.
CREATE TABLE people_changes (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- By the names that expressions have for the facts of a person.
  before jsonb NOT NULL,
  changed_at timestamptz NOT NULL,
  -- How often they changed; whoever changes them again waits for whoever looks.
  times integer NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, user_id)
);
SELECT guard_tenant_table('people_changes');

-- Notes whom an update changed, where that is wanted: the cost is in proportion to what changed, whoever changed it. New people are not noted.
CREATE FUNCTION note_changed_people() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO countersign.people_changes AS c (tenant_id, user_id, before, changed_at)
    SELECT n.tenant_id, n.id, jsonb_build_object('id', o.id, 'email', o.email, 'displayName', o.display_name, 'username', o.username,
        'employeeId', o.employee_id, 'status', o.status, 'type', o.user_type, 'employmentStatus', o.employment_status,
        'employmentType', o.employment_type, 'department', o.department, 'jobTitle', o.job_title, 'managerId', o.manager_id,
        'managerEmail', coalesce(m.email, ''), 'profile', o.profile), n.updated_at
    FROM added n
    JOIN countersign.people_watch w ON w.tenant_id = n.tenant_id AND w.is_on
    JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id
    LEFT JOIN countersign.users m ON m.tenant_id = o.tenant_id AND m.id = o.manager_id
    WHERE n.user_type = 'HUMAN' AND o.status <> 'DELETED'
      AND (n.status, n.employment_status, n.department, n.job_title, n.manager_id)
        IS DISTINCT FROM (o.status, o.employment_status, o.department, o.job_title, o.manager_id)
    ORDER BY n.id
  ON CONFLICT (tenant_id, user_id) DO UPDATE SET times = c.times + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER users_note_changed AFTER UPDATE ON users REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_people();

-- Whom a template makes a review for, and which it was; no review while it is still to be made.
CREATE TABLE template_triggered (
  tenant_id text COLLATE "C" NOT NULL,
  template_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- Goes up from one review of this person to the next.
  number integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('MOVER', 'LEAVER')),
  review_id text COLLATE "C",
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, template_id, user_id, number),
  FOREIGN KEY (tenant_id, template_id) REFERENCES review_templates
);
CREATE INDEX template_triggered_waiting ON template_triggered (tenant_id, template_id, user_id) WHERE review_id IS NULL;
SELECT guard_tenant_table('template_triggered');
