-- A list of realms at some versions is read version by version, each in the order of the names: few of many may be at an old one.
CREATE INDEX realm_by_version ON realm (app_id, counted_version, name) WHERE is_uncounted IS NULL;
