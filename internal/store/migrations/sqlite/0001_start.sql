-- The first schema. Times are UTC text of one length ("2026-12-01T09:00:00.000000Z"),
-- so they sort as text. What is one JSON text here is read and written as a whole.

-- Of the whole program (workspace is empty) or of one workspace (platform:workspace).
CREATE TABLE settings (
  workspace TEXT NOT NULL,
  name      TEXT NOT NULL,
  value     TEXT NOT NULL,
  at        TEXT NOT NULL,
  PRIMARY KEY (workspace, name)
);

-- What was heard. seq is the order in which it came.
CREATE TABLE inbox (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  key         TEXT NOT NULL UNIQUE,
  lane        TEXT NOT NULL,
  ahead       INTEGER NOT NULL,
  place       TEXT NOT NULL, -- whose turn it is
  channel     TEXT NOT NULL, -- of what was said, without its thread
  thread      TEXT NOT NULL,
  said        INTEGER NOT NULL, -- 0: no words; 1: in a thread; 2: in the channel itself; 3: in place of others
  body        TEXT NOT NULL,
  raw         BLOB,
  attempts    INTEGER NOT NULL DEFAULT 0,
  owner       TEXT,
  fence       INTEGER NOT NULL DEFAULT 0,
  lease_until TEXT,
  due         TEXT NOT NULL,
  state       TEXT NOT NULL, -- waiting, done, failed
  reason      TEXT NOT NULL DEFAULT '',
  added       TEXT NOT NULL,
  ended       TEXT
);
CREATE INDEX inbox_line  ON inbox (lane, ahead DESC, seq) WHERE state = 'waiting';
CREATE INDEX inbox_place ON inbox (place, lane, ahead DESC, seq) WHERE state = 'waiting';
CREATE INDEX inbox_thread ON inbox (channel, thread, seq) WHERE said > 0;
CREATE INDEX inbox_said  ON inbox (channel, said, seq) WHERE said > 0;

-- What is to be shown. ref is where it is, of whatever rev; receipt is of receipt_rev.
CREATE TABLE outbox (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
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
  fence       INTEGER NOT NULL DEFAULT 0,
  lease_until TEXT,
  due         TEXT NOT NULL,
  state       TEXT NOT NULL, -- waiting, done, failed
  reason      TEXT NOT NULL DEFAULT '',
  added       TEXT NOT NULL,
  ended       TEXT
);
CREATE INDEX outbox_line     ON outbox (lane, ahead DESC, seq) WHERE state = 'waiting';
CREATE INDEX outbox_place    ON outbox (place, lane, ahead DESC, seq) WHERE state = 'waiting';
CREATE INDEX outbox_after    ON outbox (after_key) WHERE after_key <> '';
CREATE INDEX outbox_said     ON outbox (channel, thread, seq);
CREATE INDEX outbox_started  ON outbox (channel, ref_id) WHERE ref_id <> '';
CREATE INDEX outbox_question ON outbox (question) WHERE question <> '';

CREATE TABLE runs (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  key       TEXT NOT NULL UNIQUE,
  trace     TEXT NOT NULL,
  home      TEXT NOT NULL,
  asker     TEXT NOT NULL,
  job       TEXT NOT NULL,
  state     TEXT NOT NULL,
  model     TEXT NOT NULL,
  asked_at  TEXT NOT NULL, -- what it was asked counts as said then
  request   TEXT NOT NULL,
  body      TEXT NOT NULL, -- without request and steps
  steps     INTEGER NOT NULL,
  questions INTEGER NOT NULL,
  tokens_in INTEGER NOT NULL,
  tokens_out INTEGER NOT NULL,
  version   INTEGER NOT NULL,
  created   TEXT NOT NULL,
  updated   TEXT NOT NULL
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
) WITHOUT ROWID;

CREATE TABLE questions (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT NOT NULL UNIQUE,
  run     TEXT NOT NULL,
  home    TEXT NOT NULL,
  asked   TEXT NOT NULL,
  kind    TEXT NOT NULL,
  state   TEXT NOT NULL, -- open, answered, expired
  expires TEXT NOT NULL,
  body    TEXT NOT NULL,
  added   TEXT NOT NULL
);
CREATE INDEX questions_run  ON questions (run, seq);
CREATE INDEX questions_open ON questions (home, asked, seq) WHERE state = 'open';
CREATE INDEX questions_due  ON questions (expires) WHERE state = 'open';

CREATE TABLE answers (
  question TEXT PRIMARY KEY REFERENCES questions (id),
  key      TEXT NOT NULL,
  choice   TEXT NOT NULL,
  by_whom  TEXT NOT NULL,
  at       TEXT NOT NULL,
  body     TEXT NOT NULL
);

CREATE TABLE grants (
  id       TEXT PRIMARY KEY,
  owner    TEXT NOT NULL,
  job      TEXT NOT NULL,
  tool     TEXT NOT NULL,
  control  TEXT NOT NULL,
  until    TEXT NOT NULL,
  max      INTEGER NOT NULL,
  uses     INTEGER NOT NULL,
  by_whom  TEXT NOT NULL,
  question TEXT NOT NULL REFERENCES questions (id),
  revoked  TEXT,
  added    TEXT NOT NULL
);
CREATE INDEX grants_job ON grants (job);

