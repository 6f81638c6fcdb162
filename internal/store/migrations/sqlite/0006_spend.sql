-- What the steps of runs have cost, in columns by which it is added up. A run that began
-- before is not in it.
CREATE TABLE spend (
  run       TEXT NOT NULL,
  n         INTEGER NOT NULL, -- of the step, from 1
  at        TEXT NOT NULL,    -- when the model was asked
  asker     TEXT NOT NULL,
  channel   TEXT NOT NULL,    -- platform:workspace:channel
  workspace TEXT NOT NULL,    -- platform:workspace
  job       TEXT NOT NULL,
  tokens    INTEGER NOT NULL,
  nanos     INTEGER NOT NULL, -- billionths of a dollar
  PRIMARY KEY (run, n)
) WITHOUT ROWID;
CREATE INDEX spend_at        ON spend (at, tokens, nanos);
CREATE INDEX spend_asker     ON spend (asker, at, tokens, nanos);
CREATE INDEX spend_channel   ON spend (channel, at, tokens, nanos);
CREATE INDEX spend_workspace ON spend (workspace, at, tokens, nanos);
CREATE INDEX spend_job       ON spend (job, at, tokens, nanos) WHERE job <> '';

-- Limits that were raised for the rest of a period; the last counts.
CREATE TABLE raises (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  key     TEXT NOT NULL UNIQUE,
  budget  TEXT NOT NULL,
  of_whom TEXT NOT NULL,
  period  TEXT NOT NULL, -- its beginning; empty: of a run
  tokens  INTEGER NOT NULL,
  nanos   INTEGER NOT NULL,
  by_whom TEXT NOT NULL,
  at      TEXT NOT NULL
);
CREATE INDEX raises_of ON raises (budget, of_whom, period, seq);
