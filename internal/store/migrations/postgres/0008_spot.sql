-- Which runs people were asked to look at, by week, and what they have found. A week is
-- drawn once, by whoever is first.
CREATE TABLE spot_draws (
  week  TEXT PRIMARY KEY, -- the day of its slot: 2026-11-30
  place TEXT NOT NULL,
  drawn TIMESTAMPTZ NOT NULL
);

CREATE TABLE spot_runs (
  week TEXT NOT NULL REFERENCES spot_draws (week),
  n    INTEGER NOT NULL,           -- from 1
  run  TEXT NOT NULL,
  rev  INTEGER NOT NULL DEFAULT 0, -- counts the verdicts that were given
  PRIMARY KEY (week, n)
);
CREATE INDEX spot_runs_run ON spot_runs (run);

CREATE TABLE verdicts (
  week    TEXT NOT NULL,
  n       INTEGER NOT NULL,
  person  TEXT NOT NULL,
  name    TEXT NOT NULL,
  verdict TEXT NOT NULL, -- right, wrong, unclear
  press   TEXT NOT NULL, -- by what it was given
  at      TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (week, n, person)
);

-- What people have decided lately.
CREATE INDEX answers_at ON answers (at);
