-- What the service keeps. `app_id` leads every primary key but those of small tables and of `job`, so that a
-- distributed PostgreSQL can spread the rows by app; `job` stays in one place, because workers claim from it with
-- FOR UPDATE SKIP LOCKED, and therefore refers to nothing by foreign key.

CREATE TABLE app (
    app_id uuid PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT app_name UNIQUE (name),
    CONSTRAINT app_name_form CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$')
);

CREATE TABLE api_key (
    api_key_id uuid PRIMARY KEY,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    -- SHA-256 of the secret, which has 256 random bits: nothing slower is needed.
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT api_key_hash UNIQUE (hash)
);

-- Schema versions of Realm have 64 bits without a sign.
CREATE TABLE schema_version (
    app_id uuid NOT NULL REFERENCES app ON DELETE CASCADE,
    version numeric(20, 0) NOT NULL CHECK (version BETWEEN 0 AND 18446744073709551614),
    schema bytea NOT NULL,
    -- `json` rather than `jsonb`: a script may hold U+0000, and its text is to come back as it was.
    migration json,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, version)
);

CREATE TABLE realm (
    app_id uuid NOT NULL REFERENCES app ON DELETE CASCADE,
    realm_id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    kind text NOT NULL CHECK (kind IN ('local', 'synced')),
    current_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, realm_id),
    CONSTRAINT realm_name UNIQUE (app_id, name),
    CONSTRAINT realm_name_form CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$')
);

-- Immutable. The manifest names columns and segments; the arrays name the same ones for maintenance.
CREATE TABLE snapshot (
    app_id uuid NOT NULL,
    snapshot_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    schema_version numeric(20, 0) CHECK (schema_version BETWEEN 0 AND 18446744073709551614),
    parent_id uuid,
    created_by text NOT NULL CHECK (created_by IN ('upload', 'changes', 'migration')),
    job_id uuid,
    manifest bytea NOT NULL,
    object_counts json NOT NULL,
    stored_bytes bigint NOT NULL CHECK (stored_bytes >= 0),
    column_batches uuid[] NOT NULL,
    column_ordinals integer[] NOT NULL,
    segment_batches uuid[] NOT NULL,
    segment_ordinals integer[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (app_id, snapshot_id),
    FOREIGN KEY (app_id, realm_id) REFERENCES realm ON DELETE CASCADE,
    CONSTRAINT columns_named CHECK (cardinality(column_batches) = cardinality(column_ordinals)),
    CONSTRAINT segments_named CHECK (cardinality(segment_batches) = cardinality(segment_ordinals)),
    CONSTRAINT job_when_migrated CHECK ((job_id IS NOT NULL) = (created_by = 'migration'))
);
ALTER TABLE snapshot ALTER COLUMN manifest SET STORAGE EXTENDED;
CREATE INDEX snapshot_of_realm ON snapshot (app_id, realm_id, created_at DESC, snapshot_id DESC);
CREATE INDEX snapshot_by_id ON snapshot (snapshot_id);

ALTER TABLE realm ADD CONSTRAINT realm_current
    FOREIGN KEY (app_id, current_id) REFERENCES snapshot (app_id, snapshot_id);

-- What one upload or one attempt of a job writes. No foreign key to realm: batches outlive it until maintenance comes.
CREATE TABLE segment_batch (
    app_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    owner text NOT NULL CHECK (owner IN ('upload', 'attempt')),
    -- staged: being written. committed: a snapshot names something of it. removing: on its way out.
    state text NOT NULL DEFAULT 'staged' CHECK (state IN ('staged', 'committed', 'removing')),
    -- The last sign of life of an upload.
    touched_at timestamptz NOT NULL DEFAULT now(),
    -- Since when it may hold segments that no snapshot names; null where maintenance has been through.
    garbage_since timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, batch_id)
);
CREATE INDEX segment_batch_of_realm ON segment_batch (app_id, realm_id);
CREATE INDEX segment_batch_staged ON segment_batch (touched_at) WHERE state <> 'committed';
CREATE INDEX segment_batch_garbage ON segment_batch (garbage_since) WHERE garbage_since IS NOT NULL;

