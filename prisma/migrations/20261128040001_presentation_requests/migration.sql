-- What wallets are asked to present. The request (nonce, state, key, query, transaction data) and its outcome are sealed.
CREATE TABLE presentation_requests (
  id text PRIMARY KEY,
  -- The wallet client that made it; null when the operator did.
  owner_id text,
  sealed_request text NOT NULL,
  -- `verifying`: a response has been taken, and nothing is known of it yet.
  status text NOT NULL CHECK (status IN ('pending', 'verifying', 'verified', 'rejected')),
  -- Responses that could not be read.
  failed_attempts integer NOT NULL DEFAULT 0,
  sealed_outcome text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  CHECK ((sealed_outcome IS NULL) = (ended_at IS NULL)),
  CHECK ((ended_at IS NULL) = (status IN ('pending', 'verifying')))
);
CREATE INDEX presentation_requests_end ON presentation_requests (coalesce(ended_at, expires_at));

-- The certificate that this server signs presentation requests with: one row at most. A row without a certificate says that
-- it was removed, so that a sandbox makes no other one by itself.
CREATE TABLE relying_party (
  id text PRIMARY KEY CHECK (id = 'own'),
  -- Leaf first, base64 DER, without the trust anchor.
  x5c jsonb,
  anchor text,
  client_id text,
  verifier_info jsonb,
  sealed_private_key text,
  not_after timestamptz,
  -- The sandbox has made it by itself.
  is_test boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL,
  CHECK ((x5c IS NULL) = (client_id IS NULL)),
  CHECK ((x5c IS NULL) = (sealed_private_key IS NULL)),
  CHECK ((x5c IS NULL) = (not_after IS NULL))
);
