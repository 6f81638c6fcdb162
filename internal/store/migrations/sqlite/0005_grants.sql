-- What may be done without being asked for, beyond the slots of one job: from where it
-- must be asked for, what it is called, and when it was given.
ALTER TABLE grants ADD COLUMN home  TEXT NOT NULL DEFAULT '';
ALTER TABLE grants ADD COLUMN label TEXT NOT NULL DEFAULT '';
CREATE INDEX grants_owner ON grants (owner) WHERE revoked IS NULL;
