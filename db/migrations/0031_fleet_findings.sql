-- Objects of a realm of a fleet that were set aside, and the job that stands for the realm's migration to whoever retries them.
ALTER TABLE fleet_member
    ADD COLUMN quarantined_count integer NOT NULL DEFAULT 0,
    ADD COLUMN quarantine_job_id uuid,
    ADD CONSTRAINT quarantine_of_result CHECK (
        (quarantine_job_id IS NOT NULL) = (quarantined_count > 0 AND result_id IS NOT NULL));

-- What a fleet that commits nothing has found in realms that it could migrate: the same thing in any number of them is one row.
CREATE TABLE fleet_finding (
    app_id uuid NOT NULL,
    fleet_id uuid NOT NULL,
    level text NOT NULL CHECK (level IN ('error', 'warning', 'note')),
    rule text NOT NULL,
    class text NOT NULL,
    property text NOT NULL,
    message text NOT NULL,
    realm_count integer NOT NULL CHECK (realm_count > 0),
    object_count bigint NOT NULL,
    -- The names of some of the realms.
    sample text[] NOT NULL,
    PRIMARY KEY (app_id, fleet_id, level, rule, class, property, message),
    FOREIGN KEY (app_id, fleet_id) REFERENCES fleet ON DELETE CASCADE
);
