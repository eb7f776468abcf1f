-- What every later migration needs, in one line each: a new table's row-level security, and another list of values for a column.

-- Puts a tenant's table under forced row-level security, as the first migration does at its end: SELECT guard_tenant_table('notes');
-- The subselect makes the tenant an init plan: computed once per statement, not once per row.
CREATE FUNCTION guard_tenant_table(name regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', name);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', name);
  EXECUTE format('CREATE POLICY tenant ON %s USING (tenant_id = (SELECT current_tenant_id())) WITH CHECK (tenant_id = (SELECT current_tenant_id()))', name);
END $$;

-- Sets what a text column may hold, in place of the list that was there: SELECT restrict_values('notes', 'kind', ARRAY['PLAIN', 'PINNED']);
-- Rows that hold something else make it fail. A constraint keeps its name when its table gets another, so it is found by its column.
CREATE FUNCTION restrict_values(name regclass, column_name text, allowed text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE former record;
BEGIN
  FOR former IN
    SELECT c.conname FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND c.conkey = ARRAY[a.attnum]
    WHERE c.conrelid = name AND c.contype = 'c' AND a.attname = column_name AND pg_get_constraintdef(c.oid) LIKE '%= ANY%'
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', name, former.conname);
  END LOOP;
  EXECUTE format('ALTER TABLE %s ADD CHECK (%I = ANY (ARRAY[%s]))', name, column_name,
    (SELECT string_agg(quote_literal(a.value), ', ') FROM unnest(allowed) AS a(value)));
END $$;
