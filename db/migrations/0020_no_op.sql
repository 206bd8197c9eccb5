-- The kind of job that does nothing, in a realm that need not be there: what is measured of it is the queue.
ALTER TABLE job DROP CONSTRAINT kind_known,
    ADD CONSTRAINT kind_known CHECK (kind IN ('migration', 'backfill', 'partner_backfill', 'no_op')),
    ADD CONSTRAINT no_op_whole CHECK (
        kind <> 'no_op' OR realm_id IS NOT NULL AND source_id IS NULL AND result_id IS NULL);
