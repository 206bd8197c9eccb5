-- Fleets: many realms of an app on their way to one schema version. docs/fleets.md tells their life.

-- A fleet. A request makes it, with the realms that it selects at that moment; jobs migrate the realms, some at a time. Whoever moves a
-- realm counts it here in the same transaction, so that nobody has to count members.
CREATE TABLE fleet (
    app_id uuid NOT NULL REFERENCES app ON DELETE CASCADE,
    fleet_id uuid NOT NULL,
    target_version numeric(20, 0) NOT NULL CHECK (target_version BETWEEN 0 AND 18446744073709551614),
    -- The options of the request. `json`, here and below, as in `schema_version`.
    request json NOT NULL,
    -- A migration that the fleet runs instead of the declared one; null where it runs that.
    migration json,
    state text NOT NULL,
    -- Why it is paused.
    pause text,
    has_passed_canary boolean NOT NULL,
    -- A canary that ended well holds the other realms until then.
    held_until timestamptz,
    -- Failures that an operator has forgiven; they count no longer for the limit at which the fleet pauses.
    forgiven integer NOT NULL DEFAULT 0 CHECK (forgiven >= 0),

    -- The number of members, and of those in each state of `fleet_member`.
    total integer NOT NULL,
    pending integer NOT NULL CHECK (pending >= 0),
    running integer NOT NULL DEFAULT 0 CHECK (running >= 0),
    succeeded integer NOT NULL DEFAULT 0 CHECK (succeeded >= 0),
    failed integer NOT NULL DEFAULT 0 CHECK (failed >= 0),
    unchanged integer NOT NULL DEFAULT 0 CHECK (unchanged >= 0),
    undone integer NOT NULL DEFAULT 0 CHECK (undone >= 0),
    kept integer NOT NULL DEFAULT 0 CHECK (kept >= 0),
    -- Objects of the realms that were migrated.
    objects bigint NOT NULL DEFAULT 0,

    -- Its speed: members and objects that were done since it last began or resumed, and the times of that and of the last count.
    stretch_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    stretch_finished integer NOT NULL DEFAULT 0,
    stretch_objects bigint NOT NULL DEFAULT 0,
    settled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at timestamptz,

    PRIMARY KEY (app_id, fleet_id),
    CONSTRAINT state_known CHECK (
        state IN ('canary', 'paused', 'running', 'succeeded', 'failed', 'cancelled', 'undoing', 'undone')),
    CONSTRAINT pause_when_paused CHECK ((pause IS NOT NULL) = (state = 'paused')),
    CONSTRAINT held_in_canary CHECK (held_until IS NULL OR state = 'canary'),
    CONSTRAINT counts_whole CHECK (pending + running + succeeded + failed + unchanged + undone + kept = total),
    CONSTRAINT finished_when_over CHECK (
        (finished_at IS NOT NULL) = (state IN ('succeeded', 'failed', 'cancelled', 'undone')))
)
-- Every job of the fleet changes the row: with room in the page the changes leave the indexes alone.
WITH (fillfactor = 50);
CREATE INDEX fleet_newest ON fleet (app_id, created_at DESC, fleet_id DESC);
CREATE INDEX fleet_at_work ON fleet (app_id, fleet_id) WHERE state IN ('canary', 'running', 'undoing') OR running > 0;

