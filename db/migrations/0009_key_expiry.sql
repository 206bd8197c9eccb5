-- When a key stops to open doors by itself; null for never. Those that are over stay until somebody removes them: what was done
-- with them is told by their names.
ALTER TABLE api_key ADD COLUMN expires_at timestamptz CHECK (expires_at <> 'infinity');
