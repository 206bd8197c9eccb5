-- The request that asked for a job, as the log calls it; null of jobs that nobody asked for, and of older programs.
ALTER TABLE job ADD COLUMN request_id text;

-- What all processes together have counted of jobs; workers have no place of their own where that could be asked.
CREATE TABLE job_figure (
    name text NOT NULL,
    -- As Prometheus writes them.
    labels text NOT NULL,
    -- Of a counter one number, of a histogram one a bucket.
    counts bigint[] NOT NULL,
    -- Of a histogram the sum.
    seconds double precision NOT NULL,
    PRIMARY KEY (name, labels)
);
