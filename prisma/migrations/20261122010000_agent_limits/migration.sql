-- What a person allows one agent, beside what they allow all of them together; the stricter wins.
CREATE TABLE agent_limits (
  client_id text PRIMARY KEY REFERENCES clients (id),
  principal_id text NOT NULL REFERENCES principals (id),
  daily_cap_minor bigint CHECK (daily_cap_minor >= 0),
  currency text,
  single_txn_cap_minor bigint CHECK (single_txn_cap_minor >= 0),
  velocity_count integer CHECK (velocity_count >= 0),
  velocity_window_seconds integer CHECK (velocity_window_seconds > 0),
  updated_at timestamptz NOT NULL
);
CREATE INDEX agent_limits_principal ON agent_limits (principal_id);

-- The share of one agent in the day's spend_counters of its person.
CREATE TABLE agent_spend_counters (
  client_id text NOT NULL REFERENCES clients (id),
  day date NOT NULL,
  currency text NOT NULL,
  reserved_minor bigint NOT NULL DEFAULT 0 CHECK (reserved_minor >= 0),
  spent_minor bigint NOT NULL DEFAULT 0 CHECK (spent_minor >= 0),
  PRIMARY KEY (client_id, day, currency)
);
INSERT INTO agent_spend_counters (client_id, day, currency, reserved_minor, spent_minor)
SELECT client_id, day, currency,
       coalesce(sum(amount_minor) FILTER (WHERE state <> 'succeeded'), 0),
       coalesce(sum(amount_minor) FILTER (WHERE state = 'succeeded'), 0)
  FROM settlements WHERE state <> 'failed' GROUP BY client_id, day, currency;

CREATE INDEX settlements_agent_velocity ON settlements (client_id, reserved_at) WHERE state <> 'failed';

-- Whose limit a bump lifts, and the consent that its grant belongs to; a grant that was given directly belongs to none
-- until a consent that names the bump is approved.
ALTER TABLE limit_bumps
  ADD COLUMN scope text NOT NULL DEFAULT 'wallet' CHECK (scope IN ('wallet', 'agent')),
  ADD COLUMN consent_id text;
-- A bump that waits is one per question: its companions are told apart by the bump that names them to the person.
DROP INDEX limit_bumps_open;
CREATE UNIQUE INDEX limit_bumps_open
  ON limit_bumps (agent_client_id, merchant_audience, scope, kind, day, current_minor, requested_minor, coalesce(opened_with, ''))
  WHERE status = 'pending';
