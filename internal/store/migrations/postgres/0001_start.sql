-- The first schema, as on SQLite but for types and full text.

-- Of the whole program (workspace is empty) or of one workspace (platform:workspace).
CREATE TABLE settings (
  workspace TEXT NOT NULL,
  name      TEXT NOT NULL,
  value     TEXT NOT NULL,
  at        TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (workspace, name)
);

-- What was heard. seq is the order in which it came.
CREATE TABLE inbox (
  seq         BIGSERIAL PRIMARY KEY,
  key         TEXT NOT NULL UNIQUE,
  lane        TEXT NOT NULL,
  ahead       INTEGER NOT NULL,
  place       TEXT NOT NULL, -- whose turn it is
  channel     TEXT NOT NULL, -- of what was said, without its thread
  thread      TEXT NOT NULL,
  said        INTEGER NOT NULL, -- 0: no words; 1: in a thread; 2: in the channel itself; 3: in place of others
  body        TEXT NOT NULL,
  raw         BYTEA,
  attempts    INTEGER NOT NULL DEFAULT 0,
  owner       TEXT,
  fence       BIGINT NOT NULL DEFAULT 0,
  lease_until TIMESTAMPTZ,
  due         TIMESTAMPTZ NOT NULL,
  state       TEXT NOT NULL, -- waiting, done, failed
  reason      TEXT NOT NULL DEFAULT '',
  added       TIMESTAMPTZ NOT NULL,
  ended       TIMESTAMPTZ
);
CREATE INDEX inbox_line  ON inbox (lane, ahead DESC, seq) WHERE state = 'waiting';
CREATE INDEX inbox_place ON inbox (place, lane, ahead DESC, seq) WHERE state = 'waiting';
CREATE INDEX inbox_thread ON inbox (channel, thread, seq) WHERE said > 0;
CREATE INDEX inbox_said  ON inbox (channel, said, seq) WHERE said > 0;

-- What is to be shown. ref is where it is, of whatever rev; receipt is of receipt_rev.
CREATE TABLE outbox (
  seq         BIGSERIAL PRIMARY KEY,
  key         TEXT NOT NULL UNIQUE,
  rev         INTEGER NOT NULL,
  lane        TEXT NOT NULL,
  ahead       INTEGER NOT NULL,
  place       TEXT NOT NULL,
  channel     TEXT NOT NULL,
  thread      TEXT NOT NULL,
  after_key   TEXT NOT NULL,
  kind        TEXT NOT NULL,
  question    TEXT NOT NULL,
  run         TEXT NOT NULL,
  trace       TEXT NOT NULL,
  only_person TEXT NOT NULL,
  artifact    TEXT NOT NULL,
  body        TEXT NOT NULL,
  ref         TEXT NOT NULL DEFAULT '',
  ref_id      TEXT NOT NULL DEFAULT '', -- the last word of ref: the thread that the post may start
  receipt     TEXT NOT NULL DEFAULT '',
  receipt_rev INTEGER NOT NULL DEFAULT -1,
  failure     TEXT NOT NULL DEFAULT '',
  attempts    INTEGER NOT NULL DEFAULT 0,
  owner       TEXT,
  fence       BIGINT NOT NULL DEFAULT 0,
  lease_until TIMESTAMPTZ,
  due         TIMESTAMPTZ NOT NULL,
  state       TEXT NOT NULL, -- waiting, done, failed
  reason      TEXT NOT NULL DEFAULT '',
  added       TIMESTAMPTZ NOT NULL,
  ended       TIMESTAMPTZ
);
CREATE INDEX outbox_line     ON outbox (lane, ahead DESC, seq) WHERE state = 'waiting';
CREATE INDEX outbox_place    ON outbox (place, lane, ahead DESC, seq) WHERE state = 'waiting';
CREATE INDEX outbox_after    ON outbox (after_key) WHERE after_key <> '';
CREATE INDEX outbox_said     ON outbox (channel, thread, seq);
CREATE INDEX outbox_started  ON outbox (channel, ref_id) WHERE ref_id <> '';
CREATE INDEX outbox_question ON outbox (question) WHERE question <> '';

