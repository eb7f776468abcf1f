-- One word for one idea: what the tables are called is what the documents, the modules and the commands call it. No row changes.
-- A source delivers rows (a connector is its name on the wire), a sync is the record of one delivery, tasks know the review they are of, an
-- access profile is one (a request catalog on the wire), and risk levels and compliance frameworks classify entitlements.
ALTER TABLE connectors RENAME TO sources;
ALTER TABLE imports RENAME TO syncs;
ALTER TABLE task_batches RENAME TO task_reviews;
ALTER TABLE attribute_values RENAME TO classification_values;
ALTER TABLE request_catalogs RENAME TO access_profiles;
ALTER TABLE request_catalog_entitlements RENAME TO access_profile_entitlements;

ALTER TABLE sources RENAME COLUMN last_import_id TO last_sync_id;
ALTER TABLE syncs RENAME COLUMN connector_id TO source_id;
ALTER TABLE scim_resources RENAME COLUMN connector_id TO source_id;
ALTER TABLE inventory_revisions RENAME COLUMN import_id TO sync_id;
ALTER TABLE access_profile_entitlements RENAME COLUMN catalog_id TO profile_id;

DO $$
DECLARE found record;
BEGIN
  FOR found IN SELECT c.table_name FROM information_schema.columns c WHERE c.table_schema = current_schema AND c.column_name = 'batch_id'
  LOOP
    EXECUTE format('ALTER TABLE %I RENAME COLUMN batch_id TO review_id', found.table_name);
  END LOOP;

  -- Indexes, and the constraints behind them, are named after what they are of.
  FOR found IN
    SELECT i.relname AS name, w.was, w.now FROM pg_class i
    JOIN (VALUES ('connectors_', 'sources_'), ('imports_', 'syncs_'), ('task_batches_', 'task_reviews_'),
      ('attribute_values_', 'classification_values_'), ('request_catalog_entitlements_', 'access_profile_entitlements_'),
      ('request_catalogs_', 'access_profiles_')) AS w (was, now) ON starts_with(i.relname::text, w.was)
    WHERE i.relkind = 'i' AND i.relnamespace = current_schema::regnamespace
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', found.name, found.now || substr(found.name::text, length(found.was) + 1));
  END LOOP;
  FOR found IN
    SELECT i.relname AS name, replace(replace(i.relname::text, '_by_batch', '_by_review'), '_by_connector', '_by_source') AS now FROM pg_class i
    WHERE i.relkind = 'i' AND i.relnamespace = current_schema::regnamespace AND i.relname::text ~ '_by_(batch|connector)$'
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', found.name, found.now);
  END LOOP;
END $$;
