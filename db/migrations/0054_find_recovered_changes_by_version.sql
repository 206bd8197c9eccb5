-- A schema version stays what it is as long as a recovery keeps changes of clients that have it.
CREATE INDEX recovery_batch_of_version ON recovery_batch (app_id, schema_version);
