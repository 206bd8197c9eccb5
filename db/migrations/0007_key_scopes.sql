-- What a key permits, and in which apps: null for all, those that come later included. Apps are named rather than referred
-- to: a key may be made before its app.
ALTER TABLE api_key
    ADD COLUMN scopes text[] NOT NULL DEFAULT '{read,write,migrate,admin}',
    ADD COLUMN apps text[] COLLATE "C",
    ADD CONSTRAINT scopes_known CHECK (cardinality(scopes) > 0 AND scopes <@ '{read,write,migrate,admin}'::text[]),
    ADD CONSTRAINT apps_named CHECK (cardinality(apps) > 0 AND array_position(apps, NULL) IS NULL);

-- The default was for the keys that are there: whoever makes one says what it permits.
ALTER TABLE api_key ALTER COLUMN scopes DROP DEFAULT;
