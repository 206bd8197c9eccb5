-- Objects whose callback threw in a migration that sets them aside: as they were, and why.
CREATE TABLE quarantined_object (
    job_id uuid NOT NULL REFERENCES job ON DELETE CASCADE,
    ordinal integer NOT NULL,
    class text NOT NULL,
    object_key bigint NOT NULL,
    -- What went wrong, as an item of a problem document.
    item json NOT NULL,
    -- The object in the source, in Realm JSON; null where the source has it not, or it is long.
    object json,
    PRIMARY KEY (job_id, ordinal)
);
ALTER TABLE job ADD COLUMN quarantined_count integer NOT NULL DEFAULT 0;
