-- Which relations of a reviewer to what is reviewed block a decision (`blocked`).
ALTER TABLE reviews ADD independence jsonb NOT NULL DEFAULT '{}';

-- Decisions of people who stand in a relation are listed by review; `data` names the relations.
ALTER TABLE task_actions ADD is_related boolean NOT NULL GENERATED ALWAYS AS (jsonb_exists(data, 'relations')) STORED;
CREATE INDEX task_actions_related ON task_actions (tenant_id, review_id, id) WHERE is_related;
