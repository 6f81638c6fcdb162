-- What facts are found by is memory's, and not the database's any more.
DROP INDEX facts_words;
ALTER TABLE facts DROP COLUMN words;

-- What was read in a fact's words. It is made anew where it is missing, or is not as
-- hermes has written it.
CREATE TABLE fact_signs (
  seq     BIGINT PRIMARY KEY REFERENCES facts (seq) ON DELETE CASCADE,
  model   TEXT NOT NULL,
  sign    BYTEA NOT NULL,
  vector  BYTEA,
  from_node TEXT NOT NULL DEFAULT '',
  to_node   TEXT NOT NULL DEFAULT '',
  states  TEXT NOT NULL DEFAULT '', -- key of the statement
  object  TEXT NOT NULL DEFAULT '',
  many    INTEGER NOT NULL DEFAULT 0,
  mac     TEXT NOT NULL DEFAULT '' -- of what it is found by, then of what it says
);
CREATE INDEX fact_signs_from ON fact_signs (from_node) WHERE from_node <> '';
-- Without it the facts of a scope are read one by one to find those of one subject.
DROP INDEX facts_subject;
CREATE INDEX facts_slot ON facts (subject, predicate, audience, audience_kind, said DESC, seq DESC);
CREATE INDEX facts_scope ON facts (audience, audience_kind, seq);

ALTER TABLE facts ADD COLUMN true_to  TIMESTAMPTZ;
ALTER TABLE facts ADD COLUMN used     TIMESTAMPTZ;
ALTER TABLE facts ADD COLUMN hits     INTEGER NOT NULL DEFAULT 0;
ALTER TABLE facts ADD COLUMN expires  TIMESTAMPTZ;
ALTER TABLE facts ADD COLUMN evidence TEXT NOT NULL DEFAULT '';
CREATE INDEX facts_expires ON facts (expires) WHERE expires IS NOT NULL;

ALTER TABLE episodes ADD COLUMN asked   TEXT NOT NULL DEFAULT '';
ALTER TABLE episodes ADD COLUMN outcome TEXT NOT NULL DEFAULT '';
ALTER TABLE episodes ADD COLUMN steps   TEXT NOT NULL DEFAULT '';
ALTER TABLE episodes ADD COLUMN tools   TEXT NOT NULL DEFAULT '';
ALTER TABLE episodes ADD COLUMN result  TEXT NOT NULL DEFAULT '';
ALTER TABLE episodes ADD COLUMN data    TEXT NOT NULL DEFAULT '';
ALTER TABLE episodes ADD COLUMN expires TIMESTAMPTZ;
CREATE INDEX episodes_expires ON episodes (expires) WHERE expires IS NOT NULL;

ALTER TABLE conflicts ADD COLUMN asked TIMESTAMPTZ; -- when it was asked about again
