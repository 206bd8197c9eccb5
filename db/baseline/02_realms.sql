-- Realms, and the snapshots that are their history.

-- A realm of an app. The first upload makes it, or a request does (PUT …/realms/{realm}). Whoever changes a realm locks its row first, and
-- rows of `job` after it.
CREATE TABLE realm (
    app_id uuid NOT NULL REFERENCES app ON DELETE CASCADE,
    realm_id uuid NOT NULL,
    -- A name may be an e-mail address or an id of an identity provider, such as `auth0|5f7c`.
    name text COLLATE "C" NOT NULL,
    -- One device owns a local realm. Clients share a synced one, and change it by batches.
    kind text NOT NULL CHECK (kind IN ('local', 'synced')),
    -- Names and values that clients give realms, to select them by.
    labels jsonb NOT NULL DEFAULT '{}',
    -- The snapshot that the realm is now; null before its first one.
    current_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),

    -- The following columns belong to synced realms.
    -- Whether clients may add to the schema by themselves.
    development_mode boolean NOT NULL DEFAULT false,
    -- Whether sync is terminated: clients neither read nor write then.
    is_terminated boolean NOT NULL DEFAULT false,
    -- Objects of the current snapshot that lack a required value, and are therefore not shown to clients.
    unsynced_count bigint NOT NULL DEFAULT 0 CHECK (unsynced_count >= 0),
    -- The newest row of `recovery`; null where no schema has been replaced.
    recovery_id uuid,
    -- The classes and properties that have left the schema because a partner stands in for them; clients that use them start over.
    retired bytea,

    -- A batch of changes is stored as a patch beside the row groups of the snapshot. Maintenance folds patches into row groups, the realm
    -- with the most patched rows first. Counts the rows in the patches of the class that has the most.
    patched_rows bigint NOT NULL DEFAULT 0 CHECK (patched_rows >= 0),
    -- Grows whenever maintenance stores the current snapshot in another way. Whoever made changes from the one before begins again.
    representation integer NOT NULL DEFAULT 0 CHECK (representation >= 0),
    -- The process that folds the realm has it until then; others pass it over.
    folding_until timestamptz NOT NULL DEFAULT '-infinity',

    PRIMARY KEY (app_id, realm_id),
    CONSTRAINT realm_name UNIQUE (app_id, name),
    CONSTRAINT realm_name_form CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._@|:+=-]{0,127}$'),
    CONSTRAINT sync_of_synced CHECK (
        kind = 'synced' OR NOT development_mode AND NOT is_terminated AND unsynced_count = 0)
);
CREATE INDEX realm_patched ON realm (patched_rows DESC) WHERE patched_rows > 0;

-- A snapshot is a realm at one moment. An upload, a batch of changes or a job makes it, and makes it the realm's current one in the same
-- transaction. Its contents never change. Snapshots of a realm share segments, so that a small change costs a small snapshot.
CREATE TABLE snapshot (
    app_id uuid NOT NULL,
    snapshot_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    -- Null where nobody ever gave the realm a version.
    schema_version numeric(20, 0) CHECK (schema_version BETWEEN 0 AND 18446744073709551614),
    -- The snapshot that was current when this one was made; it may have been removed since. Null for the first one.
    parent_id uuid,
    created_by text NOT NULL CHECK (created_by IN ('upload', 'changes', 'migration')),
    -- The job that made it; the job may have been removed since.
    job_id uuid,
    -- The classes, and the columns and segments in which they are stored.
    manifest bytea NOT NULL,
    -- An array of class names with their numbers of objects, in the order of the schema.
    object_counts json NOT NULL,
    -- Bytes of all segments and columns that it names, also of those that it shares.
    stored_bytes bigint NOT NULL CHECK (stored_bytes >= 0),
    -- The columns and segments that the manifest names, as pairs of a batch and a number in it. Maintenance reads them here.
    column_batches uuid[] NOT NULL,
    column_ordinals integer[] NOT NULL,
    segment_batches uuid[] NOT NULL,
    segment_ordinals integer[] NOT NULL,
    -- The objects that differ from the parent. Null where that is unknown, as for uploads: a client that follows then reads everything.
    delta bytea,
    -- A rehearsal leaves its result as a preview, which is never current and is removed after this time unless it is promoted. Null for
    -- every other snapshot.
    preview_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),

    PRIMARY KEY (app_id, snapshot_id),
    FOREIGN KEY (app_id, realm_id) REFERENCES realm ON DELETE CASCADE,
    CONSTRAINT columns_named CHECK (cardinality(column_batches) = cardinality(column_ordinals)),
    CONSTRAINT segments_named CHECK (cardinality(segment_batches) = cardinality(segment_ordinals)),
    CONSTRAINT job_when_migrated CHECK ((job_id IS NOT NULL) = (created_by = 'migration'))
);
-- A path of the API names a snapshot by its id alone. Three statements find it by that (`find` and `open` of a snapshot where the app is
-- not known, and the place of one for a token); all others name the app.
CREATE UNIQUE INDEX snapshot_by_id ON snapshot (snapshot_id);
-- The app does not lead the next two, and no key needs it to. A connection plans a statement once, possibly while the tables are empty. For
-- one snapshot of an app, a second index that begins with the app would look as good then as the key, and read all snapshots of the app
-- later.
CREATE INDEX snapshot_of_realm ON snapshot (realm_id, created_at DESC, snapshot_id DESC);
CREATE INDEX snapshot_at_version ON snapshot (schema_version, app_id);
CREATE INDEX snapshot_previews ON snapshot (preview_until) WHERE preview_until IS NOT NULL;

ALTER TABLE realm ADD CONSTRAINT realm_current
    FOREIGN KEY (app_id, current_id) REFERENCES snapshot (app_id, snapshot_id);
