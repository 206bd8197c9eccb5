-- Maintenance, and the figures of jobs.

-- A chore is a task that one of all processes does now and then. A process takes a chore by moving `held_until` into the future, where it
-- is in the past; nobody else takes it before then.
CREATE TABLE chore (
    name text PRIMARY KEY,
    held_until timestamptz NOT NULL
);
INSERT INTO chore (name, held_until) VALUES ('sweep', now()), ('retention', now());

-- A figure about jobs that all processes count together, for /metrics. A worker adds to it from time to time; it has no address of its own
-- where Prometheus could ask.
CREATE TABLE job_figure (
    name text NOT NULL,
    -- The labels as Prometheus writes them.
    labels text NOT NULL,
    -- A counter has one number, a histogram one for each bucket.
    counts bigint[] NOT NULL,
    -- The sum of a histogram.
    seconds double precision NOT NULL,
    PRIMARY KEY (name, labels)
);
