-- A phone counts once it is confirmed; until then the one before it stays in use. Phones from before count since they were saved.
ALTER TABLE notification_preferences
  ADD COLUMN confirmed_phone_e164 text,
  ADD COLUMN phone_confirmed_at timestamptz,
  ADD CONSTRAINT notification_preferences_confirmed_check
    CHECK ((confirmed_phone_e164 IS NULL) = (phone_confirmed_at IS NULL));
UPDATE notification_preferences SET confirmed_phone_e164 = rcs_phone_e164, phone_confirmed_at = updated_at
 WHERE rcs_phone_e164 IS NOT NULL;

-- The one code of a person that confirms a phone; only a keyed hash of it is stored.
CREATE TABLE phone_codes (
  principal_id text PRIMARY KEY REFERENCES principals (id),
  phone_e164 text NOT NULL,
  code_hash text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Mailed links that confirm or undo a change of how a person is reached and signs in.
CREATE TABLE mailed_links (
  token_hash text PRIMARY KEY,
  principal_id text NOT NULL REFERENCES principals (id),
  purpose text NOT NULL CHECK (purpose IN ('confirm_email', 'undo_email', 'undo_passkey')),
  subject jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz
);
CREATE INDEX mailed_links_principal ON mailed_links (principal_id);
CREATE INDEX mailed_links_expiry ON mailed_links (expires_at);
