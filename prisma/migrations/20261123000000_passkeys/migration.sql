-- Public-key credentials (WebAuthn) of the people who sign in to the portal. The id is the authenticator's, as base64url.
CREATE TABLE passkeys (
  id text PRIMARY KEY,
  principal_id text NOT NULL REFERENCES principals (id),
  -- A COSE key, as the authenticator gave it.
  public_key bytea NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  transports jsonb NOT NULL,
  device_type text NOT NULL CHECK (device_type IN ('single_device', 'multi_device')),
  backed_up boolean NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX passkeys_principal ON passkeys (principal_id);

-- What an authenticator is asked to sign, once. Nobody is known yet when somebody signs in.
CREATE TABLE webauthn_challenges (
  id text PRIMARY KEY,
  purpose text NOT NULL,
  principal_id text REFERENCES principals (id),
  session_id text,
  nonce text NOT NULL,
  challenge text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  CHECK (purpose = 'sign_in' OR (principal_id IS NOT NULL AND session_id IS NOT NULL))
);
CREATE INDEX webauthn_challenges_expiry ON webauthn_challenges (expires_at);

-- How the session was opened, and on what kind of device: 'Chrome on Linux', never more.
ALTER TABLE portal_sessions ADD COLUMN method text NOT NULL DEFAULT 'magic_link';
ALTER TABLE portal_sessions ADD CONSTRAINT portal_sessions_method CHECK (method IN ('magic_link', 'passkey', 'demo'));
ALTER TABLE portal_sessions ADD COLUMN device text;

-- Approvals need a passkey, wherever they come from.
ALTER TABLE principals ADD COLUMN passkey_required boolean NOT NULL DEFAULT false;
