-- Token families are deleted 30 days after their end. What outlives them: the mandate with its agreed items, and when the
-- client was last given a token.
ALTER TABLE mandates DROP CONSTRAINT mandates_family_id_fkey;
ALTER TABLE mandates ADD COLUMN line_items jsonb;
ALTER TABLE clients ADD COLUMN last_token_at timestamptz;

CREATE INDEX token_families_end ON token_families (least(expires_at, revoked_at));

CREATE OR REPLACE VIEW mandate_terms AS
  SELECT id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor, currency, offer_id,
         offer_digest, issued_at, expires_at, revoked_at, line_items
    FROM mandates;
