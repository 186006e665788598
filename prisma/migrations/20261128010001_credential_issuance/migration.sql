-- Credentials that wallets fetch (OpenID4VCI): offers with their codes, nonces that proofs have used, and what was issued.
CREATE TABLE credential_offers (
  id text PRIMARY KEY,
  handle_hash text NOT NULL UNIQUE,
  code_hash text NOT NULL UNIQUE,
  configuration text NOT NULL,
  subject jsonb NOT NULL,
  tenant_id text,
  principal_id text REFERENCES principals (id),
  tx_code_hash text,
  tx_code_failures integer NOT NULL DEFAULT 0,
  proof_failures integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  redeemed_at timestamptz,
  ended_at timestamptz,
  token_id text,
  token_revoked_at timestamptz,
  issued_at timestamptz
);
CREATE INDEX credential_offers_expiry ON credential_offers (expires_at);
CREATE INDEX credential_offers_principal ON credential_offers (principal_id);

CREATE TABLE credential_nonces (
  nonce_hash text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX credential_nonces_expiry ON credential_nonces (expires_at);

CREATE TABLE issued_credentials (
  id text PRIMARY KEY,
  configuration text NOT NULL,
  tenant_id text,
  principal_id text REFERENCES principals (id),
  issued_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX issued_credentials_expiry ON issued_credentials (expires_at);
CREATE INDEX issued_credentials_principal ON issued_credentials (principal_id);

-- Their places in the status list. Mandates keep theirs in their own rows, below those that are given away here.
CREATE TABLE credential_places (
  status_index integer PRIMARY KEY CHECK (status_index >= 0),
  credential_id text NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX credential_places_expiry ON credential_places (expires_at);
CREATE INDEX credential_places_revoked ON credential_places (status_index) WHERE revoked_at IS NOT NULL;
