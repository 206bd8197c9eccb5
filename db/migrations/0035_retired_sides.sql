-- The side of a partner that has left the schema, as it was declared: clients that know it may have changes that they had not
-- sent. Null while both are there, and of partners that came to their end before this column.
ALTER TABLE partner ADD COLUMN retired bytea;
-- When it left: what left later was still there then.
ALTER TABLE partner ADD COLUMN ended_at timestamptz;
