-- A browser that a person has turned messages on in. Where its push service takes them, and the keys that they are
-- encrypted to, are sealed; the hash finds the row when the browser hands its subscription in again.
CREATE TABLE push_subscriptions (
  id text PRIMARY KEY,
  principal_id text NOT NULL REFERENCES principals (id),
  endpoint_hash text NOT NULL UNIQUE,
  sealed_subscription text NOT NULL,
  -- The session that handed it in last, by its hash.
  session_handle text NOT NULL,
  -- Such as "Chrome on Linux".
  device text,
  language text NOT NULL CHECK (language IN ('en', 'de')),
  created_at timestamptz NOT NULL,
  last_ok_at timestamptz,
  -- Since when no message has been taken.
  failing_since timestamptz
);
CREATE INDEX push_subscriptions_principal ON push_subscriptions (principal_id, created_at);

-- The key by which push services know this server (RFC 8292): one row, made when it is first needed.
CREATE TABLE push_key (
  id text PRIMARY KEY CHECK (id = 'own'),
  public_key text NOT NULL,
  sealed_private_key text NOT NULL,
  created_at timestamptz NOT NULL
);

-- Whether messages on a lock screen leave out amounts and shops.
ALTER TABLE notification_events ADD COLUMN hides_details boolean NOT NULL DEFAULT false;

ALTER TABLE messages DROP CONSTRAINT messages_channel_check;
ALTER TABLE messages ADD CONSTRAINT messages_channel_check CHECK (channel IN ('email', 'rcs', 'push'));

-- Sessions that ended before their time: somebody signed out, or was signed out.
CREATE VIEW ended_sessions AS
SELECT encode(sha256(convert_to(id, 'UTF8')), 'hex') AS handle, principal_id
  FROM portal_sessions WHERE revoked_at IS NOT NULL;
