-- Webhooks: addresses at which an app's receivers are told what became of its jobs, fleets, realms and partners. docs/webhooks.md has the
-- rules.

-- An endpoint. A request declares it (POST …/webhooks).
CREATE TABLE webhook (
    app_id uuid NOT NULL REFERENCES app ON DELETE CASCADE,
    webhook_id uuid NOT NULL,
    url text NOT NULL,
    description text,
    -- The types of the events that it wants; null: all, also those that later programs add.
    events text[],
    enabled boolean NOT NULL,
    -- `gone` where the receiver said so (410); null where a client disabled it.
    disabled_reason text CHECK (disabled_reason IS NULL OR NOT enabled),
    -- Each delivery is signed with the secret itself, so that a digest of it would not do.
    secret bytea NOT NULL,
    -- The secret before the last rotation, with which deliveries are signed as well until then.
    previous_secret bytea,
    previous_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (app_id, webhook_id),
    CONSTRAINT previous_whole CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);

-- /metrics counts them.
CREATE INDEX webhook_disabled ON webhook (app_id) WHERE disabled_reason IS NOT NULL;

-- An event that some endpoint wants. The transaction of the change writes it, with a delivery for each such endpoint. It refers to no app:
-- the check would wait for whoever has the app's row. Maintenance removes it after a week.
CREATE TABLE webhook_event (
    app_id uuid NOT NULL,
    -- UUIDv7; receivers know the event by it.
    event_id uuid NOT NULL,
    type text NOT NULL,
    -- Grows from event to event of the same object.
    sequence bigint NOT NULL,
    -- The JSON that is sent: the same bytes in every attempt.
    body text NOT NULL,
    PRIMARY KEY (app_id, event_id)
);
CREATE INDEX webhook_event_by_age ON webhook_event (event_id);

