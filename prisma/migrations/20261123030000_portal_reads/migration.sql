-- Totals and filters of a person's payments are read from the index alone, however many payments there are.
DROP INDEX payments_principal;
CREATE INDEX payments_principal ON payments (principal_id, processed_at DESC, payment_intent_id)
  INCLUDE (status, client_id, merchant_audience, currency, amount_minor);

-- The home page asks for these each time, and there are hardly any.
CREATE INDEX payments_disputed ON payments (principal_id, processed_at DESC) WHERE status = 'disputed_pending';

-- Disputes come long after their payment, so a payment's page cannot look for them by time.
CREATE INDEX audit_entries_disputed ON audit_entries (principal_id, seq) WHERE event = 'oid4ac.payment.disputed';
