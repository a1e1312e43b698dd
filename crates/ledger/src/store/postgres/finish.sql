-- What new tables and those of earlier versions have in common from here on. Running it again changes nothing.
ALTER TABLE incrowd.entry
  ADD COLUMN IF NOT EXISTS certificate_hash TEXT,
  ADD COLUMN IF NOT EXISTS signature TEXT,
  ADD COLUMN IF NOT EXISTS details TEXT,
  -- The name under which whoever wrote an entry came to the server; the server's word, and no part of the hash.
  ADD COLUMN IF NOT EXISTS written_by TEXT,
  DROP CONSTRAINT IF EXISTS incrowd_entry_outcome_check,
  DROP CONSTRAINT IF EXISTS incrowd_entry_kind_check,
  DROP CONSTRAINT IF EXISTS entry_kind_check,
  ADD CONSTRAINT entry_kind_check CHECK (kind IN ('open', 'charge', 'outcome', 'policy', 'refused', 'aside'));
ALTER TABLE incrowd.definition
  -- By what a release may be of a part of the people: what the functions need not read again for each charge.
  ADD COLUMN IF NOT EXISTS apart TEXT;
CREATE TABLE IF NOT EXISTS incrowd.aside (LIKE incrowd.entry, aside_in BIGINT NOT NULL);
CREATE INDEX IF NOT EXISTS entry_of_charge ON incrowd.entry (charge_id) WHERE kind IN ('charge', 'outcome');
CREATE INDEX IF NOT EXISTS entry_of_release ON incrowd.entry (account, binning_hash) WHERE kind = 'charge';
CREATE INDEX IF NOT EXISTS entry_refused ON incrowd.entry (account) WHERE kind = 'refused';
CREATE INDEX IF NOT EXISTS entry_unbounded ON incrowd.entry (account) WHERE epsilon = 'infinite';

-- Until seal.sql, which makes them again.
DROP TRIGGER IF EXISTS incrowd_entry_is_never_changed ON incrowd.entry;
DROP TRIGGER IF EXISTS incrowd_definition_is_never_changed ON incrowd.definition;

-- What officers and analysts read.
CREATE OR REPLACE VIEW incrowd.state AS SELECT application, version, highest FROM incrowd.book;
CREATE OR REPLACE VIEW incrowd.accounts AS SELECT name, created, epsilon, delta, policy FROM incrowd.account;
CREATE OR REPLACE VIEW incrowd.definitions AS SELECT hash, text FROM incrowd.definition;
CREATE OR REPLACE VIEW incrowd.entries AS
  SELECT seq, account, snapshot, kind, charge_id, plan_hash, binning_hash, promise, epsilon, delta, policy, outcome,
    time, previous_hash, hash, certificate_hash, signature, details, written_by
  FROM incrowd.entry;
UPDATE incrowd.book SET version = 5 WHERE version < 5;
