-- How and when the person confirmed what a token stands for (RFC 9470): with a passkey (phr), by a mailed link (mail), or
-- not at all, by one of their rules (rule). An approval that a token gave has what that token had.
ALTER TABLE consents ADD COLUMN acr text CHECK (acr IN ('phr', 'mail', 'rule'));
ALTER TABLE consents ADD COLUMN auth_time timestamptz;

UPDATE consents o SET acr = CASE e.method WHEN 'passkey' THEN 'phr' ELSE 'mail' END, auth_time = o.decided_at
  FROM approval_evidence e WHERE e.authorization_id = o.authorization_id AND o.status = 'approved';
UPDATE consents SET acr = 'rule', auth_time = decided_at WHERE status = 'approved' AND acr IS NULL;
ALTER TABLE consents ADD CHECK (num_nulls(acr, auth_time) IN (0, 2));

-- When the person last approved a request of an agent.
CREATE INDEX consents_last_approval ON consents (client_id, auth_time);

-- Codes and tokens from before say least.
ALTER TABLE authorization_codes ADD COLUMN acr text NOT NULL DEFAULT 'rule' CHECK (acr IN ('phr', 'mail', 'rule'));
ALTER TABLE token_families ADD COLUMN acr text NOT NULL DEFAULT 'rule' CHECK (acr IN ('phr', 'mail', 'rule'));