CREATE TABLE segment (
    app_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    ordinal integer NOT NULL CHECK (ordinal >= 0),
    bytes bytea NOT NULL,
    PRIMARY KEY (app_id, batch_id, ordinal),
    FOREIGN KEY (app_id, batch_id) REFERENCES segment_batch ON DELETE CASCADE
);
-- Segments are compressed already.
ALTER TABLE segment ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Columns: ordered lists of segments. "column" is a reserved word.
CREATE TABLE segment_column (
    app_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    ordinal integer NOT NULL CHECK (ordinal >= 0),
    segments bytea NOT NULL,
    stored_bytes bigint NOT NULL CHECK (stored_bytes >= 0),
    segment_batches uuid[] NOT NULL,
    segment_ordinals integer[] NOT NULL,
    PRIMARY KEY (app_id, batch_id, ordinal),
    FOREIGN KEY (app_id, batch_id) REFERENCES segment_batch ON DELETE CASCADE,
    CONSTRAINT segments_named CHECK (cardinality(segment_batches) = cardinality(segment_ordinals))
);

-- Long readers of a realm's segments; maintenance waits for them.
CREATE TABLE segment_reader (
    app_id uuid NOT NULL,
    reader_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    until timestamptz NOT NULL,
    PRIMARY KEY (app_id, reader_id)
);
CREATE INDEX segment_reader_of_realm ON segment_reader (app_id, realm_id);

CREATE TABLE job (
    job_id uuid PRIMARY KEY,
    app_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    app_name text COLLATE "C" NOT NULL,
    realm_name text COLLATE "C" NOT NULL,
    source_id uuid NOT NULL,
    result_id uuid,
    from_version numeric(20, 0),
    to_version numeric(20, 0) NOT NULL CHECK (to_version BETWEEN 0 AND 18446744073709551614),
    request json NOT NULL,
    schema bytea,
    dry_run boolean NOT NULL,
    state text NOT NULL DEFAULT 'queued',
    attempt smallint NOT NULL DEFAULT 0,
    -- Attempts after which a job that keeps losing its workers is given up; grows with retries and hand-backs.
    attempt_limit smallint NOT NULL,
    run_at timestamptz NOT NULL DEFAULT now(),
    -- The fencing token of the attempt that runs, and the name of the batch that it writes.
    lease_token uuid,
    lease_until timestamptz,
    cancel_requested boolean NOT NULL DEFAULT false,
    progress json,
    problem json,
    -- Lines of the log so far, those that were left out included.
    log_count integer NOT NULL DEFAULT 0 CHECK (log_count >= 0),
    revision bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at timestamptz,
    finished_at timestamptz,
    CONSTRAINT state_known CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    CONSTRAINT attempt_in_range CHECK (attempt BETWEEN 0 AND attempt_limit),
    CONSTRAINT lease_while_running CHECK (
        (lease_token IS NOT NULL) = (state = 'running') AND (lease_until IS NOT NULL) = (state = 'running')),
    CONSTRAINT result_when_succeeded CHECK ((result_id IS NOT NULL) = (state = 'succeeded' AND NOT dry_run)),
    CONSTRAINT problem_when_failed CHECK ((problem IS NOT NULL) = (state = 'failed')),
    CONSTRAINT started_with_attempt CHECK ((started_at IS NOT NULL) = (attempt > 0)),
    CONSTRAINT finished_when_over CHECK (
        (finished_at IS NOT NULL) = (state IN ('succeeded', 'failed', 'cancelled'))),
    CONSTRAINT cancel_while_running CHECK (NOT cancel_requested OR state = 'running')
)
-- Heartbeats and progress write no indexed column: with room in the page they leave the indexes alone.
WITH (fillfactor = 70);
CREATE UNIQUE INDEX job_active ON job (app_id, realm_id) WHERE state IN ('queued', 'running');
CREATE INDEX job_claim ON job (run_at, job_id) WHERE state IN ('queued', 'running');
CREATE INDEX job_newest ON job (created_at DESC, job_id DESC);
CREATE INDEX job_of_realm ON job (app_name, realm_name, created_at DESC, job_id DESC);

CREATE TABLE job_log (
    job_id uuid NOT NULL REFERENCES job ON DELETE CASCADE,
    ordinal integer NOT NULL CHECK (ordinal > 0),
    attempt smallint NOT NULL,
    line text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (job_id, ordinal)
);

-- Which process does the chores; whoever takes an expired row over is the next.
CREATE TABLE chore (
    name text PRIMARY KEY,
    held_until timestamptz NOT NULL
);
INSERT INTO chore (name, held_until) VALUES ('sweep', now());
