-- Through which channels a person wants to be told; without a row it is e-mail alone.
CREATE TABLE notification_preferences (
  principal_id text PRIMARY KEY REFERENCES principals (id),
  rcs_enabled boolean NOT NULL,
  rcs_phone_e164 text,
  email_enabled boolean NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK (NOT rcs_enabled OR rcs_phone_e164 IS NOT NULL)
);

-- The token in a bump's RCS message, as its hash: it decides this bump, once.
ALTER TABLE limit_bumps ADD COLUMN rcs_token_hash text UNIQUE, ADD COLUMN rcs_token_used_at timestamptz;
