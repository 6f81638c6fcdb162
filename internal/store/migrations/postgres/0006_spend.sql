-- What the steps of runs have cost, in columns by which it is added up. A run that began
-- before is not in it.
CREATE TABLE spend (
  run       text NOT NULL,
  n         integer NOT NULL, -- of the step, from 1
  at        timestamptz NOT NULL, -- when the model was asked
  asker     text NOT NULL,
  channel   text NOT NULL, -- platform:workspace:channel
  workspace text NOT NULL, -- platform:workspace
  job       text NOT NULL,
  tokens    bigint NOT NULL,
  nanos     bigint NOT NULL, -- billionths of a dollar
  PRIMARY KEY (run, n)
);
CREATE INDEX spend_at        ON spend (at) INCLUDE (tokens, nanos);
CREATE INDEX spend_asker     ON spend (asker, at) INCLUDE (tokens, nanos);
CREATE INDEX spend_channel   ON spend (channel, at) INCLUDE (tokens, nanos);
CREATE INDEX spend_workspace ON spend (workspace, at) INCLUDE (tokens, nanos);
CREATE INDEX spend_job       ON spend (job, at) INCLUDE (tokens, nanos) WHERE job <> '';

-- Limits that were raised for the rest of a period; the last counts.
CREATE TABLE raises (
  seq     bigserial PRIMARY KEY,
  key     text NOT NULL UNIQUE,
  budget  text NOT NULL,
  of_whom text NOT NULL,
  period  text NOT NULL, -- its beginning; empty: of a run
  tokens  bigint NOT NULL,
  nanos   bigint NOT NULL,
  by_whom text NOT NULL,
  at      timestamptz NOT NULL
);
CREATE INDEX raises_of ON raises (budget, of_whom, period, seq);
