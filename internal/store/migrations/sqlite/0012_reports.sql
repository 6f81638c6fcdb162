-- Saved reports, each change a row: the newest that is not gone is the report.
CREATE TABLE reports (
  name    TEXT NOT NULL,
  version INTEGER NOT NULL, -- from 1
  body    TEXT NOT NULL,    -- YAML, as people read it
  hash    TEXT NOT NULL,    -- of what it says
  owner   TEXT NOT NULL,
  home    TEXT NOT NULL,    -- where it was saved
  origin  TEXT NOT NULL,    -- chat, command, file
  file    TEXT NOT NULL,
  by_whom TEXT NOT NULL,
  gone    INTEGER NOT NULL,
  at      TEXT NOT NULL,
  PRIMARY KEY (name, version)
);

-- What was posted about a period of a job. One that could not be posted makes room for the
-- next.
CREATE TABLE deliveries (
  job         TEXT NOT NULL,
  period_from TEXT NOT NULL,
  period_to   TEXT NOT NULL,
  revision    INTEGER NOT NULL, -- from 1
  run         TEXT NOT NULL,
  post        TEXT NOT NULL,    -- key in the outbox
  artifact    TEXT NOT NULL,
  at          TEXT NOT NULL,
  PRIMARY KEY (job, period_from, period_to, revision)
);
CREATE INDEX deliveries_post ON deliveries (post);
