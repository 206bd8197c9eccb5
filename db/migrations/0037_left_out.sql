-- The list of what a replay left out of a batch of a recovery, as it was answered: JSON. Null while the batch was not done, and of batches that
-- were done before this column.
ALTER TABLE recovery_batch ADD COLUMN left_out bytea;
