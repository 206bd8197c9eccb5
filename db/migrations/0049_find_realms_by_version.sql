-- Realms that were counted are found by their version, in the order of their names: few of many are at an old one.
CREATE INDEX realm_of_version ON realm (app_id, counted_version, name) WHERE is_uncounted IS NULL;

-- The newest snapshots of each version, which are samples for rehearsals and for checks of a declaration.
CREATE INDEX realm_newest ON realm (app_id, kind, counted_version, counted_id) WHERE is_uncounted IS NULL;
