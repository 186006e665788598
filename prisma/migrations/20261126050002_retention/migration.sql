-- Token families are deleted 30 days after their end. What outlives them: the mandate with its agreed items, and when the
-- client was last given a token.
ALTER TABLE mandates DROP CONSTRAINT mandates_family_id_fkey;
ALTER TABLE mandates ADD COLUMN line_items jsonb;
ALTER TABLE clients ADD COLUMN last_token_at timestamptz;

CREATE INDEX token_families_end ON token_families (least(expires_at, revoked_at));

CREATE OR REPLACE VIEW agreed_items AS
  SELECT id AS family_id, authorization_details -> 0 -> 'line_items' AS line_items FROM token_families
  UNION ALL
  SELECT family_id, line_items FROM mandates WHERE line_items IS NOT NULL;
