-- A declared version can be mended. `revision` counts what was ever declared under the number, and every revision stays, of a
-- version that was taken back, too: jobs name the one that they ran.
ALTER TABLE schema_version ADD COLUMN revision integer NOT NULL DEFAULT 1 CHECK (revision >= 1);

CREATE TABLE schema_version_revision (
    app_id uuid NOT NULL REFERENCES app ON DELETE CASCADE,
    version numeric(20, 0) NOT NULL CHECK (version BETWEEN 0 AND 18446744073709551614),
    revision integer NOT NULL CHECK (revision >= 1),
    schema bytea NOT NULL,
    migration json,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, version, revision)
);

INSERT INTO schema_version_revision (app_id, version, revision, schema, migration, created_at)
SELECT app_id, version, revision, schema, migration, created_at FROM schema_version;

-- Whether any realm has reached a version.
CREATE INDEX snapshot_at_version ON snapshot (app_id, schema_version);
