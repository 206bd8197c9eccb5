-- What a realm has that its clients share. `unsynced_count` is the current snapshot's, set with `current_id`.
ALTER TABLE realm
    ADD COLUMN development_mode boolean NOT NULL DEFAULT false,
    ADD COLUMN is_terminated boolean NOT NULL DEFAULT false,
    ADD COLUMN unsynced_count bigint NOT NULL DEFAULT 0 CHECK (unsynced_count >= 0),
    ADD CONSTRAINT sync_of_synced CHECK (
        kind = 'synced' OR NOT development_mode AND NOT is_terminated AND unsynced_count = 0);

-- Additions to the schema of a synced realm are made beside the changes of its clients, which they keep from nothing.
ALTER TABLE job
    DROP CONSTRAINT migration_whole,
    ADD CONSTRAINT migration_whole CHECK (
        kind <> 'migration'
        OR realm_id IS NOT NULL AND source_id IS NOT NULL AND to_version IS NOT NULL AND dry_run IS NOT NULL);
