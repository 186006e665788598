-- A remembered approval of a merchant covers purchases up to an amount, in the currency, under the payee's name and with
-- the card of what was approved. Wallet access has none of these.
ALTER TABLE remembered_approvals
  ADD COLUMN up_to_minor bigint,
  ADD COLUMN currency text,
  ADD COLUMN merchant_name text,
  ADD COLUMN card_id text;

-- What was approved before: twice the highest amount in the currency that was approved last, and today's default card.
UPDATE remembered_approvals r
   SET up_to_minor = 2 * (SELECT max(o.amount_minor) FROM consents o
                           WHERE o.client_id = last.client_id AND o.merchant_audience = last.merchant_audience
                             AND o.currency = last.currency AND o.status = 'approved'),
       currency = last.currency,
       merchant_name = last.merchant_name,
       card_id = (SELECT k.id FROM card_mandates k
                   WHERE k.principal_id = r.principal_id AND k.is_default AND k.status = 'active' LIMIT 1)
  FROM (SELECT DISTINCT ON (client_id, merchant_audience) client_id, merchant_audience, merchant_name, currency
          FROM consents
         WHERE kind = 'payment' AND status = 'approved' AND amount_minor IS NOT NULL AND currency IS NOT NULL
         ORDER BY client_id, merchant_audience, decided_at DESC) last
 WHERE r.client_id = last.client_id AND r.subject = 'merchant:' || last.merchant_audience;

-- Where no approval says how much was approved, the person is asked again.
DELETE FROM remembered_approvals WHERE starts_with(subject, 'merchant:') AND up_to_minor IS NULL;

ALTER TABLE remembered_approvals ADD CONSTRAINT remembered_merchants_have_an_amount
  CHECK (starts_with(subject, 'merchant:') = (up_to_minor IS NOT NULL) AND (up_to_minor IS NULL) = (currency IS NULL));

CREATE OR REPLACE VIEW remembered_merchants AS
  SELECT principal_id, client_id, substr(subject, length('merchant:') + 1) AS merchant_audience, created_at, up_to_minor,
         currency
    FROM remembered_approvals WHERE starts_with(subject, 'merchant:');
