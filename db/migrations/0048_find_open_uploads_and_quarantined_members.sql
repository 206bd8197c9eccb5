-- Each upload asks at its beginning how much others have announced: uploads that are done are remembered for a day, and are many.
CREATE INDEX upload_open ON upload (app_id) WHERE snapshot_id IS NULL;

-- Members of which something was set aside are few, and are added up whenever somebody looks at their fleet.
CREATE INDEX fleet_member_quarantined ON fleet_member (app_id, fleet_id) WHERE quarantined_count > 0;
