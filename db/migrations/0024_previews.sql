-- What a rehearsal makes: readable, never a realm's current snapshot unless it is promoted, and removed after this time.
ALTER TABLE snapshot ADD COLUMN preview_until timestamptz;
CREATE INDEX snapshot_previews ON snapshot (preview_until) WHERE preview_until IS NOT NULL;

-- What a rehearsal found.
CREATE TABLE job_report (
    job_id uuid PRIMARY KEY REFERENCES job ON DELETE CASCADE,
    report json NOT NULL
);

-- A rehearsal has its preview as a result; those of older programs have none.
ALTER TABLE job
    DROP CONSTRAINT migration_result,
    ADD CONSTRAINT migration_result CHECK (
        kind <> 'migration' OR dry_run OR (result_id IS NOT NULL) = (state = 'succeeded'));
