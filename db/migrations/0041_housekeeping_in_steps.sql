-- A process holds a chore for a minute at a time while it does a round of it, and says how far it is: rounds take small steps. For /metrics.
ALTER TABLE chore
    -- How much the round has still to look at, as of its last step but few.
    ADD COLUMN backlog bigint NOT NULL DEFAULT 0,
    -- When a round last came to its end.
    ADD COLUMN ended_at timestamptz NOT NULL DEFAULT now();
