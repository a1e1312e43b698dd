-- The only ways into the book for whoever does not own it.
--
-- Each function runs with the rights of the book's owner, with a search path that nobody can change, and refuses
-- whatever a reader of the book could not read: the place in the chain, the hash, every text in its only spelling, and
-- of the budget what numbers alone can say. It never repeats a value that it was given.

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

-- Waits until nobody else is writing, and returns the number of the last entry.
CREATE OR REPLACE FUNCTION incrowd.begin_writing() RETURNS BIGINT
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
DECLARE
  last BIGINT;
BEGIN
  IF current_setting('synchronous_commit') IN ('off', 'local') THEN
    PERFORM set_config('synchronous_commit', 'on', TRUE);
  END IF;
  SELECT highest INTO STRICT last FROM incrowd.book FOR UPDATE;
  RETURN last;
END $$;

-- Appends an entry that readers can read. Only its owner calls it: the two functions below are for everybody else.
CREATE OR REPLACE FUNCTION incrowd.put(seq BIGINT, texts TEXT[]) RETURNS VOID
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on
SET timezone = 'UTC' SET datestyle = 'ISO' AS $$
DECLARE
  its_seq BIGINT := seq;
  its_account TEXT := texts[1];
  its_snapshot TEXT := texts[2];
  its_kind TEXT := texts[3];
  its_charge TEXT := texts[4];
  its_plan TEXT := texts[5];
  its_binning TEXT := texts[6];
  its_promise TEXT := texts[7];
  its_epsilon TEXT := texts[8];
  its_delta TEXT := texts[9];
  its_policy TEXT := texts[10];
  its_outcome TEXT := texts[11];
  its_time TEXT := texts[12];
  its_previous TEXT := texts[13];
  its_hash TEXT := texts[14];
  its_certificate TEXT := texts[15];
  its_signature TEXT := texts[16];
  its_details TEXT := texts[17];
  last BIGINT;
  last_hash TEXT := repeat('0', 64);
  last_time TEXT := its_time;
  moment TIMESTAMPTZ;
  account incrowd.account;
  most TEXT;
  equal BIGINT;
