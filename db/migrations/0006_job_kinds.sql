-- A job is an envelope around an order of a kind. What a kind needs in a row, its own CHECKs ask for; what a kind has no use
-- for is null. A new kind comes with its name in `kind_known` and with CHECKs of its own.
ALTER TABLE job
    ADD COLUMN kind text NOT NULL DEFAULT 'migration',
    -- Whether the job has its realm to itself: nothing else changes the realm while it is queued or running.
    ADD COLUMN exclusive boolean NOT NULL DEFAULT true,
    -- The job that made this one. What was done is told even where who asked for it is gone.
    ADD COLUMN parent_id uuid REFERENCES job ON DELETE SET NULL,
    ALTER COLUMN realm_id DROP NOT NULL,
    ALTER COLUMN realm_name DROP NOT NULL,
    ALTER COLUMN source_id DROP NOT NULL,
    ALTER COLUMN to_version DROP NOT NULL,
    ALTER COLUMN dry_run DROP NOT NULL,
    DROP CONSTRAINT result_when_succeeded,
    ADD CONSTRAINT kind_known CHECK (kind IN ('migration')),
    ADD CONSTRAINT realm_whole CHECK ((realm_id IS NULL) = (realm_name IS NULL)),
    ADD CONSTRAINT exclusive_in_realm CHECK (NOT exclusive OR realm_id IS NOT NULL),
    ADD CONSTRAINT result_of_success CHECK (result_id IS NULL OR state = 'succeeded'),
    ADD CONSTRAINT migration_whole CHECK (
        kind <> 'migration'
        OR exclusive AND realm_id IS NOT NULL AND source_id IS NOT NULL AND to_version IS NOT NULL AND dry_run IS NOT NULL),
    ADD CONSTRAINT migration_result CHECK (
        kind <> 'migration' OR (result_id IS NOT NULL) = (state = 'succeeded' AND NOT dry_run));

-- The defaults were for the jobs that are there: whoever makes one says what it is.
ALTER TABLE job ALTER COLUMN kind DROP DEFAULT, ALTER COLUMN exclusive DROP DEFAULT;

DROP INDEX job_active;
CREATE UNIQUE INDEX job_exclusive ON job (app_id, realm_id) WHERE state IN ('queued', 'running') AND exclusive;
CREATE INDEX job_of_parent ON job (parent_id) WHERE parent_id IS NOT NULL;
