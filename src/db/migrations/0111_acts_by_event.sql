-- Acts on a task are looked up by task, by event or by review. A plan that was made while the table was empty finds every index that begins with the
-- tenant as good as another, and stays: a look-up by task then reads all acts of the tenant. These two are only for statements that ask for an event
-- or for a review. No act is without a review, but a statement that does not compare it cannot use the index.
DROP INDEX task_actions_by_event;
CREATE INDEX task_actions_by_event ON task_actions (tenant_id, event_id) WHERE event_id <> '';
DROP INDEX task_actions_by_review;
CREATE INDEX task_actions_by_review ON task_actions (tenant_id, review_id, id) WHERE review_id IS NOT NULL;
-- Acts from before there were events of them, and those that somebody wrote past the service.
CREATE INDEX task_actions_without_event ON task_actions (tenant_id, id) WHERE event_id IS NULL OR event_id = '';
