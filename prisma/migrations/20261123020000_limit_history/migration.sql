-- Every change of limits, written with the change itself. Limits are kept in the form of the interface; null is none at all.
CREATE TABLE limit_changes (
  id text PRIMARY KEY,
  -- The order in which they happened: several may share an instant.
  seq bigint GENERATED ALWAYS AS IDENTITY,
  principal_id text NOT NULL REFERENCES principals (id),
  -- The agent whose own limits changed; null for those over all agents.
  client_id text REFERENCES clients (id),
  kind text NOT NULL CHECK (kind IN ('save', 'freeze', 'restore', 'undo', 'connect')),
  before jsonb,
  after jsonb,
  via text NOT NULL CHECK (via IN ('portal', 'token')),
  -- The portal's session, hashed.
  session_hash text,
  created_at timestamptz NOT NULL
);
CREATE INDEX limit_changes_owner ON limit_changes (principal_id, client_id, seq DESC);

-- The change that froze spending, until the limits are saved anew; what was there before is in it.
ALTER TABLE wallet_limits ADD COLUMN frozen_by text REFERENCES limit_changes (id);

-- Limits that the agent starts with.
ALTER TABLE setup_tokens ADD COLUMN limits jsonb;