CREATE TABLE runs (
  seq       BIGSERIAL PRIMARY KEY,
  key       TEXT NOT NULL UNIQUE,
  trace     TEXT NOT NULL,
  home      TEXT NOT NULL,
  asker     TEXT NOT NULL,
  job       TEXT NOT NULL,
  state     TEXT NOT NULL,
  model     TEXT NOT NULL,
  asked_at  TIMESTAMPTZ NOT NULL, -- what it was asked counts as said then
  request   TEXT NOT NULL,
  body      TEXT NOT NULL, -- without request and steps
  steps     INTEGER NOT NULL,
  questions INTEGER NOT NULL,
  tokens_in BIGINT NOT NULL,
  tokens_out BIGINT NOT NULL,
  version   BIGINT NOT NULL,
  created   TIMESTAMPTZ NOT NULL,
  updated   TIMESTAMPTZ NOT NULL
);
CREATE INDEX runs_trace ON runs (trace);
CREATE INDEX runs_home  ON runs (home, seq);
CREATE INDEX runs_asker ON runs (asker, seq);
CREATE INDEX runs_open  ON runs (home) WHERE state IN ('working', 'waiting', 'delivering');

CREATE TABLE steps (
  run  TEXT NOT NULL,
  n    INTEGER NOT NULL, -- from 1
  body TEXT NOT NULL,
  PRIMARY KEY (run, n)
);

CREATE TABLE questions (
  seq     BIGSERIAL PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE,
  run     TEXT NOT NULL,
  home    TEXT NOT NULL,
  asked   TEXT NOT NULL,
  kind    TEXT NOT NULL,
  state   TEXT NOT NULL, -- open, answered, expired
  expires TIMESTAMPTZ NOT NULL,
  body    TEXT NOT NULL,
  added   TIMESTAMPTZ NOT NULL
);
CREATE INDEX questions_run  ON questions (run, seq);
CREATE INDEX questions_open ON questions (home, asked, seq) WHERE state = 'open';
CREATE INDEX questions_due  ON questions (expires) WHERE state = 'open';

CREATE TABLE answers (
  question TEXT PRIMARY KEY REFERENCES questions (id),
  key      TEXT NOT NULL,
  choice   TEXT NOT NULL,
  by_whom  TEXT NOT NULL,
  at       TIMESTAMPTZ NOT NULL,
  body     TEXT NOT NULL
);

CREATE TABLE grants (
  id       TEXT PRIMARY KEY,
  owner    TEXT NOT NULL,
  job      TEXT NOT NULL,
  tool     TEXT NOT NULL,
  control  TEXT NOT NULL,
  until    TIMESTAMPTZ NOT NULL,
  max      INTEGER NOT NULL,
  uses     INTEGER NOT NULL,
  by_whom  TEXT NOT NULL,
  question TEXT NOT NULL REFERENCES questions (id),
  revoked  TIMESTAMPTZ,
  added    TIMESTAMPTZ NOT NULL
);
CREATE INDEX grants_job ON grants (job);

