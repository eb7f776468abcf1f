-- Acknowledgements are signed, too, where a review asks for signatures; they stand where a submission does.
ALTER TABLE signatures ADD COLUMN kind text NOT NULL DEFAULT 'SUBMISSION' CHECK (kind IN ('SUBMISSION', 'ACKNOWLEDGEMENT'));
