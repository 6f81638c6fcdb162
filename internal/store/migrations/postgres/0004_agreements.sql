-- Who has agreed to a question that several must agree to.
CREATE TABLE agreements (
  question text NOT NULL,
  person   text NOT NULL,
  choice   text NOT NULL,
  seq      integer NOT NULL,
  at       timestamptz NOT NULL,
  body     text NOT NULL,
  PRIMARY KEY (question, person, choice)
);
