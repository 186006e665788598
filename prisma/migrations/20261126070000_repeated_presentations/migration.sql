-- A used nonce stays for a day with what used it, so that the same presentation under the same key is a repeat.
ALTER TABLE sandbox_merchant_nonces
  ADD COLUMN used_at timestamptz,
  ADD COLUMN presentation_hash text,
  ADD COLUMN idempotency_key text;
