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

-- The app leads the keys of what attempts leave.
DROP FUNCTION job_attempts(uuid);
CREATE FUNCTION job_attempts(app uuid, id uuid) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT json_agg(json_build_object('attempt', attempt, 'startedAt', (extract(epoch FROM started_at) * 1000000)::bigint,
        'endedAt', (extract(epoch FROM ended_at) * 1000000)::bigint, 'problem', problem) ORDER BY attempt)
    FROM (SELECT a.* FROM job_attempt a WHERE a.app_id = app AND a.job_id = id ORDER BY a.attempt DESC LIMIT 20) AS newest
$$;

ALTER TABLE job_log ADD COLUMN app_id uuid;
UPDATE job_log o SET app_id = j.app_id FROM job j WHERE j.job_id = o.job_id;
ALTER TABLE job_log
    ALTER COLUMN app_id SET NOT NULL,
    DROP CONSTRAINT job_log_pkey,
    DROP CONSTRAINT job_log_job_id_fkey,
    ADD PRIMARY KEY (app_id, job_id, ordinal),
    ADD FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE;

ALTER TABLE job_attempt ADD COLUMN app_id uuid;
UPDATE job_attempt o SET app_id = j.app_id FROM job j WHERE j.job_id = o.job_id;
ALTER TABLE job_attempt
    ALTER COLUMN app_id SET NOT NULL,
    DROP CONSTRAINT job_attempt_pkey,
    DROP CONSTRAINT job_attempt_job_id_fkey,
    ADD PRIMARY KEY (app_id, job_id, attempt),
    ADD FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE;

ALTER TABLE job_report ADD COLUMN app_id uuid;
UPDATE job_report o SET app_id = j.app_id FROM job j WHERE j.job_id = o.job_id;
ALTER TABLE job_report
    ALTER COLUMN app_id SET NOT NULL,
    DROP CONSTRAINT job_report_pkey,
    DROP CONSTRAINT job_report_job_id_fkey,
    ADD PRIMARY KEY (app_id, job_id),
    ADD FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE;

ALTER TABLE quarantined_object ADD COLUMN app_id uuid;
UPDATE quarantined_object o SET app_id = j.app_id FROM job j WHERE j.job_id = o.job_id;
ALTER TABLE quarantined_object
    ALTER COLUMN app_id SET NOT NULL,
    DROP CONSTRAINT quarantined_object_pkey,
    DROP CONSTRAINT quarantined_object_job_id_fkey,
    ADD PRIMARY KEY (app_id, job_id, ordinal),
    ADD FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE;

DROP INDEX snapshot_of_realm;
CREATE INDEX snapshot_of_realm ON snapshot (realm_id, created_at DESC, snapshot_id DESC);

DROP INDEX audit_of_app;
UPDATE audit_entry SET app_name = '' WHERE app_name IS NULL;
ALTER TABLE audit_entry
    ALTER COLUMN app_name SET NOT NULL,
    DROP CONSTRAINT audit_entry_pkey,
    ADD PRIMARY KEY (app_name, audit_entry_id);
CREATE INDEX audit_newest ON audit_entry (audit_entry_id DESC);
