-- The tables of the last program before the baseline, with rows in each of them: pg_dump --schema=realmshift --column-inserts.
-- One constraint (realms_named) is as it was written: read back from a dump, PostgreSQL keeps it in another form.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA realmshift;
CREATE FUNCTION realmshift.fleet_member_law() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION realmshift.job_attempts(id uuid) RETURNS json
    LANGUAGE sql STABLE
    AS $$
    SELECT json_agg(json_build_object('attempt', attempt, 'startedAt', (extract(epoch FROM started_at) * 1000000)::bigint,
        'endedAt', (extract(epoch FROM ended_at) * 1000000)::bigint, 'problem', problem) ORDER BY attempt)
    FROM (SELECT a.* FROM job_attempt a WHERE a.job_id = id ORDER BY a.attempt DESC LIMIT 20) AS newest
$$;
CREATE FUNCTION realmshift.job_law() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE realmshift.api_key (
    api_key_id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    scopes text[] NOT NULL,
    apps text[] COLLATE pg_catalog."C",
    expires_at timestamp with time zone,
    CONSTRAINT api_key_expires_at_check CHECK ((expires_at <> 'infinity'::timestamp with time zone)),
    CONSTRAINT api_key_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT api_key_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT apps_named CHECK (((cardinality(apps) > 0) AND (array_position(apps, NULL::text) IS NULL))),
    CONSTRAINT scopes_known CHECK (((cardinality(scopes) > 0) AND (scopes <@ '{read,write,migrate,admin}'::text[])))
);
CREATE TABLE realmshift.app (
    app_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    keep_snapshots integer,
    keep_snapshot_days double precision,
    keep_jobs integer,
    keep_job_days double precision,
    export_format text,
    export_dates text,
    export_flattens boolean,
    export_version numeric(20,0),
    CONSTRAINT app_check CHECK ((((export_format IS NULL) = (export_dates IS NULL)) AND ((export_format IS NULL) = (export_flattens IS NULL)))),
    CONSTRAINT app_check1 CHECK (((export_version IS NULL) OR (export_format IS NOT NULL))),
    CONSTRAINT app_keep_job_days_check CHECK ((keep_job_days > (0)::double precision)),
    CONSTRAINT app_keep_jobs_check CHECK ((keep_jobs >= 0)),
    CONSTRAINT app_keep_snapshot_days_check CHECK ((keep_snapshot_days > (0)::double precision)),
    CONSTRAINT app_keep_snapshots_check CHECK ((keep_snapshots >= 1)),
    CONSTRAINT app_name_form CHECK ((name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$'::text))
);
CREATE TABLE realmshift.audit_entry (
    audit_entry_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    key_id uuid NOT NULL,
    key_name text NOT NULL,
    app_name text COLLATE pg_catalog."C",
    operation text NOT NULL,
    path text NOT NULL,
    request_id text NOT NULL,
    status integer,
    token_id uuid,
    CONSTRAINT audit_entry_status_check CHECK (((status >= 100) AND (status <= 599)))
);
CREATE TABLE realmshift.chore (
    name text NOT NULL,
    held_until timestamp with time zone NOT NULL
);
CREATE TABLE realmshift.database_migration (
    number integer NOT NULL,
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE realmshift.fleet (
    app_id uuid NOT NULL,
    fleet_id uuid NOT NULL,
    target_version numeric(20,0) NOT NULL,
    request json NOT NULL,
    migration json,
    state text NOT NULL,
    pause text,
    has_passed_canary boolean NOT NULL,
    held_until timestamp with time zone,
    forgiven integer DEFAULT 0 NOT NULL,
    total integer NOT NULL,
    pending integer NOT NULL,
    running integer DEFAULT 0 NOT NULL,
    succeeded integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    unchanged integer DEFAULT 0 NOT NULL,
    undone integer DEFAULT 0 NOT NULL,
    kept integer DEFAULT 0 NOT NULL,
    objects bigint DEFAULT 0 NOT NULL,
    stretch_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    stretch_finished integer DEFAULT 0 NOT NULL,
    stretch_objects bigint DEFAULT 0 NOT NULL,
    settled_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT counts_whole CHECK ((((((((pending + running) + succeeded) + failed) + unchanged) + undone) + kept) = total)),
    CONSTRAINT finished_when_over CHECK (((finished_at IS NOT NULL) = (state = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text, 'undone'::text])))),
    CONSTRAINT fleet_failed_check CHECK ((failed >= 0)),
    CONSTRAINT fleet_forgiven_check CHECK ((forgiven >= 0)),
    CONSTRAINT fleet_kept_check CHECK ((kept >= 0)),
    CONSTRAINT fleet_pending_check CHECK ((pending >= 0)),
    CONSTRAINT fleet_running_check CHECK ((running >= 0)),
    CONSTRAINT fleet_succeeded_check CHECK ((succeeded >= 0)),
    CONSTRAINT fleet_target_version_check CHECK (((target_version >= (0)::numeric) AND (target_version <= '18446744073709551614'::numeric))),
    CONSTRAINT fleet_unchanged_check CHECK ((unchanged >= 0)),
    CONSTRAINT fleet_undone_check CHECK ((undone >= 0)),
    CONSTRAINT held_in_canary CHECK (((held_until IS NULL) OR (state = 'canary'::text))),
    CONSTRAINT pause_when_paused CHECK (((pause IS NOT NULL) = (state = 'paused'::text))),
    CONSTRAINT state_known CHECK ((state = ANY (ARRAY['canary'::text, 'paused'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text, 'undoing'::text, 'undone'::text])))
)
WITH (fillfactor='50');
CREATE TABLE realmshift.fleet_finding (
    app_id uuid NOT NULL,
    fleet_id uuid NOT NULL,
    level text NOT NULL,
    rule text NOT NULL,
    class text NOT NULL,
    property text NOT NULL,
    message text NOT NULL,
    realm_count integer NOT NULL,
    object_count bigint NOT NULL,
    sample text[] NOT NULL,
    CONSTRAINT fleet_finding_level_check CHECK ((level = ANY (ARRAY['error'::text, 'warning'::text, 'note'::text]))),
    CONSTRAINT fleet_finding_realm_count_check CHECK ((realm_count > 0))
);
CREATE TABLE realmshift.fleet_member (
    app_id uuid NOT NULL,
    fleet_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    realm_name text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    from_version numeric(20,0),
    weight bigint NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    job_id uuid,
    attempt integer DEFAULT 0 NOT NULL,
    source_id uuid,
    result_id uuid,
    reason text,
    problem json,
    finished_at timestamp with time zone,
    quarantined_count integer DEFAULT 0 NOT NULL,
    quarantine_job_id uuid,
    CONSTRAINT finished_when_over CHECK (((finished_at IS NOT NULL) = (state <> ALL (ARRAY['pending'::text, 'running'::text])))),
    CONSTRAINT fleet_member_position_check CHECK (("position" >= 0)),
    CONSTRAINT job_while_running CHECK (((state <> 'running'::text) OR (job_id IS NOT NULL))),
    CONSTRAINT problem_with_reason CHECK (((problem IS NOT NULL) = (reason IS NOT NULL))),
    CONSTRAINT quarantine_of_result CHECK (((quarantine_job_id IS NOT NULL) = ((quarantined_count > 0) AND (result_id IS NOT NULL)))),
    CONSTRAINT reason_when_failed CHECK (((reason IS NOT NULL) = (state = ANY (ARRAY['failed'::text, 'kept'::text])))),
    CONSTRAINT result_of_success CHECK (((result_id IS NULL) OR (state = ANY (ARRAY['succeeded'::text, 'undone'::text, 'kept'::text])))),
    CONSTRAINT source_when_read CHECK (((state <> ALL (ARRAY['succeeded'::text, 'unchanged'::text, 'undone'::text, 'kept'::text])) OR (source_id IS NOT NULL))),
    CONSTRAINT state_known CHECK ((state = ANY (ARRAY['pending'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'unchanged'::text, 'undone'::text, 'kept'::text]))),
    CONSTRAINT undo_of_result CHECK (((state <> ALL (ARRAY['undone'::text, 'kept'::text])) OR (result_id IS NOT NULL)))
)
WITH (fillfactor='70');
CREATE TABLE realmshift.idempotent_request (
    key_id uuid NOT NULL,
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    fingerprint bytea NOT NULL,
    turn_id uuid NOT NULL,
    held_until timestamp with time zone,
    status integer,
    fields text[],
    body bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    job_id uuid,
    CONSTRAINT answer_whole CHECK ((((status IS NULL) = (fields IS NULL)) AND ((status IS NULL) = (body IS NULL)))),
    CONSTRAINT held_or_answered CHECK (((held_until IS NULL) = (status IS NOT NULL))),
    CONSTRAINT idempotent_request_fingerprint_check CHECK ((octet_length(fingerprint) = 32))
);
CREATE TABLE realmshift.job (
    job_id uuid NOT NULL,
    app_id uuid NOT NULL,
    realm_id uuid,
    app_name text NOT NULL COLLATE pg_catalog."C",
    realm_name text COLLATE pg_catalog."C",
    source_id uuid,
    result_id uuid,
    from_version numeric(20,0),
    to_version numeric(20,0),
    request json NOT NULL,
    schema bytea,
    dry_run boolean,
    state text DEFAULT 'queued'::text NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    attempt_limit smallint DEFAULT 32767 NOT NULL,
    run_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lease_token uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false NOT NULL,
    progress json,
    problem json,
    log_count integer DEFAULT 0 NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    migration json,
    plan json,
    kind text NOT NULL,
    exclusive boolean NOT NULL,
    parent_id uuid,
    priority smallint DEFAULT 0 NOT NULL,
    losses integer DEFAULT 0 NOT NULL,
    host_losses integer DEFAULT 0 NOT NULL,
    worker text,
    attempt_started_at timestamp with time zone,
    returned boolean DEFAULT false NOT NULL,
    request_id text,
    fleet_id uuid,
    quarantined_count integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='70');
CREATE TABLE realmshift.job_attempt (
    job_id uuid NOT NULL,
    attempt integer NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone DEFAULT now() NOT NULL,
    worker text,
    problem json NOT NULL,
    CONSTRAINT job_attempt_attempt_check CHECK ((attempt > 0))
);
CREATE TABLE realmshift.job_figure (
    name text NOT NULL,
    labels text NOT NULL,
    counts bigint[] NOT NULL,
    seconds double precision NOT NULL
);
CREATE TABLE realmshift.job_log (
    job_id uuid NOT NULL,
    ordinal integer NOT NULL,
    attempt integer NOT NULL,
    line text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    level text DEFAULT 'log'::text NOT NULL,
    CONSTRAINT job_log_ordinal_check CHECK ((ordinal > 0)),
    CONSTRAINT level_known CHECK ((level = ANY (ARRAY['log'::text, 'warn'::text, 'error'::text])))
);
CREATE TABLE realmshift.job_report (
    job_id uuid NOT NULL,
    report json NOT NULL
);
CREATE TABLE realmshift.partner (
    app_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    class_name text NOT NULL COLLATE pg_catalog."C",
    property text COLLATE pg_catalog."C",
    partner bytea NOT NULL,
    functions json NOT NULL,
    cut_over_after double precision,
    state text DEFAULT 'preparing'::text NOT NULL,
    pass smallint DEFAULT 0 NOT NULL,
    filled_to bigint DEFAULT '-1'::integer NOT NULL,
    fill_end bigint NOT NULL,
    filled_count bigint DEFAULT 0 NOT NULL,
    total_count bigint NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    dual_at timestamp with time zone,
    job_id uuid,
    retired bytea,
    ended_at timestamp with time zone,
    CONSTRAINT filled_in_range CHECK (((filled_to >= '-1'::integer) AND (filled_to <= fill_end))),
    CONSTRAINT filled_when_dual CHECK (((state = ANY (ARRAY['dual'::text, 'cutOver'::text, 'done'::text])) <= (dual_at IS NOT NULL))),
    CONSTRAINT partner_cut_over_after_check CHECK ((cut_over_after >= (0)::double precision)),
    CONSTRAINT partner_pass_check CHECK ((pass = ANY (ARRAY[0, 1]))),
    CONSTRAINT state_known CHECK ((state = ANY (ARRAY['preparing'::text, 'dual'::text, 'cutOver'::text, 'done'::text, 'aborted'::text])))
);
CREATE TABLE realmshift.partner_object (
    app_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    kind text NOT NULL,
    object_key bigint NOT NULL,
    primary_key bytea,
    before bytea,
    after bytea,
    reason text,
    accepted boolean DEFAULT false NOT NULL,
    properties text[],
    CONSTRAINT finding_whole CHECK (((kind = ANY (ARRAY['written'::text, 'given'::text])) OR (primary_key IS NOT NULL))),
    CONSTRAINT given_whole CHECK (((kind = 'given'::text) = (properties IS NOT NULL))),
    CONSTRAINT partner_object_kind_check CHECK ((kind = ANY (ARRAY['written'::text, 'given'::text, 'violation'::text, 'divergence'::text])))
);
CREATE TABLE realmshift.partner_version (
    app_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    version numeric(20,0) NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT partner_version_version_check CHECK (((version >= (0)::numeric) AND (version <= '18446744073709551614'::numeric)))
);
CREATE TABLE realmshift.primary_key_page (
    app_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    ordinal integer NOT NULL,
    run integer NOT NULL,
    first_hash bigint NOT NULL,
    bytes bytea NOT NULL,
    CONSTRAINT primary_key_page_first_hash_check CHECK (((first_hash >= 0) AND (first_hash <= '4294967295'::bigint))),
    CONSTRAINT primary_key_page_run_check CHECK ((run >= 0))
);
ALTER TABLE ONLY realmshift.primary_key_page ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE realmshift.quarantined_object (
    job_id uuid NOT NULL,
    ordinal integer NOT NULL,
    class text NOT NULL,
    object_key bigint NOT NULL,
    item json NOT NULL,
    object json
);
CREATE TABLE realmshift.realm (
    app_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    current_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    development_mode boolean DEFAULT false NOT NULL,
    is_terminated boolean DEFAULT false NOT NULL,
    unsynced_count bigint DEFAULT 0 NOT NULL,
    recovery_id uuid,
    retired bytea,
    patched_rows bigint DEFAULT 0 NOT NULL,
    representation integer DEFAULT 0 NOT NULL,
    folding_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    labels jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT realm_kind_check CHECK ((kind = ANY (ARRAY['local'::text, 'synced'::text]))),
    CONSTRAINT realm_name_form CHECK ((name ~ '^[A-Za-z0-9][A-Za-z0-9._@|:+=-]{0,127}$'::text)),
    CONSTRAINT realm_patched_rows_check CHECK ((patched_rows >= 0)),
    CONSTRAINT realm_representation_check CHECK ((representation >= 0)),
    CONSTRAINT realm_unsynced_count_check CHECK ((unsynced_count >= 0)),
    CONSTRAINT sync_of_synced CHECK (((kind = 'synced'::text) OR ((NOT development_mode) AND (NOT is_terminated) AND (unsynced_count = 0))))
);
CREATE TABLE realmshift.realm_token (
    realm_token_id uuid NOT NULL,
    api_key_id uuid NOT NULL,
    app_id uuid NOT NULL,
    hash bytea NOT NULL,
    scopes text[] NOT NULL,
    realms text[] NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT hours CHECK ((expires_at <= (created_at + '24:00:00'::interval))),
    CONSTRAINT realm_token_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT realms_named CHECK (cardinality(realms) BETWEEN 1 AND 100 AND array_position(realms, NULL) IS NULL),
    CONSTRAINT scopes_known CHECK (((cardinality(scopes) > 0) AND (scopes <@ '{read,write,migrate}'::text[])))
);
CREATE TABLE realmshift.recovery (
    app_id uuid NOT NULL,
    recovery_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    snapshot_id uuid NOT NULL,
    schema bytea NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE realmshift.recovery_batch (
    app_id uuid NOT NULL,
    recovery_id uuid NOT NULL,
    ordinal integer NOT NULL,
    schema_version numeric(20,0) NOT NULL,
    changes bytea NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    replayed_at timestamp with time zone,
    left_out bytea,
    CONSTRAINT recovery_batch_ordinal_check CHECK ((ordinal > 0)),
    CONSTRAINT recovery_batch_schema_version_check CHECK (((schema_version >= (0)::numeric) AND (schema_version <= '18446744073709551614'::numeric)))
);
CREATE TABLE realmshift.schema_version (
    app_id uuid NOT NULL,
    version numeric(20,0) NOT NULL,
    schema bytea NOT NULL,
    migration json,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    CONSTRAINT schema_version_revision_check CHECK ((revision >= 1)),
    CONSTRAINT schema_version_version_check CHECK (((version >= (0)::numeric) AND (version <= '18446744073709551614'::numeric)))
);
CREATE TABLE realmshift.schema_version_revision (
    app_id uuid NOT NULL,
    version numeric(20,0) NOT NULL,
    revision integer NOT NULL,
    schema bytea NOT NULL,
    migration json,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT schema_version_revision_revision_check CHECK ((revision >= 1)),
    CONSTRAINT schema_version_revision_version_check CHECK (((version >= (0)::numeric) AND (version <= '18446744073709551614'::numeric)))
);
CREATE TABLE realmshift.segment (
    app_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    ordinal integer NOT NULL,
    bytes bytea,
    stored_bytes bigint NOT NULL,
    CONSTRAINT segment_ordinal_check CHECK ((ordinal >= 0)),
    CONSTRAINT stored_bytes_of_row CHECK (((stored_bytes >= 0) AND ((bytes IS NULL) OR (octet_length(bytes) = stored_bytes))))
);
ALTER TABLE ONLY realmshift.segment ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE realmshift.segment_batch (
    app_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    owner text NOT NULL,
    state text DEFAULT 'staged'::text NOT NULL,
    touched_at timestamp with time zone DEFAULT now() NOT NULL,
    garbage_since timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT segment_batch_owner_check CHECK ((owner = ANY (ARRAY['upload'::text, 'attempt'::text]))),
    CONSTRAINT segment_batch_state_check CHECK ((state = ANY (ARRAY['staged'::text, 'committed'::text, 'removing'::text])))
);
CREATE TABLE realmshift.segment_column (
    app_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    ordinal integer NOT NULL,
    segments bytea NOT NULL,
    stored_bytes bigint NOT NULL,
    segment_batches uuid[] NOT NULL,
    segment_ordinals integer[] NOT NULL,
    CONSTRAINT segment_column_ordinal_check CHECK ((ordinal >= 0)),
    CONSTRAINT segment_column_stored_bytes_check CHECK ((stored_bytes >= 0)),
    CONSTRAINT segments_named CHECK ((cardinality(segment_batches) = cardinality(segment_ordinals)))
);
CREATE TABLE realmshift.segment_reader (
    app_id uuid NOT NULL,
    reader_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    until timestamp with time zone NOT NULL
);
CREATE TABLE realmshift.snapshot (
    app_id uuid NOT NULL,
    snapshot_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    schema_version numeric(20,0),
    parent_id uuid,
    created_by text NOT NULL,
    job_id uuid,
    manifest bytea NOT NULL,
    object_counts json NOT NULL,
    stored_bytes bigint NOT NULL,
    column_batches uuid[] NOT NULL,
    column_ordinals integer[] NOT NULL,
    segment_batches uuid[] NOT NULL,
    segment_ordinals integer[] NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    delta bytea,
    preview_until timestamp with time zone,
    CONSTRAINT columns_named CHECK ((cardinality(column_batches) = cardinality(column_ordinals))),
    CONSTRAINT job_when_migrated CHECK (((job_id IS NOT NULL) = (created_by = 'migration'::text))),
    CONSTRAINT segments_named CHECK ((cardinality(segment_batches) = cardinality(segment_ordinals))),
    CONSTRAINT snapshot_created_by_check CHECK ((created_by = ANY (ARRAY['upload'::text, 'changes'::text, 'migration'::text]))),
    CONSTRAINT snapshot_schema_version_check CHECK (((schema_version >= (0)::numeric) AND (schema_version <= '18446744073709551614'::numeric))),
    CONSTRAINT snapshot_stored_bytes_check CHECK ((stored_bytes >= 0))
);
CREATE TABLE realmshift.upload (
    app_id uuid NOT NULL,
    upload_id uuid NOT NULL,
    realm_name text NOT NULL COLLATE pg_catalog."C",
    length bigint NOT NULL,
    received bigint DEFAULT 0 NOT NULL,
    media_type text NOT NULL,
    metadata text NOT NULL,
    snapshot_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT upload_check CHECK (((received >= 0) AND (received <= length))),
    CONSTRAINT upload_length_check CHECK ((length > 0)),
    CONSTRAINT whole_when_done CHECK (((snapshot_id IS NULL) OR (received = length)))
);
CREATE TABLE realmshift.upload_part (
    app_id uuid NOT NULL,
    upload_id uuid NOT NULL,
    start bigint NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY realmshift.upload_part ALTER COLUMN bytes SET STORAGE EXTERNAL;
INSERT INTO realmshift.api_key (api_key_id, name, hash, created_at, scopes, apps, expires_at) VALUES ('01920000-0000-7000-8000-000000000003', 'operator', '\x7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed', '2026-11-20 08:00:00+00', '{read,write,migrate,admin}', NULL, NULL);
INSERT INTO realmshift.api_key (api_key_id, name, hash, created_at, scopes, apps, expires_at) VALUES ('01920000-0000-7000-8000-000000000004', 'client', '\x3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3', '2026-11-20 08:02:00+00', '{read,write}', '{shop,later}', '2030-01-01 00:00:00+00');
INSERT INTO realmshift.app (app_id, name, created_at, keep_snapshots, keep_snapshot_days, keep_jobs, keep_job_days, export_format, export_dates, export_flattens, export_version) VALUES ('01920000-0000-7000-8000-000000000001', 'shop', '2026-11-20 08:00:00+00', 10, 30, 100, 90.5, 'sqlite', 'iso', true, 2);
INSERT INTO realmshift.app (app_id, name, created_at, keep_snapshots, keep_snapshot_days, keep_jobs, keep_job_days, export_format, export_dates, export_flattens, export_version) VALUES ('01920000-0000-7000-8000-000000000002', 'school', '2026-11-20 08:01:00+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO realmshift.audit_entry (audit_entry_id, at, key_id, key_name, app_name, operation, path, request_id, status, token_id) VALUES ('01920000-0000-7000-8000-000000000090', '2026-11-20 08:00:00+00', '01920000-0000-7000-8000-000000000003', 'operator', 'shop', 'putApp', '/v1/apps/shop', 'r-0', 201, NULL);
INSERT INTO realmshift.audit_entry (audit_entry_id, at, key_id, key_name, app_name, operation, path, request_id, status, token_id) VALUES ('01920000-0000-7000-8000-000000000091', '2026-11-20 08:08:00+00', '01920000-0000-7000-8000-000000000004', 'client', 'gone', 'startMigration', '/v1/apps/gone/realms/ada/migrations', 'r-1', NULL, '01920000-0000-7000-8000-000000000005');
INSERT INTO realmshift.audit_entry (audit_entry_id, at, key_id, key_name, app_name, operation, path, request_id, status, token_id) VALUES ('01920000-0000-7000-8000-000000000092', '2026-11-20 08:09:00+00', '01920000-0000-7000-8000-000000000003', 'operator', NULL, 'createKey', '/v1/keys', 'r-2', 201, NULL);
INSERT INTO realmshift.chore (name, held_until) VALUES ('sweep', '2026-11-26 07:40:58.946654+00');
INSERT INTO realmshift.chore (name, held_until) VALUES ('retention', '2026-11-26 07:40:59.005819+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (1, 'service', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (2, 'schema_version_revision', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (3, 'jobs_and_names', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (4, 'segment_size', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (5, 'primary_key_index', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (6, 'job_kinds', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (7, 'key_scopes', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (8, 'synced_realms', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (9, 'key_expiry', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (10, 'deltas', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (11, 'backfills', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (12, 'recoveries', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (13, 'partners', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (14, 'patches', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (15, 'plans', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (16, 'audit', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (17, 'idempotent_requests', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (18, 'job_lanes', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (19, 'retention', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (20, 'no_op', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (21, 'uploads', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (22, 'folding', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (23, 'job_attempts', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (24, 'previews', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (25, 'returned_jobs', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (26, 'job_figures', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (27, 'job_law', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (28, 'fleets', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (29, 'quarantine', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (30, 'rehearsals', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (31, 'fleet_findings', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (32, 'export_policy', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (33, 'idempotent_jobs', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (34, 'given_properties', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (35, 'retired_sides', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (36, 'realm_tokens', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.database_migration (number, name, applied_at) VALUES (37, 'left_out', '2026-11-20 07:00:00+00');
INSERT INTO realmshift.fleet (app_id, fleet_id, target_version, request, migration, state, pause, has_passed_canary, held_until, forgiven, total, pending, running, succeeded, failed, unchanged, undone, kept, objects, stretch_at, stretch_finished, stretch_objects, settled_at, created_at, finished_at) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000050', 2, '{"select":{},"mode":"automatic","dryRun":false}', NULL, 'running', NULL, true, NULL, 0, 4, 1, 1, 1, 1, 0, 0, 0, 2, '2026-11-20 08:17:00+00', 0, 0, '2026-11-20 08:18:00+00', '2026-11-20 08:17:00+00', NULL);
INSERT INTO realmshift.fleet_finding (app_id, fleet_id, level, rule, class, property, message, realm_count, object_count, sample) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000050', 'warning', 'value_lost', 'Person', '', 'Something is lost.', 2, 3, '{ada,bob}');
INSERT INTO realmshift.fleet_member (app_id, fleet_id, realm_id, realm_name, "position", from_version, weight, state, job_id, attempt, source_id, result_id, reason, problem, finished_at, quarantined_count, quarantine_job_id) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000050', '01920000-0000-7000-8000-000000000010', 'ada', 0, 1, 3, 'succeeded', '01920000-0000-7000-8000-000000000047', 1, '01920000-0000-7000-8000-000000000030', '01920000-0000-7000-8000-000000000031', NULL, NULL, '2026-11-20 08:18:00+00', 1, '01920000-0000-7000-8000-000000000040');
INSERT INTO realmshift.fleet_member (app_id, fleet_id, realm_id, realm_name, "position", from_version, weight, state, job_id, attempt, source_id, result_id, reason, problem, finished_at, quarantined_count, quarantine_job_id) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000050', '01920000-0000-7000-8000-000000000011', 'bob', 1, NULL, 0, 'running', '01920000-0000-7000-8000-000000000047', 1, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO realmshift.fleet_member (app_id, fleet_id, realm_id, realm_name, "position", from_version, weight, state, job_id, attempt, source_id, result_id, reason, problem, finished_at, quarantined_count, quarantine_job_id) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000050', '01920000-0000-7000-8000-000000000013', 'eve', 2, 1, 5, 'pending', NULL, 0, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO realmshift.fleet_member (app_id, fleet_id, realm_id, realm_name, "position", from_version, weight, state, job_id, attempt, source_id, result_id, reason, problem, finished_at, quarantined_count, quarantine_job_id) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000050', '01920000-0000-7000-8000-000000000014', 'dan', 3, 1, 5, 'failed', '01920000-0000-7000-8000-000000000047', 1, NULL, NULL, 'script_failed', '{"code":"script_failed"}', '2026-11-20 08:18:00+00', 0, NULL);
INSERT INTO realmshift.idempotent_request (key_id, idempotency_key, fingerprint, turn_id, held_until, status, fields, body, created_at, job_id) VALUES ('01920000-0000-7000-8000-000000000004', 'mine', '\xca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb', '01920000-0000-7000-8000-000000000095', NULL, 202, '{Location,/v1/jobs/x}', '\x7b7d', '2026-11-20 08:08:00+00', '01920000-0000-7000-8000-000000000040');
INSERT INTO realmshift.idempotent_request (key_id, idempotency_key, fingerprint, turn_id, held_until, status, fields, body, created_at, job_id) VALUES ('01920000-0000-7000-8000-000000000004', 'held', '\x3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d', '01920000-0000-7000-8000-000000000096', '2030-01-01 00:00:00+00', NULL, NULL, NULL, '2026-11-20 08:08:00+00', NULL);
INSERT INTO realmshift.job (job_id, app_id, realm_id, app_name, realm_name, source_id, result_id, from_version, to_version, request, schema, dry_run, state, attempt, attempt_limit, run_at, lease_token, lease_until, cancel_requested, progress, problem, log_count, revision, created_at, started_at, finished_at, migration, plan, kind, exclusive, parent_id, priority, losses, host_losses, worker, attempt_started_at, returned, request_id, fleet_id, quarantined_count) VALUES ('01920000-0000-7000-8000-000000000040', '01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000010', 'shop', 'ada', '01920000-0000-7000-8000-000000000030', '01920000-0000-7000-8000-000000000031', 1, 2, '{"steps":"direct","mode":"automatic","resolveEmbeddedConstraints":false,"dryRun":false}', NULL, false, 'succeeded', 2, 32767, '2026-11-20 08:08:00+00', NULL, NULL, false, '{"phase":"commit","objectsDone":2,"objectsTotal":2}', NULL, 2, 9, '2026-11-20 08:08:00+00', '2026-11-20 08:08:00+00', '2026-11-20 08:10:00+00', NULL, '{"steps":[{"version":2,"schemaRevision":2,"migrationRevision":2}]}', 'migration', true, NULL, 0, 0, 0, NULL, '2026-11-20 08:09:00+00', false, 'r-1', NULL, 1);
INSERT INTO realmshift.job (job_id, app_id, realm_id, app_name, realm_name, source_id, result_id, from_version, to_version, request, schema, dry_run, state, attempt, attempt_limit, run_at, lease_token, lease_until, cancel_requested, progress, problem, log_count, revision, created_at, started_at, finished_at, migration, plan, kind, exclusive, parent_id, priority, losses, host_losses, worker, attempt_started_at, returned, request_id, fleet_id, quarantined_count) VALUES ('01920000-0000-7000-8000-000000000041', '01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000011', 'shop', 'bob', '01920000-0000-7000-8000-000000000033', NULL, NULL, 2, '{"steps":"chain","mode":"automatic","resolveEmbeddedConstraints":true,"dryRun":false,"migration":{"language":"javascript","source":"function migrate() {}"}}', '\x0d', false, 'failed', 3, 32767, '2026-11-20 08:09:00+00', NULL, NULL, false, NULL, '{"title":"script_failed","status":422,"code":"script_failed","detail":"It threw."}', 0, 0, '2026-11-20 08:09:00+00', '2026-11-20 08:09:00+00', '2026-11-20 08:10:00+00', NULL, NULL, 'migration', true, '01920000-0000-7000-8000-000000000040', 1, 2, 1, NULL, '2026-11-20 08:09:00+00', false, NULL, NULL, 0);
INSERT INTO realmshift.job (job_id, app_id, realm_id, app_name, realm_name, source_id, result_id, from_version, to_version, request, schema, dry_run, state, attempt, attempt_limit, run_at, lease_token, lease_until, cancel_requested, progress, problem, log_count, revision, created_at, started_at, finished_at, migration, plan, kind, exclusive, parent_id, priority, losses, host_losses, worker, attempt_started_at, returned, request_id, fleet_id, quarantined_count) VALUES ('01920000-0000-7000-8000-000000000042', '01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000011', 'shop', 'bob', '01920000-0000-7000-8000-000000000033', NULL, NULL, 2, '{"steps":"direct","mode":"automatic","resolveEmbeddedConstraints":false,"dryRun":false}', NULL, false, 'running', 2, 32767, '2026-11-20 08:12:00+00', '01920000-0000-7000-8000-000000000022', '2026-11-20 08:14:00+00', true, NULL, NULL, 0, 0, '2026-11-20 08:12:00+00', '2026-11-20 08:12:00+00', NULL, '{"language":"javascript","source":"function migrate() {}"}', NULL, 'migration', true, NULL, 0, 0, 0, 'host:1:2', '2026-11-20 08:13:00+00', true, NULL, NULL, 0);
INSERT INTO realmshift.job (job_id, app_id, realm_id, app_name, realm_name, source_id, result_id, from_version, to_version, request, schema, dry_run, state, attempt, attempt_limit, run_at, lease_token, lease_until, cancel_requested, progress, problem, log_count, revision, created_at, started_at, finished_at, migration, plan, kind, exclusive, parent_id, priority, losses, host_losses, worker, attempt_started_at, returned, request_id, fleet_id, quarantined_count) VALUES ('01920000-0000-7000-8000-000000000043', '01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000010', 'shop', 'ada', '01920000-0000-7000-8000-000000000031', '01920000-0000-7000-8000-000000000032', 2, 2, '{"steps":"direct","mode":"automatic","resolveEmbeddedConstraints":false,"dryRun":true,"failOn":["warning"]}', NULL, true, 'succeeded', 1, 32767, '2026-11-20 08:10:00+00', NULL, NULL, false, NULL, NULL, 0, 0, '2026-11-20 08:10:00+00', '2026-11-20 08:10:00+00', '2026-11-20 08:11:00+00', NULL, NULL, 'migration', false, NULL, 0, 0, 0, NULL, '2026-11-20 08:10:00+00', false, NULL, NULL, 0);
INSERT INTO realmshift.job (job_id, app_id, realm_id, app_name, realm_name, source_id, result_id, from_version, to_version, request, schema, dry_run, state, attempt, attempt_limit, run_at, lease_token, lease_until, cancel_requested, progress, problem, log_count, revision, created_at, started_at, finished_at, migration, plan, kind, exclusive, parent_id, priority, losses, host_losses, worker, attempt_started_at, returned, request_id, fleet_id, quarantined_count) VALUES ('01920000-0000-7000-8000-000000000044', '01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000012', 'school', 'room', NULL, NULL, NULL, NULL, '{"className":"Task","property":"title","value":"\"none\""}', NULL, NULL, 'queued', 0, 32767, '2026-11-20 08:14:00+00', NULL, NULL, false, NULL, NULL, 0, 0, '2026-11-20 08:14:00+00', NULL, NULL, NULL, NULL, 'backfill', false, NULL, 0, 0, 0, NULL, NULL, false, NULL, NULL, 0);
INSERT INTO realmshift.job (job_id, app_id, realm_id, app_name, realm_name, source_id, result_id, from_version, to_version, request, schema, dry_run, state, attempt, attempt_limit, run_at, lease_token, lease_until, cancel_requested, progress, problem, log_count, revision, created_at, started_at, finished_at, migration, plan, kind, exclusive, parent_id, priority, losses, host_losses, worker, attempt_started_at, returned, request_id, fleet_id, quarantined_count) VALUES ('01920000-0000-7000-8000-000000000045', '01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000012', 'school', 'room', NULL, NULL, NULL, NULL, '{"className":"Task","property":"owner"}', NULL, NULL, 'queued', 0, 32767, '2026-11-20 08:15:00+00', NULL, NULL, false, NULL, NULL, 0, 0, '2026-11-20 08:15:00+00', NULL, NULL, '{"script":"o => ({ owner: \"x\" })"}', NULL, 'backfill', false, NULL, 0, 0, 0, NULL, NULL, false, NULL, NULL, 0);
INSERT INTO realmshift.job (job_id, app_id, realm_id, app_name, realm_name, source_id, result_id, from_version, to_version, request, schema, dry_run, state, attempt, attempt_limit, run_at, lease_token, lease_until, cancel_requested, progress, problem, log_count, revision, created_at, started_at, finished_at, migration, plan, kind, exclusive, parent_id, priority, losses, host_losses, worker, attempt_started_at, returned, request_id, fleet_id, quarantined_count) VALUES ('01920000-0000-7000-8000-000000000046', '01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000012', 'school', 'room', NULL, NULL, NULL, NULL, '{"partner":"01920000-0000-7000-8000-000000000070"}', NULL, NULL, 'queued', 0, 32767, '2026-11-20 08:16:00+00', NULL, NULL, false, NULL, NULL, 0, 0, '2026-11-20 08:16:00+00', NULL, NULL, NULL, NULL, 'partner_backfill', false, NULL, 0, 0, 0, NULL, NULL, false, NULL, NULL, 0);
INSERT INTO realmshift.job (job_id, app_id, realm_id, app_name, realm_name, source_id, result_id, from_version, to_version, request, schema, dry_run, state, attempt, attempt_limit, run_at, lease_token, lease_until, cancel_requested, progress, problem, log_count, revision, created_at, started_at, finished_at, migration, plan, kind, exclusive, parent_id, priority, losses, host_losses, worker, attempt_started_at, returned, request_id, fleet_id, quarantined_count) VALUES ('01920000-0000-7000-8000-000000000047', '01920000-0000-7000-8000-000000000001', NULL, 'shop', NULL, NULL, NULL, NULL, 2, '{}', NULL, NULL, 'queued', 0, 32767, '2026-11-20 08:17:00+00', NULL, NULL, false, NULL, NULL, 0, 0, '2026-11-20 08:17:00+00', NULL, NULL, NULL, NULL, 'fleet', false, NULL, 0, 0, 0, NULL, NULL, false, NULL, '01920000-0000-7000-8000-000000000050', 0);
INSERT INTO realmshift.job (job_id, app_id, realm_id, app_name, realm_name, source_id, result_id, from_version, to_version, request, schema, dry_run, state, attempt, attempt_limit, run_at, lease_token, lease_until, cancel_requested, progress, problem, log_count, revision, created_at, started_at, finished_at, migration, plan, kind, exclusive, parent_id, priority, losses, host_losses, worker, attempt_started_at, returned, request_id, fleet_id, quarantined_count) VALUES ('01920000-0000-7000-8000-000000000048', '01920000-0000-7000-8000-000000000001', NULL, 'shop', NULL, NULL, NULL, NULL, 2, '{"samples":[],"realmsPerVersion":2,"failOn":null}', NULL, NULL, 'cancelled', 0, 32767, '2026-11-20 08:18:00+00', NULL, NULL, false, NULL, NULL, 0, 0, '2026-11-20 08:18:00+00', NULL, '2026-11-20 08:19:00+00', NULL, NULL, 'rehearsal', false, NULL, 0, 0, 0, NULL, NULL, false, NULL, NULL, 0);
INSERT INTO realmshift.job (job_id, app_id, realm_id, app_name, realm_name, source_id, result_id, from_version, to_version, request, schema, dry_run, state, attempt, attempt_limit, run_at, lease_token, lease_until, cancel_requested, progress, problem, log_count, revision, created_at, started_at, finished_at, migration, plan, kind, exclusive, parent_id, priority, losses, host_losses, worker, attempt_started_at, returned, request_id, fleet_id, quarantined_count) VALUES ('01920000-0000-7000-8000-000000000049', '01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000099', 'school', 'nowhere', NULL, NULL, NULL, NULL, '{}', NULL, NULL, 'queued', 0, 32767, '2026-11-20 08:20:00+00', NULL, NULL, false, NULL, NULL, 0, 0, '2026-11-20 08:20:00+00', NULL, NULL, NULL, NULL, 'no_op', true, NULL, 0, 0, 0, NULL, NULL, false, NULL, NULL, 0);
INSERT INTO realmshift.job_attempt (job_id, attempt, started_at, ended_at, worker, problem) VALUES ('01920000-0000-7000-8000-000000000040', 1, NULL, '2026-11-20 08:09:00+00', 'host:1:1', '{"code":"worker_lost"}');
INSERT INTO realmshift.job_attempt (job_id, attempt, started_at, ended_at, worker, problem) VALUES ('01920000-0000-7000-8000-000000000041', 3, '2026-11-20 08:09:00+00', '2026-11-20 08:10:00+00', NULL, '{"code":"script_failed"}');
INSERT INTO realmshift.job_figure (name, labels, counts, seconds) VALUES ('realmshift_job_wait_seconds', 'kind="migration"', '{1,2}', 0.5);
INSERT INTO realmshift.job_log (job_id, ordinal, attempt, line, created_at, level) VALUES ('01920000-0000-7000-8000-000000000040', 1, 1, 'first', '2026-11-20 08:08:00+00', 'log');
INSERT INTO realmshift.job_log (job_id, ordinal, attempt, line, created_at, level) VALUES ('01920000-0000-7000-8000-000000000040', 2, 2, 'second', '2026-11-20 08:09:00+00', 'error');
INSERT INTO realmshift.job_report (job_id, report) VALUES ('01920000-0000-7000-8000-000000000043', '{"findings":[]}');
INSERT INTO realmshift.partner (app_id, partner_id, realm_id, class_name, property, partner, functions, cut_over_after, state, pass, filled_to, fill_end, filled_count, total_count, created_at, dual_at, job_id, retired, ended_at) VALUES ('01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000070', '01920000-0000-7000-8000-000000000012', 'Task', 'title', '\x0f', '{"forward":"o => o"}', 60, 'preparing', 1, 5, 9, 4, 10, '2026-11-20 08:16:00+00', NULL, '01920000-0000-7000-8000-000000000046', NULL, NULL);
INSERT INTO realmshift.partner (app_id, partner_id, realm_id, class_name, property, partner, functions, cut_over_after, state, pass, filled_to, fill_end, filled_count, total_count, created_at, dual_at, job_id, retired, ended_at) VALUES ('01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000071', '01920000-0000-7000-8000-000000000012', 'Note', NULL, '\x10', '{"forward":"o => o"}', NULL, 'done', 1, 9, 9, 10, 10, '2026-11-20 08:07:00+00', '2026-11-20 08:08:00+00', NULL, '\x11', '2026-11-20 08:09:00+00');
INSERT INTO realmshift.partner_object (app_id, partner_id, kind, object_key, primary_key, before, after, reason, accepted, properties) VALUES ('01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000070', 'written', 7, NULL, NULL, NULL, NULL, false, NULL);
INSERT INTO realmshift.partner_object (app_id, partner_id, kind, object_key, primary_key, before, after, reason, accepted, properties) VALUES ('01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000070', 'given', 7, NULL, NULL, NULL, NULL, false, '{title}');
INSERT INTO realmshift.partner_object (app_id, partner_id, kind, object_key, primary_key, before, after, reason, accepted, properties) VALUES ('01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000071', 'violation', 8, '\x01', '\x02', '\x03', 'It differs.', true, NULL);
INSERT INTO realmshift.partner_version (app_id, partner_id, version, seen_at) VALUES ('01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000070', 1, '2026-11-20 08:25:00+00');
INSERT INTO realmshift.primary_key_page (app_id, batch_id, ordinal, run, first_hash, bytes) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000020', 0, 0, 4294967295, '\x0b');
INSERT INTO realmshift.quarantined_object (job_id, ordinal, class, object_key, item, object) VALUES ('01920000-0000-7000-8000-000000000040', 1, 'Person', 7, '{"message":"It threw."}', '{"id":7}');
INSERT INTO realmshift.realm (app_id, realm_id, name, kind, current_id, created_at, development_mode, is_terminated, unsynced_count, recovery_id, retired, patched_rows, representation, folding_until, labels) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000010', 'ada', 'local', '01920000-0000-7000-8000-000000000031', '2026-11-20 08:04:00+00', false, false, 0, NULL, NULL, 0, 0, '-infinity', '{"team": "red"}');
INSERT INTO realmshift.realm (app_id, realm_id, name, kind, current_id, created_at, development_mode, is_terminated, unsynced_count, recovery_id, retired, patched_rows, representation, folding_until, labels) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000011', 'bob', 'local', '01920000-0000-7000-8000-000000000033', '2026-11-20 08:05:00+00', false, false, 0, NULL, NULL, 0, 0, '-infinity', '{}');
INSERT INTO realmshift.realm (app_id, realm_id, name, kind, current_id, created_at, development_mode, is_terminated, unsynced_count, recovery_id, retired, patched_rows, representation, folding_until, labels) VALUES ('01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000012', 'room', 'synced', '01920000-0000-7000-8000-000000000034', '2026-11-20 08:06:00+00', true, false, 3, '01920000-0000-7000-8000-000000000060', '\x07', 12, 4, '-infinity', '{}');
INSERT INTO realmshift.realm_token (realm_token_id, api_key_id, app_id, hash, scopes, realms, created_at, expires_at) VALUES ('01920000-0000-7000-8000-000000000005', '01920000-0000-7000-8000-000000000004', '01920000-0000-7000-8000-000000000001', '\x8b5b9db0c13db24256c829aa364aa90c6d2eba318b9232a4ab9313b954d3555f', '{read}', '{ada,user-*}', '2026-11-20 08:03:00+00', '2026-11-20 09:03:00+00');
INSERT INTO realmshift.recovery (app_id, recovery_id, realm_id, snapshot_id, schema, created_at) VALUES ('01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000060', '01920000-0000-7000-8000-000000000012', '01920000-0000-7000-8000-000000000034', '\x0e', '2026-11-20 08:21:00+00');
INSERT INTO realmshift.recovery_batch (app_id, recovery_id, ordinal, schema_version, changes, created_at, replayed_at, left_out) VALUES ('01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000060', 1, 1, '\x7b7d', '2026-11-20 08:22:00+00', '2026-11-20 08:23:00+00', '\x5b5d');
INSERT INTO realmshift.recovery_batch (app_id, recovery_id, ordinal, schema_version, changes, created_at, replayed_at, left_out) VALUES ('01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000060', 2, 1, '\x7b226368616e676573223a5b5d7d', '2026-11-20 08:24:00+00', NULL, NULL);
INSERT INTO realmshift.schema_version (app_id, version, schema, migration, created_at, revision) VALUES ('01920000-0000-7000-8000-000000000001', 1, '\x01', NULL, '2026-11-20 08:00:00+00', 1);
INSERT INTO realmshift.schema_version (app_id, version, schema, migration, created_at, revision) VALUES ('01920000-0000-7000-8000-000000000001', 2, '\x0203', '{"language":"javascript","source":"function migrate() { }"}', '2026-11-20 08:02:00+00', 2);
INSERT INTO realmshift.schema_version (app_id, version, schema, migration, created_at, revision) VALUES ('01920000-0000-7000-8000-000000000002', 18446744073709551614, '\x04', NULL, '2026-11-20 08:02:00+00', 1);
INSERT INTO realmshift.schema_version_revision (app_id, version, revision, schema, migration, created_at) VALUES ('01920000-0000-7000-8000-000000000001', 1, 1, '\x01', NULL, '2026-11-20 08:00:00+00');
INSERT INTO realmshift.schema_version_revision (app_id, version, revision, schema, migration, created_at) VALUES ('01920000-0000-7000-8000-000000000001', 2, 1, '\x02', '{"language":"javascript","source":"function migrate() {}"}', '2026-11-20 08:01:00+00');
INSERT INTO realmshift.schema_version_revision (app_id, version, revision, schema, migration, created_at) VALUES ('01920000-0000-7000-8000-000000000001', 2, 2, '\x0203', '{"language":"javascript","source":"function migrate() { }"}', '2026-11-20 08:02:00+00');
INSERT INTO realmshift.schema_version_revision (app_id, version, revision, schema, migration, created_at) VALUES ('01920000-0000-7000-8000-000000000002', 18446744073709551614, 1, '\x04', NULL, '2026-11-20 08:02:00+00');
INSERT INTO realmshift.segment (app_id, batch_id, ordinal, bytes, stored_bytes) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000020', 0, '\x0102', 2);
INSERT INTO realmshift.segment (app_id, batch_id, ordinal, bytes, stored_bytes) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000020', 1, '\x', 0);
INSERT INTO realmshift.segment (app_id, batch_id, ordinal, bytes, stored_bytes) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000021', 0, NULL, 70000);
INSERT INTO realmshift.segment_batch (app_id, batch_id, realm_id, owner, state, touched_at, garbage_since, created_at) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000020', '01920000-0000-7000-8000-000000000010', 'upload', 'committed', '2026-11-20 08:04:00+00', NULL, '2026-11-20 08:04:00+00');
INSERT INTO realmshift.segment_batch (app_id, batch_id, realm_id, owner, state, touched_at, garbage_since, created_at) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000021', '01920000-0000-7000-8000-000000000010', 'attempt', 'committed', '2026-11-20 08:09:00+00', '2026-11-20 08:10:00+00', '2026-11-20 08:09:00+00');
INSERT INTO realmshift.segment_batch (app_id, batch_id, realm_id, owner, state, touched_at, garbage_since, created_at) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000022', '01920000-0000-7000-8000-000000000011', 'attempt', 'staged', '2026-11-20 08:12:00+00', NULL, '2026-11-20 08:12:00+00');
INSERT INTO realmshift.segment_batch (app_id, batch_id, realm_id, owner, state, touched_at, garbage_since, created_at) VALUES ('01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000023', '01920000-0000-7000-8000-000000000012', 'upload', 'removing', '2026-11-20 08:06:00+00', NULL, '2026-11-20 08:06:00+00');
INSERT INTO realmshift.segment_column (app_id, batch_id, ordinal, segments, stored_bytes, segment_batches, segment_ordinals) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000020', 0, '\x0a', 3, '{01920000-0000-7000-8000-000000000020}', '{0}');
INSERT INTO realmshift.segment_reader (app_id, reader_id, realm_id, until) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000025', '01920000-0000-7000-8000-000000000010', '2026-11-20 09:30:00+00');
INSERT INTO realmshift.snapshot (app_id, snapshot_id, realm_id, schema_version, parent_id, created_by, job_id, manifest, object_counts, stored_bytes, column_batches, column_ordinals, segment_batches, segment_ordinals, created_at, delta, preview_until) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000030', '01920000-0000-7000-8000-000000000010', 1, NULL, 'upload', NULL, '\x01', '[{"className":"Person","count":2}]', 3, '{01920000-0000-7000-8000-000000000020}', '{0}', '{01920000-0000-7000-8000-000000000020}', '{1}', '2026-11-20 08:04:00+00', NULL, NULL);
INSERT INTO realmshift.snapshot (app_id, snapshot_id, realm_id, schema_version, parent_id, created_by, job_id, manifest, object_counts, stored_bytes, column_batches, column_ordinals, segment_batches, segment_ordinals, created_at, delta, preview_until) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000031', '01920000-0000-7000-8000-000000000010', 2, '01920000-0000-7000-8000-000000000030', 'migration', '01920000-0000-7000-8000-000000000040', '\x02', '[]', 70000, '{}', '{}', '{01920000-0000-7000-8000-000000000021}', '{0}', '2026-11-20 08:10:00+00', NULL, NULL);
INSERT INTO realmshift.snapshot (app_id, snapshot_id, realm_id, schema_version, parent_id, created_by, job_id, manifest, object_counts, stored_bytes, column_batches, column_ordinals, segment_batches, segment_ordinals, created_at, delta, preview_until) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000032', '01920000-0000-7000-8000-000000000010', 2, '01920000-0000-7000-8000-000000000031', 'migration', '01920000-0000-7000-8000-000000000043', '\x03', '[]', 0, '{}', '{}', '{}', '{}', '2026-11-20 08:11:00+00', NULL, '2030-01-01 00:00:00+00');
INSERT INTO realmshift.snapshot (app_id, snapshot_id, realm_id, schema_version, parent_id, created_by, job_id, manifest, object_counts, stored_bytes, column_batches, column_ordinals, segment_batches, segment_ordinals, created_at, delta, preview_until) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000033', '01920000-0000-7000-8000-000000000011', NULL, NULL, 'upload', NULL, '\x04', '[]', 0, '{}', '{}', '{}', '{}', '2026-11-20 08:05:00+00', NULL, NULL);
INSERT INTO realmshift.snapshot (app_id, snapshot_id, realm_id, schema_version, parent_id, created_by, job_id, manifest, object_counts, stored_bytes, column_batches, column_ordinals, segment_batches, segment_ordinals, created_at, delta, preview_until) VALUES ('01920000-0000-7000-8000-000000000002', '01920000-0000-7000-8000-000000000034', '01920000-0000-7000-8000-000000000012', 1, NULL, 'changes', NULL, '\x05', '[]', 0, '{}', '{}', '{}', '{}', '2026-11-20 08:06:00+00', '\x0c', NULL);
INSERT INTO realmshift.upload (app_id, upload_id, realm_name, length, received, media_type, metadata, snapshot_id, created_at, expires_at) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000080', 'ada', 5, 3, 'application/x-realm', 'filename YQ==', NULL, '2026-11-20 08:26:00+00', '2030-01-01 00:00:00+00');
INSERT INTO realmshift.upload_part (app_id, upload_id, start, bytes) VALUES ('01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000080', 0, '\x010203');
ALTER TABLE ONLY realmshift.api_key
    ADD CONSTRAINT api_key_hash UNIQUE (hash);
ALTER TABLE ONLY realmshift.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (api_key_id);
ALTER TABLE ONLY realmshift.app
    ADD CONSTRAINT app_name UNIQUE (name);
ALTER TABLE ONLY realmshift.app
    ADD CONSTRAINT app_pkey PRIMARY KEY (app_id);
ALTER TABLE ONLY realmshift.audit_entry
    ADD CONSTRAINT audit_entry_pkey PRIMARY KEY (audit_entry_id);
ALTER TABLE ONLY realmshift.chore
    ADD CONSTRAINT chore_pkey PRIMARY KEY (name);
ALTER TABLE ONLY realmshift.database_migration
    ADD CONSTRAINT database_migration_pkey PRIMARY KEY (number);
ALTER TABLE ONLY realmshift.fleet_finding
    ADD CONSTRAINT fleet_finding_pkey PRIMARY KEY (app_id, fleet_id, level, rule, class, property, message);
ALTER TABLE ONLY realmshift.fleet_member
    ADD CONSTRAINT fleet_member_pkey PRIMARY KEY (app_id, fleet_id, realm_id);
ALTER TABLE ONLY realmshift.fleet
    ADD CONSTRAINT fleet_pkey PRIMARY KEY (app_id, fleet_id);
ALTER TABLE ONLY realmshift.idempotent_request
    ADD CONSTRAINT idempotent_request_pkey PRIMARY KEY (key_id, idempotency_key);
ALTER TABLE ONLY realmshift.job_attempt
    ADD CONSTRAINT job_attempt_pkey PRIMARY KEY (job_id, attempt);
ALTER TABLE ONLY realmshift.job_figure
    ADD CONSTRAINT job_figure_pkey PRIMARY KEY (name, labels);
ALTER TABLE ONLY realmshift.job_log
    ADD CONSTRAINT job_log_pkey PRIMARY KEY (job_id, ordinal);
ALTER TABLE ONLY realmshift.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (job_id);
ALTER TABLE ONLY realmshift.job_report
    ADD CONSTRAINT job_report_pkey PRIMARY KEY (job_id);
ALTER TABLE ONLY realmshift.partner_object
    ADD CONSTRAINT partner_object_pkey PRIMARY KEY (app_id, partner_id, kind, object_key);
ALTER TABLE ONLY realmshift.partner
    ADD CONSTRAINT partner_pkey PRIMARY KEY (app_id, partner_id);
ALTER TABLE ONLY realmshift.partner_version
    ADD CONSTRAINT partner_version_pkey PRIMARY KEY (app_id, partner_id, version);
ALTER TABLE ONLY realmshift.primary_key_page
    ADD CONSTRAINT primary_key_page_pkey PRIMARY KEY (app_id, batch_id, ordinal, run, first_hash);
ALTER TABLE ONLY realmshift.quarantined_object
    ADD CONSTRAINT quarantined_object_pkey PRIMARY KEY (job_id, ordinal);
ALTER TABLE ONLY realmshift.realm
    ADD CONSTRAINT realm_name UNIQUE (app_id, name);
ALTER TABLE ONLY realmshift.realm
    ADD CONSTRAINT realm_pkey PRIMARY KEY (app_id, realm_id);
ALTER TABLE ONLY realmshift.realm_token
    ADD CONSTRAINT realm_token_hash UNIQUE (hash);
ALTER TABLE ONLY realmshift.realm_token
    ADD CONSTRAINT realm_token_pkey PRIMARY KEY (realm_token_id);
ALTER TABLE ONLY realmshift.recovery_batch
    ADD CONSTRAINT recovery_batch_pkey PRIMARY KEY (app_id, recovery_id, ordinal);
ALTER TABLE ONLY realmshift.recovery
    ADD CONSTRAINT recovery_pkey PRIMARY KEY (app_id, recovery_id);
ALTER TABLE ONLY realmshift.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (app_id, version);
ALTER TABLE ONLY realmshift.schema_version_revision
    ADD CONSTRAINT schema_version_revision_pkey PRIMARY KEY (app_id, version, revision);
ALTER TABLE ONLY realmshift.segment_batch
    ADD CONSTRAINT segment_batch_pkey PRIMARY KEY (app_id, batch_id);
ALTER TABLE ONLY realmshift.segment_column
    ADD CONSTRAINT segment_column_pkey PRIMARY KEY (app_id, batch_id, ordinal);
ALTER TABLE ONLY realmshift.segment
    ADD CONSTRAINT segment_pkey PRIMARY KEY (app_id, batch_id, ordinal);
ALTER TABLE ONLY realmshift.segment_reader
    ADD CONSTRAINT segment_reader_pkey PRIMARY KEY (app_id, reader_id);
ALTER TABLE ONLY realmshift.snapshot
    ADD CONSTRAINT snapshot_pkey PRIMARY KEY (app_id, snapshot_id);
ALTER TABLE ONLY realmshift.upload_part
    ADD CONSTRAINT upload_part_pkey PRIMARY KEY (app_id, upload_id, start);
ALTER TABLE ONLY realmshift.upload
    ADD CONSTRAINT upload_pkey PRIMARY KEY (app_id, upload_id);
CREATE INDEX audit_of_app ON realmshift.audit_entry USING btree (app_name, audit_entry_id DESC);
CREATE INDEX audit_of_key ON realmshift.audit_entry USING btree (key_id, audit_entry_id DESC);
CREATE INDEX fleet_at_work ON realmshift.fleet USING btree (app_id, fleet_id) WHERE ((state = ANY (ARRAY['canary'::text, 'running'::text, 'undoing'::text])) OR (running > 0));
CREATE INDEX fleet_member_name ON realmshift.fleet_member USING btree (app_id, fleet_id, realm_name);
CREATE UNIQUE INDEX fleet_member_running ON realmshift.fleet_member USING btree (app_id, realm_id) WHERE (state = 'running'::text);
CREATE INDEX fleet_member_turn ON realmshift.fleet_member USING btree (app_id, fleet_id, state, "position");
CREATE INDEX fleet_newest ON realmshift.fleet USING btree (app_id, created_at DESC, fleet_id DESC);
CREATE INDEX idempotent_request_by_age ON realmshift.idempotent_request USING btree (created_at);
CREATE UNIQUE INDEX job_exclusive ON realmshift.job USING btree (app_id, realm_id) WHERE ((state = ANY (ARRAY['queued'::text, 'running'::text])) AND exclusive);
CREATE INDEX job_newest ON realmshift.job USING btree (created_at DESC, job_id DESC);
CREATE INDEX job_of_fleet ON realmshift.job USING btree (fleet_id) WHERE ((fleet_id IS NOT NULL) AND (state = ANY (ARRAY['queued'::text, 'running'::text])));
CREATE INDEX job_of_parent ON realmshift.job USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX job_of_realm ON realmshift.job USING btree (app_name, realm_name, created_at DESC, job_id DESC);
CREATE INDEX job_queued ON realmshift.job USING btree (app_id, priority, returned, run_at, job_id) WHERE (state = 'queued'::text);
CREATE INDEX job_running ON realmshift.job USING btree (lease_token) WHERE (state = 'running'::text);
CREATE UNIQUE INDEX partner_active ON realmshift.partner USING btree (app_id, realm_id, class_name) WHERE (state = ANY (ARRAY['preparing'::text, 'dual'::text, 'cutOver'::text]));
CREATE INDEX partner_by_id ON realmshift.partner USING btree (partner_id);
CREATE INDEX partner_of_realm ON realmshift.partner USING btree (app_id, realm_id, created_at DESC, partner_id DESC);
CREATE INDEX realm_patched ON realmshift.realm USING btree (patched_rows DESC) WHERE (patched_rows > 0);
CREATE INDEX realm_token_by_expiry ON realmshift.realm_token USING btree (expires_at);
CREATE INDEX realm_token_of_app ON realmshift.realm_token USING btree (app_id);
CREATE INDEX realm_token_of_key ON realmshift.realm_token USING btree (api_key_id, expires_at);
CREATE INDEX recovery_of_realm ON realmshift.recovery USING btree (app_id, realm_id);
CREATE INDEX segment_batch_garbage ON realmshift.segment_batch USING btree (garbage_since) WHERE (garbage_since IS NOT NULL);
CREATE INDEX segment_batch_of_realm ON realmshift.segment_batch USING btree (app_id, realm_id);
CREATE INDEX segment_batch_staged ON realmshift.segment_batch USING btree (touched_at) WHERE (state <> 'committed'::text);
CREATE INDEX segment_reader_of_realm ON realmshift.segment_reader USING btree (app_id, realm_id);
CREATE INDEX snapshot_at_version ON realmshift.snapshot USING btree (schema_version, app_id);
CREATE UNIQUE INDEX snapshot_by_id ON realmshift.snapshot USING btree (snapshot_id);
CREATE INDEX snapshot_of_realm ON realmshift.snapshot USING btree (app_id, realm_id, created_at DESC, snapshot_id DESC);
CREATE INDEX snapshot_previews ON realmshift.snapshot USING btree (preview_until) WHERE (preview_until IS NOT NULL);
CREATE INDEX upload_by_expiry ON realmshift.upload USING btree (expires_at);
CREATE UNIQUE INDEX upload_by_id ON realmshift.upload USING btree (upload_id);
CREATE TRIGGER fleet_member_law AFTER UPDATE ON realmshift.fleet_member FOR EACH ROW WHEN (((old.state IS DISTINCT FROM new.state) OR (old.result_id IS DISTINCT FROM new.result_id))) EXECUTE FUNCTION realmshift.fleet_member_law();
CREATE TRIGGER job_law AFTER INSERT OR UPDATE ON realmshift.job FOR EACH ROW EXECUTE FUNCTION realmshift.job_law();
ALTER TABLE ONLY realmshift.fleet
    ADD CONSTRAINT fleet_app_id_fkey FOREIGN KEY (app_id) REFERENCES realmshift.app(app_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.fleet_finding
    ADD CONSTRAINT fleet_finding_app_id_fleet_id_fkey FOREIGN KEY (app_id, fleet_id) REFERENCES realmshift.fleet(app_id, fleet_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.fleet_member
    ADD CONSTRAINT fleet_member_app_id_fleet_id_fkey FOREIGN KEY (app_id, fleet_id) REFERENCES realmshift.fleet(app_id, fleet_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.job_attempt
    ADD CONSTRAINT job_attempt_job_id_fkey FOREIGN KEY (job_id) REFERENCES realmshift.job(job_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.job_log
    ADD CONSTRAINT job_log_job_id_fkey FOREIGN KEY (job_id) REFERENCES realmshift.job(job_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.job
    ADD CONSTRAINT job_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES realmshift.job(job_id) ON DELETE SET NULL;
ALTER TABLE ONLY realmshift.job_report
    ADD CONSTRAINT job_report_job_id_fkey FOREIGN KEY (job_id) REFERENCES realmshift.job(job_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.partner
    ADD CONSTRAINT partner_app_id_realm_id_fkey FOREIGN KEY (app_id, realm_id) REFERENCES realmshift.realm(app_id, realm_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.partner_object
    ADD CONSTRAINT partner_object_app_id_partner_id_fkey FOREIGN KEY (app_id, partner_id) REFERENCES realmshift.partner(app_id, partner_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.partner_version
    ADD CONSTRAINT partner_version_app_id_partner_id_fkey FOREIGN KEY (app_id, partner_id) REFERENCES realmshift.partner(app_id, partner_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.primary_key_page
    ADD CONSTRAINT primary_key_page_app_id_batch_id_ordinal_fkey FOREIGN KEY (app_id, batch_id, ordinal) REFERENCES realmshift.segment_column(app_id, batch_id, ordinal) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.quarantined_object
    ADD CONSTRAINT quarantined_object_job_id_fkey FOREIGN KEY (job_id) REFERENCES realmshift.job(job_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.realm
    ADD CONSTRAINT realm_app_id_fkey FOREIGN KEY (app_id) REFERENCES realmshift.app(app_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.realm
    ADD CONSTRAINT realm_current FOREIGN KEY (app_id, current_id) REFERENCES realmshift.snapshot(app_id, snapshot_id);
ALTER TABLE ONLY realmshift.realm_token
    ADD CONSTRAINT realm_token_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES realmshift.api_key(api_key_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.realm_token
    ADD CONSTRAINT realm_token_app_id_fkey FOREIGN KEY (app_id) REFERENCES realmshift.app(app_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.recovery
    ADD CONSTRAINT recovery_app_id_realm_id_fkey FOREIGN KEY (app_id, realm_id) REFERENCES realmshift.realm(app_id, realm_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.recovery_batch
    ADD CONSTRAINT recovery_batch_app_id_recovery_id_fkey FOREIGN KEY (app_id, recovery_id) REFERENCES realmshift.recovery(app_id, recovery_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.schema_version
    ADD CONSTRAINT schema_version_app_id_fkey FOREIGN KEY (app_id) REFERENCES realmshift.app(app_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.schema_version_revision
    ADD CONSTRAINT schema_version_revision_app_id_fkey FOREIGN KEY (app_id) REFERENCES realmshift.app(app_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.segment
    ADD CONSTRAINT segment_app_id_batch_id_fkey FOREIGN KEY (app_id, batch_id) REFERENCES realmshift.segment_batch(app_id, batch_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.segment_column
    ADD CONSTRAINT segment_column_app_id_batch_id_fkey FOREIGN KEY (app_id, batch_id) REFERENCES realmshift.segment_batch(app_id, batch_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.snapshot
    ADD CONSTRAINT snapshot_app_id_realm_id_fkey FOREIGN KEY (app_id, realm_id) REFERENCES realmshift.realm(app_id, realm_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.upload
    ADD CONSTRAINT upload_app_id_fkey FOREIGN KEY (app_id) REFERENCES realmshift.app(app_id) ON DELETE CASCADE;
ALTER TABLE ONLY realmshift.upload_part
    ADD CONSTRAINT upload_part_app_id_upload_id_fkey FOREIGN KEY (app_id, upload_id) REFERENCES realmshift.upload(app_id, upload_id) ON DELETE CASCADE;
