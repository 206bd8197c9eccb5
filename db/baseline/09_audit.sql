-- The audit log, and requests that clients may repeat.

-- An entry tells who did what when. The service adds it before it does what a request asks for, and the status after it. Keys and apps are
-- named rather than referred to: the entry stays when they are removed. Maintenance removes old entries.
CREATE TABLE audit_entry (
    -- Empty where the operation concerns no app.
    app_name text COLLATE "C" NOT NULL,
    audit_entry_id uuid NOT NULL,
    at timestamptz NOT NULL,
    key_id uuid NOT NULL,
    key_name text NOT NULL,
    -- The token of the key that came with the request; null where the key itself came.
    token_id uuid,
    operation text NOT NULL,
    path text NOT NULL,
    request_id text NOT NULL,
    -- The status of the answer; null where none was sent, because the client left or the service was killed.
    status integer CHECK (status BETWEEN 100 AND 599),
    PRIMARY KEY (app_name, audit_entry_id)
);
CREATE INDEX audit_newest ON audit_entry (audit_entry_id DESC);
CREATE INDEX audit_of_key ON audit_entry (key_id, audit_entry_id DESC);

-- A request with an Idempotency-Key, and its answer: a repeat gets the same answer. Secrets in the answer are not kept. Maintenance removes
-- a row after a day. No app leads the key: a name belongs to the API key, which may be of several apps, and the same name for a request to
-- another app is refused as any other request under it.
CREATE TABLE idempotent_request (
    -- The API key; each key has names of its own.
    key_id uuid NOT NULL,
    -- The client's name for the request.
    idempotency_key text COLLATE "C" NOT NULL,
    -- The SHA-256 of the request: another request under the same name is refused.
    fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    -- Who answers it, until when that counts. '-infinity' where it was given up.
    turn_id uuid NOT NULL,
    held_until timestamptz,
    -- The id of the job that the request makes, where it makes one. Every holder uses the same id, so that a repeat finds the job that an
    -- earlier one made. Null in rows of older programs.
    job_id uuid,
    -- The answer. `fields` has names and values in turn.
    status integer,
    fields text[],
    body bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (key_id, idempotency_key),
    CONSTRAINT held_or_answered CHECK ((held_until IS NULL) = (status IS NOT NULL)),
    CONSTRAINT answer_whole CHECK ((status IS NULL) = (fields IS NULL) AND (status IS NULL) = (body IS NULL))
);
CREATE INDEX idempotent_request_by_age ON idempotent_request (created_at);
