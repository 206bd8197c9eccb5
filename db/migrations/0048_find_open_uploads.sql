-- Whoever begins an upload asks how much others have announced: uploads that are done are remembered for a day, and are many.
CREATE INDEX upload_open ON upload (app_id) WHERE snapshot_id IS NULL;
