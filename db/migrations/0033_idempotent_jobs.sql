-- The id that the job of a request has which makes one: the same for all who take the request, so that a repeat finds the job where the
-- first has made it and nobody learned of that. Null in rows of before.
ALTER TABLE idempotent_request ADD COLUMN job_id uuid;