-- What people want of a run: that it stops, or goes on. The run may yet have to begin.
CREATE TABLE notes (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  run     TEXT NOT NULL,
  wish    TEXT NOT NULL, -- stop, resume
  press   TEXT NOT NULL, -- of a resume: what makes it one
  by_whom TEXT NOT NULL,
  at      TEXT NOT NULL
);
CREATE INDEX notes_run ON notes (run, seq);
CREATE UNIQUE INDEX notes_press ON notes (run, press) WHERE wish = 'resume';

-- What became of a post that a run or a question waits to hear of.
CREATE TABLE receipts (
  seq      INTEGER PRIMARY KEY AUTOINCREMENT,
  post     TEXT NOT NULL UNIQUE,
  run      TEXT NOT NULL,
  question TEXT NOT NULL,
  ref      TEXT NOT NULL,
  link     TEXT NOT NULL,
  failed   TEXT NOT NULL,
  at       TEXT NOT NULL
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
  body     BLOB,
  recipe   TEXT NOT NULL,
  meta     BLOB,
  run      TEXT NOT NULL,
  call     TEXT NOT NULL,
  added    TEXT NOT NULL
);
CREATE INDEX artifacts_run ON artifacts (run);

CREATE TABLE artifact_files (
  artifact TEXT NOT NULL REFERENCES artifacts (id),
  n        INTEGER NOT NULL,
  file     TEXT NOT NULL REFERENCES artifacts (id),
  PRIMARY KEY (artifact, n)
) WITHOUT ROWID;

CREATE TABLE jobs (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT NOT NULL UNIQUE,
  owner   TEXT NOT NULL,
  origin  TEXT NOT NULL,
  dest    TEXT NOT NULL,
  state   TEXT NOT NULL,
  version INTEGER NOT NULL,
  created TEXT NOT NULL,
  since   TEXT NOT NULL,
  body    TEXT NOT NULL
);

CREATE TABLE slots (
  key         TEXT PRIMARY KEY, -- job@nominal@zone
  job         TEXT NOT NULL,
  nominal     TEXT NOT NULL,
  zone        TEXT NOT NULL,
  at          TEXT NOT NULL,
  period_from TEXT,
  period_to   TEXT,
  state       TEXT NOT NULL,
  reason      TEXT NOT NULL,
  run         TEXT NOT NULL,
  link        TEXT NOT NULL,
  fired       INTEGER NOT NULL,
  claimed     TEXT NOT NULL,
  ended       TEXT
);
CREATE INDEX slots_job ON slots (job, at DESC);
CREATE INDEX slots_run ON slots (run) WHERE run <> '';
CREATE INDEX slots_unfired ON slots (at) WHERE state = 'claimed' AND fired = 0;

CREATE TABLE facts (
  seq           INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL UNIQUE,
  subject       TEXT NOT NULL,
  predicate     TEXT NOT NULL,
  object        TEXT NOT NULL,
  text          TEXT NOT NULL,
  kind          TEXT NOT NULL,
  confidence    REAL NOT NULL,
  source        TEXT NOT NULL,
  link          TEXT NOT NULL,
  place         TEXT NOT NULL,
  by_whom       TEXT NOT NULL,
  said          TEXT NOT NULL,
  event         TEXT,
  audience_kind TEXT NOT NULL,
  audience      TEXT NOT NULL,
  status        TEXT NOT NULL,
  replaced_by   TEXT NOT NULL,
  closed        TEXT
);
CREATE INDEX facts_subject  ON facts (subject, predicate);
CREATE INDEX facts_audience ON facts (audience, audience_kind, said DESC);
-- rowid is facts.seq; what stands in it is words.go's.
CREATE VIRTUAL TABLE fact_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'unicode61');

CREATE TABLE conflicts (
  id       TEXT PRIMARY KEY,
  old_fact TEXT NOT NULL REFERENCES facts (id),
  new_fact TEXT NOT NULL REFERENCES facts (id),
  settled  TEXT NOT NULL,
  by_whom  TEXT NOT NULL,
  opened   TEXT NOT NULL,
  at       TEXT
);
CREATE INDEX conflicts_old ON conflicts (old_fact);
CREATE INDEX conflicts_new ON conflicts (new_fact);

CREATE TABLE episodes (
  seq           INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL UNIQUE,
  at            TEXT NOT NULL,
  who           TEXT NOT NULL,
  place         TEXT NOT NULL,
  text          TEXT NOT NULL,
  link          TEXT NOT NULL,
  audience_kind TEXT NOT NULL,
  audience      TEXT NOT NULL
);
CREATE INDEX episodes_audience ON episodes (audience, audience_kind, at DESC);
CREATE VIRTUAL TABLE episode_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'unicode61');

-- Only ever added to. hash is over prev and all the rest, so a changed row shows.
CREATE TABLE audit (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  at      TEXT NOT NULL,
  who     TEXT NOT NULL,
  what    TEXT NOT NULL,
  subject TEXT NOT NULL,
  under   TEXT NOT NULL,
  detail  TEXT NOT NULL,
  prev    TEXT NOT NULL,
  hash    TEXT NOT NULL
);
