-- That a review asks only about what is new or changed is said among the lists of its scope, which reviews take along from their templates and copies.
SELECT restrict_values('scope_entries', 'list', ARRAY['MONITOR', 'RESOURCE', 'SCOPE_ROLE', 'EXCLUSION', 'CHANGES_ONLY']);
ALTER TABLE reviews DROP COLUMN changes_only;
ALTER TABLE review_templates DROP COLUMN changes_only;
