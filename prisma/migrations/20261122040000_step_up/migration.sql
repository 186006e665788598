-- A settlement whose bank asks for the cardholder waits for them; the money stays held meanwhile.
ALTER TABLE settlements DROP CONSTRAINT settlements_state_check;
ALTER TABLE settlements ADD CONSTRAINT settlements_state_check
  CHECK (state IN ('reserved', 'submitting', 'requires_action', 'succeeded', 'failed', 'unknown'));
-- Until then the cardholder may answer.
ALTER TABLE settlements ADD COLUMN action_until timestamptz;
ALTER TABLE settlements ADD CONSTRAINT settlements_action CHECK (state <> 'requires_action' OR action_until IS NOT NULL);
DROP INDEX settlements_unresolved;
CREATE INDEX settlements_unresolved ON settlements (lease_until) WHERE state IN ('reserved', 'submitting', 'requires_action', 'unknown');
CREATE INDEX settlements_action ON settlements (principal_id) WHERE state = 'requires_action';

-- A charge that must not stand, and whether the processor has given it back.
CREATE TABLE refunds (
  payment_intent_id text PRIMARY KEY,
  settlement_id text NOT NULL REFERENCES settlements (id),
  principal_id text NOT NULL REFERENCES principals (id),
  reason text NOT NULL CHECK (reason IN ('settlement_failed', 'another_charge', 'wrong_amount')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  demanded_at timestamptz NOT NULL,
  refunded_at timestamptz
);
