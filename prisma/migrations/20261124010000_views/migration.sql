-- What many modules ask about rows that are not theirs. A view belongs to the module that owns its table (modules.cjs), and
-- everybody may read it; the table itself is the owner's alone. Simple views cost nothing: the planner expands them.

-- A person who is served: not erased.
CREATE VIEW active_principals AS
  SELECT id, tenant_id, processing_restricted FROM principals WHERE NOT erased;

CREATE VIEW principal_profiles AS
  SELECT id, tenant_id, CASE WHEN NOT erased THEN email END AS email, erased, processing_restricted, approval_rule,
         magic_link_gate, only_listed_merchants
    FROM principals;

-- Revoked agents included: their payments and approvals keep their name.
CREATE VIEW agents AS
  SELECT id, principal_id, tenant_id, name, purpose, scope, created_at, revoked_at, muted_until
    FROM clients WHERE kind = 'agent';

-- Agents and wallet clients that are not revoked.
CREATE VIEW active_clients AS
  SELECT id, kind, principal_id, tenant_id, name FROM clients WHERE revoked_at IS NULL;

CREATE VIEW active_token_families AS
  SELECT id, client_id, principal_id, tenant_id, kind, created_at, expires_at FROM token_families WHERE revoked_at IS NULL;

-- What may be bought with a token family, revoked or not: the items of its purchase.
CREATE VIEW agreed_items AS
  SELECT id AS family_id, authorization_details -> 0 -> 'line_items' AS line_items FROM token_families;

CREATE VIEW active_mandates AS
  SELECT id, family_id, client_id, principal_id, tenant_id, merchant_audience, issued_at, expires_at
    FROM mandates WHERE revoked_at IS NULL;

-- What a mandate allowed, revoked or not.
CREATE VIEW mandate_terms AS
  SELECT id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor, currency, offer_id,
         offer_digest, issued_at, expires_at, revoked_at
    FROM mandates;

-- Approvals as they stand, and how the person confirmed them.
CREATE VIEW approval_outcomes AS
  SELECT o.authorization_id, o.principal_id, o.client_id, o.kind, o.merchant_audience, o.status, o.created_at, o.expires_at,
         o.decided_at, o.decided_via, o.mandate_id, e.method
    FROM consents o LEFT JOIN approval_evidence e ON e.authorization_id = o.authorization_id;

-- Where agents may buy again without asking.
CREATE VIEW remembered_merchants AS
  SELECT principal_id, client_id, substr(subject, length('merchant:') + 1) AS merchant_audience, created_at
    FROM remembered_approvals WHERE starts_with(subject, 'merchant:');

CREATE VIEW merchant_profiles AS
  SELECT id, merchant_audience, business_name, country, verification_status, connected_account_id FROM merchants;

-- Cards that may be charged.
CREATE VIEW chargeable_cards AS
  SELECT id, principal_id, is_default, brand, last4 FROM card_mandates WHERE status = 'active';

-- Settlements that count against limits. server/money/settlement/states.test.ts holds both to the table of states.
CREATE VIEW counted_settlements AS
  SELECT id, principal_id, client_id, mandate_id, card_id, amount_minor, currency, day, reserved_at
    FROM settlements WHERE state <> 'failed';

-- Settlements whose outcome is open.
CREATE VIEW open_settlements AS
  SELECT id, principal_id, client_id, mandate_id, card_id
    FROM settlements WHERE state IN ('reserved', 'submitting', 'requires_action', 'unknown');

CREATE VIEW completed_payments AS
  SELECT payment_intent_id, settlement_id, principal_id, client_id, mandate_id, merchant_audience, amount_minor, currency,
         status, processed_at
    FROM payments;
