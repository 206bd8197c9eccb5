-- Realms whose last job failed, or was cancelled, are few among many, and what people look for. Jobs that succeed have no entry here, and
-- cost nothing.
CREATE INDEX job_failed_of_realm ON job (app_name, realm_name)
    WHERE state IN ('failed', 'cancelled') AND realm_name IS NOT NULL;
