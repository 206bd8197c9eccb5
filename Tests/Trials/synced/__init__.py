"""A model of synced realms, and random histories that hold the service against it."""
