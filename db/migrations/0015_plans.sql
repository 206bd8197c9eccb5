-- A plan is made once a connection, also while the tables are empty, and must be right for full ones. Where an index begins with
-- the app, such a plan may find one snapshot by reading all of the app's: so the check of a reference to a snapshot did.
DROP INDEX snapshot_at_version;
CREATE INDEX snapshot_at_version ON snapshot (schema_version, app_id);

-- One id is one snapshot, and the planner may count on it.
DROP INDEX snapshot_by_id;
CREATE UNIQUE INDEX snapshot_by_id ON snapshot (snapshot_id);
