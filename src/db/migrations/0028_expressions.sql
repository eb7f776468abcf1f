-- Conversions of expressions over people and accounts. What they cannot read is NULL, which is how an expression in SQL says that it has no result.

CREATE FUNCTION expression_int(value text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN value ~ '^[+-]?[0-9]{1,30}$' THEN
    CASE WHEN value::numeric BETWEEN -9223372036854775808 AND 9223372036854775807 THEN value::bigint END END $$;

-- As int() takes a value of a profile: a text, or a number without its fraction.
CREATE FUNCTION expression_int(value jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE jsonb_typeof(value) WHEN 'string' THEN expression_int(value #>> '{}')
    WHEN 'number' THEN CASE WHEN abs(value::numeric) < 9223372036854775000 THEN trunc(value::float8)::bigint END END $$;

-- A number of a profile as a double, as JSON is read everywhere else: too large is infinite.
CREATE FUNCTION expression_number(value jsonb) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN jsonb_typeof(value) <> 'number' THEN NULL
    WHEN abs(value::numeric) >= 1.7976931348623158079e308 THEN sign(value::numeric) * 'Infinity'::float8
    WHEN abs(value::numeric) < 2.5e-324 THEN 0
    ELSE value::float8 END $$;

-- The moment that a text names in one of three forms, in nanoseconds since 1970.
CREATE FUNCTION expression_moment(value text, form text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN n.nanos >= -62135596800000000000 AND n.nanos < 253402300800000000000 THEN n.nanos END FROM (
    SELECT CASE WHEN p.year > 0 AND p.month BETWEEN 1 AND 12 AND p.day BETWEEN 1 AND 31 AND p.hour < 24 AND p.minute < 60 AND p.second < 60
        AND p.zone_minute < 60 AND p.zone_hour * 60 + p.zone_minute <= 1440 THEN
      CASE WHEN extract(month FROM make_date(p.year, p.month, 1) + (p.day - 1)) = p.month THEN
        ((make_date(p.year, p.month, 1) - date '1970-01-01' + p.day - 1)::numeric * 86400 + p.hour * 3600 + p.minute * 60 + p.second
          - p.zone_sign * (p.zone_hour * 3600 + p.zone_minute * 60)) * 1000000000 + p.fraction END END AS nanos
    FROM (
      SELECT m[1]::int AS year, m[2]::int AS month, m[3]::int AS day, coalesce(nullif(m[4], ''), '0')::int AS hour, coalesce(nullif(m[5], ''), '0')::int AS minute,
        coalesce(nullif(m[6], ''), '0')::int AS second, rpad(coalesce(substr(m[7], 2), ''), 9, '0')::bigint AS fraction,
        CASE WHEN left(m[8], 1) = '-' THEN -1 ELSE 1 END AS zone_sign,
        CASE WHEN m[8] LIKE '_%:%' THEN substr(m[8], 2, 2)::int ELSE 0 END AS zone_hour,
        CASE WHEN m[8] LIKE '_%:%' THEN substr(m[8], 5, 2)::int ELSE 0 END AS zone_minute
      FROM regexp_match(value, CASE form
        WHEN 'RFC3339' THEN '^([0-9]{4})-([0-9][0-9])-([0-9][0-9])T([0-9][0-9]):([0-9][0-9]):([0-9][0-9])([.,][0-9]{1,9})?(Z|[+-][0-9][0-9]:[0-9][0-9])$'
        WHEN 'DATETIME' THEN '^([0-9]{4})-([0-9][0-9])-([0-9][0-9]) ([0-9][0-9]):([0-9][0-9]):([0-9][0-9])([.,][0-9]{1,9})?()$'
        ELSE '^([0-9]{4})-([0-9][0-9])-([0-9][0-9])()()()()()$' END) AS m
      WHERE m IS NOT NULL) p) n $$;