-- A realm of a fleet. It refers to the realm by no foreign key: the fleet still tells its result after the realm was removed.
CREATE TABLE fleet_member (
    app_id uuid NOT NULL,
    fleet_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    realm_name text COLLATE "C" NOT NULL,
    -- Jobs take members in this order, from 0. Realms of all versions are among the first.
    position integer NOT NULL CHECK (position >= 0),
    -- The schema version of the realm when the fleet was made; null where it had none.
    from_version numeric(20, 0),
    -- Bytes of the realm's snapshot when the fleet was made; a job takes so many bytes at a time.
    weight bigint NOT NULL,
    -- pending: it waits. running: a job has it. succeeded, failed, unchanged: it had its turn. undone: the snapshot before is current
    -- again. kept: it was to be undone, and stays because it has changed since.
    state text NOT NULL DEFAULT 'pending',
    -- The job that has it, or had it last.
    job_id uuid,
    -- How many jobs, and attempts of a job, have taken it.
    attempt integer NOT NULL DEFAULT 0,
    -- The snapshots before and after the migration.
    source_id uuid,
    result_id uuid,
    -- Objects that the migration has set aside, and the job of its own that has them in quarantine.
    quarantined_count integer NOT NULL DEFAULT 0,
    quarantine_job_id uuid,
    -- Why it failed, or was kept: the same words for all members with the same cause, and the problem itself.
    reason text,
    problem json,
    finished_at timestamptz,

    PRIMARY KEY (app_id, fleet_id, realm_id),
    FOREIGN KEY (app_id, fleet_id) REFERENCES fleet ON DELETE CASCADE,
    CONSTRAINT state_known CHECK (
        state IN ('pending', 'running', 'succeeded', 'failed', 'unchanged', 'undone', 'kept')),
    CONSTRAINT job_while_running CHECK (state <> 'running' OR job_id IS NOT NULL),
    CONSTRAINT source_when_read CHECK (state NOT IN ('succeeded', 'unchanged', 'undone', 'kept') OR source_id IS NOT NULL),
    CONSTRAINT result_of_success CHECK (result_id IS NULL OR state IN ('succeeded', 'undone', 'kept')),
    CONSTRAINT undo_of_result CHECK (state NOT IN ('undone', 'kept') OR result_id IS NOT NULL),
    CONSTRAINT quarantine_of_result CHECK (
        (quarantine_job_id IS NOT NULL) = (quarantined_count > 0 AND result_id IS NOT NULL)),
    CONSTRAINT reason_when_failed CHECK ((reason IS NOT NULL) = (state IN ('failed', 'kept'))),
    CONSTRAINT problem_with_reason CHECK ((problem IS NOT NULL) = (reason IS NOT NULL)),
    CONSTRAINT finished_when_over CHECK ((finished_at IS NOT NULL) = (state NOT IN ('pending', 'running')))
) WITH (fillfactor = 70);
CREATE INDEX fleet_member_turn ON fleet_member (app_id, fleet_id, state, position);
CREATE INDEX fleet_member_name ON fleet_member (app_id, fleet_id, realm_name);
-- One fleet has a realm at a time.
CREATE UNIQUE INDEX fleet_member_running ON fleet_member (app_id, realm_id) WHERE state = 'running';

-- No fleet migrates a realm twice: a migrated realm never waits again. A CHECK sees no former row, so that a trigger holds this law.
CREATE FUNCTION fleet_member_law() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (
        ('pending', 'running'), ('running', 'pending'), ('running', 'succeeded'), ('running', 'failed'), ('running', 'unchanged'),
        ('failed', 'pending'), ('succeeded', 'undone'), ('succeeded', 'kept')
    ) THEN
        RAISE check_violation USING MESSAGE = format('a realm of a fleet never goes from %s to %s', OLD.state, NEW.state),
            TABLE = 'fleet_member', CONSTRAINT = 'fleet_member_once';
    END IF;
    IF OLD.result_id IS NOT NULL AND NEW.result_id IS DISTINCT FROM OLD.result_id THEN
        RAISE check_violation USING MESSAGE = 'what came of a realm of a fleet stays', TABLE = 'fleet_member',
            CONSTRAINT = 'fleet_member_result';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER fleet_member_law AFTER UPDATE ON fleet_member FOR EACH ROW
    WHEN (OLD.state IS DISTINCT FROM NEW.state OR OLD.result_id IS DISTINCT FROM NEW.result_id)
    EXECUTE FUNCTION fleet_member_law();

-- A finding of a fleet that commits nothing, or that failed realms for their findings: one row, however many realms have it.
CREATE TABLE fleet_finding (
    app_id uuid NOT NULL,
    fleet_id uuid NOT NULL,
    level text NOT NULL CHECK (level IN ('error', 'warning', 'note')),
    rule text NOT NULL,
    -- The class and the property that it is about; empty where it is about none.
    class text NOT NULL,
    property text NOT NULL,
    message text NOT NULL,
    -- Realms that have it, and objects of all of them.
    realm_count integer NOT NULL CHECK (realm_count > 0),
    object_count bigint NOT NULL,
    -- The names of some of the realms.
    sample text[] NOT NULL,
    PRIMARY KEY (app_id, fleet_id, level, rule, class, property, message),
    FOREIGN KEY (app_id, fleet_id) REFERENCES fleet ON DELETE CASCADE
);
