-- A session is a browser's: a secret in a cookie, in place of the key that it was made with. It ends with its key, when it is ended, and
-- after hours without use. Several services share it. Maintenance removes those that nobody uses any more.
CREATE TABLE session (
    session_id uuid PRIMARY KEY,
    api_key_id uuid NOT NULL REFERENCES api_key ON DELETE CASCADE,
    -- The SHA-256 of the secret, as in `api_key`.
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    created_at timestamptz NOT NULL DEFAULT now(),
    -- To some minutes: a row that changed with every request would be written all the time.
    used_at timestamptz NOT NULL DEFAULT now(),

    CONSTRAINT session_hash UNIQUE (hash)
);
CREATE INDEX session_of_key ON session (api_key_id, used_at);
CREATE INDEX session_by_use ON session (used_at);
