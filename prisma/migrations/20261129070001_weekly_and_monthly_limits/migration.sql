-- Limits per week and per month. Both turn in the person's time zone, an agent's as well.
ALTER TABLE wallet_limits
  ADD COLUMN weekly_cap_minor bigint CHECK (weekly_cap_minor >= 0),
  ADD COLUMN monthly_cap_minor bigint CHECK (monthly_cap_minor >= 0),
  ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC',
  -- The week and month that ran when the zone was changed last: counted until they end by the zone before.
  ADD COLUMN carried_windows jsonb;
ALTER TABLE agent_limits
  ADD COLUMN weekly_cap_minor bigint CHECK (weekly_cap_minor >= 0),
  ADD COLUMN monthly_cap_minor bigint CHECK (monthly_cap_minor >= 0);
