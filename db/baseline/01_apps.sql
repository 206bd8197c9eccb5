-- Apps, the keys that open them, and the schema versions that they have declared.
--
-- All ids in all files are UUIDv7: the later one is the greater. `app_id` leads the key of every table whose rows belong to an app, so
-- that the tables can be parted by app later. An app, a realm or a key can be removed and made again under the same name: rows that mean
-- this very one refer to its id, and rows that outlive it hold its name.

-- An app owns realms. A request makes it (PUT /v1/apps/{app}); removing it removes everything that refers to it.
CREATE TABLE app (
    app_id uuid PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),

    -- Maintenance removes snapshots and ended jobs of the app that are neither among the newest `keep_…` nor younger than `keep_…_days`
    -- days. Null sets no such limit; where both are null, it removes none.
    keep_snapshots integer CHECK (keep_snapshots >= 1),
    keep_snapshot_days double precision CHECK (keep_snapshot_days > 0),
    keep_jobs integer CHECK (keep_jobs >= 0),
    keep_job_days double precision CHECK (keep_job_days > 0),

    -- The format in which devices that leave Realm get their realms; null where the app has set none. A realm is migrated to the version
    -- `export_version` before; null leaves it at its own.
    export_format text,
    export_dates text,
    export_flattens boolean,
    export_version numeric(20),

    CONSTRAINT app_name UNIQUE (name),
    CONSTRAINT app_name_form CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$'),
    CONSTRAINT export_whole CHECK (
        (export_format IS NULL) = (export_dates IS NULL) AND (export_format IS NULL) = (export_flattens IS NULL)),
    CONSTRAINT export_version_of_format CHECK (export_version IS NULL OR export_format IS NOT NULL)
);

-- A key lets a client in. An operator makes it (POST /v1/keys, or `realmshift keys`). A key that has expired stays until somebody
-- removes it, because the audit log names it.
CREATE TABLE api_key (
    api_key_id uuid PRIMARY KEY,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    -- The SHA-256 of the secret. The secret has 256 random bits, so that a slower hash would protect nothing.
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    scopes text[] NOT NULL,
    -- The names of the apps that the key opens; null opens all apps, also later ones. A key may name an app that does not exist yet.
    apps text[] COLLATE "C",
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Null: the key never expires.
    expires_at timestamptz CHECK (expires_at <> 'infinity'),

    CONSTRAINT api_key_hash UNIQUE (hash),
    CONSTRAINT scopes_known CHECK (cardinality(scopes) > 0 AND scopes <@ '{read,write,migrate,admin}'::text[]),
    CONSTRAINT apps_named CHECK (cardinality(apps) > 0 AND array_position(apps, NULL) IS NULL)
);

-- A token opens some realms of one app for some hours. A client with a key makes it. It ends with its key and with its app: an app that
-- is made again under the same name has none of them. Maintenance removes expired tokens.
CREATE TABLE realm_token (
    realm_token_id uuid PRIMARY KEY,
    api_key_id uuid NOT NULL REFERENCES api_key ON DELETE CASCADE,
    app_id uuid NOT NULL REFERENCES app ON DELETE CASCADE,
    -- The SHA-256 of the secret, as in `api_key`.
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    scopes text[] NOT NULL,
    -- Names of realms, or prefixes that end in `*`. A token may name a realm that it will make itself.
    realms text[] COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,

    CONSTRAINT realm_token_hash UNIQUE (hash),
    -- The scope `admin` concerns the whole service, and no realm.
    CONSTRAINT scopes_known CHECK (cardinality(scopes) > 0 AND scopes <@ '{read,write,migrate}'::text[]),
    CONSTRAINT realms_named CHECK (cardinality(realms) BETWEEN 1 AND 100 AND array_position(realms, NULL) IS NULL),
    CONSTRAINT hours CHECK (expires_at <= created_at + interval '24 hours')
);
CREATE INDEX realm_token_of_key ON realm_token (api_key_id, expires_at);
CREATE INDEX realm_token_of_app ON realm_token (app_id);
CREATE INDEX realm_token_by_expiry ON realm_token (expires_at);

-- A schema version that an app has declared: the schema of the realms that reach it, and the migration that leads there. A request
-- declares it, and may mend it while no realm depends on it. Realm's schema versions are numbers of 64 bits without a sign; the greatest
-- one means "no version" to Realm.
CREATE TABLE schema_version (
    app_id uuid NOT NULL REFERENCES app ON DELETE CASCADE,
    version numeric(20, 0) NOT NULL CHECK (version BETWEEN 0 AND 18446744073709551614),
    -- Counts from 1 how often anything was declared under the number, also where it was taken back between.
    revision integer NOT NULL DEFAULT 1 CHECK (revision >= 1),
    schema bytea NOT NULL,
    -- Null where the version has no migration of its own. `json` rather than `jsonb`, which refuses U+0000 in a script and changes texts.
    migration json,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, version)
);

-- Every revision that a version ever had. A job names the revisions that it ran, so that they stay for as long as the app does.
CREATE TABLE schema_version_revision (
    app_id uuid NOT NULL REFERENCES app ON DELETE CASCADE,
    version numeric(20, 0) NOT NULL CHECK (version BETWEEN 0 AND 18446744073709551614),
    revision integer NOT NULL CHECK (revision >= 1),
    schema bytea NOT NULL,
    migration json,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, version, revision)
);