-- What people want of a run: that it stops, or goes on. The run may yet have to begin.
CREATE TABLE notes (
  seq     BIGSERIAL PRIMARY KEY,
  run     TEXT NOT NULL,
  wish    TEXT NOT NULL, -- stop, resume
  press   TEXT NOT NULL, -- of a resume: what makes it one
  by_whom TEXT NOT NULL,
  at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX notes_run ON notes (run, seq);
CREATE UNIQUE INDEX notes_press ON notes (run, press) WHERE wish = 'resume';

-- What became of a post that a run or a question waits to hear of.
CREATE TABLE receipts (
  seq      BIGSERIAL PRIMARY KEY,
  post     TEXT NOT NULL UNIQUE,
  run      TEXT NOT NULL,
  question TEXT NOT NULL,
  ref      TEXT NOT NULL,
  link     TEXT NOT NULL,
  failed   TEXT NOT NULL,
  at       TIMESTAMPTZ NOT NULL
);
CREATE INDEX receipts_question ON receipts (question, seq) WHERE question <> '';

CREATE TABLE artifacts (
  id       TEXT PRIMARY KEY,
  hash     TEXT NOT NULL,
  kind     TEXT NOT NULL,
  audience TEXT NOT NULL, -- home of the run that made it
  title    TEXT NOT NULL,
  name     TEXT NOT NULL,
  mime     TEXT NOT NULL,
  body     BYTEA,
  recipe   TEXT NOT NULL,
  meta     BYTEA,
  run      TEXT NOT NULL,
  call     TEXT NOT NULL,
  added    TIMESTAMPTZ NOT NULL
);
CREATE INDEX artifacts_run ON artifacts (run);

CREATE TABLE artifact_files (
  artifact TEXT NOT NULL REFERENCES artifacts (id),
  n        INTEGER NOT NULL,
  file     TEXT NOT NULL REFERENCES artifacts (id),
  PRIMARY KEY (artifact, n)
);

CREATE TABLE jobs (
  seq     BIGSERIAL PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE,
  owner   TEXT NOT NULL,
  origin  TEXT NOT NULL,
  dest    TEXT NOT NULL,
  state   TEXT NOT NULL,
  version BIGINT NOT NULL,
  created TIMESTAMPTZ NOT NULL,
  since   TIMESTAMPTZ NOT NULL,
  body    TEXT NOT NULL
);

CREATE TABLE slots (
  key         TEXT PRIMARY KEY, -- job@nominal@zone
  job         TEXT NOT NULL,
  nominal     TEXT NOT NULL,
  zone        TEXT NOT NULL,
  at          TIMESTAMPTZ NOT NULL,
  period_from TIMESTAMPTZ,
  period_to   TIMESTAMPTZ,
  state       TEXT NOT NULL,
  reason      TEXT NOT NULL,
  run         TEXT NOT NULL,
  link        TEXT NOT NULL,
  fired       INTEGER NOT NULL,
  claimed     TIMESTAMPTZ NOT NULL,
  ended       TIMESTAMPTZ
);
CREATE INDEX slots_job ON slots (job, at DESC);
CREATE INDEX slots_run ON slots (run) WHERE run <> '';
CREATE INDEX slots_unfired ON slots (at) WHERE state = 'claimed' AND fired = 0;

CREATE TABLE facts (
  seq           BIGSERIAL PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  subject       TEXT NOT NULL,
  predicate     TEXT NOT NULL,
  object        TEXT NOT NULL,
  text          TEXT NOT NULL,
  kind          TEXT NOT NULL,
  confidence    DOUBLE PRECISION NOT NULL,
  source        TEXT NOT NULL,
  link          TEXT NOT NULL,
  place         TEXT NOT NULL,
  by_whom       TEXT NOT NULL,
  said          TIMESTAMPTZ NOT NULL,
  event         TIMESTAMPTZ,
  audience_kind TEXT NOT NULL,
  audience      TEXT NOT NULL,
  status        TEXT NOT NULL,
  replaced_by   TEXT NOT NULL,
  closed        TIMESTAMPTZ
);
CREATE INDEX facts_subject  ON facts (subject, predicate);
CREATE INDEX facts_audience ON facts (audience, audience_kind, said DESC);
-- What stands in it is words.go's.
ALTER TABLE facts ADD COLUMN words TSVECTOR NOT NULL DEFAULT '';
CREATE INDEX facts_words ON facts USING gin (words);

CREATE TABLE conflicts (
  id       TEXT PRIMARY KEY,
  old_fact TEXT NOT NULL REFERENCES facts (id),
  new_fact TEXT NOT NULL REFERENCES facts (id),
  settled  TEXT NOT NULL,
  by_whom  TEXT NOT NULL,
  opened   TIMESTAMPTZ NOT NULL,
  at       TIMESTAMPTZ
);
CREATE INDEX conflicts_old ON conflicts (old_fact);
CREATE INDEX conflicts_new ON conflicts (new_fact);

CREATE TABLE episodes (
  seq           BIGSERIAL PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  at            TIMESTAMPTZ NOT NULL,
  who           TEXT NOT NULL,
  place         TEXT NOT NULL,
  text          TEXT NOT NULL,
  link          TEXT NOT NULL,
  audience_kind TEXT NOT NULL,
  audience      TEXT NOT NULL
);
CREATE INDEX episodes_audience ON episodes (audience, audience_kind, at DESC);
ALTER TABLE episodes ADD COLUMN words TSVECTOR NOT NULL DEFAULT '';
CREATE INDEX episodes_words ON episodes USING gin (words);

-- Only ever added to. hash is over prev and all the rest, so a changed row shows.
CREATE TABLE audit (
  seq     BIGSERIAL PRIMARY KEY,
  at      TIMESTAMPTZ NOT NULL,
  who     TEXT NOT NULL,
  what    TEXT NOT NULL,
  subject TEXT NOT NULL,
  under   TEXT NOT NULL,
  detail  TEXT NOT NULL,
  prev    TEXT NOT NULL,
  hash    TEXT NOT NULL
);
