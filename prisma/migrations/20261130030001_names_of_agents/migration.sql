-- What tells a person's agents apart: a name that the person gave, and the last characters of the key's thumbprint.
ALTER TABLE clients ADD COLUMN given_name text;
ALTER TABLE clients ADD COLUMN key_tail text;

-- RFC 7638: the members that a thumbprint needs, in the order of their names, without white space. All are base64url.
UPDATE clients
   SET key_tail = right(translate(rtrim(encode(sha256(convert_to(CASE jwks -> 0 ->> 'kty'
         WHEN 'RSA' THEN format('{"e":"%s","kty":"RSA","n":"%s"}', jwks -> 0 ->> 'e', jwks -> 0 ->> 'n')
         WHEN 'EC' THEN format('{"crv":"%s","kty":"EC","x":"%s","y":"%s"}',
                               jwks -> 0 ->> 'crv', jwks -> 0 ->> 'x', jwks -> 0 ->> 'y')
         ELSE format('{"crv":"%s","kty":"OKP","x":"%s"}', jwks -> 0 ->> 'crv', jwks -> 0 ->> 'x') END, 'UTF8')),
         'base64'), '='), '+/', '-_'), 4)
 WHERE kind = 'agent' AND jwks -> 0 IS NOT NULL;

-- Finds the living agents of a person that share a name.
CREATE INDEX clients_living_names ON clients (principal_id, lower(coalesce(given_name, name)))
 WHERE kind = 'agent' AND revoked_at IS NULL;

-- `label` is what the person calls the agent, `full_name` adds the tail of its key, and `shown_name` does so where another
-- living agent of the person is called the same. A long name is cut, so that the tail is always read.
CREATE OR REPLACE VIEW agents AS
  SELECT c.id, c.principal_id, c.tenant_id, c.name, c.purpose, c.scope, c.created_at, c.revoked_at, c.paused_at,
         c.given_name, c.key_tail, n.label, n.full_name,
         CASE WHEN c.revoked_at IS NULL
               AND EXISTS (SELECT 1 FROM clients o
                            WHERE o.principal_id = c.principal_id AND o.kind = 'agent' AND o.revoked_at IS NULL
                              AND lower(coalesce(o.given_name, o.name)) = lower(n.label) AND o.id <> c.id)
              THEN n.full_name ELSE n.label END AS shown_name
    FROM clients c
   CROSS JOIN LATERAL (SELECT l.label,
           CASE WHEN c.key_tail IS NULL OR l.label = '' THEN l.label
                ELSE CASE WHEN char_length(l.label) > 70 THEN left(l.label, 69) || '…' ELSE l.label END || ' …' || c.key_tail
           END AS full_name
      FROM (SELECT coalesce(c.given_name, c.name) AS label) l) n
   WHERE c.kind = 'agent';
