-- That a person has reached an age, and who says so: nothing else of what they presented is kept.
CREATE TABLE age_proofs (
  principal_id text NOT NULL REFERENCES principals (id),
  age integer NOT NULL CHECK (age BETWEEN 1 AND 150),
  -- `credential`: one that this server issued; `presentation`: one of another issuer.
  source text NOT NULL CHECK (source IN ('presentation', 'credential')),
  issuer text NOT NULL,
  region text NOT NULL,
  proven_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > proven_at),
  PRIMARY KEY (principal_id, age)
);
CREATE INDEX age_proofs_end ON age_proofs (expires_at);
CREATE VIEW proven_ages AS SELECT principal_id, age, expires_at FROM age_proofs;

-- The age that a buyer must have reached; null: anybody may buy.
ALTER TABLE merchants ADD COLUMN min_age integer CHECK (min_age BETWEEN 1 AND 150);
CREATE OR REPLACE VIEW merchant_profiles AS
  SELECT id, merchant_audience, business_name, country, verification_status, connected_account_id, max_application_fee_bps,
         min_age
    FROM merchants;

-- The age that the person has yet to prove, where that is why setup is required.
ALTER TABLE pushed_requests ADD COLUMN required_age integer CHECK (required_age BETWEEN 1 AND 150);

-- The age that the mandate of an order proved, where an item needs one.
ALTER TABLE sandbox_orders ADD COLUMN proven_age integer;
