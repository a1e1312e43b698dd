-- The only ways into the book for whoever does not own it.
--
-- Each function runs with the rights of the book's owner, with a search path that nobody can change, and refuses
-- whatever a reader of the book could not read: the place in the chain, the hash, every text in its only spelling, and
-- of the budget what numbers alone can say. It never repeats a value that it was given.

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

-- Refuses a charge that no reader would call paid for, as far as sums say so.
--
-- What readers add up is at least the sum of everything that is not of a declared part of the people, and at least
-- the sum of equal releases: see compose.rs. How parts stand beside each other is for readers.
CREATE OR REPLACE FUNCTION incrowd.must_pay(
  payer incrowd.account, its_snapshot TEXT, its_binning TEXT, its_promise TEXT, its_epsilon TEXT, its_delta TEXT
) RETURNS VOID
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
DECLARE
  once TEXT := incrowd.part_of(payer.policy, 'max-epsilon-per-release');
  people TEXT := incrowd.part_of(payer.policy, 'people');
  splits TEXT := incrowd.part_of(payer.policy, 'splits');
  -- Beside an epsilon, no delta is a delta of 0.
  most_delta TEXT := coalesce(payer.delta, CASE WHEN payer.epsilon IS NOT NULL THEN '0' END);
  begins TIMESTAMPTZ;
  apart TEXT;
  equal BIGINT;
  epsilons NUMERIC;
  deltas NUMERIC;
BEGIN
  IF people IS NOT NULL THEN
    begins := incrowd.begins(people, its_snapshot);
    IF begins IS NULL OR begins > clock_timestamp() THEN
      RAISE EXCEPTION 'the period of this charge has not begun' USING ERRCODE = 'IC011';
    END IF;
  END IF;
  -- Without a budget for epsilon, or where kinds are named, it may be without a bound; kinds are not told here.
  IF (once IS NOT NULL AND (its_epsilon = 'infinite' OR incrowd.is_more(1, its_epsilon, once)))
      OR (its_epsilon = 'infinite' AND payer.epsilon IS NOT NULL
        AND incrowd.part_of(payer.policy, 'allow') IS NULL) THEN
    RAISE EXCEPTION 'the account does not pay so much' USING ERRCODE = 'IC005';
  END IF;
  IF most_delta IS NULL THEN
    RETURN;
  END IF;
  SELECT count(*) + 1 INTO equal FROM incrowd.entry one
    WHERE one.kind = 'charge' AND one.account = payer.name AND one.binning_hash = its_binning
      AND one.snapshot = its_snapshot AND one.promise = its_promise
      AND one.epsilon = its_epsilon AND one.delta = its_delta;
  SELECT its.apart INTO apart FROM incrowd.definition its WHERE its.hash = its_binning;
  SELECT coalesce(sum(incrowd.steps(one.epsilon) * one.times) FILTER (WHERE one.epsilon <> 'infinite'), 0),
      coalesce(sum(incrowd.steps(one.delta) * one.times), 0)
    INTO epsilons, deltas
    FROM (
      SELECT paid.epsilon, paid.delta, sum(paid.times) AS times
      FROM (
        SELECT charge.binning_hash, charge.epsilon, charge.delta, count(*) AS times
        FROM incrowd.entry charge
        WHERE charge.kind = 'charge' AND charge.account = payer.name
          AND (people IS NULL OR charge.snapshot = its_snapshot)
        GROUP BY charge.binning_hash, charge.epsilon, charge.delta
      ) paid LEFT JOIN incrowd.definition its ON its.hash = paid.binning_hash
      WHERE its.apart IS NULL OR (its.apart = 'split' AND splits IS NULL)
      GROUP BY paid.epsilon, paid.delta
    ) one;
  IF apart IS NULL OR (apart = 'split' AND splits IS NULL) THEN
    epsilons := epsilons + CASE WHEN its_epsilon = 'infinite' THEN 0 ELSE incrowd.steps(its_epsilon) END;
    deltas := deltas + incrowd.steps(its_delta);
  END IF;
  IF (payer.epsilon IS NOT NULL AND (
        (its_epsilon <> 'infinite' AND incrowd.is_more(equal, its_epsilon, payer.epsilon))
        OR incrowd.exceeds(epsilons, payer.epsilon)))
      -- Readers may call a sum of deltas 1 that is more.
      OR (most_delta <> '1' AND (incrowd.is_more(equal, its_delta, most_delta)
        OR incrowd.exceeds(deltas, most_delta))) THEN
    RAISE EXCEPTION 'the account does not pay so much' USING ERRCODE = 'IC005';
  END IF;
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
  IF its_kind IN ('open', 'policy') AND incrowd.is_weak(incrowd.part_of(its_policy, 'signed-by'))
      AND incrowd.part_of(its_policy, 'signed-by') IS DISTINCT FROM incrowd.part_of(account.policy, 'signed-by') THEN
    RAISE EXCEPTION 'anybody could sign for this key' USING ERRCODE = 'IC006';
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
    PERFORM incrowd.must_pay(account, its_snapshot, its_binning, its_promise, its_epsilon, its_delta);
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

-- For analysts and officers: what is paid for, with what its bins are, how it ended, and what was refused.
CREATE OR REPLACE FUNCTION incrowd.append_release(seq BIGINT, texts TEXT[], definition TEXT) RETURNS VOID
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on AS $$
DECLARE
  its_hash TEXT := texts[6];
  its_text TEXT := definition;
BEGIN
  IF texts[3] IS NULL OR texts[3] NOT IN ('charge', 'outcome', 'refused') THEN
    RAISE EXCEPTION 'this is not an entry of a release' USING ERRCODE = 'IC003';
  END IF;
  -- One who writes waits here until all others have ended: what is defined is then known.
  PERFORM incrowd.begin_writing();
  IF texts[3] = 'charge' AND NOT EXISTS (SELECT FROM incrowd.definition one WHERE one.hash = its_hash) THEN
    IF its_text IS NULL OR octet_length(its_text) > 64000000
        OR its_hash IS DISTINCT FROM encode(sha256(convert_to(its_text, 'UTF8')), 'hex') THEN
      RAISE EXCEPTION 'a charge says what its bins are' USING ERRCODE = 'IC010';
    END IF;
    INSERT INTO incrowd.definition (hash, text, apart) VALUES (its_hash, its_text, incrowd.apart_by(its_text));
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
