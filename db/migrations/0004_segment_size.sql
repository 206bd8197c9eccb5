-- How many bytes a segment has is in its row, so that the bytes themselves may be anywhere.
ALTER TABLE segment ADD COLUMN stored_bytes bigint;
UPDATE segment SET stored_bytes = octet_length(bytes);
ALTER TABLE segment
    ALTER COLUMN stored_bytes SET NOT NULL,
    ALTER COLUMN bytes DROP NOT NULL,
    ADD CONSTRAINT stored_bytes_of_row CHECK (stored_bytes >= 0 AND (bytes IS NULL OR octet_length(bytes) = stored_bytes));
