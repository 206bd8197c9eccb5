-- What maintenance removes of an app because it is old: null where it is kept for good. A snapshot or job stays for as long as
-- either its number or its age says so.
ALTER TABLE app
    ADD COLUMN keep_snapshots integer CHECK (keep_snapshots >= 1),
    ADD COLUMN keep_snapshot_days double precision CHECK (keep_snapshot_days > 0),
    ADD COLUMN keep_jobs integer CHECK (keep_jobs >= 0),
    ADD COLUMN keep_job_days double precision CHECK (keep_job_days > 0);
INSERT INTO chore (name, held_until) VALUES ('retention', now());
