-- The tables of a book. Only their owner touches them; everybody else goes through the views and functions beside them.
CREATE TABLE incrowd.book (application TEXT NOT NULL, version INTEGER NOT NULL, highest BIGINT NOT NULL);
CREATE TABLE incrowd.account (
  name TEXT NOT NULL PRIMARY KEY, created TEXT NOT NULL, epsilon TEXT, delta TEXT, policy TEXT NOT NULL
);
CREATE TABLE incrowd.definition (hash TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE incrowd.entry (
  seq BIGINT NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  snapshot TEXT,
  kind TEXT NOT NULL,
  charge_id TEXT,
  plan_hash TEXT,
  binning_hash TEXT,
  promise TEXT,
  epsilon TEXT,
  delta TEXT,
  policy TEXT,
  outcome TEXT,
  time TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  certificate_hash TEXT,
  signature TEXT,
  details TEXT
);
