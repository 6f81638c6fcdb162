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
ALTER TABLE grants ADD COLUMN over TIMESTAMPTZ;

-- Nothing is changed or taken out. The key of the table keeps one row from the place
-- of another.
CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit is only added to';
END $$;
CREATE TRIGGER audit_unchanged BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_undeleted BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
