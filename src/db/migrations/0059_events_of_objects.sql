-- The log of one object, and of some kinds of events, in the order of their ids.
CREATE INDEX events_of_target ON events (tenant_id, target_id, id) WHERE target_id <> '';
CREATE INDEX events_of_kind ON events (tenant_id, kind, id);
