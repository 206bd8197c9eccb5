-- Whose turn it is to fold a realm's patches: others pass it over until then, so that none does what another one is doing.
ALTER TABLE realm ADD COLUMN folding_until timestamptz NOT NULL DEFAULT '-infinity';
