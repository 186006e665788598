-- An audience has no slash at its end and no empty query any more. What is stored under such a spelling moves to the one
-- form. Where both were ruled on, what lets agents pay less stays.
CREATE FUNCTION pg_temp.is_old_form(audience text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
  $$ SELECT audience ~ '^https?://[^/?]+(/[^/?]+)*(/[?]?|[?])$' $$;
CREATE FUNCTION pg_temp.one_form(audience text) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT regexp_replace(audience, '/?[?]?$', '') $$;

WITH moved AS (DELETE FROM merchant_rules WHERE pg_temp.is_old_form(merchant_audience) RETURNING *)
INSERT INTO merchant_rules (tenant_id, merchant_audience, client_id, verdict, updated_at)
SELECT tenant_id, pg_temp.one_form(merchant_audience), client_id, max(verdict), max(updated_at) FROM moved GROUP BY 1, 2, 3
    ON CONFLICT (tenant_id, merchant_audience, client_id) DO UPDATE
   SET verdict = greatest(merchant_rules.verdict, excluded.verdict),
       updated_at = greatest(merchant_rules.updated_at, excluded.updated_at);

WITH moved AS (DELETE FROM merchant_gates WHERE pg_temp.is_old_form(merchant_audience) RETURNING *)
INSERT INTO merchant_gates (tenant_id, merchant_audience, allow_list_required, updated_at)
SELECT tenant_id, pg_temp.one_form(merchant_audience), bool_or(allow_list_required), max(updated_at) FROM moved GROUP BY 1, 2
    ON CONFLICT (tenant_id, merchant_audience) DO UPDATE
   SET allow_list_required = merchant_gates.allow_list_required OR excluded.allow_list_required,
       updated_at = greatest(merchant_gates.updated_at, excluded.updated_at);

WITH moved AS (DELETE FROM principal_merchant_rules WHERE pg_temp.is_old_form(merchant_audience) RETURNING *)
INSERT INTO principal_merchant_rules (id, principal_id, merchant_audience, client_id, verdict, updated_at)
SELECT gen_random_uuid()::text, principal_id, pg_temp.one_form(merchant_audience), client_id, max(verdict), max(updated_at)
  FROM moved GROUP BY principal_id, pg_temp.one_form(merchant_audience), client_id
    ON CONFLICT (principal_id, merchant_audience, client_id) DO UPDATE
   SET verdict = greatest(principal_merchant_rules.verdict, excluded.verdict),
       updated_at = greatest(principal_merchant_rules.updated_at, excluded.updated_at);

-- Nobody can be paid at these any more, so rules about them rule nothing.
DELETE FROM principal_merchant_rules
 WHERE merchant_audience ~ '[?]|^https?://.*//' OR merchant_audience ~ '^http://(?!localhost|127\.|\[::1\])';

WITH moved AS (DELETE FROM remembered_approvals
                WHERE starts_with(subject, 'merchant:') AND pg_temp.is_old_form(substr(subject, 10)) RETURNING *)
INSERT INTO remembered_approvals (principal_id, client_id, subject, created_at)
SELECT DISTINCT ON (client_id, pg_temp.one_form(subject)) principal_id, client_id, pg_temp.one_form(subject), created_at
  FROM moved ORDER BY client_id, pg_temp.one_form(subject), created_at
    ON CONFLICT (client_id, subject) DO NOTHING;

-- Of two merchants whose addresses became one, none is moved: the operator has to say which one is meant.
UPDATE merchants m SET merchant_audience = pg_temp.one_form(merchant_audience)
 WHERE pg_temp.is_old_form(merchant_audience)
   AND NOT EXISTS (SELECT 1 FROM merchants o
                    WHERE o.id <> m.id AND pg_temp.one_form(o.merchant_audience) = pg_temp.one_form(m.merchant_audience));

UPDATE mandates SET merchant_audience = pg_temp.one_form(merchant_audience) WHERE pg_temp.is_old_form(merchant_audience);
UPDATE consents SET merchant_audience = pg_temp.one_form(merchant_audience) WHERE pg_temp.is_old_form(merchant_audience);
UPDATE limit_bumps b SET merchant_audience = pg_temp.one_form(merchant_audience)
 WHERE pg_temp.is_old_form(merchant_audience)
   AND NOT EXISTS (SELECT 1 FROM limit_bumps o
                    WHERE o.id <> b.id AND o.agent_client_id = b.agent_client_id AND o.kind = b.kind AND o.day = b.day
                      AND pg_temp.one_form(o.merchant_audience) = pg_temp.one_form(b.merchant_audience));
UPDATE settlements SET merchant_audience = pg_temp.one_form(merchant_audience) WHERE pg_temp.is_old_form(merchant_audience);
UPDATE payments SET merchant_audience = pg_temp.one_form(merchant_audience) WHERE pg_temp.is_old_form(merchant_audience);

DROP FUNCTION pg_temp.is_old_form(text);
DROP FUNCTION pg_temp.one_form(text);
