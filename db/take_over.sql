-- Takes a database of the version before, with all of its 37 changes, over to the shape of db/baseline. The files there say what the tables
-- hold; this one says only how the rows get there.

ALTER TABLE app RENAME CONSTRAINT app_check TO export_whole;
ALTER TABLE app RENAME CONSTRAINT app_check1 TO export_version_of_format;
ALTER TABLE upload RENAME CONSTRAINT upload_check TO received_in_length;

-- Jobs that do nothing were the benchmark's own, and this program knows none.
DELETE FROM job WHERE kind = 'no_op';

-- The law of jobs becomes constraints; all rows keep to it, as the trigger saw to that.
DROP TRIGGER job_law ON job;
DROP FUNCTION job_law;
ALTER TABLE job ADD CONSTRAINT job_of_app UNIQUE (app_id, job_id);
DROP INDEX job_of_fleet;

-- The orders move to the tables of their kinds.
CREATE TABLE migration_job (
    app_id uuid NOT NULL,
    job_id uuid NOT NULL,
    source_id uuid NOT NULL,
    from_version numeric(20, 0),
    to_version numeric(20, 0) NOT NULL CHECK (to_version BETWEEN 0 AND 18446744073709551614),
    request json NOT NULL,
    schema bytea,
    migration json,
    plan json,
    result_id uuid,
    PRIMARY KEY (app_id, job_id),
    FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE
);
CREATE INDEX migration_job_of_source ON migration_job (source_id);

CREATE TABLE backfill_job (
    app_id uuid NOT NULL,
    job_id uuid NOT NULL,
    request json NOT NULL,
    function json,
    PRIMARY KEY (app_id, job_id),
    FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE
);

CREATE TABLE partner_backfill_job (
    app_id uuid NOT NULL,
    job_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    PRIMARY KEY (app_id, job_id),
    FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE
);

CREATE TABLE rehearsal_job (
    app_id uuid NOT NULL,
    job_id uuid NOT NULL,
    to_version numeric(20, 0) NOT NULL CHECK (to_version BETWEEN 0 AND 18446744073709551614),
    request json NOT NULL,
    PRIMARY KEY (app_id, job_id),
    FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE
);

INSERT INTO migration_job (app_id, job_id, source_id, from_version, to_version, request, schema, migration, plan, result_id)
SELECT app_id, job_id, source_id, from_version, to_version, request, schema, migration, plan, result_id
FROM job WHERE kind = 'migration';
INSERT INTO backfill_job (app_id, job_id, request, function)
SELECT app_id, job_id, request, migration FROM job WHERE kind = 'backfill';
INSERT INTO partner_backfill_job (app_id, job_id, partner_id)
SELECT app_id, job_id, (request ->> 'partner')::uuid FROM job WHERE kind = 'partner_backfill';
INSERT INTO rehearsal_job (app_id, job_id, to_version, request)
SELECT app_id, job_id, to_version, request FROM job WHERE kind = 'rehearsal';

-- `dry_run` is in the request of a migration as well, and nobody has read `attempt_limit` for long.
ALTER TABLE job
    DROP COLUMN source_id, DROP COLUMN result_id, DROP COLUMN from_version, DROP COLUMN to_version, DROP COLUMN request,
    DROP COLUMN schema, DROP COLUMN migration, DROP COLUMN plan, DROP COLUMN dry_run, DROP COLUMN attempt_limit,
    ADD CONSTRAINT state_whole CHECK (
        state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')
        AND (lease_token IS NOT NULL) = (state = 'running') AND (lease_until IS NOT NULL) = (state = 'running')
        AND (finished_at IS NULL) = (state IN ('queued', 'running')) AND (problem IS NOT NULL) = (state = 'failed')
        AND (state = 'running' OR NOT cancel_requested)),
    ADD CONSTRAINT kind_whole CHECK (
        kind IN ('migration', 'backfill', 'partner_backfill', 'fleet', 'rehearsal')
        AND (realm_id IS NOT NULL) = (kind IN ('migration', 'backfill', 'partner_backfill'))
        AND (realm_name IS NOT NULL) = (realm_id IS NOT NULL)
        AND (fleet_id IS NOT NULL) = (kind = 'fleet') AND (kind = 'migration' OR NOT exclusive)),
    ADD CONSTRAINT numbers_whole CHECK (
        attempt >= 0 AND (started_at IS NOT NULL) = (attempt > 0) AND host_losses BETWEEN 0 AND losses
        AND log_count >= 0 AND priority BETWEEN -1 AND 1);
CREATE INDEX job_of_fleet ON job (app_id, fleet_id) WHERE fleet_id IS NOT NULL AND state IN ('queued', 'running');
