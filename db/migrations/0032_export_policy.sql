-- What an app's realms are given back as, to devices that leave Realm: null where that is nothing. `export_version` is the schema
-- version that they are migrated to before; null for the version that they have.
ALTER TABLE app
    ADD COLUMN export_format text,
    ADD COLUMN export_dates text,
    ADD COLUMN export_flattens boolean,
    ADD COLUMN export_version numeric(20),
    ADD CHECK ((export_format IS NULL) = (export_dates IS NULL) AND (export_format IS NULL) = (export_flattens IS NULL)),
    ADD CHECK (export_version IS NULL OR export_format IS NOT NULL);
