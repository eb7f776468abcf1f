-- The issuer of whoever denied the access stays with its removal, whatever becomes of the task; that of whoever moved it stands in its history.
ALTER TABLE revocations ADD denied_issuer_id text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE revocation_changes ADD actor_issuer_id text COLLATE "C" NOT NULL DEFAULT '';

-- As before, with the issuer of whoever moved it.
CREATE OR REPLACE FUNCTION keep_revocation_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO countersign.revocation_changes (tenant_id, revocation_id, state, at, actor_id, actor_issuer_id, sync_id, revision, note)
      SELECT n.tenant_id, n.id, n.state, n.state_at, n.actor_id, n.actor_issuer_id, n.sync_id, n.revision, n.note FROM added n;
  ELSE
    INSERT INTO countersign.revocation_changes (tenant_id, revocation_id, state, at, actor_id, actor_issuer_id, sync_id, revision, note)
      SELECT n.tenant_id, n.id, n.state, n.state_at, n.actor_id, n.actor_issuer_id, n.sync_id, n.revision, n.note
      FROM added n JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id WHERE n.state <> o.state;
  END IF;
  RETURN NULL;
END $$;

-- As before, with the issuer of the decision.
CREATE OR REPLACE FUNCTION follow_denials() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added n WHERE n.outcome = 'DECERTIFIED') THEN
    INSERT INTO countersign.revocations (tenant_id, id, review_id, certify_task_id, app_id, entitlement_id, account_id, user_id, principal_kind,
        denied_by_id, denied_issuer_id, state, state_at, actor_id, actor_issuer_id, created_at, updated_at)
      SELECT n.tenant_id, n.id || CASE WHEN k.n > 0 THEN '-' || k.n ELSE '' END, n.review_id, n.id, n.app_id, n.entitlement_id, n.account_id, n.user_id,
        n.principal_kind, coalesce(n.decided_by_id, ''), coalesce(n.decided_issuer_id, ''), 'HELD', n.updated_at, coalesce(n.decided_by_id, ''),
        coalesce(n.decided_issuer_id, ''), n.updated_at, n.updated_at
      FROM added n JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id
      CROSS JOIN LATERAL (SELECT count(*) AS n FROM countersign.revocations r WHERE r.tenant_id = n.tenant_id AND r.certify_task_id = n.id OFFSET 0) k
      WHERE n.outcome = 'DECERTIFIED' AND o.outcome <> 'DECERTIFIED';
  END IF;
  IF EXISTS (SELECT FROM removed o WHERE o.outcome = 'DECERTIFIED') THEN
    UPDATE countersign.revocations r SET state = 'CANCELLED', state_at = n.updated_at, actor_id = coalesce(n.decided_by_id, ''),
        actor_issuer_id = coalesce(n.decided_issuer_id, ''), sync_id = '', revision = NULL, note = 'The denial was taken back.', due_at = NULL,
        updated_at = n.updated_at
      FROM added n JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id
      WHERE n.outcome <> 'DECERTIFIED' AND o.outcome = 'DECERTIFIED'
        AND r.tenant_id = n.tenant_id AND r.certify_task_id = n.id AND r.state IN ('HELD', 'REQUESTED', 'IN_PROGRESS');
  END IF;
  RETURN NULL;
END $$;

