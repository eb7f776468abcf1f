-- What ended lately of a reviewer's tasks, so that a page that is open may ask every few seconds.
CREATE INDEX tasks_ended_by_assignment ON tasks (tenant_id, assignment_id, ended_at) WHERE ended_at IS NOT NULL;
