-- Partners: a class or a property of a synced realm that stands in for another one while clients move from the one to the other.
-- docs/partner-classes.md tells their life.

-- A partner. A request makes it; a job fills it; changes to one side write the other. Each row changes in the transaction that makes the
-- snapshot to which it belongs, and by whoever holds the lock of the realm's row.
CREATE TABLE partner (
    app_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    realm_id uuid NOT NULL,
    class_name text COLLATE "C" NOT NULL,
    -- The property that the partner stands in for; null where it stands in for the class.
    property text COLLATE "C",
    -- The other side: a schema of one class.
    partner bytea NOT NULL,
    -- The scripts that make one side of the other. `json`, as in `schema_version`.
    functions json NOT NULL,
    -- Seconds without a client of an old version after which the service cuts over by itself; null: it never does.
    cut_over_after double precision CHECK (cut_over_after >= 0),
    -- preparing: the job fills it. dual: both sides are there. cutOver, done: the old side leaves and has left. aborted: it was taken back.
    state text NOT NULL DEFAULT 'preparing',
    -- The job that fills it.
    job_id uuid,
    -- The job goes through all objects twice. 0: it gives each its partner. 1: it gives the partners the links to others.
    pass smallint NOT NULL DEFAULT 0 CHECK (pass IN (0, 1)),
    -- The object key that the pass has reached, and the greatest one that there was when the partner was made.
    filled_to bigint NOT NULL DEFAULT -1,
    fill_end bigint NOT NULL,
    -- Objects that the pass has done, and all of them.
    filled_count bigint NOT NULL DEFAULT 0,
    total_count bigint NOT NULL,
    -- The side that has left the schema, as it was declared; null while both are there.
    retired bytea,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    dual_at timestamptz,
    -- When the side left.
    ended_at timestamptz,

    PRIMARY KEY (app_id, partner_id),
    FOREIGN KEY (app_id, realm_id) REFERENCES realm ON DELETE CASCADE,
    CONSTRAINT state_known CHECK (state IN ('preparing', 'dual', 'cutOver', 'done', 'aborted')),
    CONSTRAINT filled_in_range CHECK (filled_to BETWEEN -1 AND fill_end),
    CONSTRAINT filled_when_dual CHECK ((state IN ('dual', 'cutOver', 'done')) <= (dual_at IS NOT NULL))
);
-- A class has one partner at a time.
CREATE UNIQUE INDEX partner_active ON partner (app_id, realm_id, class_name)
    WHERE state IN ('preparing', 'dual', 'cutOver');
CREATE INDEX partner_of_realm ON partner (app_id, realm_id, created_at DESC, partner_id DESC);
CREATE INDEX partner_by_id ON partner (partner_id);

-- A note about one object of a partner's class.
CREATE TABLE partner_object (
    app_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    -- While the partner is prepared: a written object has its partner though the pass has not reached it, and a given one has properties
    -- that a client gave its partner. Findings, until the next write to the object: a violation did not come back the same, and a
    -- divergence was written on both sides.
    kind text NOT NULL CHECK (kind IN ('written', 'given', 'violation', 'divergence')),
    object_key bigint NOT NULL,
    -- The object's primary key, and its values before and after, encoded; for findings.
    primary_key bytea,
    before bytea,
    after bytea,
    reason text,
    -- Whether an operator has accepted the finding, which otherwise stands against cutting over.
    accepted boolean NOT NULL DEFAULT false,
    -- The properties that a client gave, which the job leaves as they are.
    properties text[],
    PRIMARY KEY (app_id, partner_id, kind, object_key),
    FOREIGN KEY (app_id, partner_id) REFERENCES partner ON DELETE CASCADE,
    CONSTRAINT finding_whole CHECK (kind IN ('written', 'given') OR primary_key IS NOT NULL),
    CONSTRAINT given_whole CHECK ((kind = 'given') = (properties IS NOT NULL))
);

-- A schema version whose clients do not know the partner, and when the service last saw one of them.
CREATE TABLE partner_version (
    app_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    version numeric(20, 0) NOT NULL CHECK (version BETWEEN 0 AND 18446744073709551614),
    seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, partner_id, version),
    FOREIGN KEY (app_id, partner_id) REFERENCES partner ON DELETE CASCADE
);
