-- Removals of access: each decertified item has one, which waits while the review is open and ends only with a proof.

CREATE TABLE revocations (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- The review and its task that denied the access; both empty where somebody asked for the removal.
  review_id text COLLATE "C" NOT NULL DEFAULT '',
  certify_task_id text COLLATE "C" NOT NULL DEFAULT '',
  -- The task by which it is approved and carried out; empty before it is requested.
  revoke_task_id text COLLATE "C" NOT NULL DEFAULT '',
  app_id text COLLATE "C" NOT NULL,
  entitlement_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  -- The person whose access it is; null for an account nobody owns.
  user_id text COLLATE "C",
  state text NOT NULL,
  -- Of the last change of the state: when, who or which sync or revision brought it about, and what was said.
  state_at timestamptz NOT NULL,
  actor_id text COLLATE "C" NOT NULL DEFAULT '',
  sync_id text COLLATE "C" NOT NULL DEFAULT '',
  revision bigint,
  note text NOT NULL DEFAULT '',
  -- The source that reported the access when its removal was requested (sources.source_no): 0 for access given here. Null before that.
  source_no smallint,
  requested_at timestamptz,
  -- When the provisioner was asked, and until when it has to be done.
  started_at timestamptz,
  due_at timestamptz,
  -- How often it was said that it is overdue: to the provisioner, then to the administrators.
  overdue_count smallint NOT NULL DEFAULT 0,
  -- Who last said that it is done, and when.
  claimed_by_id text COLLATE "C" NOT NULL DEFAULT '',
  claimed_at timestamptz,
  -- When the last sync that moved it began; one that began before proves nothing any more.
  evidence_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
SELECT restrict_values('revocations', 'state', ARRAY['HELD', 'REQUESTED', 'REFUSED', 'IN_PROGRESS', 'CLAIMED', 'STILL_PRESENT', 'VERIFIED', 'ATTESTED', 'REAPPEARED', 'ERROR', 'CANCELLED']);
CREATE INDEX revocations_by_age ON revocations (tenant_id, created_at, id);
CREATE INDEX revocations_by_review ON revocations (tenant_id, review_id, state, id);
CREATE INDEX revocations_by_task ON revocations (tenant_id, certify_task_id) WHERE certify_task_id <> '';
CREATE INDEX revocations_by_revoke_task ON revocations (tenant_id, revoke_task_id) WHERE revoke_task_id <> '';
CREATE INDEX revocations_by_access ON revocations (tenant_id, app_id, entitlement_id, account_id);
CREATE INDEX revocations_open ON revocations (tenant_id, app_id, id)
  WHERE state IN ('REQUESTED', 'IN_PROGRESS', 'CLAIMED', 'STILL_PRESENT', 'REAPPEARED', 'ERROR');
CREATE INDEX revocations_due ON revocations (tenant_id, due_at) WHERE due_at IS NOT NULL;
SELECT guard_tenant_table('revocations');

-- Every state a removal was in. Filled by a trigger, so that no statement can forget to.
CREATE TABLE revocation_changes (
  tenant_id text COLLATE "C" NOT NULL,
  revocation_id text COLLATE "C" NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  state text NOT NULL,
  at timestamptz NOT NULL,
  actor_id text COLLATE "C" NOT NULL,
  sync_id text COLLATE "C" NOT NULL,
  revision bigint,
  note text NOT NULL,
  PRIMARY KEY (tenant_id, revocation_id, id)
);
SELECT guard_tenant_table('revocation_changes');

CREATE FUNCTION keep_revocation_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO countersign.revocation_changes (tenant_id, revocation_id, state, at, actor_id, sync_id, revision, note)
      SELECT n.tenant_id, n.id, n.state, n.state_at, n.actor_id, n.sync_id, n.revision, n.note FROM added n;
  ELSE
    INSERT INTO countersign.revocation_changes (tenant_id, revocation_id, state, at, actor_id, sync_id, revision, note)
      SELECT n.tenant_id, n.id, n.state, n.state_at, n.actor_id, n.sync_id, n.revision, n.note
      FROM added n JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id WHERE n.state <> o.state;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER revocations_keep_added AFTER INSERT ON revocations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_revocation_changes();
CREATE TRIGGER revocations_keep_changed AFTER UPDATE ON revocations REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_revocation_changes();

-- Up to where the evidence of an app was followed: a revision, and the last sync of it by when it began.
CREATE TABLE revocation_marks (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  sync_at timestamptz NOT NULL,
  sync_id text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, app_id)
);
SELECT guard_tenant_table('revocation_marks');

-- A denied item is a removal that waits; one that is no longer denied is withdrawn. In the statement of the decision, whoever makes it.
CREATE FUNCTION follow_denials() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added n WHERE n.outcome = 'DECERTIFIED') THEN
    INSERT INTO countersign.revocations (tenant_id, id, review_id, certify_task_id, app_id, entitlement_id, account_id, user_id, state, state_at,
        actor_id, created_at, updated_at)
      SELECT n.tenant_id, n.id || CASE WHEN k.n > 0 THEN '-' || k.n ELSE '' END, n.review_id, n.id, n.app_id, n.entitlement_id, n.account_id, n.user_id,
        'HELD', n.updated_at, coalesce(n.decided_by_id, ''), n.updated_at, n.updated_at
      FROM added n JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id
      CROSS JOIN LATERAL (SELECT count(*) AS n FROM countersign.revocations r WHERE r.tenant_id = n.tenant_id AND r.certify_task_id = n.id OFFSET 0) k
      WHERE n.outcome = 'DECERTIFIED' AND o.outcome <> 'DECERTIFIED';
  END IF;
  IF EXISTS (SELECT FROM removed o WHERE o.outcome = 'DECERTIFIED') THEN
    UPDATE countersign.revocations r SET state = 'CANCELLED', state_at = n.updated_at, actor_id = coalesce(n.decided_by_id, ''), sync_id = '',
        revision = NULL, note = 'The denial was taken back.', due_at = NULL, updated_at = n.updated_at
      FROM added n JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id
      WHERE n.outcome <> 'DECERTIFIED' AND o.outcome = 'DECERTIFIED'
        AND r.tenant_id = n.tenant_id AND r.certify_task_id = n.id AND r.state IN ('HELD', 'REQUESTED', 'IN_PROGRESS');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tasks_follow_denials AFTER UPDATE ON tasks REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION follow_denials();

-- What reviews that are open now have denied. Forced row-level security shows the owner no row of any tenant.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tasks', 'task_reviews', 'revocations', 'revocation_changes'] LOOP
    EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
  END LOOP;
  INSERT INTO revocations (tenant_id, id, review_id, certify_task_id, app_id, entitlement_id, account_id, user_id, state, state_at, actor_id,
      created_at, updated_at)
    SELECT t.tenant_id, t.id, t.review_id, t.id, t.app_id, t.entitlement_id, t.account_id, t.user_id, 'HELD', coalesce(t.ended_at, t.updated_at),
      coalesce(t.decided_by_id, ''), coalesce(t.ended_at, t.updated_at), coalesce(t.ended_at, t.updated_at)
    FROM tasks t JOIN task_reviews b ON b.tenant_id = t.tenant_id AND b.id = t.review_id AND b.state IN ('HIDDEN', 'OPEN', 'CLOSING')
    WHERE t.outcome = 'DECERTIFIED';
  FOREACH name IN ARRAY ARRAY['tasks', 'task_reviews', 'revocations', 'revocation_changes'] LOOP
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
END $$;
