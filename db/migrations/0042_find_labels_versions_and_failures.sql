-- Tables and indexes for questions that read all realms, members or jobs of an app before.

-- A label of a realm, by a digest of its name and its value, as an index has no room for the longest. Lists of realms that have one read
-- the realms of their page. Triggers keep it, so that it is right whichever program changes a realm.
CREATE TABLE realm_label (
    app_id uuid NOT NULL,
    label uuid NOT NULL,
    realm_name text COLLATE "C" NOT NULL,
    realm_id uuid NOT NULL,
    PRIMARY KEY (app_id, label, realm_name),
    FOREIGN KEY (app_id, realm_id) REFERENCES realm ON DELETE CASCADE
);
CREATE INDEX realm_label_of_realm ON realm_label (app_id, realm_id);

CREATE FUNCTION label_digest(name text, value text) RETURNS uuid LANGUAGE sql STABLE
    RETURN md5(jsonb_build_array(name, value)::text)::uuid;

CREATE FUNCTION list_realm_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM realm_label WHERE app_id = NEW.app_id AND realm_id = NEW.realm_id;
    END IF;
    INSERT INTO realm_label (app_id, label, realm_name, realm_id)
    SELECT NEW.app_id, label_digest(key, value), NEW.name, NEW.realm_id FROM jsonb_each_text(NEW.labels);
    RETURN NULL;
END
$$;
CREATE TRIGGER list_new_realm_labels AFTER INSERT ON realm FOR EACH ROW
    WHEN (NEW.labels <> '{}') EXECUTE FUNCTION list_realm_labels();
CREATE TRIGGER list_realm_labels AFTER UPDATE OF labels ON realm FOR EACH ROW
    WHEN (NEW.labels <> OLD.labels) EXECUTE FUNCTION list_realm_labels();
INSERT INTO realm_label (app_id, label, realm_name, realm_id)
SELECT app_id, label_digest(key, value), name, realm_id FROM realm, jsonb_each_text(labels);

-- How members of a fleet stand, by the version that they had: one row for each statement that moved some, which are to be added up. Rows
-- are added only, so that no job of a fleet waits for another's. It refers to no fleet, as the check would wait for whoever has the
-- fleet's row.
CREATE TABLE fleet_version_move (
    app_id uuid NOT NULL REFERENCES app ON DELETE CASCADE,
    fleet_id uuid NOT NULL,
    from_version numeric(20, 0),
    state text NOT NULL,
    -- How many came to the state, less those that left it.
    members integer NOT NULL
);
CREATE INDEX fleet_version_move_of_fleet ON fleet_version_move (app_id, fleet_id);

CREATE FUNCTION note_new_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO fleet_version_move (app_id, fleet_id, from_version, state, members)
    SELECT app_id, fleet_id, from_version, state, count(*) FROM made GROUP BY app_id, fleet_id, from_version, state;
    RETURN NULL;
END
$$;
CREATE FUNCTION note_moved_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO fleet_version_move (app_id, fleet_id, from_version, state, members)
    SELECT app_id, fleet_id, from_version, state, sum(members) FROM (
        SELECT app_id, fleet_id, from_version, state, -1 AS members FROM before
        UNION ALL SELECT app_id, fleet_id, from_version, state, 1 FROM after
    ) AS moved GROUP BY app_id, fleet_id, from_version, state HAVING sum(members) <> 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_new_members AFTER INSERT ON fleet_member REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION note_new_members();
CREATE TRIGGER note_moved_members AFTER UPDATE ON fleet_member REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION note_moved_members();
INSERT INTO fleet_version_move (app_id, fleet_id, from_version, state, members)
SELECT app_id, fleet_id, from_version, state, count(*) FROM fleet_member GROUP BY app_id, fleet_id, from_version, state;

-- Members that failed, or could not be put back, are few: by name, and by the reason.
CREATE INDEX fleet_member_failed ON fleet_member (app_id, fleet_id, state, realm_name) WHERE state IN ('failed', 'kept');
CREATE INDEX fleet_member_reason ON fleet_member (app_id, fleet_id, reason, realm_name) WHERE state IN ('failed', 'kept');
