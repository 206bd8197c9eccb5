-- A job that gives a required property a value in every object of a synced realm that lacks one. It commits as clients do,
-- beside them, and has neither a source nor a result.
ALTER TABLE job
    DROP CONSTRAINT kind_known,
    ADD CONSTRAINT kind_known CHECK (kind IN ('migration', 'backfill')),
    ADD CONSTRAINT backfill_whole CHECK (
        kind <> 'backfill' OR NOT exclusive AND realm_id IS NOT NULL AND source_id IS NULL AND result_id IS NULL);
