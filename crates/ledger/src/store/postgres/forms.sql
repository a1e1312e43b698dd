-- How texts of the book are written: each function says of values that it is given whether a reader would take them.
--
-- None of them reads a table. Nobody but the book's owner may call them; the functions in functions.sql do, in the
-- owner's name, with a search path that nobody can change.

-- One field of an entry, as it is hashed: see chain.rs.
CREATE OR REPLACE FUNCTION incrowd.field(value TEXT) RETURNS BYTEA
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
DECLARE
  bytes BYTEA := convert_to(value, 'UTF8');
  size BYTEA := int8send(octet_length(bytes)::BIGINT);
  least_first BYTEA := '\x'::BYTEA;
BEGIN
  IF value IS NULL THEN
    RETURN '\x00'::BYTEA;
  END IF;
  FOR place IN REVERSE 8..1 LOOP
    least_first := least_first || substring(size FROM place FOR 1);
  END LOOP;
  RETURN '\x01'::BYTEA || least_first || bytes;
END $$;

-- The hash of an entry, whose texts are in the order of the table's columns: see line.rs.
CREATE OR REPLACE FUNCTION incrowd.hash_of(seq BIGINT, texts TEXT[]) RETURNS TEXT
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
DECLARE
  about TEXT := CASE WHEN texts[3] = 'outcome' THEN texts[4] END;
  fields TEXT[] := ARRAY[texts[13], seq::TEXT, texts[1], texts[12], texts[3], about, texts[2], texts[5], texts[6],
    texts[7], texts[8], texts[9], texts[10], texts[11], texts[15], texts[16], texts[17]];
  bytes BYTEA := incrowd.field('incrowd ledger entry, version 1');
  size INTEGER := 17;
BEGIN
  -- What later versions added is left out after the last that is there.
  WHILE size > 14 AND fields[size] IS NULL LOOP
    size := size - 1;
  END LOOP;
  FOR place IN 1..size LOOP
    bytes := bytes || incrowd.field(fields[place]);
  END LOOP;
  RETURN encode(sha256(bytes), 'hex');
END $$;

-- Whether a text is one line that is neither empty nor too long.
CREATE OR REPLACE FUNCTION incrowd.is_line(value TEXT, most INTEGER) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
BEGIN
  RETURN value IS NOT NULL AND length(value) BETWEEN 1 AND most
    AND value COLLATE "C" !~ '[\u0001-\u001f\u007f-\u009f]';
END $$;

