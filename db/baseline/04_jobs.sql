-- Jobs, their orders, and what their attempts leave. docs/jobs.md tells a job's life.

-- A job is a row in one queue, the same for all kinds. A request makes it, or another job or a fleet does; a worker claims it, runs it and
-- ends it. Its order is a row in the table of its kind, below. `job` refers to nothing but itself by foreign key: workers claim from it
-- with FOR UPDATE SKIP LOCKED, so that it stays in one place even where the other tables are parted by app.
--
-- PostgreSQL reads the expressions of all CHECK constraints of a table anew for every statement that changes a row of it, and three
-- statements or more change each job. So the constraints are few, each of them about one matter. The statements in
-- Sources/JobStore/Jobs hold the laws that concern two tables or two states:
--   - a job has a row in the table of its kind from the statement on that inserts the job;
--   - a migration has a result only where it has succeeded, and always then, but for a rehearsal that would change nothing;
--   - a job moves from queued to running, from there to an end or back, and by a retry from failed or cancelled to queued.
CREATE TABLE job (
    job_id uuid PRIMARY KEY,
    app_id uuid NOT NULL,
    -- The names that the app and the realm have had since the job was made, so that lists of jobs need not look them up.
    app_name text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    -- The realm that a migration or a backfill is about; null for the other kinds.
    realm_id uuid,
    realm_name text COLLATE "C",
    -- The fleet whose realms a job of the kind `fleet` migrates. That kind has no other order: it takes the members whose turn it is.
    fleet_id uuid,
    -- Whether nothing else may change the realm while the job is queued or running.
    exclusive boolean NOT NULL,
    -- The job that made this one; null where none did, or where that one was removed.
    parent_id uuid REFERENCES job ON DELETE SET NULL,
    -- The id of the HTTP request that asked for the job, as the log has it; null where none did.
    request_id text,

    state text NOT NULL DEFAULT 'queued',
    -- 1 high, 0 normal, -1 low.
    priority smallint NOT NULL DEFAULT 0,
    -- Whether the job was claimed before and came back, because its attempt was lost or handed back. Such jobs go before the jobs that
    -- nobody has begun: behind ten thousand of those, a pause of a quarter of a second would last minutes.
    returned boolean NOT NULL DEFAULT false,
    -- No worker claims the job before this time. It is taken after all locks for which the insertion waits, because claims do not look for
    -- jobs that were queued long ago.
    run_at timestamptz NOT NULL DEFAULT clock_timestamp(),

    -- Attempts so far.
    attempt integer NOT NULL DEFAULT 0,
    -- Attempts that were lost since somebody queued the job: the pause before the next one grows with them.
    losses integer NOT NULL DEFAULT 0,
    -- Lost attempts whose script host died: the script may have killed it.
    host_losses integer NOT NULL DEFAULT 0,

    -- The lease of the attempt that runs; its worker renews it. Every write of an attempt asks for the token, so that nothing counts of an
    -- attempt that has lost the job. The token is also the id of the segment batch that the attempt writes.
    lease_token uuid,
    lease_until timestamptz,
    -- The process that runs the attempt.
    worker text,
    attempt_started_at timestamptz,
    -- Whether a client has asked the attempt to stop.
    cancel_requested boolean NOT NULL DEFAULT false,

    -- How far the attempt is; null before its first report.
    progress json,
    -- Why the job failed. `json`, here and in all tables of jobs: a text may hold U+0000, and comes back as it was.
    problem json,
    -- Lines of the log so far, also those that were left out.
    log_count integer NOT NULL DEFAULT 0,
    -- Objects in `quarantined_object`.
    quarantined_count integer NOT NULL DEFAULT 0,
    -- Grows with every change, so that clients that wait see one.
    revision bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When the first attempt began.
    started_at timestamptz,
    finished_at timestamptz,

    -- The tables below refer to the job together with its app.
    CONSTRAINT job_of_app UNIQUE (app_id, job_id),
    CONSTRAINT state_whole CHECK (
        state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')
        AND (lease_token IS NOT NULL) = (state = 'running') AND (lease_until IS NOT NULL) = (state = 'running')
        AND (finished_at IS NULL) = (state IN ('queued', 'running')) AND (problem IS NOT NULL) = (state = 'failed')
        AND (state = 'running' OR NOT cancel_requested)),
    CONSTRAINT kind_whole CHECK (
        kind IN ('migration', 'backfill', 'partner_backfill', 'fleet', 'rehearsal')
        AND (realm_id IS NOT NULL) = (kind IN ('migration', 'backfill', 'partner_backfill'))
        AND (realm_name IS NOT NULL) = (realm_id IS NOT NULL)
        AND (fleet_id IS NOT NULL) = (kind = 'fleet') AND (kind = 'migration' OR NOT exclusive)),
    CONSTRAINT numbers_whole CHECK (
        attempt >= 0 AND (started_at IS NOT NULL) = (attempt > 0) AND host_losses BETWEEN 0 AND losses
        AND log_count >= 0 AND priority BETWEEN -1 AND 1)
)
-- Heartbeats and progress write no indexed column: with room in the page they leave the indexes alone.
WITH (fillfactor = 70);
-- One exclusive job has a realm at a time.
CREATE UNIQUE INDEX job_exclusive ON job (app_id, realm_id) WHERE state IN ('queued', 'running') AND exclusive;
-- A lane has the queued jobs of an app of one priority. A claim goes from lane to lane, and begins behind the jobs that are gone already.
CREATE INDEX job_queued ON job (app_id, priority, returned, run_at, job_id) WHERE state = 'queued';
CREATE INDEX job_running ON job (lease_token) WHERE state = 'running';
CREATE INDEX job_newest ON job (created_at DESC, job_id DESC);
CREATE INDEX job_of_realm ON job (app_name, realm_name, created_at DESC, job_id DESC);
CREATE INDEX job_of_parent ON job (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX job_of_fleet ON job (app_id, fleet_id) WHERE fleet_id IS NOT NULL AND state IN ('queued', 'running');

-- The order of a migration of one realm, and its result. The request makes it; an attempt that finds other declared versions writes its
-- plan anew; the end writes the result.
CREATE TABLE migration_job (
    app_id uuid NOT NULL,
    job_id uuid NOT NULL,
    -- The snapshot that is migrated, and its schema version; null where it has none. The snapshot may have been removed since the end.
    source_id uuid NOT NULL,
    from_version numeric(20, 0),
    to_version numeric(20, 0) NOT NULL CHECK (to_version BETWEEN 0 AND 18446744073709551614),
    -- The options of the request; a rehearsal is one of them (`dryRun`).
    request json NOT NULL,
    -- The schema and the script that the request brought along; null where the declared ones count. They stand apart from the request, so
    -- that lists need not read them.
    schema bytea,
    migration json,
    -- The versions and revisions that the job runs; null for jobs of older programs.
    plan json,
    -- The snapshot that the migration made; the source where nothing changed. A rehearsal's is a preview, or null where nothing changed.
    result_id uuid,
    PRIMARY KEY (app_id, job_id),
    FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE
);
-- Whoever removes a snapshot asks whether a job needs it. The app does not lead: a connection plans a statement once, possibly while the
-- table is empty, and would then take this index for as good as the key for one job of an app.
CREATE INDEX migration_job_of_source ON migration_job (source_id);

-- The order of a backfill: each object of a class of a synced realm that lacks a value for a property gets one.
CREATE TABLE backfill_job (
    app_id uuid NOT NULL,
    job_id uuid NOT NULL,
    -- The class and the property, and the value in Realm JSON where it is the same for all objects.
    request json NOT NULL,
    -- The script that makes the value of the object; null where the request has the value.
    function json,
    PRIMARY KEY (app_id, job_id),
    FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE
);

-- The order of a job that fills a partner.
CREATE TABLE partner_backfill_job (
    app_id uuid NOT NULL,
    job_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    PRIMARY KEY (app_id, job_id),
    FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE
);

-- The order of a rehearsal of the way to a declared version, from each version at which realms of the app stand.
CREATE TABLE rehearsal_job (
    app_id uuid NOT NULL,
    job_id uuid NOT NULL,
    to_version numeric(20, 0) NOT NULL CHECK (to_version BETWEEN 0 AND 18446744073709551614),
    -- The snapshots to try, how many realms of each version, and the findings that fail it.
    request json NOT NULL,
    PRIMARY KEY (app_id, job_id),
    FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE
);

-- A line of a job's log, by a script's console or by the service. The first and the last thousands of lines are kept.
CREATE TABLE job_log (
    app_id uuid NOT NULL,
    job_id uuid NOT NULL,
    -- Counts from 1 over all attempts; a gap says how many lines were left out.
    ordinal integer NOT NULL CHECK (ordinal > 0),
    attempt integer NOT NULL,
    level text NOT NULL DEFAULT 'log',
    line text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (app_id, job_id, ordinal),
    FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE,
    CONSTRAINT level_known CHECK (level IN ('log', 'warn', 'error'))
);

-- An attempt that ended without a result, and why.
CREATE TABLE job_attempt (
    app_id uuid NOT NULL,
    job_id uuid NOT NULL,
    attempt integer NOT NULL CHECK (attempt > 0),
    -- Null where an older program began it.
    started_at timestamptz,
    ended_at timestamptz NOT NULL DEFAULT now(),
    worker text,
    problem json NOT NULL,
    PRIMARY KEY (app_id, job_id, attempt),
    FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE
);

-- The newest attempts of a job that ended without a result, ascending; null where there are none. A function, so that statements that
-- give a job, which seldom has any, do not set the query up each time.
CREATE FUNCTION job_attempts(app uuid, id uuid) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT json_agg(json_build_object('attempt', attempt, 'startedAt', (extract(epoch FROM started_at) * 1000000)::bigint,
        'endedAt', (extract(epoch FROM ended_at) * 1000000)::bigint, 'problem', problem) ORDER BY attempt)
    FROM (SELECT a.* FROM job_attempt a WHERE a.app_id = app AND a.job_id = id ORDER BY a.attempt DESC LIMIT 20) AS newest
$$;

-- The findings of a rehearsal.
CREATE TABLE job_report (
    app_id uuid NOT NULL,
    job_id uuid NOT NULL,
    report json NOT NULL,
    PRIMARY KEY (app_id, job_id),
    FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE
);

-- An object that a migration has set aside because its callback threw. A retry of the job's quarantine removes it.
CREATE TABLE quarantined_object (
    app_id uuid NOT NULL,
    job_id uuid NOT NULL,
    ordinal integer NOT NULL,
    class text NOT NULL,
    object_key bigint NOT NULL,
    -- The reason, as an item of a problem document.
    item json NOT NULL,
    -- The object in the source, in Realm JSON; null where the source does not have it, or it is longer than is kept.
    object json,
    PRIMARY KEY (app_id, job_id, ordinal),
    FOREIGN KEY (app_id, job_id) REFERENCES job (app_id, job_id) ON DELETE CASCADE
);
