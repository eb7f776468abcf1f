-- A step-up counts for whoever began it alone: the session, as before, or this credential. Empty for a session. Step-ups that a credential began before
-- name none and sign nothing any more; they live for 15 minutes.
ALTER TABLE step_up_transactions ADD COLUMN credential_id text COLLATE "C" NOT NULL DEFAULT '';
