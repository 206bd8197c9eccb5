-- A kind of job that tries what a declared version's migration would do to realms of all versions of an app; it is of no realm.
CREATE OR REPLACE FUNCTION job_law() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- As with constraints, what is null is not refused.
    broken text := CASE
        WHEN NOT NEW.state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled') THEN 'state_known'
        WHEN NOT NEW.kind IN ('migration', 'backfill', 'partner_backfill', 'no_op', 'fleet', 'rehearsal') THEN 'kind_known'
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
        WHEN NEW.kind = 'rehearsal' THEN CASE
            WHEN NEW.to_version IS NULL OR NEW.exclusive OR NEW.realm_id IS NOT NULL OR NEW.source_id IS NOT NULL
                OR NEW.result_id IS NOT NULL OR NEW.fleet_id IS NOT NULL THEN 'rehearsal_whole'
        END
    END;
BEGIN
    IF broken IS NOT NULL THEN
        RAISE check_violation USING MESSAGE = format('a job violates "%s"', broken), TABLE = 'job', CONSTRAINT = broken;
    END IF;
    RETURN NULL;
END
$$;
