-- What synced realms keep for clients of an earlier schema; their state is in `realm`.

-- A recovery begins when a schema is replaced: sync was terminated and enabled again with another one, or a side of a partner left. It
-- keeps the schema that was, so that the service knows its clients and tells them to start over.
CREATE TABLE recovery (
    app_id uuid NOT NULL,
    recovery_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    -- The last snapshot of the old schema. Retention keeps it; a request may remove it.
    snapshot_id uuid NOT NULL,
    -- All classes and properties that the realm's schema ever had up to then.
    schema bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (app_id, recovery_id),
    FOREIGN KEY (app_id, realm_id) REFERENCES realm ON DELETE CASCADE
);
CREATE INDEX recovery_of_realm ON recovery (app_id, realm_id);

-- A batch of changes that a client of the old schema had not sent in time. The client sends it, an operator has it replayed.
CREATE TABLE recovery_batch (
    app_id uuid NOT NULL,
    recovery_id uuid NOT NULL,
    -- Counts the batches of the recovery from 1.
    ordinal integer NOT NULL CHECK (ordinal > 0),
    -- The client's.
    schema_version numeric(20, 0) NOT NULL CHECK (schema_version BETWEEN 0 AND 18446744073709551614),
    -- The JSON that the client sent, byte by byte, so that nothing is lost that can't be replayed.
    changes bytea NOT NULL,
    -- Null until the batch was replayed.
    replayed_at timestamptz,
    -- A JSON list of the changes that the replay left out. Null until the batch was replayed, and for batches that a program replayed
    -- that did not keep the list.
    left_out bytea,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (app_id, recovery_id, ordinal),
    FOREIGN KEY (app_id, recovery_id) REFERENCES recovery ON DELETE CASCADE
);
