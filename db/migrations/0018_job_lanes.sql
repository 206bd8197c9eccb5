-- What is lost with a worker, a host or the database is tried again for as long as it takes; what a script does wrong never is.
-- `attempt_limit` is there for older programs alone, which give a job up when it is reached: none is.
UPDATE job SET attempt_limit = 32767 WHERE state IN ('queued', 'running');
ALTER TABLE job
    DROP CONSTRAINT attempt_in_range,
    ALTER COLUMN attempt TYPE integer,
    ALTER COLUMN attempt_limit SET DEFAULT 32767,
    -- After every lock that the insertion waits for: claims look for no job that was queued long ago.
    ALTER COLUMN run_at SET DEFAULT clock_timestamp(),
    ADD CONSTRAINT attempt_in_range CHECK (attempt >= 0),
    -- -1 low, 0 normal, 1 high.
    ADD COLUMN priority smallint NOT NULL DEFAULT 0,
    ADD CONSTRAINT priority_known CHECK (priority BETWEEN -1 AND 1),
    -- Attempts that were lost since the job was queued by somebody; the pause before the next one grows with them.
    ADD COLUMN losses integer NOT NULL DEFAULT 0,
    -- Those among them whose host died: it may be the script that kills them.
    ADD COLUMN host_losses integer NOT NULL DEFAULT 0,
    ADD CONSTRAINT losses_counted CHECK (host_losses BETWEEN 0 AND losses),
    -- The process that has the job; null of older programs.
    ADD COLUMN worker text,
    ADD COLUMN attempt_started_at timestamptz;
ALTER TABLE job_log ALTER COLUMN attempt TYPE integer;

-- How attempts ended that had no result.
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

-- A lane: the queued jobs of an app of one priority. Claims go from lane to lane, and begin behind those that are gone already.
DROP INDEX job_claim;
CREATE INDEX job_queued ON job (app_id, priority, run_at, job_id) WHERE state = 'queued';
-- Heartbeats write no column of it.
CREATE INDEX job_running ON job (lease_token) WHERE state = 'running';
