-- Lines of a job's log have a level; lines that are there were written by console.log or the service.
ALTER TABLE job_log ADD COLUMN level text NOT NULL DEFAULT 'log',
    ADD CONSTRAINT level_known CHECK (level IN ('log', 'warn', 'error'));

-- The script that a request brought along stands beside its schema, so that lists need not read either; jobs that are
-- there have it in `request`. What a job runs, by version and revision:
-- null for jobs that are there.
ALTER TABLE job ADD COLUMN migration json, ADD COLUMN plan json;

-- Names that identity providers give: e-mail addresses, and ids such as `auth0|5f7c`.
ALTER TABLE realm DROP CONSTRAINT realm_name_form,
    ADD CONSTRAINT realm_name_form CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._@|:+=-]{0,127}$');
