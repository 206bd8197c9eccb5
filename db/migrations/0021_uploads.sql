-- Uploads in parts (tus), which any process goes on with. What has come is in rows: it outlives processes and their machines.
CREATE TABLE upload (
    app_id uuid NOT NULL REFERENCES app ON DELETE CASCADE,
    upload_id uuid NOT NULL,
    realm_name text COLLATE "C" NOT NULL,
    length bigint NOT NULL CHECK (length > 0),
    received bigint NOT NULL DEFAULT 0 CHECK (received BETWEEN 0 AND length),
    media_type text NOT NULL,
    -- What the client said of it, as it said that.
    metadata text NOT NULL,
    -- What came of it, for clients that ask again; the parts are gone by then.
    snapshot_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, upload_id),
    CONSTRAINT whole_when_done CHECK (snapshot_id IS NULL OR received = length)
);
CREATE UNIQUE INDEX upload_by_id ON upload (upload_id);
CREATE INDEX upload_by_expiry ON upload (expires_at);

CREATE TABLE upload_part (
    app_id uuid NOT NULL,
    upload_id uuid NOT NULL,
    start bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (app_id, upload_id, start),
    FOREIGN KEY (app_id, upload_id) REFERENCES upload ON DELETE CASCADE
);
-- What is uploaded compresses badly, or is read once.
ALTER TABLE upload_part ALTER COLUMN bytes SET STORAGE EXTERNAL;
