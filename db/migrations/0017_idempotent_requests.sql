-- Requests that may be repeated (Idempotency-Key), and what was answered to them; secrets that an answer had are not kept.
CREATE TABLE idempotent_request (
    key_id uuid NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    -- SHA-256 of what was asked for.
    fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    -- Who is answering, for as long as nobody has, and until when that counts.
    turn_id uuid NOT NULL,
    held_until timestamptz,
    status integer,
    -- Names and values of the answer's fields in turn.
    fields text[],
    body bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (key_id, idempotency_key),
    CONSTRAINT held_or_answered CHECK ((held_until IS NULL) = (status IS NOT NULL)),
    CONSTRAINT answer_whole CHECK ((status IS NULL) = (fields IS NULL) AND (status IS NULL) = (body IS NULL))
);
CREATE INDEX idempotent_request_by_age ON idempotent_request (created_at);
