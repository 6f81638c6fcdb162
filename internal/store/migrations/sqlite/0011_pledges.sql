-- What calls under way will probably cost is in the memory of the one process that may
-- have this file; where several may share a database there is a table of it.
SELECT 1;
