-- Secrets of hours that a key has made for some realms of an app. They end with the key, and with the app: another app of its name
-- has none of them. Realms are named rather than referred to, as apps are of keys: one may be made by its token.
CREATE TABLE realm_token (
    realm_token_id uuid PRIMARY KEY,
    api_key_id uuid NOT NULL REFERENCES api_key ON DELETE CASCADE,
    app_id uuid NOT NULL REFERENCES app ON DELETE CASCADE,
    -- SHA-256 of the secret, as of keys.
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    scopes text[] NOT NULL,
    -- Names as they are, and prefixes with a `*` behind.
    realms text[] COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    CONSTRAINT realm_token_hash UNIQUE (hash),
    -- `admin` concerns the whole service, and no realm.
    CONSTRAINT scopes_known CHECK (cardinality(scopes) > 0 AND scopes <@ '{read,write,migrate}'::text[]),
    CONSTRAINT realms_named CHECK (cardinality(realms) BETWEEN 1 AND 100 AND array_position(realms, NULL) IS NULL),
    CONSTRAINT hours CHECK (expires_at <= created_at + interval '24 hours')
);
CREATE INDEX realm_token_of_key ON realm_token (api_key_id, expires_at);
CREATE INDEX realm_token_of_app ON realm_token (app_id);
CREATE INDEX realm_token_by_expiry ON realm_token (expires_at);

-- The token that a request came with; null where it came with the key itself.
ALTER TABLE audit_entry ADD COLUMN token_id uuid;
