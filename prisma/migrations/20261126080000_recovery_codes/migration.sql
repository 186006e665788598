-- What a person who has lost their passkeys adds another one with, each once.
CREATE TABLE recovery_codes (
  code_hash     text PRIMARY KEY,
  principal_id  text NOT NULL REFERENCES principals (id),
  created_at    timestamptz NOT NULL,
  used_at       timestamptz
);

CREATE INDEX recovery_codes_principal ON recovery_codes (principal_id);
