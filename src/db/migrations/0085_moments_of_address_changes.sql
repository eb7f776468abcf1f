-- A change carries the moment at which its request began, and may wait long for its turn: behind an import, say. Links and sessions from between are older
-- than the change, too. So a change is of the moment at which it is written down; whoever makes a link or a session waits for one that is not committed.
CREATE OR REPLACE FUNCTION note_address_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO countersign.address_changes (tenant_id, user_id, changed_at, old_address, new_address)
    SELECT n.tenant_id, n.id, greatest(n.updated_at, date_trunc('milliseconds', clock_timestamp())), o.email, n.email
    FROM new_rows n JOIN old_rows o ON o.tenant_id = n.tenant_id AND o.id = n.id
    WHERE n.user_type = 'HUMAN' AND o.email <> '' AND lower(o.email COLLATE "C") <> lower(n.email COLLATE "C")
    -- Changed twice at one moment: the first address is the one that was used.
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
