-- What is noted when people change joins the rows before with those after. A session keeps the plans that it made for a change of one row, and a file
-- changes many: those are not to be held against each other one by one. Nothing else in them loses by it: what they look up comes behind that join, and
-- is not looked for where it is empty.
ALTER FUNCTION keep_user_changes() SET enable_nestloop = off;
ALTER FUNCTION note_address_changes() SET enable_nestloop = off;
ALTER FUNCTION note_departures() SET enable_nestloop = off;
ALTER FUNCTION suspend_leavers() SET enable_nestloop = off;

-- No longer dynamic. Somebody whose address moves on is found by none while the statement runs: the address is folded again then.
CREATE OR REPLACE FUNCTION keep_former_words() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
  INSERT INTO countersign.former_words (tenant_id, user_id, valid_until, display_name, email, email_key, employee_id)
    SELECT o.tenant_id, o.id, greatest(n.updated_at, date_trunc('milliseconds', clock_timestamp())), o.display_name, o.email,
      coalesce(nullif(o.email_key, ''), countersign.address_key(o.email)), o.employee_id
    FROM new_rows n JOIN old_rows o ON o.tenant_id = n.tenant_id AND o.id = n.id
    WHERE (o.display_name, o.email, o.employee_id) IS DISTINCT FROM (n.display_name, n.email, n.employee_id)
    -- Changed twice at one moment: the first words are those until then.
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- The manager is looked up by key, not joined.
CREATE OR REPLACE FUNCTION note_changed_people() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
  INSERT INTO countersign.people_changes AS c (tenant_id, user_id, before, changed_at)
    SELECT n.tenant_id, n.id, jsonb_build_object('id', o.id, 'email', o.email, 'displayName', o.display_name, 'username', o.username,
        'employeeId', o.employee_id, 'status', o.status, 'type', o.user_type, 'employmentStatus', o.employment_status,
        'employmentType', o.employment_type, 'department', o.department, 'jobTitle', o.job_title, 'managerId', o.manager_id,
        'managerEmail', coalesce((SELECT m.email FROM countersign.users m WHERE m.tenant_id = o.tenant_id AND m.id = o.manager_id), ''),
        'profile', o.profile), n.updated_at
    FROM added n
    JOIN countersign.people_watch w ON w.tenant_id = n.tenant_id AND w.is_on
    JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id
    WHERE n.user_type = 'HUMAN' AND o.status <> 'DELETED'
      AND (n.status, n.employment_status, n.department, n.job_title, n.manager_id)
        IS DISTINCT FROM (o.status, o.employment_status, o.department, o.job_title, o.manager_id)
    ORDER BY n.id
  ON CONFLICT (tenant_id, user_id) DO UPDATE SET times = c.times + 1;
  RETURN NULL;
END $$;
