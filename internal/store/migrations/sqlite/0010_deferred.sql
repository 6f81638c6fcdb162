-- When a slot begins, by the policy of its job, and how often it was tried again.
ALTER TABLE slots ADD COLUMN due TEXT;
ALTER TABLE slots ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
DROP INDEX slots_unfired;
CREATE INDEX slots_unfired ON slots (at) WHERE state IN ('claimed', 'deferred') AND fired = 0;
CREATE INDEX slots_working ON slots (job) WHERE state = 'claimed';
