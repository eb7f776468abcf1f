-- Where the wall clock of a tenant hangs: what happens to reviews at a time of day happens at that time there. The name is one of the IANA data base.
ALTER TABLE tenants ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';