-- As before, with the issuer of whoever ended the removal.
CREATE OR REPLACE FUNCTION follow_removals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE countersign.tasks t SET state = s.state, outcome = s.outcome, end_reason = CASE s.state WHEN 'CLOSED' THEN 'REMOVAL_ENDED' ELSE '' END,
      ended_at = CASE s.state WHEN 'CLOSED' THEN n.state_at END, decided_by_id = CASE s.state WHEN 'CLOSED' THEN nullif(n.actor_id, '') END,
      decided_issuer_id = CASE s.state WHEN 'CLOSED' THEN nullif(n.actor_issuer_id, '') END, next_at = NULL, entered_at = NULL,
      updated_at = n.updated_at
    FROM added n JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id AND o.state <> n.state
    CROSS JOIN LATERAL (SELECT CASE WHEN n.state IN ('REFUSED', 'VERIFIED', 'ATTESTED', 'ERROR', 'CANCELLED') THEN 'CLOSED' ELSE 'OPEN' END AS state,
      CASE n.state WHEN 'REFUSED' THEN 'DENIED' WHEN 'VERIFIED' THEN 'REVOKED' WHEN 'ATTESTED' THEN 'REVOKED' WHEN 'ERROR' THEN 'ERROR'
        WHEN 'CANCELLED' THEN 'CANCELLED' ELSE '' END AS outcome) s
    WHERE n.revoke_task_id <> '' AND t.tenant_id = n.tenant_id AND t.id = n.revoke_task_id AND (t.state <> s.state OR t.outcome <> s.outcome);
  RETURN NULL;
END $$;

-- What is known of removals that were there before. Forced row-level security shows the owner no row of any tenant.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['task_actions', 'events', 'revocations', 'revocation_changes'] LOOP
    EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
  END LOOP;
  -- Triggers ask for the tenant too, and none of them looks at the issuer alone.
  ALTER TABLE revocations DISABLE TRIGGER USER;
  -- The last denial before the removal was made: as its comment is found.
  UPDATE revocations r SET denied_issuer_id = n.issuer_id
    FROM (SELECT DISTINCT ON (v.tenant_id, v.id) v.tenant_id, v.id, a.issuer_id FROM revocations v
      JOIN task_actions a ON a.tenant_id = v.tenant_id AND a.task_id = v.certify_task_id AND a.actor_id = v.denied_by_id AND a.created_at <= v.created_at
        AND (a.kind = 'DENIED' OR a.kind = 'AMENDED' AND a.data ->> 'decision' = 'DENY')
      WHERE v.denied_by_id <> '' ORDER BY v.tenant_id, v.id, a.id DESC) n
    WHERE r.tenant_id = n.tenant_id AND r.id = n.id AND n.issuer_id <> '';
  -- Each change of the one moment in which the same person acted so, on the removal or on what it followed from.
  UPDATE revocation_changes c SET actor_issuer_id = n.issuer_id
    FROM (SELECT e.tenant_id, e.target_id AS removal_id, e.occurred_at AS at, e.actor_id, e.issuer_id FROM events e
        WHERE e.kind LIKE 'revocation.%' AND e.issuer_id <> ''
      UNION ALL
      SELECT a.tenant_id, r.id, a.created_at, a.actor_id, a.issuer_id FROM task_actions a
        JOIN revocations r ON r.tenant_id = a.tenant_id AND r.certify_task_id = a.task_id WHERE a.issuer_id <> '') n
    WHERE c.tenant_id = n.tenant_id AND c.revocation_id = n.removal_id AND c.at = n.at AND c.actor_id = n.actor_id AND c.actor_id <> '';
  -- A removal kept the issuer of whoever moved it last while others moved it: its last change knows better.
  UPDATE revocations r SET actor_issuer_id = n.actor_issuer_id
    FROM (SELECT DISTINCT ON (c.tenant_id, c.revocation_id) c.tenant_id, c.revocation_id, c.actor_issuer_id FROM revocation_changes c
      ORDER BY c.tenant_id, c.revocation_id, c.id DESC) n
    WHERE r.tenant_id = n.tenant_id AND r.id = n.revocation_id AND r.actor_issuer_id <> n.actor_issuer_id;
  ALTER TABLE revocations ENABLE TRIGGER USER;
  FOREACH name IN ARRAY ARRAY['task_actions', 'events', 'revocations', 'revocation_changes'] LOOP
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
END $$;
-- Nobody stands behind a change that nobody made: a change that forgets whose issuer stood there before is refused.
ALTER TABLE revocations ADD CONSTRAINT revocations_issuer_of_actor CHECK (actor_issuer_id = '' OR actor_id <> '');
