-- A template also makes reviews of people who come into an access conflict.
SELECT restrict_values('template_triggered', 'kind', ARRAY['MOVER', 'LEAVER', 'CONFLICT']);
