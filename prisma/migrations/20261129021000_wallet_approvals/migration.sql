-- Credentials that persons fetched for themselves: only these can approve for them. An offer that a wallet client or the
-- operator made about a person is none, since its maker may have redeemed it. passkey_id is the passkey that confirmed the
-- offer; a credential that was confirmed with a passkey counts as long as that passkey does.
ALTER TABLE credential_offers
  ADD COLUMN by_person boolean NOT NULL DEFAULT false,
  ADD COLUMN passkey_id text,
  ADD CHECK (by_person OR passkey_id IS NULL);
ALTER TABLE issued_credentials
  ADD COLUMN by_person boolean NOT NULL DEFAULT false,
  ADD COLUMN passkey_id text,
  ADD CHECK (by_person OR passkey_id IS NULL);

CREATE VIEW approving_credentials AS
  SELECT id, principal_id, passkey_id, issued_at, expires_at FROM issued_credentials
   WHERE configuration = 'service_mandate' AND by_person AND revoked_at IS NULL;

-- A presentation that approved a purchase, with what it is checked against. The names are as in the key binding.
ALTER TABLE approval_evidence DROP CONSTRAINT approval_evidence_method_check;
ALTER TABLE approval_evidence
  ADD CHECK (method IN ('passkey', 'magic_link', 'demo', 'wallet_presentation')),
  ADD COLUMN credential_id text,
  ADD COLUMN presentation text,
  -- As it was sent and hashed: base64url.
  ADD COLUMN transaction_data text,
  ADD COLUMN presentation_nonce text,
  ADD COLUMN audience text,
  ADD COLUMN holder_jkt text,
  ADD CHECK (num_nulls(credential_id, presentation, transaction_data, presentation_nonce, audience, holder_jkt)
             = CASE method WHEN 'wallet_presentation' THEN 0 ELSE 6 END);
