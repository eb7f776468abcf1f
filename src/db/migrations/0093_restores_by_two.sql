-- Restoring what somebody had who left takes one Super Administrator, or two where the tenant wants that.
ALTER TABLE tenants ADD COLUMN restore_takes text COLLATE "C" NOT NULL DEFAULT 'ONE' CHECK (restore_takes IN ('ONE', 'TWO'));
SELECT restrict_values('second_person_requests', 'kind', ARRAY['LIFT_HOLD', 'SHORTEN_RETENTION', 'ERASE_PERSON', 'PURGE_TENANT', 'RESTORE_PERSON']);
