-- Realms that were counted are found by their version: few of many are at an old one. The newest snapshots of each version are samples
-- for rehearsals and for checks of a declaration.
CREATE INDEX realm_of_version ON realm (app_id, counted_version, kind, counted_id) WHERE is_uncounted IS NULL;
