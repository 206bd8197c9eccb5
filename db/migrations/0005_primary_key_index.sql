-- Rows by primary key, an index a column of primary keys: a column never changes, and neither does its index, which all
-- snapshots that share the column share. Made when somebody looks a key up; gone with the column.
CREATE TABLE primary_key_page (
    app_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    ordinal integer NOT NULL,
    run integer NOT NULL CHECK (run >= 0),
    first_hash bigint NOT NULL CHECK (first_hash BETWEEN 0 AND 4294967295),
    bytes bytea NOT NULL,
    PRIMARY KEY (app_id, batch_id, ordinal, run, first_hash),
    FOREIGN KEY (app_id, batch_id, ordinal) REFERENCES segment_column ON DELETE CASCADE
);
-- Hashes don't compress.
ALTER TABLE primary_key_page ALTER COLUMN bytes SET STORAGE EXTERNAL;
