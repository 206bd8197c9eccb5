-- The scope `device` of keys and tokens: to have a realm migrated, and no more.
ALTER TABLE api_key DROP CONSTRAINT scopes_known;
ALTER TABLE api_key ADD CONSTRAINT scopes_known CHECK (
    cardinality(scopes) > 0 AND scopes <@ '{read,write,migrate,admin,device}'::text[]);
ALTER TABLE realm_token DROP CONSTRAINT scopes_known;
ALTER TABLE realm_token ADD CONSTRAINT scopes_known CHECK (
    cardinality(scopes) > 0 AND scopes <@ '{read,write,migrate,device}'::text[]);
