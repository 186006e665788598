-- The issuers of credentials whom each region trusts, as the operator lists them.
CREATE TABLE trust_lists (
  region text PRIMARY KEY,
  issuers jsonb NOT NULL,
  updated_at timestamptz NOT NULL
);
