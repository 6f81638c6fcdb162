-- What a question asks, signed under a key of the audit when it is asked; empty of those
-- of before, which are asked anew.
ALTER TABLE questions ADD COLUMN mac TEXT NOT NULL DEFAULT '';
