-- What people answer through sessions and credentials that an administrator issued to them: whether they may, and who stands behind it.
ALTER TABLE tenants ADD COLUMN issued_answers text NOT NULL DEFAULT 'WITHOUT_OTHER_SIGN_IN';
SELECT restrict_values('tenants', 'issued_answers', ARRAY['ALWAYS', 'WITHOUT_OTHER_SIGN_IN', 'NEVER']);

-- Who made a service principal, and who made its credential: empty where that was the system, or is not known.
ALTER TABLE users ADD COLUMN maker_id text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE personal_clients ADD COLUMN maker_id text COLLATE "C" NOT NULL DEFAULT '';
-- Forced row-level security shows the owner no row of any tenant.
ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
ALTER TABLE personal_clients NO FORCE ROW LEVEL SECURITY;
ALTER TABLE events NO FORCE ROW LEVEL SECURITY;
-- Triggers ask for the tenant too, and none of them looks at the maker.
ALTER TABLE users DISABLE TRIGGER USER;
UPDATE users u SET maker_id = e.actor_id FROM events e
  WHERE u.user_type = 'SERVICE' AND e.tenant_id = u.tenant_id AND e.kind = 'service_principal.created' AND e.target_id = u.id;
UPDATE personal_clients c SET maker_id = e.actor_id FROM events e
  WHERE c.kind = 'SERVICE' AND e.tenant_id = c.tenant_id AND e.kind = 'service_principal.credential_created' AND e.target_id = c.id;
ALTER TABLE users ENABLE TRIGGER USER;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
ALTER TABLE personal_clients FORCE ROW LEVEL SECURITY;
ALTER TABLE events FORCE ROW LEVEL SECURITY;

-- The issuer of whoever said that a removal is done, and of whoever moved it last.
ALTER TABLE revocations ADD COLUMN claimed_issuer_id text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE revocations ADD COLUMN actor_issuer_id text COLLATE "C" NOT NULL DEFAULT '';

-- Decisions that somebody made through what another person issued are looked for by that person, too.
CREATE INDEX task_actions_by_issuer ON task_actions (tenant_id, issuer_id, review_id) WHERE issuer_id <> '';

-- The issuer of whoever answered an item of a second review.
ALTER TABLE second_review_items ADD COLUMN decided_issuer_id text COLLATE "C" NOT NULL DEFAULT '';
