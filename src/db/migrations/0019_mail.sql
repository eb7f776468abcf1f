-- Mails: what somebody has to learn (`mail_outbox`), and the mails that say it (`mails`). A notice exists once, whatever asks for it again; a
-- mail is marked before it is sent, so that a process that dies in the middle leaves one that is unsure and never sent twice.
CREATE TABLE mails (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- Who gets it.
  person_id text COLLATE "C" NOT NULL,
  -- As it was when the mail was sent.
  address text NOT NULL DEFAULT '',
  subject text NOT NULL DEFAULT '',
  -- The part in plain text, as it was sent.
  body text NOT NULL DEFAULT '',
  -- SHA-256 of the whole message as it was handed over.
  digest text NOT NULL DEFAULT '',
  state text NOT NULL DEFAULT 'WAITING' CHECK (state IN ('WAITING', 'SENDING', 'SENT', 'FAILED', 'UNSURE', 'DROPPED')),
  attempts integer NOT NULL DEFAULT 0,
  -- What the receiving server answered, why it failed, or why there was nothing to send any more.
  answer text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
SELECT guard_tenant_table('mails');

CREATE TABLE mail_outbox (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  -- What it is about: a review, a task, a template.
  subject_id text COLLATE "C" NOT NULL,
  -- Who learns it.
  person_id text COLLATE "C" NOT NULL,
  -- In whose place they decide; empty where it is about themselves.
  on_behalf_id text COLLATE "C" NOT NULL DEFAULT '',
  -- Which time it is: the day of a reminder, the id of an event.
  slot text COLLATE "C" NOT NULL DEFAULT '',
  review_id text COLLATE "C" NOT NULL DEFAULT '',
  -- Facts of the event, as far as the mail needs them.
  data jsonb NOT NULL DEFAULT '{}',
  -- From when on it may go out.
  due_at timestamptz NOT NULL,
  -- Null: it waits.
  mail_id text COLLATE "C",
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX mail_outbox_once ON mail_outbox (tenant_id, kind, subject_id, person_id, on_behalf_id, slot);
CREATE INDEX mail_outbox_due ON mail_outbox (tenant_id, due_at) WHERE mail_id IS NULL;
CREATE INDEX mail_outbox_waiting ON mail_outbox (tenant_id, person_id) WHERE mail_id IS NULL;
CREATE INDEX mail_outbox_by_mail ON mail_outbox (tenant_id, mail_id) WHERE mail_id IS NOT NULL;
CREATE INDEX mail_outbox_by_review ON mail_outbox (tenant_id, review_id, id) WHERE review_id <> '';
SELECT guard_tenant_table('mail_outbox');

-- Up to which moment the reminders of an open review are through.
CREATE TABLE mail_reminders (
  tenant_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  reminded_to timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, review_id)
);
SELECT guard_tenant_table('mail_reminders');

-- When the next mail of a tenant may leave, so that no more of them leave in a minute than the installation allows.
CREATE TABLE mail_pace (
  tenant_id text COLLATE "C" PRIMARY KEY,
  next_at timestamptz NOT NULL
);
SELECT guard_tenant_table('mail_pace');

-- Reviews that are open already are reminded of from now on.
INSERT INTO job_calls (tenant_id, kind, subject_id, run_at)
SELECT t.tenant_id, 'mail.reminders', t.tenant_id, now() FROM tenants t WHERE t.deleted_at IS NULL;
