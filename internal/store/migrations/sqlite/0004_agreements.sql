-- Who has agreed to a question that several must agree to.
CREATE TABLE agreements (
  question TEXT NOT NULL,
  person   TEXT NOT NULL,
  choice   TEXT NOT NULL,
  seq      INTEGER NOT NULL,
  at       TEXT NOT NULL,
  body     TEXT NOT NULL,
  PRIMARY KEY (question, person, choice)
) WITHOUT ROWID;
