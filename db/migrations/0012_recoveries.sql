-- Sync of a realm that was terminated and enabled with another schema: what its schema had before, so that clients of that
-- schema are told to start over, and the changes that they had not sent.
CREATE TABLE recovery (
    app_id uuid NOT NULL,
    recovery_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    -- The last snapshot of the old schema, for as long as nobody deletes it.
    snapshot_id uuid NOT NULL,
    -- All classes and properties that the realm's schema ever had up to then.
    schema bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (app_id, recovery_id),
    FOREIGN KEY (app_id, realm_id) REFERENCES realm ON DELETE CASCADE
);
CREATE INDEX recovery_of_realm ON recovery (app_id, realm_id);

-- The changes as they came: what can't be done is not lost.
CREATE TABLE recovery_batch (
    app_id uuid NOT NULL,
    recovery_id uuid NOT NULL,
    ordinal integer NOT NULL CHECK (ordinal > 0),
    schema_version numeric(20, 0) NOT NULL CHECK (schema_version BETWEEN 0 AND 18446744073709551614),
    changes bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    replayed_at timestamptz,
    PRIMARY KEY (app_id, recovery_id, ordinal),
    FOREIGN KEY (app_id, recovery_id) REFERENCES recovery ON DELETE CASCADE
);

-- The newest recovery; null where sync was never enabled anew.
ALTER TABLE realm ADD COLUMN recovery_id uuid;
