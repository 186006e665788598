-- What a person says about merchants for their own agents, beside what their tenant says; without an agent it is said for
-- all of them. One index answers the look-up of a purchase: both rows of one merchant lie next to each other.
CREATE TABLE principal_merchant_rules (
  id text PRIMARY KEY,
  principal_id text NOT NULL REFERENCES principals (id),
  merchant_audience text NOT NULL,
  client_id text REFERENCES clients (id),
  verdict text NOT NULL CHECK (verdict IN ('allow', 'deny')),
  updated_at timestamptz NOT NULL,
  CONSTRAINT principal_merchant_rules_subject UNIQUE NULLS NOT DISTINCT (principal_id, merchant_audience, client_id)
);

-- Whether only merchants that the person allowed may ask.
ALTER TABLE principals ADD COLUMN only_listed_merchants boolean NOT NULL DEFAULT false;
