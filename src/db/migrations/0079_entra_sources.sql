-- Sources that read Microsoft Entra ID.
SELECT restrict_values('sources', 'kind', ARRAY['FILE', 'SCIM', 'FOLDER', 'HTTPS', 'S3', 'SQL', 'LDAP', 'BATON', 'ENTRA']);
