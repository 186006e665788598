-- The payments of one agent, their totals and the agents that ever paid are read from this index alone.
CREATE INDEX payments_agent ON payments (principal_id, client_id, processed_at DESC, payment_intent_id)
  INCLUDE (status, merchant_audience, currency, amount_minor);
