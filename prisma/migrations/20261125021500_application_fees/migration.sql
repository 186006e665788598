-- How much of a payment may go to the merchant's platform, in hundredths of a percent. The sandbox's merchants take a fee.
ALTER TABLE merchants ADD COLUMN max_application_fee_bps int NOT NULL DEFAULT 0
  CHECK (max_application_fee_bps BETWEEN 0 AND 10000);
UPDATE merchants SET max_application_fee_bps = 1000 WHERE starts_with(connected_account_id, 'acct_sandbox_');

CREATE OR REPLACE VIEW merchant_profiles AS
  SELECT id, merchant_audience, business_name, country, verification_status, connected_account_id, max_application_fee_bps
    FROM merchants;
