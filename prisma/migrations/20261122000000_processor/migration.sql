-- The sandbox's processor speaks Stripe's API: it knows customers, keeps metadata, and remembers what it answered under an
-- idempotency key. What earlier versions wrote is brought into its words.

CREATE TABLE sandbox_processor_customers (
  id text PRIMARY KEY,
  metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL
);

INSERT INTO sandbox_processor_customers (id, metadata, created_at)
SELECT customer_id, '{}', min(created_at)
  FROM (SELECT customer_id, created_at FROM sandbox_processor_intents
        UNION ALL
        SELECT customer_id, created_at FROM sandbox_processor_cards) AS known
 GROUP BY customer_id;

ALTER TABLE sandbox_processor_intents
  ADD COLUMN metadata jsonb,
  ADD COLUMN decline_code text,
  ADD COLUMN cancellation_reason text,
  ADD COLUMN canceled_at timestamptz,
  ADD COLUMN confirmations integer NOT NULL DEFAULT 0;

UPDATE sandbox_processor_intents
   SET metadata = jsonb_strip_nulls(jsonb_build_object('principal_id', principal_id, 'settlement_id', settlement_id)),
       client_secret = coalesce(client_secret, id || '_secret_' || md5(random()::text || id)),
       decline_code = CASE failure_code WHEN 'card_declined' THEN 'generic_decline' ELSE failure_code END,
       failure_code = CASE failure_code WHEN 'insufficient_funds' THEN 'card_declined' ELSE failure_code END,
       status = CASE status WHEN 'failed' THEN 'requires_payment_method' ELSE status END;

ALTER TABLE sandbox_processor_intents
  ALTER COLUMN metadata SET NOT NULL,
  ALTER COLUMN client_secret SET NOT NULL,
  DROP COLUMN idempotency_key,
  ADD CONSTRAINT sandbox_processor_intents_status CHECK (status IN
    ('requires_payment_method', 'requires_confirmation', 'requires_action', 'succeeded', 'canceled'));
CREATE INDEX sandbox_processor_intents_customer ON sandbox_processor_intents (customer_id, created_at);

ALTER TABLE sandbox_processor_cards ADD COLUMN detached_at timestamptz;

ALTER TABLE sandbox_processor_charges ALTER COLUMN settlement_id DROP NOT NULL;

-- A charge is given back as a whole, and once.
CREATE TABLE sandbox_processor_refunds (
  id text PRIMARY KEY,
  charge_id text NOT NULL UNIQUE REFERENCES sandbox_processor_charges (id),
  metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE sandbox_processor_disputes (
  id text PRIMARY KEY,
  charge_id text NOT NULL UNIQUE REFERENCES sandbox_processor_charges (id),
  status text NOT NULL CHECK (status IN ('needs_response', 'won', 'lost')),
  -- When the cardholder's bank opens it; before that nobody knows about it.
  created_at timestamptz NOT NULL
);

CREATE TABLE sandbox_processor_replies (
  idempotency_key text PRIMARY KEY,
  request_digest text NOT NULL,
  status integer,
  body text,
  created_at timestamptz NOT NULL
);
CREATE INDEX sandbox_processor_replies_age ON sandbox_processor_replies (created_at);
