-- What is the same for two names that look the same: without invisible characters (Default_Ignorable_Code_Point of
-- Unicode), in compatible characters, with one space for blanks of any kind, and in lower case. In a database of another
-- encoding than UTF-8 PostgreSQL knows no Unicode, and only the case is folded.
CREATE FUNCTION folded_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN getdatabaseencoding() <> 'UTF8' THEN lower(name) ELSE lower(btrim(regexp_replace(normalize(regexp_replace(name,
           '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164'
           '\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+',
           '', 'g'), NFKC), '[\s\u1680\u2800\U0001d159]+', ' ', 'g'))) END
$$;

DROP INDEX clients_living_names;
CREATE INDEX clients_living_names ON clients (principal_id, folded_name(coalesce(given_name, name)))
 WHERE kind = 'agent' AND revoked_at IS NULL;

CREATE OR REPLACE VIEW agents AS
  SELECT c.id, c.principal_id, c.tenant_id, c.name, c.purpose, c.scope, c.created_at, c.revoked_at, c.paused_at,
         c.given_name, c.key_tail, n.label, n.full_name,
         CASE WHEN c.revoked_at IS NULL
               AND EXISTS (SELECT 1 FROM clients o
                            WHERE o.principal_id = c.principal_id AND o.kind = 'agent' AND o.revoked_at IS NULL
                              AND folded_name(coalesce(o.given_name, o.name)) = folded_name(n.label) AND o.id <> c.id)
              THEN n.full_name ELSE n.label END AS shown_name
    FROM clients c
   CROSS JOIN LATERAL (SELECT l.label,
           CASE WHEN c.key_tail IS NULL OR l.label = '' THEN l.label
                ELSE CASE WHEN char_length(l.label) > 70 THEN left(l.label, 69) || '…' ELSE l.label END || ' …' || c.key_tail
           END AS full_name
      FROM (SELECT coalesce(c.given_name, c.name) AS label) l) n
   WHERE c.kind = 'agent';
