-- Partner classes and properties of synced realms: what stands in for what, and how far that is. The books of a partner change
-- in the transaction that makes the snapshot that they are about.
CREATE TABLE partner (
    app_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    class_name text COLLATE "C" NOT NULL,
    -- The property that the partner stands in for; null where it is a class.
    property text COLLATE "C",
    -- A schema of one class.
    partner bytea NOT NULL,
    -- `json` rather than `jsonb`: a script may hold U+0000, and its text is to come back as it was.
    functions json NOT NULL,
    cut_over_after double precision CHECK (cut_over_after >= 0),
    state text NOT NULL DEFAULT 'preparing',
    -- 0: objects get their partners. 1: partners get the links to others.
    pass smallint NOT NULL DEFAULT 0 CHECK (pass IN (0, 1)),
    -- The object key that the pass has come to, and the last one that there was when the partner was made.
    filled_to bigint NOT NULL DEFAULT -1,
    fill_end bigint NOT NULL,
    filled_count bigint NOT NULL DEFAULT 0,
    total_count bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    dual_at timestamptz,
    PRIMARY KEY (app_id, partner_id),
    FOREIGN KEY (app_id, realm_id) REFERENCES realm ON DELETE CASCADE,
    CONSTRAINT state_known CHECK (state IN ('preparing', 'dual', 'cutOver', 'done', 'aborted')),
    CONSTRAINT filled_in_range CHECK (filled_to BETWEEN -1 AND fill_end),
    CONSTRAINT filled_when_dual CHECK ((state IN ('dual', 'cutOver', 'done')) <= (dual_at IS NOT NULL))
);
CREATE UNIQUE INDEX partner_active ON partner (app_id, realm_id, class_name)
    WHERE state IN ('preparing', 'dual', 'cutOver');
CREATE INDEX partner_of_realm ON partner (app_id, realm_id, created_at DESC, partner_id DESC);
CREATE INDEX partner_by_id ON partner (partner_id);

CREATE TABLE partner_object (
    app_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    -- written: has its partner already though the pass has not come to it; the others are findings.
    kind text NOT NULL CHECK (kind IN ('written', 'violation', 'divergence')),
    object_key bigint NOT NULL,
    primary_key bytea,
    before bytea,
    after bytea,
    reason text,
    accepted boolean NOT NULL DEFAULT false,
    PRIMARY KEY (app_id, partner_id, kind, object_key),
    FOREIGN KEY (app_id, partner_id) REFERENCES partner ON DELETE CASCADE,
    CONSTRAINT finding_whole CHECK (kind = 'written' OR primary_key IS NOT NULL)
);

-- What the schema of a synced realm had, and has no more because a partner stands in for it: clients that know it start over.
ALTER TABLE realm ADD COLUMN retired bytea;

-- When a version that has not heard of the partner was last seen.
CREATE TABLE partner_version (
    app_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    version numeric(20, 0) NOT NULL CHECK (version BETWEEN 0 AND 18446744073709551614),
    seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, partner_id, version),
    FOREIGN KEY (app_id, partner_id) REFERENCES partner ON DELETE CASCADE
);

ALTER TABLE job DROP CONSTRAINT kind_known, ADD CONSTRAINT kind_known CHECK (kind IN ('migration', 'backfill', 'partner_backfill')),
    ADD CONSTRAINT partner_backfill_whole CHECK (kind <> 'partner_backfill' OR NOT exclusive AND realm_id IS NOT NULL);
