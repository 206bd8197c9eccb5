-- Changes of synced realms are kept as patches beside the row groups, until maintenance folds them in. How many objects the
-- patches of a realm's current snapshot speak of says which realm is next. A fold puts another representation of the same
-- contents into the current snapshot's row; whoever made changes from the one before begins again.
ALTER TABLE realm
    ADD COLUMN patched_rows bigint NOT NULL DEFAULT 0 CHECK (patched_rows >= 0),
    ADD COLUMN representation integer NOT NULL DEFAULT 0 CHECK (representation >= 0);
CREATE INDEX realm_patched ON realm (patched_rows DESC) WHERE patched_rows > 0;
