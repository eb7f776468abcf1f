-- What people wrote in a review is listed newest first, also that of one person. Few actions have a comment.
CREATE INDEX task_actions_commented ON task_actions (tenant_id, review_id, id) WHERE comment <> '' AND actor_id <> '';
CREATE INDEX task_actions_commented_by_actor ON task_actions (tenant_id, review_id, actor_id, id) WHERE comment <> '' AND actor_id <> '';

-- The log of one review, and of one person.
CREATE INDEX events_by_review ON events (tenant_id, review_id, id) WHERE review_id <> '';
CREATE INDEX events_by_actor ON events (tenant_id, actor_id, id) WHERE actor_id <> '';
