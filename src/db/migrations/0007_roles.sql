-- The role that serves owns no table, and ANALYZE is for owners (a right of its own only from PostgreSQL 17 on). So the owner lends it, for
-- the tables of this schema and nothing else.
CREATE FUNCTION update_statistics(name text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'countersign' AND c.relname = update_statistics.name AND c.relkind = 'r')
  THEN
    RAISE EXCEPTION 'there is no table % in the schema countersign', name USING ERRCODE = 'undefined_table';
  END IF;
  EXECUTE pg_catalog.format('ANALYZE countersign.%I', name);
END $$;
REVOKE EXECUTE ON FUNCTION update_statistics FROM PUBLIC;
