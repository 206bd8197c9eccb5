-- What realms are told apart by beside their names.
ALTER TABLE realm ADD COLUMN labels jsonb NOT NULL DEFAULT '{}';

-- Many realms on their way to one schema version. How many stand where is counted here, by whoever moves one, in the same
-- transaction.
CREATE TABLE fleet (
    app_id uuid NOT NULL REFERENCES app ON DELETE CASCADE,
    fleet_id uuid NOT NULL,
    target_version numeric(20, 0) NOT NULL CHECK (target_version BETWEEN 0 AND 18446744073709551614),
    -- `json`: a script may hold U+0000, and its text is to come back as it was.
    request json NOT NULL,
    migration json,
    state text NOT NULL,
    pause text,
    has_passed_canary boolean NOT NULL,
    -- Until when the others wait after a canary that has ended well.
    held_until timestamptz,
    forgiven integer NOT NULL DEFAULT 0 CHECK (forgiven >= 0),
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
    -- Since when it goes on without a stop, and what was finished by then: what its speed is worked out from.
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
) WITH (fillfactor = 50);
CREATE INDEX fleet_newest ON fleet (app_id, created_at DESC, fleet_id DESC);
CREATE INDEX fleet_at_work ON fleet (app_id, fleet_id) WHERE state IN ('canary', 'running', 'undoing') OR running > 0;

-- A realm of a fleet. No foreign key to the realm, which may be removed meanwhile: what became of it is told still.
CREATE TABLE fleet_member (
    app_id uuid NOT NULL,
    fleet_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    realm_name text COLLATE "C" NOT NULL,
    -- Its turn: realms of all versions are among the first.
    position integer NOT NULL CHECK (position >= 0),
    from_version numeric(20, 0),
    -- Bytes of its snapshot when the fleet was made.
    weight bigint NOT NULL,
    state text NOT NULL DEFAULT 'pending',
    -- The job that has it, or had it last.
    job_id uuid,
    attempt integer NOT NULL DEFAULT 0,
    -- What was migrated, and what came of it.
    source_id uuid,
    result_id uuid,
    -- Why it failed, or was not put back: the same words for all with the same cause.
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
    CONSTRAINT reason_when_failed CHECK ((reason IS NOT NULL) = (state IN ('failed', 'kept'))),
    CONSTRAINT problem_with_reason CHECK ((problem IS NOT NULL) = (reason IS NOT NULL)),
    CONSTRAINT finished_when_over CHECK ((finished_at IS NOT NULL) = (state NOT IN ('pending', 'running')))
) WITH (fillfactor = 70);
CREATE INDEX fleet_member_turn ON fleet_member (app_id, fleet_id, state, position);
CREATE INDEX fleet_member_name ON fleet_member (app_id, fleet_id, realm_name);
-- One fleet has a realm at a time.
CREATE UNIQUE INDEX fleet_member_running ON fleet_member (app_id, realm_id) WHERE state = 'running';

-- No fleet runs a realm twice: what is migrated is put back or stays, and never waits again; what was run had its turn.
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

-- A job of a fleet migrates some of its realms.
ALTER TABLE job ADD COLUMN fleet_id uuid;
CREATE INDEX job_of_fleet ON job (fleet_id) WHERE fleet_id IS NOT NULL AND state IN ('queued', 'running');

CREATE OR REPLACE FUNCTION job_law() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- As with constraints, what is null is not refused.
    broken text := CASE
        WHEN NOT NEW.state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled') THEN 'state_known'
        WHEN NOT NEW.kind IN ('migration', 'backfill', 'partner_backfill', 'no_op', 'fleet') THEN 'kind_known'
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
    END;
BEGIN
    IF broken IS NOT NULL THEN
        RAISE check_violation USING MESSAGE = format('a job violates "%s"', broken), TABLE = 'job', CONSTRAINT = broken;
    END IF;
    RETURN NULL;
END
$$;
