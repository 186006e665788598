-- Freezing (all agents of a person) and pausing (one agent) are states of their own and no limits any more.
ALTER TABLE principals ADD COLUMN frozen_at timestamptz;
ALTER TABLE clients ADD COLUMN paused_at timestamptz;

-- Requests that ended before anybody decided about them.
ALTER TABLE consents DROP CONSTRAINT consents_status_check;
ALTER TABLE consents ADD CONSTRAINT consents_status_check
  CHECK (status IN ('pending', 'approved', 'declined', 'withdrawn'));
ALTER TABLE limit_bumps DROP CONSTRAINT limit_bumps_status_check;
ALTER TABLE limit_bumps ADD CONSTRAINT limit_bumps_status_check
  CHECK (status IN ('pending', 'approved', 'declined', 'expired', 'withdrawn'));

-- Who had frozen spending with a limit of 0 is frozen now, and gets the limits from before.
UPDATE principals p SET frozen_at = c.created_at
  FROM wallet_limits l JOIN limit_changes c ON c.id = l.frozen_by
 WHERE l.principal_id = p.id;

INSERT INTO limit_changes (id, principal_id, kind, before, after, via, created_at)
SELECT gen_random_uuid()::text, c.principal_id, 'restore', c.after, c.before, c.via, now()
  FROM wallet_limits l JOIN limit_changes c ON c.id = l.frozen_by;

DELETE FROM wallet_limits l USING limit_changes c
 WHERE c.id = l.frozen_by AND (c.before IS NULL OR jsonb_typeof(c.before) = 'null');

UPDATE wallet_limits l
   SET daily_cap_minor = (c.before ->> 'daily_cap_minor')::bigint,
       currency = c.before ->> 'currency',
       single_txn_cap_minor = (c.before ->> 'single_txn_cap_minor')::bigint,
       velocity_count = (c.before ->> 'velocity_count')::integer,
       velocity_window_seconds = (c.before ->> 'velocity_window_seconds')::integer,
       updated_at = now()
  FROM limit_changes c WHERE c.id = l.frozen_by;

ALTER TABLE wallet_limits DROP COLUMN frozen_by;

-- What waited for a person whose spending is frozen has ended.
UPDATE consents o SET status = 'withdrawn', decided_at = now(), decided_via = 'frozen'
  FROM principals p
 WHERE p.id = o.principal_id AND p.frozen_at IS NOT NULL AND o.kind = 'payment' AND o.status = 'pending' AND o.expires_at > now();
UPDATE limit_bumps b SET status = 'withdrawn', decided_at = now()
  FROM principals p
 WHERE p.id = b.principal_id AND p.frozen_at IS NOT NULL AND b.status = 'pending' AND b.expires_at > now();

CREATE OR REPLACE VIEW principal_profiles AS
  SELECT id, tenant_id, CASE WHEN NOT erased THEN email END AS email,
         CASE WHEN NOT erased THEN display_name END AS display_name, erased, processing_restricted, approval_rule,
         magic_link_gate, only_listed_merchants, passkey_required, frozen_at
    FROM principals;

-- Pausing takes the place of muting.
DROP VIEW agents;
ALTER TABLE clients DROP COLUMN muted_until;
CREATE VIEW agents AS
  SELECT id, principal_id, tenant_id, name, purpose, scope, created_at, revoked_at, paused_at
    FROM clients WHERE kind = 'agent';
