-- The field `traceparent` of the request that asked for the job (W3C Trace Context), so that the log leads from the one to the other.
ALTER TABLE job ADD COLUMN trace_parent text;
