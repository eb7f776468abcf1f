-- Accounts of one app whose names are the same by now are made one by a job of each tenant (src/domains/name-merges): the oldest id stays. The other is
-- gone like any that was deleted, and says which one it is. What asked about it follows: open tasks of running reviews, and what is denied in them.
ALTER TABLE accounts ADD COLUMN merged_into_id text COLLATE "C";
CREATE INDEX accounts_twins ON accounts (tenant_id, app_id, id) WHERE twin > 0 AND merged_into_id IS NULL AND status <> 'DELETED';
CREATE OR REPLACE VIEW accounts_public WITH (security_invoker = true) AS
SELECT tenant_id, app_id, id, external_id, display_name, email, email_domain, username, employee_id, email_key, username_key, user_id,
  owner_by_hand, type_by_hand, match_count, source_no, added_revision, account_type, status, profile, search_text, created_at, updated_at,
  deleted_at, external_key, look_alike_key, merged_into_id
FROM accounts;

-- As before, of the account that is there.
CREATE OR REPLACE FUNCTION follow_denials() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added n WHERE n.outcome = 'DECERTIFIED') THEN
    INSERT INTO countersign.revocations (tenant_id, id, review_id, certify_task_id, app_id, entitlement_id, account_id, user_id, principal_kind,
        denied_by_id, denied_issuer_id, state, state_at, actor_id, actor_issuer_id, created_at, updated_at)
      SELECT n.tenant_id, n.id || CASE WHEN k.n > 0 THEN '-' || k.n ELSE '' END, n.review_id, n.id, n.app_id, n.entitlement_id,
        coalesce(m.merged_into_id, n.account_id), n.user_id,
        n.principal_kind, coalesce(n.decided_by_id, ''), coalesce(n.decided_issuer_id, ''), 'HELD', n.updated_at, coalesce(n.decided_by_id, ''),
        coalesce(n.decided_issuer_id, ''), n.updated_at, n.updated_at
      FROM added n JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id
      CROSS JOIN LATERAL (SELECT count(*) AS n FROM countersign.revocations r WHERE r.tenant_id = n.tenant_id AND r.certify_task_id = n.id OFFSET 0) k
      LEFT JOIN LATERAL (SELECT a.merged_into_id FROM countersign.accounts a
        WHERE a.tenant_id = n.tenant_id AND a.app_id = n.app_id AND a.id = n.account_id OFFSET 0) m ON true
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

-- One job of each tenant that has any.
ALTER TABLE accounts NO FORCE ROW LEVEL SECURITY;
INSERT INTO jobs (id, tenant_id, kind, subject_id, state, run_at, created_at, updated_at)
SELECT left(md5(random()::text), 19) || id_suffix(row_number() OVER (ORDER BY t.tenant_id)), t.tenant_id, 'names.merge', t.tenant_id, 'CALLED', now(), now(), now()
FROM (SELECT DISTINCT a.tenant_id FROM accounts a WHERE a.twin > 0 AND a.status <> 'DELETED') t;
ALTER TABLE accounts FORCE ROW LEVEL SECURITY;
