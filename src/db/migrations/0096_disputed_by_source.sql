-- How many records of a source are disputed is asked for with each list of sources, and the ignored ones have a list of their own.
CREATE INDEX person_records_disputed_by_source ON person_records (tenant_id, source_id, id) WHERE verdict = 'DISPUTED' AND state = 'LIVE';
CREATE INDEX person_records_ignored ON person_records (tenant_id, id) WHERE verdict = 'IGNORED' AND state = 'LIVE';
