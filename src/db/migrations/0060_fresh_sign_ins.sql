-- Who may sign in with a link by mail; without a row it follows from the providers: everybody while none is active, else no administrator.
CREATE TABLE mail_sign_in_settings (
  tenant_id text COLLATE "C" PRIMARY KEY,
  who text NOT NULL CHECK (who IN ('EVERYBODY', 'NO_ADMINISTRATORS', 'NOBODY')),
  updated_at timestamptz NOT NULL
);
SELECT guard_tenant_table('mail_sign_in_settings');

-- What a session begins by may have been made in another session. It then lives no longer than that one, and proves nothing anew.
-- Null: since it was created.
ALTER TABLE sessions ADD COLUMN bound_at timestamptz, ADD COLUMN proven_at timestamptz;
-- Those of the session that printed the link; null: it is proof when it is opened.
ALTER TABLE sign_in_links ADD COLUMN bound_at timestamptz, ADD COLUMN proven_at timestamptz;
-- From when on the person has to have proven at the provider who they are; null where that is not asked.
ALTER TABLE sign_in_states ADD COLUMN fresh_since timestamptz;
