-- A number of a profile is kept without zeros at its end: 7.50 became the text '7.50' again where its attribute lost its type, and 7.5 in between.

CREATE OR REPLACE FUNCTION profile_value(value jsonb, value_type text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN btrim(v.t) = '' AND value_type <> 'TEXT' OR jsonb_typeof(value) = 'null' THEN 'null'::jsonb
    WHEN value_type = 'TEXT' THEN CASE WHEN jsonb_typeof(value) IN ('number', 'boolean') THEN to_jsonb(v.t) ELSE value END
    WHEN jsonb_typeof(value) NOT IN ('string', 'number', 'boolean') THEN NULL
    WHEN value_type = 'NUMBER' THEN CASE WHEN btrim(v.t) ~ '^[+-]?[0-9]{1,15}(\.[0-9]{1,15})?$' THEN to_jsonb(trim_scale(btrim(v.t)::numeric)) END
    WHEN value_type = 'BOOLEAN' THEN CASE lower(btrim(v.t)) WHEN 'true' THEN 'true'::jsonb WHEN 'yes' THEN 'true'::jsonb
      WHEN 'false' THEN 'false'::jsonb WHEN 'no' THEN 'false'::jsonb END
    -- A day beyond its month's last leads into the next month.
    WHEN value_type = 'DATE' THEN CASE WHEN btrim(v.t) !~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' OR btrim(v.t) < '0001' THEN NULL
      WHEN extract(month FROM make_date(left(btrim(v.t), 4)::integer, substr(btrim(v.t), 6, 2)::integer, 1) + (right(btrim(v.t), 2)::integer - 1))
        = substr(btrim(v.t), 6, 2)::integer THEN to_jsonb(btrim(v.t)) END
  END FROM (SELECT value #>> '{}' AS t) v $$;
