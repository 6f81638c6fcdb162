-- Rows of the audit that say where, with which tool, under which arguments and how it
-- ended, each under a key. Those of before are of version 1; what they say stands.

ALTER TABLE audit ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE audit ADD COLUMN key_id  TEXT NOT NULL DEFAULT ''; -- of the key that hash is made with
ALTER TABLE audit ADD COLUMN part_of TEXT NOT NULL DEFAULT ''; -- the run, or the job
ALTER TABLE audit ADD COLUMN place   TEXT NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN tool    TEXT NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN digest  TEXT NOT NULL DEFAULT ''; -- of the arguments, the artifact, the configuration
ALTER TABLE audit ADD COLUMN outcome TEXT NOT NULL DEFAULT '';
CREATE INDEX audit_subject ON audit (subject, seq);
CREATE INDEX audit_at      ON audit (at);

-- When it was noted that a grant is over.
ALTER TABLE grants ADD COLUMN over TEXT;

-- Nothing is changed or taken out, and nothing is put in the place of another row.
CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is only added to'); END;
CREATE TRIGGER audit_undeleted BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is only added to'); END;
CREATE TRIGGER audit_unplaced  BEFORE INSERT ON audit WHEN NEW.seq <= (SELECT MAX(seq) FROM audit) AND NEW.seq >= 0
BEGIN SELECT RAISE(ABORT, 'the audit is only added to'); END;
