-- How many payments a person made on a day (UTC) and what they come to, so that totals need not read every payment. Kept by
-- the database, since servers of the version before write payments as well while a new one takes over.
CREATE TABLE payment_counters (
  principal_id text NOT NULL REFERENCES principals (id),
  day date NOT NULL,
  currency text NOT NULL,
  status text NOT NULL,
  count bigint NOT NULL,
  amount_minor bigint NOT NULL,
  PRIMARY KEY (principal_id, day, currency, status)
);

CREATE FUNCTION count_payment(payment payments, step integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO payment_counters AS k (principal_id, day, currency, status, count, amount_minor)
  VALUES (payment.principal_id, (payment.processed_at AT TIME ZONE 'UTC')::date, payment.currency, payment.status, step,
          step * payment.amount_minor)
  ON CONFLICT (principal_id, day, currency, status)
  DO UPDATE SET count = k.count + excluded.count, amount_minor = k.amount_minor + excluded.amount_minor
$$;

CREATE FUNCTION recount_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM count_payment(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM count_payment(NEW, 1); END IF;
  RETURN NULL;
END $$;

LOCK TABLE payments IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO payment_counters (principal_id, day, currency, status, count, amount_minor)
SELECT principal_id, (processed_at AT TIME ZONE 'UTC')::date, currency, status, count(*), sum(amount_minor)
  FROM payments GROUP BY 1, 2, 3, 4;
CREATE TRIGGER payments_counted AFTER INSERT OR DELETE OR UPDATE OF principal_id, processed_at, currency, status, amount_minor
  ON payments FOR EACH ROW EXECUTE FUNCTION recount_payment();
