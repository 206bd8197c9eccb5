-- Uploads in parts (tus). Any process can continue one, because every part that has arrived is a row.

-- An upload. A client begins it; each part and each answer puts off its end. Maintenance removes it once it has expired.
CREATE TABLE upload (
    app_id uuid NOT NULL REFERENCES app ON DELETE CASCADE,
    upload_id uuid NOT NULL,
    realm_name text COLLATE "C" NOT NULL,
    -- Bytes that the client has announced, and that have arrived.
    length bigint NOT NULL CHECK (length > 0),
    received bigint NOT NULL DEFAULT 0,
    media_type text NOT NULL,
    -- The header Upload-Metadata as the client sent it.
    metadata text NOT NULL,
    -- The snapshot that the upload became, for a client that asks again. The parts are removed with it.
    snapshot_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, upload_id),
    CONSTRAINT received_in_length CHECK (received BETWEEN 0 AND length),
    CONSTRAINT whole_when_done CHECK (snapshot_id IS NULL OR received = length)
);
CREATE UNIQUE INDEX upload_by_id ON upload (upload_id);
CREATE INDEX upload_by_expiry ON upload (expires_at);

-- A part of an upload, one mebibyte at most.
CREATE TABLE upload_part (
    app_id uuid NOT NULL,
    upload_id uuid NOT NULL,
    -- The offset of its first byte in the upload.
    start bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (app_id, upload_id, start),
    FOREIGN KEY (app_id, upload_id) REFERENCES upload ON DELETE CASCADE
);
-- A part compresses badly, and is read once.
ALTER TABLE upload_part ALTER COLUMN bytes SET STORAGE EXTERNAL;
