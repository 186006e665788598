-- When a client last rotated a refresh token, without a look at all its families. The first token of a family is as old as
-- the family and has no client.
ALTER TABLE refresh_tokens ADD COLUMN client_id text;
UPDATE refresh_tokens t SET client_id = f.client_id
  FROM token_families f WHERE f.id = t.family_id AND t.created_at > f.created_at;
CREATE INDEX refresh_tokens_client ON refresh_tokens (client_id, created_at) WHERE client_id IS NOT NULL;
