-- Segments: the bytes of snapshots.

-- A batch holds what one upload, one batch of changes or one attempt of a job writes. It refers to no realm by a foreign key: it outlives
-- the realm until maintenance removes it.
CREATE TABLE segment_batch (
    app_id uuid NOT NULL,
    -- For an attempt, the token of its lease.
    batch_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    -- Maintenance gives up a staged batch of an upload that has not been touched for a while, and one of an attempt without a lease.
    owner text NOT NULL CHECK (owner IN ('upload', 'attempt')),
    -- staged: its owner writes it. committed: a snapshot names some of it. removing: maintenance removes it.
    state text NOT NULL DEFAULT 'staged' CHECK (state IN ('staged', 'committed', 'removing')),
    -- The last sign of life of an upload.
    touched_at timestamptz NOT NULL DEFAULT now(),
    -- Since when it may hold segments that no snapshot names; null once maintenance has looked.
    garbage_since timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, batch_id)
);
CREATE INDEX segment_batch_of_realm ON segment_batch (app_id, realm_id);
CREATE INDEX segment_batch_staged ON segment_batch (touched_at) WHERE state <> 'committed';
CREATE INDEX segment_batch_garbage ON segment_batch (garbage_since) WHERE garbage_since IS NOT NULL;

-- A segment is a compressed piece of a column, of a patch or of a list of row groups. It never changes.
CREATE TABLE segment (
    app_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    ordinal integer NOT NULL CHECK (ordinal >= 0),
    -- Null where a store outside the database has the bytes.
    bytes bytea,
    -- The number of bytes, wherever they are.
    stored_bytes bigint NOT NULL,
    PRIMARY KEY (app_id, batch_id, ordinal),
    FOREIGN KEY (app_id, batch_id) REFERENCES segment_batch ON DELETE CASCADE,
    CONSTRAINT stored_bytes_of_row CHECK (stored_bytes >= 0 AND (bytes IS NULL OR octet_length(bytes) = stored_bytes))
);
-- Segments are compressed already.
ALTER TABLE segment ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- A column of a class: an ordered list of segments, one for each row group. ("column" is a reserved word.) It never changes; snapshots
-- share it.
CREATE TABLE segment_column (
    app_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    ordinal integer NOT NULL CHECK (ordinal >= 0),
    -- The list, encoded.
    segments bytea NOT NULL,
    -- Bytes of the list and of its segments.
    stored_bytes bigint NOT NULL CHECK (stored_bytes >= 0),
    -- The segments of the list once more, for maintenance.
    segment_batches uuid[] NOT NULL,
    segment_ordinals integer[] NOT NULL,
    PRIMARY KEY (app_id, batch_id, ordinal),
    FOREIGN KEY (app_id, batch_id) REFERENCES segment_batch ON DELETE CASCADE,
    CONSTRAINT segments_named CHECK (cardinality(segment_batches) = cardinality(segment_ordinals))
);

-- A page of the index of a column of primary keys: it finds rows by the hashes of their keys. The first look-up makes the index, or
-- folding does; it goes with its column. A snapshot is whole without it.
CREATE TABLE primary_key_page (
    app_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    ordinal integer NOT NULL,
    -- The rows of a column are indexed in runs of equal length.
    run integer NOT NULL CHECK (run >= 0),
    -- The smallest hash in the page.
    first_hash bigint NOT NULL CHECK (first_hash BETWEEN 0 AND 4294967295),
    -- Hashes in ascending order, and their rows.
    bytes bytea NOT NULL,
    PRIMARY KEY (app_id, batch_id, ordinal, run, first_hash),
    FOREIGN KEY (app_id, batch_id, ordinal) REFERENCES segment_column ON DELETE CASCADE
);
-- Hashes do not compress.
ALTER TABLE primary_key_page ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- A process that reads segments of a realm for long has a row here and renews it; maintenance leaves the realm's segments alone meanwhile.
CREATE TABLE segment_reader (
    app_id uuid NOT NULL,
    reader_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    until timestamptz NOT NULL,
    PRIMARY KEY (app_id, reader_id)
);
CREATE INDEX segment_reader_of_realm ON segment_reader (app_id, realm_id);
