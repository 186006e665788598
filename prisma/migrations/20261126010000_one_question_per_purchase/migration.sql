-- One limit request names all limits that its payment exceeds, and says which payment it is about.
ALTER TABLE limit_bumps
  ADD COLUMN amount_minor bigint,
  ADD COLUMN line_items jsonb,
  ADD COLUMN exceeds jsonb;

-- What each was about: the purchase of its approval, or the mandate that met the limit.
UPDATE limit_bumps b SET amount_minor = o.amount_minor, line_items = o.line_items
  FROM consents o WHERE o.authorization_id = b.consent_id;
UPDATE limit_bumps b SET amount_minor = d.amount_minor, line_items = i.line_items
  FROM mandates d LEFT JOIN agreed_items i ON i.family_id = d.family_id
 WHERE d.id = b.mandate_id AND b.amount_minor IS NULL;
UPDATE limit_bumps b SET amount_minor = o.amount_minor, line_items = o.line_items
  FROM consents o WHERE o.limit_bump_id IN (b.id, b.opened_with) AND b.amount_minor IS NULL;
UPDATE limit_bumps SET status = 'withdrawn', decided_at = now()
 WHERE amount_minor IS NULL AND used_by IS NULL AND status IN ('pending', 'approved');
UPDATE limit_bumps SET amount_minor = 0 WHERE amount_minor IS NULL;

-- The rows of one question become one. What a settlement has taken stays apart from what is still there.
CREATE TEMPORARY TABLE merged AS
  SELECT id, first_value(id) OVER question AS kept, row_number() OVER question AS place,
         jsonb_build_object('kind', kind, 'scope', scope, 'current_minor', current_minor, 'requested_minor', requested_minor) AS exceeded
    FROM limit_bumps
  WINDOW question AS (PARTITION BY coalesce(consent_id, opened_with, id), status, used_by
                      ORDER BY opened_with IS NOT NULL, scope DESC,
                               array_position(ARRAY['single_txn_cap', 'daily_cap', 'velocity'], kind), id);
UPDATE limit_bumps b SET exceeds = m.exceeds
  FROM (SELECT kept, jsonb_agg(exceeded ORDER BY place) AS exceeds FROM merged GROUP BY kept) m WHERE m.kept = b.id;

DROP INDEX limit_bumps_open;
ALTER TABLE limit_bumps DROP COLUMN opened_with;
DELETE FROM limit_bumps b USING merged m WHERE m.id = b.id AND m.kept <> b.id;
DROP TABLE merged;

ALTER TABLE limit_bumps
  DROP COLUMN scope, DROP COLUMN kind, DROP COLUMN current_minor, DROP COLUMN requested_minor, DROP COLUMN day,
  ALTER COLUMN amount_minor SET NOT NULL,
  ALTER COLUMN exceeds SET NOT NULL,
  ADD CONSTRAINT limit_bumps_exceeds_check CHECK (jsonb_array_length(exceeds) > 0);
CREATE INDEX limit_bumps_consent ON limit_bumps (consent_id) WHERE consent_id IS NOT NULL;

-- An approval that waits gets a limit request of its own, which ends with it.
CREATE TEMPORARY TABLE asked AS
  SELECT o.authorization_id, b.id AS bump_id, gen_random_uuid()::text AS fresh_id
    FROM consents o JOIN limit_bumps b ON b.id = o.limit_bump_id WHERE o.status = 'pending';
INSERT INTO limit_bumps (id, principal_id, agent_client_id, merchant_audience, currency, amount_minor, line_items, exceeds,
                         consent_id, created_at, expires_at)
  SELECT a.fresh_id, o.principal_id, o.client_id, o.merchant_audience, o.currency, o.amount_minor, o.line_items, b.exceeds,
         o.authorization_id, o.created_at, o.expires_at
    FROM asked a JOIN consents o USING (authorization_id) JOIN limit_bumps b ON b.id = a.bump_id;
UPDATE limit_bumps b SET status = 'withdrawn', decided_at = now()
  FROM asked a WHERE a.bump_id = b.id AND b.status = 'pending' AND b.mandate_id IS NULL;

-- What was approved before was confirmed without its limits, so it is compared without them.
UPDATE consents o SET limit_bump_id = a.fresh_id FROM asked a WHERE a.authorization_id = o.authorization_id;
UPDATE consents SET limit_bump_id = NULL WHERE status <> 'pending';
DROP TABLE asked;

-- Why a request was refused when it was pushed, for its agent.
ALTER TABLE pushed_requests ADD COLUMN refusal text;
