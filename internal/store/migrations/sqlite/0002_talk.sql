-- Lines that are one turn, what is said to a run under way, what people think of
-- answers, and what is not said twice.

ALTER TABLE inbox ADD COLUMN gathers TEXT NOT NULL DEFAULT ''; -- whose lines may yet be joined to it
ALTER TABLE inbox ADD COLUMN until   TEXT;                     -- and until when at most
ALTER TABLE inbox ADD COLUMN held    TEXT NOT NULL DEFAULT ''; -- key of the row that has its words, if not its own
CREATE INDEX inbox_gathers ON inbox (gathers) WHERE gathers <> '' AND state = 'waiting';

-- wish may be steer; then press is the key of the message, and text what it says.
ALTER TABLE notes ADD COLUMN text TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX notes_steer ON notes (run, press) WHERE wish = 'steer';

-- What a person thinks of the answer of a run; the last judgement counts.
CREATE TABLE feedback (
  run    TEXT NOT NULL,
  person TEXT NOT NULL,
  good   INTEGER NOT NULL,
  at     TEXT NOT NULL,
  PRIMARY KEY (run, person)
) WITHOUT ROWID;

-- What was last said under a name, because of what.
CREATE TABLE marks (
  name TEXT PRIMARY KEY,
  key  TEXT NOT NULL,
  at   TEXT NOT NULL
) WITHOUT ROWID;
