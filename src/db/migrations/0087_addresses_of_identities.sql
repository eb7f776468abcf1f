-- A subject of an issuer is whom it was linked to as long as the address that proved it is the person's. Of those that were linked before, the address
-- is the one that the person had then, as far as changes are remembered.
ALTER TABLE external_identities ADD COLUMN address text NOT NULL DEFAULT '';
-- Forced row-level security shows the owner no row of any tenant.
ALTER TABLE external_identities NO FORCE ROW LEVEL SECURITY;
ALTER TABLE address_changes NO FORCE ROW LEVEL SECURITY;
ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
UPDATE external_identities e SET address = coalesce(
  (SELECT m.old_address FROM address_changes m WHERE m.tenant_id = e.tenant_id AND m.user_id = e.user_id AND m.changed_at >= e.created_at
    ORDER BY m.changed_at LIMIT 1),
  u.email) FROM users u WHERE u.tenant_id = e.tenant_id AND u.id = e.user_id;
ALTER TABLE external_identities FORCE ROW LEVEL SECURITY;
ALTER TABLE address_changes FORCE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
ALTER TABLE external_identities ALTER COLUMN address DROP DEFAULT;
