-- What a snapshot has otherwise than its parent: which objects changed, for those who follow a synced realm and for batches
-- that are checked against an earlier snapshot. Null where that is not known, as of uploads: everything has to be looked at.
ALTER TABLE snapshot ADD COLUMN delta bytea;