-- Whether a text is a number from 0 up in its only spelling, such as 3 or 1/10.
CREATE OR REPLACE FUNCTION incrowd.is_number(value TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
DECLARE
  above TEXT := split_part(value, '/', 1);
  below TEXT := split_part(value, '/', 2);
BEGIN
  IF value IS NULL OR value COLLATE "C" !~ '^(0|[1-9][0-9]*)(/[1-9][0-9]*)?$'
      OR octet_length(above) > 4096 OR octet_length(below) > 4096 THEN
    RETURN FALSE;
  END IF;
  RETURN below = '' OR (below <> '1' AND gcd(above::NUMERIC, below::NUMERIC) = 1);
END $$;

-- Whether times * one > other, for numbers in their only spelling.
CREATE OR REPLACE FUNCTION incrowd.is_more(times BIGINT, one TEXT, other TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
BEGIN
  RETURN times * split_part(one, '/', 1)::NUMERIC * coalesce(nullif(split_part(other, '/', 2), ''), '1')::NUMERIC
    > split_part(other, '/', 1)::NUMERIC * coalesce(nullif(split_part(one, '/', 2), ''), '1')::NUMERIC;
END $$;

-- The value of one part of a policy; nothing where it is not there.
CREATE OR REPLACE FUNCTION incrowd.part_of(policy TEXT, name TEXT) RETURNS TEXT
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
DECLARE
  part TEXT;
BEGIN
  FOREACH part IN ARRAY string_to_array(policy, ';') LOOP
    IF starts_with(part, name || '=') THEN
      RETURN substring(part FROM length(name) + 2);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- The columns of a declaration, each as its bytes; nothing where one is not in its only spelling.
CREATE OR REPLACE FUNCTION incrowd.columns_of(splits TEXT) RETURNS BYTEA[]
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
DECLARE
  quoted TEXT;
  signs TEXT[];
  sign TEXT;
  bytes BYTEA;
  columns BYTEA[] := ARRAY[]::BYTEA[];
BEGIN
  FOREACH quoted IN ARRAY string_to_array(splits, ',') LOOP
    IF quoted COLLATE "C" !~ '^([A-Za-z0-9_-]|%[0-9a-f]{2})+$' THEN
      RETURN NULL;
    END IF;
    bytes := '\x'::BYTEA;
    FOR signs IN SELECT regexp_matches(quoted COLLATE "C", '([A-Za-z0-9_-]|%[0-9a-f]{2})', 'g') LOOP
      sign := signs[1];
      IF length(sign) = 1 THEN
        bytes := bytes || convert_to(sign, 'UTF8');
      ELSIF sign IN ('%2d', '%5f') OR sign COLLATE "C" ~ '^%(3[0-9]|[46][1-9a-f]|[57][0-9a])$' THEN
        -- A letter or digit stands for itself.
        RETURN NULL;
      ELSE
        bytes := bytes || decode(substring(sign FROM 2), 'hex');
      END IF;
    END LOOP;
    columns := columns || bytes;
    PERFORM convert_from(bytes, 'UTF8');
  END LOOP;
  RETURN columns;
EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
  RETURN NULL;
END $$;

-- Whether terms are written as readers of the book read them.
CREATE OR REPLACE FUNCTION incrowd.are_terms(epsilon TEXT, delta TEXT, policy TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
DECLARE
  part TEXT;
  value TEXT;
  parts TEXT[];
  bytes BYTEA[];
  place INTEGER;
  last INTEGER := 0;
BEGIN
  IF policy IS NULL OR octet_length(policy) > 100000
      OR NOT (epsilon IS NULL OR incrowd.is_number(epsilon))
      OR NOT (delta IS NULL OR (incrowd.is_number(delta) AND NOT incrowd.is_more(1, delta, '1'))) THEN
    RETURN FALSE;
  END IF;
  IF policy = '' THEN
    RETURN TRUE;
  END IF;
  FOREACH part IN ARRAY string_to_array(policy, ';') LOOP
    value := substring(part FROM position('=' IN part) + 1);
    place := array_position(
      ARRAY['allow', 'min-group', 'max-epsilon-per-release', 'people', 'splits', 'raised-with', 'signed-by'],
      split_part(part, '=', 1));
    -- One after the other, none twice; a key of either kind is the last.
    IF place IS NULL OR position('=' IN part) = 0 OR place <= last OR last >= 6 THEN
      RETURN FALSE;
    END IF;
    last := place;
    CASE place
      WHEN 1 THEN
        parts := string_to_array(value, ',');
        IF value COLLATE "C" !~ '^([a-z0-9-]+(,[a-z0-9-]+)*)?$'
            OR EXISTS (SELECT FROM unnest(parts) kind WHERE length(kind) > 64)
            OR parts IS DISTINCT FROM coalesce(
              (SELECT array_agg(DISTINCT kind COLLATE "C" ORDER BY kind COLLATE "C") FROM unnest(parts) kind),
              ARRAY[]::TEXT[]) THEN
          RETURN FALSE;
        END IF;
      WHEN 2 THEN
        IF value COLLATE "C" !~ '^(0|[1-9][0-9]{0,19})$' OR value::NUMERIC > 18446744073709551615 THEN
          RETURN FALSE;
        END IF;
      WHEN 3 THEN
        IF NOT incrowd.is_number(value) THEN
          RETURN FALSE;
        END IF;
      WHEN 4 THEN
        IF value NOT IN ('disjoint-per-day', 'disjoint-per-week', 'disjoint-per-month', 'disjoint-per-year') THEN
          RETURN FALSE;
        END IF;
      WHEN 5 THEN
        bytes := incrowd.columns_of(value);
        IF value = '' OR bytes IS NULL
            OR bytes <> (SELECT array_agg(DISTINCT one ORDER BY one) FROM unnest(bytes) one) THEN
          RETURN FALSE;
        END IF;
      ELSE
        IF value COLLATE "C" !~ '^[0-9a-f]{64}$' THEN
          RETURN FALSE;
        END IF;
    END CASE;
  END LOOP;
  RETURN TRUE;
END $$;

-- Whether terms give more freedom than others in any respect: see terms.rs.
CREATE OR REPLACE FUNCTION incrowd.are_looser(
  epsilon TEXT, delta TEXT, policy TEXT, old_epsilon TEXT, old_delta TEXT, old_policy TEXT
) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
DECLARE
  -- Beside an epsilon, no delta is a delta of 0.
  most TEXT := coalesce(delta, CASE WHEN epsilon IS NOT NULL THEN '0' END);
  old_most TEXT := coalesce(old_delta, CASE WHEN old_epsilon IS NOT NULL THEN '0' END);
  once TEXT := incrowd.part_of(policy, 'max-epsilon-per-release');
  old_once TEXT := incrowd.part_of(old_policy, 'max-epsilon-per-release');
  allow TEXT[] := string_to_array(incrowd.part_of(policy, 'allow'), ',');
  old_allow TEXT[] := string_to_array(incrowd.part_of(old_policy, 'allow'), ',');
  least NUMERIC := coalesce(incrowd.part_of(policy, 'min-group')::NUMERIC, -1);
  old_least NUMERIC := coalesce(incrowd.part_of(old_policy, 'min-group')::NUMERIC, -1);
  splits TEXT[] := coalesce(string_to_array(incrowd.part_of(policy, 'splits'), ','), ARRAY[]::TEXT[]);
  old_splits TEXT[] := coalesce(string_to_array(incrowd.part_of(old_policy, 'splits'), ','), ARRAY[]::TEXT[]);
  old_keys TEXT[] := ARRAY[incrowd.part_of(old_policy, 'raised-with'), incrowd.part_of(old_policy, 'signed-by')];
BEGIN
  RETURN (old_epsilon IS NOT NULL AND (epsilon IS NULL OR incrowd.is_more(1, epsilon, old_epsilon)))
    OR (old_most IS NOT NULL AND (most IS NULL OR incrowd.is_more(1, most, old_most)))
    OR (old_once IS NOT NULL AND (once IS NULL OR incrowd.is_more(1, once, old_once)))
    OR CASE
      WHEN allow IS NULL THEN old_allow IS NOT NULL
      WHEN old_allow IS NULL THEN cardinality(allow) > 0 AND old_epsilon IS NOT NULL
      ELSE NOT allow <@ old_allow
    END
    OR least < old_least
    OR incrowd.part_of(policy, 'people') IS DISTINCT FROM incrowd.part_of(old_policy, 'people')
    OR NOT splits <@ old_splits
    OR (num_nonnulls(VARIADIC old_keys) > 0
      AND old_keys IS DISTINCT FROM
        ARRAY[incrowd.part_of(policy, 'raised-with'), incrowd.part_of(policy, 'signed-by')]);
END $$;

-- Whether anybody could sign for a key: see officer_key.rs.
CREATE OR REPLACE FUNCTION incrowd.is_weak(digits TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
BEGIN
  -- The highest bit is the sign.
  RETURN coalesce(left(digits, 62) || lpad(to_hex(get_byte(decode(right(digits, 2), 'hex'), 0) & 127), 2, '0') IN (
    repeat('00', 32), '01' || repeat('00', 31), 'ec' || repeat('ff', 30) || '7f', 'ed' || repeat('ff', 30) || '7f',
    'ee' || repeat('ff', 30) || '7f', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'), FALSE);
END $$;

-- Whether who, where and why are written as readers of the book read them.
CREATE OR REPLACE FUNCTION incrowd.are_details(value TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
BEGIN
  -- The last clause writes the object anew: other names, orders, kinds of values and spellings all fail there.
  RETURN coalesce(octet_length(value) <= 100000 AND json_typeof(value::JSON) = 'object'
    AND NOT EXISTS (
      SELECT FROM json_each(value::JSON) one
      WHERE one.key NOT IN ('by', 'folder', 'host', 'nonce', 'note', 'table', 'user')
        OR json_typeof(one.value) <> 'string'
        OR NOT (one.value #>> '{}' = '' OR incrowd.is_line(one.value #>> '{}', 500)))
    AND value = (
      SELECT '{' || string_agg(
        to_json(one.key)::TEXT || ':' || to_json(one.value #>> '{}')::TEXT, ',' ORDER BY one.key COLLATE "C") || '}'
      FROM (SELECT DISTINCT ON (each.key) each.key, each.value FROM json_each(value::JSON) each ORDER BY each.key) one),
    FALSE);
EXCEPTION WHEN OTHERS THEN
  RETURN FALSE;
END $$;

-- By what a release may be of a part of the people, as its definition says; nothing where it is of all of them.
--
-- Said too often, it lets a charge pass that readers then find to be too much; it must never be left out.
CREATE OR REPLACE FUNCTION incrowd.apart_by(definition TEXT) RETURNS TEXT
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
DECLARE
  object JSON;
BEGIN
  object := definition::JSON;
  IF json_typeof(object) <> 'object' THEN
    RETURN NULL;
  END IF;
  IF json_typeof(object -> 'kind') = 'object' AND object -> 'kind' ->> 'people' = 'once'
      AND object -> 'kind' ->> 'mode' = 'per-period' THEN
    RETURN 'periods';
  END IF;
  RETURN CASE WHEN object -> 'split' IS NOT NULL THEN 'split' END;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END $$;

-- When the period begins that a snapshot names, where a date begins first; nothing where it names none. See terms.rs.
CREATE OR REPLACE FUNCTION incrowd.begins(people TEXT, snapshot TEXT) RETURNS TIMESTAMPTZ
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on
SET timezone = 'UTC' SET datestyle = 'ISO' AS $$
DECLARE
  form TEXT := CASE people WHEN 'disjoint-per-day' THEN 'YYYY-MM-DD' WHEN 'disjoint-per-week' THEN 'IYYY-"W"IW'
    WHEN 'disjoint-per-month' THEN 'YYYY-MM' WHEN 'disjoint-per-year' THEN 'YYYY' END;
  first DATE;
BEGIN
  first := to_date(snapshot, form);
  -- Only one spelling of each.
  IF to_char(first, form) = snapshot AND first >= '1969-12-29'::DATE THEN
    RETURN first::TIMESTAMP AT TIME ZONE 'UTC' - INTERVAL '14 hours';
  END IF;
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END $$;

-- A number from 0 up in steps of 10 ^ -60, rounded down: sums of it are never more than the sums of the numbers.
CREATE OR REPLACE FUNCTION incrowd.steps(value TEXT) RETURNS NUMERIC
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
BEGIN
  RETURN div(split_part(value, '/', 1)::NUMERIC * 1e60, coalesce(nullif(split_part(value, '/', 2), ''), '1')::NUMERIC);
END $$;

-- Whether steps are more than a number.
CREATE OR REPLACE FUNCTION incrowd.exceeds(steps NUMERIC, value TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
BEGIN
  RETURN steps * coalesce(nullif(split_part(value, '/', 2), ''), '1')::NUMERIC
    > split_part(value, '/', 1)::NUMERIC * 1e60;
END $$;
