-- Which mails an organization and its people want; the row without a person is that of everybody.
CREATE TABLE notification_settings (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL DEFAULT '',
  -- The channel settings as they were sent.
  document jsonb NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
);
SELECT guard_tenant_table('notification_settings');

-- Whom the mails of a tenant come from.
CREATE TABLE email_providers (
  tenant_id text COLLATE "C" PRIMARY KEY,
  document jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
SELECT guard_tenant_table('email_providers');
