-- What a person does not want to be told through a channel, as ["payments:email", …]. Requests and changes of security are
-- always told through every channel that is on, so they cannot stand here.
CREATE TABLE notification_events (
  principal_id text PRIMARY KEY REFERENCES principals (id),
  muted jsonb NOT NULL CHECK (jsonb_typeof(muted) = 'array'),
  updated_at timestamptz NOT NULL
);
