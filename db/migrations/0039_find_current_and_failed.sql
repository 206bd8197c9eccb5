-- The removal of a snapshot asks which realm it is the current one of: without this index that reads all realms, for each snapshot.
CREATE INDEX realm_of_current ON realm (app_id, current_id);

-- Failed jobs are few among many, and what people look for.
CREATE INDEX job_failed ON job (created_at DESC, job_id DESC) WHERE state = 'failed';