-- An event on its way to an endpoint. It does not refer to the endpoint: a transaction that ends a job must not fail because the endpoint is
-- removed meanwhile.
CREATE TABLE webhook_delivery (
    app_id uuid NOT NULL,
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    state text NOT NULL DEFAULT 'pending',
    -- Attempts so far, and those since it was queued last.
    attempts integer NOT NULL DEFAULT 0,
    retries integer NOT NULL DEFAULT 0,
    -- When it was queued, by the event or by a request.
    queued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- While an attempt runs, the end of its lease: another process attempts it then.
    next_attempt_at timestamptz DEFAULT clock_timestamp(),
    -- The process that attempts the delivery has it until then.
    lease_until timestamptz,
    -- What came of the last attempt: the status of the answer, or why there was none.
    last_attempt_at timestamptz,
    last_status integer,
    last_error text,
    PRIMARY KEY (app_id, event_id, webhook_id),
    FOREIGN KEY (app_id, event_id) REFERENCES webhook_event ON DELETE CASCADE,
    CONSTRAINT state_whole CHECK (
        state IN ('pending', 'delivered', 'failed') AND (next_attempt_at IS NOT NULL) = (state = 'pending')
        AND (lease_until IS NULL OR state = 'pending'))
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (app_id, webhook_id, next_attempt_at) WHERE state = 'pending';
CREATE INDEX webhook_delivery_newest ON webhook_delivery (app_id, webhook_id, event_id);
CREATE INDEX webhook_delivery_in_state ON webhook_delivery (app_id, webhook_id, state, event_id);

-- The sequence number of the last event of a realm, a fleet or a partner. Jobs have their revision.
CREATE TABLE webhook_sequence (
    app_id uuid NOT NULL,
    object_id uuid NOT NULL,
    sequence bigint NOT NULL,
    PRIMARY KEY (app_id, object_id)
);

-- The next sequence number of an object, whose row the caller has locked. Microseconds since 1970, where these have grown: a realm that is
-- made again under its name goes on behind the one that was removed.
CREATE FUNCTION next_sequence(app uuid, object uuid) RETURNS bigint LANGUAGE sql AS $$
    INSERT INTO webhook_sequence AS last (app_id, object_id, sequence)
    VALUES (app, object, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
    ON CONFLICT (app_id, object_id) DO UPDATE SET sequence = greatest(last.sequence + 1, excluded.sequence)
    RETURNING sequence
$$;

-- A time as RFC 3339 writes it.
CREATE FUNCTION rfc3339(moment timestamptz) RETURNS text LANGUAGE sql STABLE
    RETURN to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

-- Writes an event, and a delivery for each endpoint that wants it.
CREATE FUNCTION add_webhook_event(app uuid, event_type text, number bigint, data jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    id uuid := (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '7'
        || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid;
BEGIN
    INSERT INTO webhook_event (app_id, event_id, type, sequence, body) VALUES (
        app, id, event_type, number,
        json_build_object('type', event_type, 'timestamp', rfc3339(moment), 'sequence', number, 'data', data)::text);
    INSERT INTO webhook_delivery (app_id, event_id, webhook_id)
    SELECT app, id, webhook_id FROM webhook
    WHERE app_id = app AND enabled AND (events IS NULL OR event_type = ANY (events));
END
$$;

-- The triggers below build the data of events of members that the API has of the object. A problem and a request are looked at as texts:
-- they may hold U+0000, at which PostgreSQL refuses to read JSON.

CREATE FUNCTION add_job_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    event_type text := 'job.' || NEW.state;
    data jsonb;
BEGIN
    -- Most apps have none: their changes cost this one look, whose plan is kept.
    IF NOT EXISTS (
        SELECT FROM webhook WHERE app_id = NEW.app_id AND enabled AND (events IS NULL OR event_type = ANY (events)))
    THEN RETURN NULL; END IF;
    data := jsonb_build_object(
        'id', NEW.job_id, 'kind', NEW.kind, 'app', NEW.app_name, 'realm', NEW.realm_name, 'state', NEW.state,
        'attempt', NEW.attempt, 'createdAt', rfc3339(NEW.created_at), 'startedAt', rfc3339(NEW.started_at),
        'finishedAt', rfc3339(NEW.finished_at),
        'error', CASE WHEN NEW.problem IS NOT NULL THEN jsonb_build_object(
            'status', substring(NEW.problem::text FROM '"status":([0-9]{3})')::integer,
            'code', substring(NEW.problem::text FROM '"code":"([a-z0-9_]+)"')) END);
    IF NEW.kind = 'fleet' THEN
        data := data || jsonb_build_object('fleet', NEW.fleet_id);
    ELSIF NEW.kind = 'migration' THEN
        data := data || coalesce((
            SELECT jsonb_build_object(
                'sourceSnapshot', source_id, 'resultSnapshot', result_id, 'fromVersion', from_version, 'toVersion', to_version,
                'dryRun', request::text LIKE '%"dryRun":true%')
            FROM migration_job WHERE app_id = NEW.app_id AND job_id = NEW.job_id), '{}');
    END IF;
    PERFORM add_webhook_event(NEW.app_id, event_type, NEW.revision, data);
    RETURN NULL;
END
$$;
CREATE TRIGGER add_job_event AFTER UPDATE OF state ON job FOR EACH ROW
    WHEN (OLD.state <> NEW.state AND NEW.state IN ('succeeded', 'failed', 'cancelled')) EXECUTE FUNCTION add_job_event();

CREATE FUNCTION add_fleet_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    event_type text := CASE
        WHEN NEW.state IN ('paused', 'succeeded', 'failed', 'cancelled', 'undone') THEN 'fleet.' || NEW.state
        WHEN OLD.state = 'paused' AND NEW.state IN ('canary', 'running') THEN 'fleet.resumed' END;
BEGIN
    IF event_type IS NULL OR NOT EXISTS (
        SELECT FROM webhook WHERE app_id = NEW.app_id AND enabled AND (events IS NULL OR event_type = ANY (events)))
    THEN RETURN NULL; END IF;
    PERFORM add_webhook_event(
        NEW.app_id, event_type, next_sequence(NEW.app_id, NEW.fleet_id),
        jsonb_build_object(
            'id', NEW.fleet_id, 'app', (SELECT name FROM app WHERE app_id = NEW.app_id), 'state', NEW.state,
            'pauseReason', NEW.pause, 'targetVersion', NEW.target_version,
            'counts', jsonb_build_object(
                'pending', NEW.pending, 'running', NEW.running, 'succeeded', NEW.succeeded, 'failed', NEW.failed,
                'unchanged', NEW.unchanged, 'undone', NEW.undone, 'kept', NEW.kept),
            'createdAt', rfc3339(NEW.created_at), 'finishedAt', rfc3339(NEW.finished_at)));
    RETURN NULL;
END
$$;
CREATE TRIGGER add_fleet_event AFTER UPDATE OF state ON fleet FOR EACH ROW
    WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION add_fleet_event();

CREATE FUNCTION add_realm_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed realm;
    event_type text := CASE TG_OP WHEN 'INSERT' THEN 'realm.created' WHEN 'UPDATE' THEN 'realm.changed' ELSE 'realm.deleted' END;
    app_name text;
BEGIN
    IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
    IF NOT EXISTS (
        SELECT FROM webhook WHERE app_id = changed.app_id AND enabled AND (events IS NULL OR event_type = ANY (events)))
    THEN RETURN NULL; END IF;
    SELECT name INTO app_name FROM app WHERE app_id = changed.app_id;
    -- With an app all of its endpoints go.
    IF app_name IS NULL THEN RETURN NULL; END IF;
    PERFORM add_webhook_event(
        changed.app_id, event_type, next_sequence(changed.app_id, changed.realm_id),
        jsonb_build_object(
            'app', app_name, 'name', changed.name, 'kind', changed.kind, 'labels', changed.labels,
            'currentSnapshot', changed.current_id, 'createdAt', rfc3339(changed.created_at)));
    IF TG_OP = 'DELETE' THEN
        DELETE FROM webhook_sequence WHERE app_id = changed.app_id AND object_id = changed.realm_id;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER add_new_realm_event AFTER INSERT ON realm FOR EACH ROW EXECUTE FUNCTION add_realm_event();
CREATE TRIGGER add_gone_realm_event AFTER DELETE ON realm FOR EACH ROW EXECUTE FUNCTION add_realm_event();
CREATE TRIGGER add_realm_event AFTER UPDATE OF current_id, labels, is_terminated, development_mode ON realm FOR EACH ROW
    WHEN (OLD.current_id IS DISTINCT FROM NEW.current_id OR OLD.labels <> NEW.labels
        OR OLD.is_terminated <> NEW.is_terminated OR OLD.development_mode <> NEW.development_mode)
    EXECUTE FUNCTION add_realm_event();

CREATE FUNCTION add_partner_event(app uuid, id uuid, event_type text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM webhook WHERE app_id = app AND enabled AND (events IS NULL OR event_type = ANY (events)))
    THEN RETURN; END IF;
    PERFORM add_webhook_event(
        app, event_type, next_sequence(app, id),
        jsonb_build_object(
            'id', id, 'app', a.name, 'realm', r.name, 'class', p.class_name, 'property', p.property, 'state', p.state,
            'createdAt', rfc3339(p.created_at)))
    FROM partner p JOIN realm r USING (app_id, realm_id) JOIN app a USING (app_id)
    WHERE p.app_id = app AND p.partner_id = id;
END
$$;
CREATE FUNCTION add_partner_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM add_partner_event(
        NEW.app_id, NEW.partner_id, CASE NEW.state WHEN 'cutOver' THEN 'partner.cut_over' ELSE 'partner.' || NEW.state END);
    RETURN NULL;
END
$$;
CREATE TRIGGER add_partner_event AFTER UPDATE OF state ON partner FOR EACH ROW
    WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION add_partner_event();

-- One event, however many objects of a batch did not come back the same.
CREATE FUNCTION add_violation_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM add_partner_event(app_id, partner_id, 'partner.violation')
    FROM (SELECT DISTINCT app_id, partner_id FROM found WHERE kind = 'violation') AS violated;
    RETURN NULL;
END
$$;
CREATE TRIGGER add_violation_events AFTER INSERT ON partner_object REFERENCING NEW TABLE AS found
    FOR EACH STATEMENT EXECUTE FUNCTION add_violation_events();

CREATE FUNCTION remove_webhook_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM webhook_event WHERE app_id = OLD.app_id;
    DELETE FROM webhook_sequence WHERE app_id = OLD.app_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER remove_webhook_events AFTER DELETE ON app FOR EACH ROW EXECUTE FUNCTION remove_webhook_events();
