-- Jobs, and what their attempts leave. docs/jobs.md tells a job's life.

-- A job. A request makes it, or another job or a fleet does; a worker claims it, runs it and ends it. `job` refers to nothing but itself
-- by foreign key: workers claim from it with FOR UPDATE SKIP LOCKED, so that it stays in one place even where the other tables are parted.
CREATE TABLE job (
    job_id uuid PRIMARY KEY,
    kind text NOT NULL,
    app_id uuid NOT NULL,
    app_name text COLLATE "C" NOT NULL,
    -- Null where the kind belongs to no single realm.
    realm_id uuid,
    realm_name text COLLATE "C",
    -- Whether nothing else may change the realm while the job is queued or running.
    exclusive boolean NOT NULL,
    -- The job that made this one; null where none did, or where that one was removed.
    parent_id uuid REFERENCES job ON DELETE SET NULL,
    -- The fleet whose realms the job migrates.
    fleet_id uuid,
    -- The id of the HTTP request that asked for the job, as the log has it.
    request_id text,

    -- The order. Each kind says in Swift what it keeps in which of these columns.
    -- The snapshot that is migrated, and the one that the migration made.
    source_id uuid,
    result_id uuid,
    from_version numeric(20, 0),
    to_version numeric(20, 0),
    -- The options of the request. `json`, here and below: a script may hold U+0000, and its text is to come back as it was.
    request json NOT NULL,
    -- The schema and the script that the request brought along. They stand apart so that lists need not read them.
    schema bytea,
    migration json,
    -- The versions and revisions that the attempt runs.
    plan json,
    -- Whether everything is done but the commit.
    dry_run boolean,

    -- The queue.
    state text NOT NULL DEFAULT 'queued',
    -- -1 low, 0 normal, 1 high.
    priority smallint NOT NULL DEFAULT 0,
    -- Whether it was claimed before and came back, lost or handed back. Such jobs go before those that nobody has begun.
    returned boolean NOT NULL DEFAULT false,
    -- No worker claims it before.
    run_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Attempts so far, and of those that were lost since somebody queued the job: the pause before the next one grows with them.
    attempt integer NOT NULL DEFAULT 0,
    losses integer NOT NULL DEFAULT 0,
    -- Lost attempts whose script host died: the script may have killed it.
    host_losses integer NOT NULL DEFAULT 0,
    -- Older programs gave a job up after so many attempts.
    attempt_limit smallint NOT NULL DEFAULT 32767,
    -- The lease: the worker renews it while it runs the job. Every write of an attempt asks for its token, which is also the name of the
    -- segment batch that the attempt writes.
    lease_token uuid,
    lease_until timestamptz,
    -- The process that runs it.
    worker text,
    attempt_started_at timestamptz,
    cancel_requested boolean NOT NULL DEFAULT false,

    -- How far the attempt is, and why the job failed.
    progress json,
    problem json,
    -- Lines of the log so far, also those that were left out.
    log_count integer NOT NULL DEFAULT 0,
    -- Objects in `quarantined_object`.
    quarantined_count integer NOT NULL DEFAULT 0,
    -- Grows with every change, for those who wait for one.
    revision bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at timestamptz,
    finished_at timestamptz
)
-- Heartbeats and progress write no indexed column: with room in the page they leave the indexes alone.
WITH (fillfactor = 70);
CREATE UNIQUE INDEX job_exclusive ON job (app_id, realm_id) WHERE state IN ('queued', 'running') AND exclusive;
-- A lane: the queued jobs of an app of one priority. A claim goes from lane to lane.
CREATE INDEX job_queued ON job (app_id, priority, returned, run_at, job_id) WHERE state = 'queued';
CREATE INDEX job_running ON job (lease_token) WHERE state = 'running';
CREATE INDEX job_newest ON job (created_at DESC, job_id DESC);
CREATE INDEX job_of_realm ON job (app_name, realm_name, created_at DESC, job_id DESC);
CREATE INDEX job_of_parent ON job (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX job_of_fleet ON job (fleet_id) WHERE fleet_id IS NOT NULL AND state IN ('queued', 'running');

-- A trigger refuses impossible jobs by name. PostgreSQL reads the expressions of all CHECK constraints of a table anew for every statement.
CREATE FUNCTION job_law() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- As with constraints, what is null is not refused.
    broken text := CASE
        WHEN NOT NEW.state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled') THEN 'state_known'
        WHEN NOT NEW.kind IN ('migration', 'backfill', 'partner_backfill', 'no_op', 'fleet', 'rehearsal') THEN 'kind_known'
        WHEN NOT (
            (NEW.lease_token IS NOT NULL) = (NEW.state = 'running') AND (NEW.lease_until IS NOT NULL) = (NEW.state = 'running')
        ) THEN 'lease_while_running'
        WHEN NOT (NEW.problem IS NOT NULL) = (NEW.state = 'failed') THEN 'problem_when_failed'
        WHEN NOT (NEW.started_at IS NOT NULL) = (NEW.attempt > 0) THEN 'started_with_attempt'
        WHEN NOT (NEW.finished_at IS NOT NULL) = (NEW.state IN ('succeeded', 'failed', 'cancelled')) THEN 'finished_when_over'
        WHEN NEW.cancel_requested AND NEW.state <> 'running' THEN 'cancel_while_running'
        -- Of a migration that is no rehearsal it is `migration_result`.
        WHEN NEW.result_id IS NOT NULL AND NEW.state <> 'succeeded' AND (NEW.kind <> 'migration' OR NEW.dry_run)
            THEN 'result_of_success'
        WHEN NEW.attempt < 0 THEN 'attempt_in_range'
        WHEN NEW.host_losses NOT BETWEEN 0 AND NEW.losses THEN 'losses_counted'
        WHEN NEW.log_count < 0 THEN 'job_log_count_check'
        WHEN NEW.priority NOT BETWEEN -1 AND 1 THEN 'priority_known'
        WHEN NEW.to_version NOT BETWEEN 0 AND 18446744073709551614 THEN 'job_to_version_check'
        WHEN (NEW.realm_id IS NULL) <> (NEW.realm_name IS NULL) THEN 'realm_whole'
        WHEN NEW.exclusive AND NEW.realm_id IS NULL THEN 'exclusive_in_realm'
        WHEN NEW.kind = 'migration' THEN CASE
            WHEN NEW.realm_id IS NULL OR NEW.source_id IS NULL OR NEW.to_version IS NULL OR NEW.dry_run IS NULL
                THEN 'migration_whole'
            WHEN NOT NEW.dry_run AND (NEW.result_id IS NOT NULL) <> (NEW.state = 'succeeded') THEN 'migration_result'
        END
        WHEN NEW.kind = 'backfill' THEN CASE
            WHEN NEW.exclusive OR NEW.realm_id IS NULL OR NEW.source_id IS NOT NULL OR NEW.result_id IS NOT NULL
                THEN 'backfill_whole'
        END
        WHEN NEW.kind = 'partner_backfill' THEN CASE
            WHEN NEW.exclusive OR NEW.realm_id IS NULL THEN 'partner_backfill_whole'
        END
        WHEN NEW.kind = 'no_op' THEN CASE
            WHEN NEW.realm_id IS NULL OR NEW.source_id IS NOT NULL OR NEW.result_id IS NOT NULL THEN 'no_op_whole'
        END
        WHEN NEW.kind = 'fleet' THEN CASE
            WHEN NEW.fleet_id IS NULL OR NEW.exclusive OR NEW.realm_id IS NOT NULL OR NEW.source_id IS NOT NULL
                OR NEW.result_id IS NOT NULL THEN 'fleet_whole'
        END
        WHEN NEW.kind = 'rehearsal' THEN CASE
            WHEN NEW.to_version IS NULL OR NEW.exclusive OR NEW.realm_id IS NOT NULL OR NEW.source_id IS NOT NULL
                OR NEW.result_id IS NOT NULL OR NEW.fleet_id IS NOT NULL THEN 'rehearsal_whole'
        END
    END;
BEGIN
    IF broken IS NOT NULL THEN
        RAISE check_violation USING MESSAGE = format('a job violates "%s"', broken), TABLE = 'job', CONSTRAINT = broken;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER job_law AFTER INSERT OR UPDATE ON job FOR EACH ROW EXECUTE FUNCTION job_law();

-- A line of a job's log, by a script's console or by the service. The first and the last thousands of lines are kept.
CREATE TABLE job_log (
    job_id uuid NOT NULL REFERENCES job ON DELETE CASCADE,
    -- Counts from 1 over all attempts; a gap says how many lines were left out.
    ordinal integer NOT NULL CHECK (ordinal > 0),
    attempt integer NOT NULL,
    level text NOT NULL DEFAULT 'log',
    line text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (job_id, ordinal),
    CONSTRAINT level_known CHECK (level IN ('log', 'warn', 'error'))
);

-- An attempt that ended without a result, and why.
CREATE TABLE job_attempt (
    job_id uuid NOT NULL REFERENCES job ON DELETE CASCADE,
    attempt integer NOT NULL CHECK (attempt > 0),
    -- Null where an older program began it.
    started_at timestamptz,
    ended_at timestamptz NOT NULL DEFAULT now(),
    worker text,
    problem json NOT NULL,
    PRIMARY KEY (job_id, attempt)
);

-- The newest attempts of a job that ended without a result, ascending; null where there are none. A function, so that statements that
-- give a job, which seldom has any, do not set the query up each time.
CREATE FUNCTION job_attempts(id uuid) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT json_agg(json_build_object('attempt', attempt, 'startedAt', (extract(epoch FROM started_at) * 1000000)::bigint,
        'endedAt', (extract(epoch FROM ended_at) * 1000000)::bigint, 'problem', problem) ORDER BY attempt)
    FROM (SELECT a.* FROM job_attempt a WHERE a.job_id = id ORDER BY a.attempt DESC LIMIT 20) AS newest
$$;

-- The findings of a rehearsal.
CREATE TABLE job_report (
    job_id uuid PRIMARY KEY REFERENCES job ON DELETE CASCADE,
    report json NOT NULL
);

-- An object that a migration has set aside because its callback threw. A retry of the job's quarantine removes it.
CREATE TABLE quarantined_object (
    job_id uuid NOT NULL REFERENCES job ON DELETE CASCADE,
    ordinal integer NOT NULL,
    class text NOT NULL,
    object_key bigint NOT NULL,
    -- The reason, as an item of a problem document.
    item json NOT NULL,
    -- The object in the source, in Realm JSON; null where the source does not have it, or it is longer than is kept.
    object json,
    PRIMARY KEY (job_id, ordinal)
);
