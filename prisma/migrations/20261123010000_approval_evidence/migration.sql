-- What a person was shown when they approved in the portal, and how they confirmed it. The signature of a passkey is kept
-- whole, so that it can be checked again when the money moves. Nothing here is about the person beyond their random id.
CREATE TABLE approval_evidence (
  authorization_id text PRIMARY KEY REFERENCES consents (authorization_id),
  principal_id text NOT NULL REFERENCES principals (id),
  method text NOT NULL CHECK (method IN ('passkey', 'magic_link', 'demo')),
  passkey_id text,
  -- SHA-256 over the canonical JSON of display, as base64url.
  display_digest text NOT NULL,
  display jsonb NOT NULL,
  nonce text,
  challenge text,
  authenticator_data text,
  client_data_json text,
  signature text,
  public_key text,
  created_at timestamptz NOT NULL,
  CHECK (num_nulls(passkey_id, nonce, challenge, authenticator_data, client_data_json, signature, public_key)
         = CASE method WHEN 'passkey' THEN 0 ELSE 7 END)
);
CREATE INDEX approval_evidence_principal ON approval_evidence (principal_id);

-- Settlement looks for the approval that a mandate came from.
CREATE INDEX consents_mandate ON consents (mandate_id);

-- What the person paid at one merchant before, newest first.
CREATE INDEX payments_merchant ON payments (principal_id, merchant_audience, processed_at DESC);

-- Until then the agent may not ask the person anything.
ALTER TABLE clients ADD COLUMN muted_until timestamptz;
