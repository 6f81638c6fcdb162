-- What was written by the program itself: a seal under a key of the audit. Rows of before
-- get theirs once, at the first start.
ALTER TABLE inbox ADD COLUMN mac TEXT NOT NULL DEFAULT '';
ALTER TABLE outbox ADD COLUMN mac TEXT NOT NULL DEFAULT '';
ALTER TABLE artifacts ADD COLUMN mac TEXT NOT NULL DEFAULT '';
-- Why a finding of verify was dealt with, beside the row of the audit that says so.
CREATE TABLE acknowledged (
  seq     BIGSERIAL PRIMARY KEY,
  subject TEXT NOT NULL,
  digest  TEXT NOT NULL, -- of what was found
  reason  TEXT NOT NULL,
  at      TIMESTAMPTZ NOT NULL
);
