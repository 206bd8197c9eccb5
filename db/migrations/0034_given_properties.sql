-- While partners are being prepared: the properties that clients gave an object's partner themselves, which no later pass of
-- the backfill writes over.
ALTER TABLE partner_object ADD COLUMN properties text[];
ALTER TABLE partner_object DROP CONSTRAINT partner_object_kind_check;
ALTER TABLE partner_object ADD CONSTRAINT partner_object_kind_check
    CHECK (kind IN ('written', 'given', 'violation', 'divergence'));
ALTER TABLE partner_object DROP CONSTRAINT finding_whole;
ALTER TABLE partner_object ADD CONSTRAINT finding_whole
    CHECK (kind IN ('written', 'given') OR primary_key IS NOT NULL);
ALTER TABLE partner_object ADD CONSTRAINT given_whole CHECK ((kind = 'given') = (properties IS NOT NULL));

-- The job that prepares the partner, for whoever asks how that goes.
ALTER TABLE partner ADD COLUMN job_id uuid;
