-- A credential that somebody made for another person names its roles. None meant Basic User alone there, and all of the owner's elsewhere; now
-- that some of these give more than Basic User, the one must not be taken for the other.
DO $$
DECLARE found record;
BEGIN
  FOR found IN SELECT t.tenant_id AS id FROM tenants t
  LOOP
    PERFORM set_config('countersign.tenant_id', found.id, true);
    UPDATE personal_clients SET scoped_roles = ARRAY['000000000000000000BasicUser']
    WHERE tenant_id = found.id AND issuer_id <> '' AND scoped_roles <> ARRAY['000000000000000000BasicUser'];
  END LOOP;
  PERFORM set_config('countersign.tenant_id', '', true);
END $$;
ALTER TABLE personal_clients ADD CONSTRAINT personal_clients_issued_roles CHECK (issuer_id = '' OR cardinality(scoped_roles) > 0);
