-- Figures for charts, by hours, of an app and of all apps together. Nobody reads jobs or realms for them: the processes count the jobs that
-- end and write that down every few seconds, and maintenance counts the realms in small steps.

-- The jobs that ended in an hour.
CREATE TABLE job_hour (
    -- Null: all apps, those that are gone included.
    app_id uuid REFERENCES app ON DELETE CASCADE,
    hour timestamptz NOT NULL,
    kind text NOT NULL,
    -- The state in which they ended.
    state text NOT NULL,
    -- How many took how long, as in `job_figure`: one number for each bucket.
    counts bigint[] NOT NULL,
    -- The sum of their durations.
    seconds double precision NOT NULL,
    CONSTRAINT state_known CHECK (state IN ('succeeded', 'failed', 'cancelled'))
);
CREATE UNIQUE INDEX job_hour_key ON job_hour (coalesce(app_id, '00000000-0000-0000-0000-000000000000'), hour, kind, state);
CREATE INDEX job_hour_by_age ON job_hour (hour);

-- The realms as they stood at the end of an hour, or when they were last counted in it; an hour in which nothing changed has no row.
CREATE TABLE realm_hour (
    -- Null: all apps.
    app_id uuid REFERENCES app ON DELETE CASCADE,
    hour timestamptz NOT NULL,
    realms bigint NOT NULL,
    -- Bytes of their current snapshots.
    stored_bytes bigint NOT NULL,
    -- An array of schema versions with their numbers of realms: [{"version": 3, "count": 7}]. Realms without a snapshot stand at none.
    versions json NOT NULL,
    counted_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX realm_hour_key ON realm_hour (coalesce(app_id, '00000000-0000-0000-0000-000000000000'), hour);
CREATE INDEX realm_hour_by_age ON realm_hour (hour);

INSERT INTO chore (name, held_until) VALUES ('figures', now());
