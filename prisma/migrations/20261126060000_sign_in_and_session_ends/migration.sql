-- A link to sign in belongs to the browser that asked for it. Links from before know of none and are dropped: they last 15
-- minutes, and another one is asked for.
DROP TABLE sign_in_tokens;

CREATE TABLE sign_in_requests (
  id           text PRIMARY KEY,
  -- Hash of the secret in the cookie of the browser that asked.
  browser_hash text NOT NULL,
  -- The address that was entered; null once the link was mailed.
  sealed_email text,
  principal_id text REFERENCES principals (id),
  -- Hash of the token in the mailed link; null until there is one.
  token_hash   text UNIQUE,
  tries        integer NOT NULL DEFAULT 0,
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  consumed_at  timestamptz
);

-- Why a session was ended; null while it lives, and where it ran out by itself.
ALTER TABLE portal_sessions ADD COLUMN ended_by text
  CHECK (ended_by IN ('window', 'everywhere', 'security'));
