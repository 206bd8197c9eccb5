-- Counts of what grows with an app: realms by their versions, and snapshots with their bytes. An upload or a job adds to none of them:
-- housekeeping counts what is new some seconds later, and whoever asks adds what has not been counted yet. No row refers to an app: the
-- check would wait for whoever removes it.

-- Realms of an app that were counted at a version; -1 stands for none.
CREATE TABLE realm_count (
    app_id uuid NOT NULL,
    schema_version numeric(20, 0) NOT NULL,
    realms bigint NOT NULL,
    PRIMARY KEY (app_id, schema_version)
);
-- A realm is counted again whenever another snapshot is its current one, whichever program made it that.
ALTER TABLE realm
    -- The snapshot that was current when the realm was counted, and the version that it was counted at; null before that.
    ADD COLUMN counted_id uuid,
    ADD COLUMN counted_version numeric(20, 0),
    -- Null where the count is right. A column of its own has statistics: few realms are not counted.
    ADD COLUMN is_uncounted boolean GENERATED ALWAYS AS (CASE WHEN current_id IS DISTINCT FROM counted_id THEN true END) STORED;
CREATE INDEX realm_uncounted ON realm (app_id) WHERE is_uncounted;

-- Snapshots of an app that were counted, and their bytes.
CREATE TABLE snapshot_count (
    app_id uuid PRIMARY KEY,
    snapshots bigint NOT NULL,
    bytes bigint NOT NULL
);
-- One row: which snapshots were counted.
CREATE TABLE snapshot_counting (
    -- Those up to this one.
    counted_to uuid NOT NULL,
    -- Those up to this one may be counted when all transactions up to this number are over: a later one that makes an older snapshot adds
    -- a row of `count_change`.
    next_to uuid NOT NULL,
    next_transaction xid8 NOT NULL
);
INSERT INTO snapshot_counting VALUES
    ('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', pg_current_xact_id());

-- A change of what may have been counted: housekeeping adds it to the counts.
CREATE TABLE count_change (
    app_id uuid NOT NULL,
    -- A snapshot that is gone, is kept in another way, or came late: it changes the count where that has come to it. Null for realms.
    snapshot_id uuid,
    snapshots bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    -- Of realms that are gone: the version that they were counted at.
    schema_version numeric(20, 0),
    realms bigint NOT NULL DEFAULT 0
);
CREATE INDEX count_change_of_app ON count_change (app_id);

-- The lowest id that could have been made at a moment: ids are UUIDv7.
CREATE FUNCTION lowest_id(moment timestamptz) RETURNS uuid LANGUAGE sql STABLE
    RETURN (lpad(to_hex((date_part('epoch', moment) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid;

CREATE FUNCTION note_gone_realms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO count_change (app_id, schema_version, realms)
    SELECT app_id, counted_version, -count(*) FROM gone
    -- With an app its counts go as well.
    WHERE counted_id IS NOT NULL AND EXISTS (SELECT FROM app a WHERE a.app_id = gone.app_id) GROUP BY app_id, counted_version;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_gone_realms AFTER DELETE ON realm REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION note_gone_realms();

CREATE FUNCTION note_gone_snapshots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Those that were counted are a row together, as of the last of them.
    INSERT INTO count_change (app_id, snapshot_id, snapshots, bytes)
    SELECT app_id, greatest(snapshot_id, counted_to), -count(*), -sum(stored_bytes) FROM gone, snapshot_counting
    WHERE EXISTS (SELECT FROM app a WHERE a.app_id = gone.app_id) GROUP BY app_id, greatest(snapshot_id, counted_to);
    RETURN NULL;
END
$$;
CREATE TRIGGER note_gone_snapshots AFTER DELETE ON snapshot REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION note_gone_snapshots();

CREATE FUNCTION note_changed_snapshot() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO count_change (app_id, snapshot_id, bytes) VALUES (NEW.app_id, NEW.snapshot_id, NEW.stored_bytes - OLD.stored_bytes);
    RETURN NULL;
END
$$;
CREATE TRIGGER note_changed_snapshot AFTER UPDATE OF stored_bytes ON snapshot FOR EACH ROW
    WHEN (NEW.stored_bytes <> OLD.stored_bytes) EXECUTE FUNCTION note_changed_snapshot();
CREATE FUNCTION note_late_snapshot() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- The count stays further behind than this. A condition of the trigger would be planned for each insertion.
    IF NEW.snapshot_id < lowest_id(clock_timestamp() - interval '10 seconds') THEN
        INSERT INTO count_change (app_id, snapshot_id, snapshots, bytes) VALUES (NEW.app_id, NEW.snapshot_id, 1, NEW.stored_bytes);
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_late_snapshot AFTER INSERT ON snapshot FOR EACH ROW EXECUTE FUNCTION note_late_snapshot();

CREATE FUNCTION remove_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM realm_count WHERE app_id = OLD.app_id;
    DELETE FROM snapshot_count WHERE app_id = OLD.app_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER remove_counts AFTER DELETE ON app FOR EACH ROW EXECUTE FUNCTION remove_counts();

INSERT INTO chore (name, held_until) VALUES ('counting', now());
