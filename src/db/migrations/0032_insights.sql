-- What stands out about each item: found when its task is made, kept with it, never found again.

ALTER TABLE tasks
  -- The sum of the points of its terms; what deserves a look has more.
  ADD score smallint NOT NULL DEFAULT 0,
  -- Which terms hold and what changed since the review before, by bit; 0 for tasks of before this migration, of which nothing is known.
  ADD flags integer NOT NULL DEFAULT 0,
  -- The people it was compared with, and how many of them hold the same.
  ADD peers integer NOT NULL DEFAULT 0,
  ADD peers_with integer NOT NULL DEFAULT 0,
  -- The task of the review before in which the same access was last decided; null where there is none.
  ADD previous_task_id text COLLATE "C";
-- A reviewer's tasks with what stands out first.
CREATE INDEX tasks_by_attention ON tasks (tenant_id, assignment_id, state, score DESC, app_id, entitlement_id, account_id);

-- A task that was not asked about: its certification in the review before still holds.
SELECT restrict_values('tasks', 'end_reason', ARRAY['', 'DECIDED', 'CARRIED', 'SKIPPED_AT_CLOSE', 'REVOKED_AT_CLOSE', 'NO_ACTION_AT_CLOSE', 'GRANT_GONE',
  'DELETED', 'OBJECT_GONE', 'CANCELLED', 'ESCALATED', 'STEP_SKIPPED', 'WAIT_TIMED_OUT']);

-- Whether only what is new or changed since the review before is asked about.
ALTER TABLE reviews ADD changes_only boolean NOT NULL DEFAULT false;
ALTER TABLE review_templates ADD changes_only boolean NOT NULL DEFAULT false;

-- The name of the risk level, as it was.
ALTER TABLE review_entitlements ADD risk_level_display_name text NOT NULL DEFAULT '';
-- Its address is in no domain of the organization's people.
ALTER TABLE review_accounts ADD is_external boolean NOT NULL DEFAULT false;
-- Whom the person is compared with: those of the same department and title (1), of the same department (2), of the same manager (3), nobody (0);
-- the number of that group in the review, and how many others are in it.
ALTER TABLE review_people
  ADD peer_kind smallint NOT NULL DEFAULT 0,
  ADD peer_group integer NOT NULL DEFAULT 0,
  ADD peers integer NOT NULL DEFAULT 0;

-- How many people of each group held each entitlement as of the snapshot.
CREATE TABLE review_peers (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  peer_group integer NOT NULL,
  holders integer NOT NULL,
  PRIMARY KEY (tenant_id, review_id, app_id, entitlement_id, peer_group)
);
SELECT guard_tenant_table('review_peers');
