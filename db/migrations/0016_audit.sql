-- Who did what when. Keys and apps are named rather than referred to: what was done is told when they are gone.
CREATE TABLE audit_entry (
    -- A UUIDv7: in the order of what was done.
    audit_entry_id uuid PRIMARY KEY,
    at timestamptz NOT NULL,
    key_id uuid NOT NULL,
    key_name text NOT NULL,
    app_name text COLLATE "C",
    operation text NOT NULL,
    path text NOT NULL,
    request_id text NOT NULL,
    -- What was answered; null where nobody was: the client left, or the service was killed.
    status integer CHECK (status BETWEEN 100 AND 599)
);
CREATE INDEX audit_of_app ON audit_entry (app_name, audit_entry_id DESC);
CREATE INDEX audit_of_key ON audit_entry (key_id, audit_entry_id DESC);
