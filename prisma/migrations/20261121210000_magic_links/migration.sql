-- Approved requests that wait until the person follows the link in their mail. What was pushed is copied, since the
-- request itself ends where it is first presented; a used link stays for a while, so that a second use can be told apart.
CREATE TABLE magic_links (
  token_hash text PRIMARY KEY,
  client_id text NOT NULL REFERENCES clients (id),
  principal_id text NOT NULL REFERENCES principals (id),
  jkt text NOT NULL,
  dpop_jwk jsonb NOT NULL,
  redirect_uri text NOT NULL,
  state text,
  code_challenge text NOT NULL,
  scope jsonb NOT NULL,
  resources jsonb NOT NULL,
  authorization_details jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz
);
CREATE INDEX magic_links_expiry ON magic_links (expires_at);
