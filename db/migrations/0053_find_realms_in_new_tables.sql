-- A connection plans a statement once, possibly while the tables are empty. To PostgreSQL all indexes that begin with the app look as good
-- then as the key, and it takes the newest. So a realm is found by its id in an index of the id alone, and the app leads only one index
-- that is newer than the key and has all realms: that of the names.
CREATE INDEX realm_by_id ON realm (realm_id);
DROP INDEX realm_of_current;
CREATE INDEX realm_of_current ON realm (current_id);
