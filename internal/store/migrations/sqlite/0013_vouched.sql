-- Rows that decide whose rights are used and which words are said are sealed as those of
-- inbox and outbox are. Rows of before get their seals once, at the first start.
ALTER TABLE jobs ADD COLUMN mac TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN mac TEXT NOT NULL DEFAULT '';  -- of what was asked, then of how far it is
ALTER TABLE steps ADD COLUMN mac TEXT NOT NULL DEFAULT ''; -- with that of the step before
ALTER TABLE reports ADD COLUMN mac TEXT NOT NULL DEFAULT '';
ALTER TABLE facts ADD COLUMN mac TEXT NOT NULL DEFAULT '';
