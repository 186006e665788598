-- How and when a person wants messages; without a row in English, at any time, and without a summary.
CREATE TABLE message_settings (
  principal_id text PRIMARY KEY REFERENCES principals (id),
  -- Null where the person never chose.
  language text CHECK (language IN ('en', 'de')),
  -- Minutes after 00:00 by the person's clocks.
  quiet_from_minute integer CHECK (quiet_from_minute BETWEEN 0 AND 1439),
  quiet_until_minute integer CHECK (quiet_until_minute BETWEEN 0 AND 1439),
  quiet_requests boolean NOT NULL DEFAULT true,
  summary_hour integer CHECK (summary_hour BETWEEN 0 AND 23),
  -- When the next summary is due, and up to when the last one told.
  summary_due_at timestamptz,
  summarised_until timestamptz,
  updated_at timestamptz NOT NULL,
  CHECK ((quiet_from_minute IS NULL) = (quiet_until_minute IS NULL) AND quiet_from_minute <> quiet_until_minute),
  CHECK ((summary_hour IS NULL) = (summary_due_at IS NULL) AND (summary_hour IS NULL) = (summarised_until IS NULL))
);
CREATE INDEX message_settings_summaries ON message_settings (summary_due_at) WHERE summary_due_at IS NOT NULL;

-- Until when quiet hours hold a message back, and what it asks: once that has ended, it is not sent.
ALTER TABLE messages ADD COLUMN held_until timestamptz, ADD COLUMN held_request text;

-- By which clocks people live.
CREATE VIEW time_zones AS SELECT principal_id, time_zone FROM wallet_limits;

-- Requests to exceed limits, and whether they still wait.
CREATE VIEW limit_requests AS SELECT id, principal_id, status, expires_at FROM limit_bumps;
