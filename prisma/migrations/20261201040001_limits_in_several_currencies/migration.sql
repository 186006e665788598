-- Limits in further currencies: caps by ISO 4217 code, beside those of the row's own currency.
ALTER TABLE wallet_limits
  ADD COLUMN other_currencies jsonb CHECK (jsonb_typeof(other_currencies) = 'object');