BEGIN
  IF array_ndims(texts) IS DISTINCT FROM 1 OR array_lower(texts, 1) <> 1 OR array_length(texts, 1) <> 17
      OR seq IS NULL THEN
    RAISE EXCEPTION 'this is not an entry' USING ERRCODE = 'IC003';
  END IF;
  -- Its place in the chain.
  SELECT highest INTO STRICT last FROM incrowd.book FOR UPDATE;
  IF last > 0 THEN
    SELECT entry.hash, entry.time INTO last_hash, last_time FROM incrowd.entry WHERE entry.seq = last;
  END IF;
  IF its_seq <> last + 1 OR its_previous IS DISTINCT FROM last_hash THEN
    RAISE EXCEPTION 'this entry does not follow the last one' USING ERRCODE = 'IC001';
  END IF;
  IF its_hash IS DISTINCT FROM incrowd.hash_of(its_seq, texts) THEN
    RAISE EXCEPTION 'this is not the hash of this entry' USING ERRCODE = 'IC002';
  END IF;
  -- Its form: what its kind has, each in its only spelling, and nothing else.
  IF (incrowd.is_line(its_account, 200)
      AND its_time COLLATE "C" ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$'
      AND (its_details IS NULL OR incrowd.are_details(its_details))
      AND its_charge IS NOT DISTINCT FROM
        CASE its_kind WHEN 'charge' THEN left(its_hash, 32) WHEN 'outcome' THEN its_charge END)
      IS NOT TRUE THEN
    RAISE EXCEPTION 'this is not an entry' USING ERRCODE = 'IC003';
  END IF;
  IF NOT coalesce(CASE its_kind
    WHEN 'open' THEN
      num_nonnulls(its_snapshot, its_plan, its_binning, its_promise, its_outcome, its_certificate, its_signature) = 0
        AND incrowd.are_terms(its_epsilon, its_delta, its_policy)
    WHEN 'policy' THEN
      num_nonnulls(its_snapshot, its_plan, its_binning, its_promise, its_outcome, its_certificate) = 0
        AND incrowd.are_terms(its_epsilon, its_delta, its_policy)
        AND (its_signature IS NULL OR its_signature COLLATE "C" ~ '^[0-9a-f]{128}$')
    WHEN 'charge' THEN
      num_nonnulls(its_policy, its_outcome, its_certificate, its_signature) = 0
        AND incrowd.is_line(its_snapshot, 200) AND incrowd.is_line(its_plan, 200) AND incrowd.is_line(its_binning, 200)
        AND incrowd.is_line(its_promise, 8000000)
        AND (its_epsilon = 'infinite' OR incrowd.is_number(its_epsilon))
        AND incrowd.is_number(its_delta) AND incrowd.is_more(1, '1', its_delta)
    WHEN 'refused' THEN
      num_nonnulls(its_binning, its_promise, its_policy, its_certificate, its_signature) = 0
        AND incrowd.is_line(its_snapshot, 200) AND incrowd.is_line(its_plan, 200)
        AND its_outcome COLLATE "C" ~ '^[a-z0-9-]{1,64}$'
        AND (its_epsilon = 'infinite' OR incrowd.is_number(its_epsilon))
        AND incrowd.is_number(its_delta) AND incrowd.is_more(1, '1', its_delta)
    WHEN 'outcome' THEN
      num_nonnulls(
          its_snapshot, its_plan, its_binning, its_promise, its_epsilon, its_delta, its_policy, its_signature) = 0
        AND its_charge COLLATE "C" ~ '^[0-9a-f]{32}$'
        AND ((its_outcome = 'failed' AND its_certificate IS NULL)
          OR (its_outcome = 'delivered'
            AND (its_certificate IS NULL OR its_certificate COLLATE "C" ~ '^[0-9a-f]{64}$')))
  END, FALSE) THEN
    RAISE EXCEPTION 'this is not an entry' USING ERRCODE = 'IC003';
  END IF;
  BEGIN
    moment := its_time::TIMESTAMPTZ;
  EXCEPTION WHEN OTHERS THEN
    RAISE EXCEPTION 'this is not an entry' USING ERRCODE = 'IC003';
  END;
  IF to_char(moment, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') <> its_time OR its_time COLLATE "C" < '1970' THEN
    RAISE EXCEPTION 'this is not an entry' USING ERRCODE = 'IC003';
  END IF;
  IF moment > clock_timestamp() + INTERVAL '1 day' OR moment < last_time::TIMESTAMPTZ - INTERVAL '1 day' THEN
    RAISE EXCEPTION 'this entry is dated more than a day off' USING ERRCODE = 'IC008';
  END IF;
  -- Whether it can have happened.
  SELECT * INTO account FROM incrowd.account one WHERE one.name = its_account;
  IF FOUND = (its_kind = 'open') THEN
    RAISE EXCEPTION 'there is no such account, or it is open already' USING ERRCODE = 'IC004';
  END IF;
  IF its_kind = 'policy' THEN
    IF incrowd.part_of(account.policy, 'signed-by') IS NULL THEN
      IF its_signature IS NOT NULL THEN
        RAISE EXCEPTION 'nobody could say whose signature this is' USING ERRCODE = 'IC006';
      END IF;
    ELSIF its_signature IS NULL AND incrowd.are_looser(
        its_epsilon, its_delta, its_policy, account.epsilon, account.delta, account.policy) THEN
      RAISE EXCEPTION 'looser terms need the signature of the account''s key' USING ERRCODE = 'IC006';
    END IF;
    IF EXISTS (SELECT FROM incrowd.entry one WHERE one.account = its_account AND one.kind = 'charge')
        AND (incrowd.part_of(its_policy, 'people') IS DISTINCT FROM incrowd.part_of(account.policy, 'people')
          OR NOT coalesce(string_to_array(incrowd.part_of(its_policy, 'splits'), ','), ARRAY[]::TEXT[])
            <@ coalesce(string_to_array(incrowd.part_of(account.policy, 'splits'), ','), ARRAY[]::TEXT[])) THEN
      RAISE EXCEPTION 'what would refund charges cannot be declared any more' USING ERRCODE = 'IC005';
    END IF;
  ELSIF its_kind = 'charge' THEN
    most := incrowd.part_of(account.policy, 'max-epsilon-per-release');
    IF most IS NOT NULL AND (its_epsilon = 'infinite' OR incrowd.is_more(1, its_epsilon, most)) THEN
      RAISE EXCEPTION 'the account does not pay so much' USING ERRCODE = 'IC005';
    END IF;
    -- Equal releases of equal bins add up, whatever else an account has paid for; how others add up is for readers.
    SELECT count(*) + 1 INTO equal FROM incrowd.entry one
      WHERE one.kind = 'charge' AND one.account = its_account AND one.binning_hash = its_binning
        AND one.snapshot = its_snapshot AND one.promise = its_promise
        AND one.epsilon = its_epsilon AND one.delta = its_delta;
    IF its_epsilon = 'infinite' THEN
      -- Only kinds that are named may be charged without a bound, and kinds are not told here.
      IF account.epsilon IS NOT NULL AND incrowd.part_of(account.policy, 'allow') IS NULL THEN
        RAISE EXCEPTION 'the account does not pay so much' USING ERRCODE = 'IC005';
      END IF;
    ELSIF account.epsilon IS NOT NULL AND incrowd.is_more(equal, its_epsilon, account.epsilon)
        AND NOT EXISTS (
          SELECT FROM incrowd.entry one
          WHERE one.account = its_account AND one.epsilon = 'infinite' AND one.kind = 'charge') THEN
      RAISE EXCEPTION 'the account does not pay so much' USING ERRCODE = 'IC005';
    END IF;
    most := coalesce(account.delta, CASE WHEN account.epsilon IS NOT NULL THEN '0' END);
    IF most IS NOT NULL AND incrowd.is_more(equal, its_delta, most) THEN
      RAISE EXCEPTION 'the account does not pay so much' USING ERRCODE = 'IC005';
    END IF;
  ELSIF its_kind = 'outcome' THEN
    IF NOT EXISTS (SELECT FROM incrowd.entry one
          WHERE one.kind = 'charge' AND one.charge_id = its_charge AND one.account = its_account
            -- Nobody but an officer says how a release of somebody else ended.
            AND (one.written_by IS NULL OR one.written_by = session_user
              OR has_function_privilege(session_user, 'incrowd.append_terms(bigint, text[])', 'EXECUTE')))
        OR EXISTS (SELECT FROM incrowd.entry one WHERE one.kind = 'outcome' AND one.charge_id = its_charge) THEN
      RAISE EXCEPTION 'there is no such release, or it has ended' USING ERRCODE = 'IC007';
    END IF;
  ELSIF its_kind = 'refused' THEN
    IF (SELECT count(*) FROM incrowd.entry one WHERE one.kind = 'refused' AND one.account = its_account) >= 1000 THEN
      RAISE EXCEPTION 'no more refused attempts are kept for this account' USING ERRCODE = 'IC009';
    END IF;
  END IF;
  INSERT INTO incrowd.entry (seq, account, snapshot, kind, charge_id, plan_hash, binning_hash, promise, epsilon, delta,
      policy, outcome, time, previous_hash, hash, certificate_hash, signature, details, written_by)
    VALUES (its_seq, its_account, its_snapshot, its_kind, its_charge, its_plan, its_binning, its_promise, its_epsilon,
      its_delta, its_policy, its_outcome, its_time, its_previous, its_hash, its_certificate, its_signature, its_details,
      session_user);
  UPDATE incrowd.book SET highest = its_seq;
  IF its_kind = 'open' THEN
    INSERT INTO incrowd.account (name, created, epsilon, delta, policy)
      VALUES (its_account, its_time, its_epsilon, its_delta, its_policy);
  ELSIF its_kind = 'policy' THEN
    UPDATE incrowd.account one SET epsilon = its_epsilon, delta = its_delta, policy = its_policy
      WHERE one.name = its_account;
  END IF;
END $$;

-- For analysts and officers: what is paid for, how it ended, and what was refused.
CREATE OR REPLACE FUNCTION incrowd.append_release(seq BIGINT, texts TEXT[]) RETURNS VOID
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
BEGIN
  IF texts[3] IS NULL OR texts[3] NOT IN ('charge', 'outcome', 'refused') THEN
    RAISE EXCEPTION 'this is not an entry of a release' USING ERRCODE = 'IC003';
  END IF;
  PERFORM incrowd.put(seq, texts);
END $$;

-- For officers: accounts and their terms.
CREATE OR REPLACE FUNCTION incrowd.append_terms(seq BIGINT, texts TEXT[]) RETURNS VOID
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
BEGIN
  IF texts[3] IS NULL OR texts[3] NOT IN ('open', 'policy') THEN
    RAISE EXCEPTION 'this is not an entry of terms' USING ERRCODE = 'IC003';
  END IF;
  PERFORM incrowd.put(seq, texts);
END $$;

-- Keeps what the bins are that the last entry paid for.
CREATE OR REPLACE FUNCTION incrowd.define(hash TEXT, text TEXT) RETURNS VOID
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
DECLARE
  its_hash TEXT := hash;
  its_text TEXT := text;
BEGIN
  IF EXISTS (SELECT FROM incrowd.definition one WHERE one.hash = its_hash) THEN
    RETURN;
  END IF;
  IF its_text IS NULL OR octet_length(its_text) > 64000000
      OR its_hash IS DISTINCT FROM encode(sha256(convert_to(its_text, 'UTF8')), 'hex')
      OR NOT EXISTS (SELECT FROM incrowd.entry one, incrowd.book
        WHERE one.seq = book.highest AND one.kind = 'charge' AND one.binning_hash = its_hash) THEN
    RAISE EXCEPTION 'this does not define what the last entry paid for' USING ERRCODE = 'IC010';
  END IF;
  INSERT INTO incrowd.definition (hash, text) VALUES (its_hash, its_text);
END $$;
