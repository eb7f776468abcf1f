-- Who decides is asked whether they gave the access by hand: what somebody gave is found by them, and not by a look at each grant.
CREATE INDEX inventory_revisions_by_maker ON inventory_revisions (tenant_id, actor_id, revision) WHERE cause = 'MANUAL';
