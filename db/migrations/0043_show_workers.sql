-- A process with workers says every few seconds that it is there; for /metrics. Jobs need no row here: their leases tell whether an attempt
-- counts.
CREATE TABLE worker (
    -- As `job.worker` has it.
    name text PRIMARY KEY,
    -- Jobs that it runs at once.
    slots integer NOT NULL CHECK (slots > 0),
    seen_at timestamptz NOT NULL DEFAULT now()
);
