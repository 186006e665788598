-- Entities of the federation in a role, and whether what the role takes (a chain to this server and a trust mark) holds.
CREATE TABLE enrolments (
  role text NOT NULL CHECK (role IN ('merchant', 'agent_operator')),
  entity_id text NOT NULL,
  -- Why the entity is not verified; null while it is.
  refusal text CHECK (refusal IN ('unchecked', 'federation_off', 'entity_suspended', 'entity_revoked', 'unresolvable',
                                  'metadata_unusable', 'mark_missing', 'mark_revoked', 'mark_expired', 'unreachable')),
  -- Since when it is verified, or is not.
  since timestamptz NOT NULL,
  -- Until when it is verified, and what is the matter from then on, unless it is checked again before.
  verified_until timestamptz,
  lapses_as text CHECK (lapses_as IN ('mark_expired', 'unreachable')),
  checked_at timestamptz,
  -- When it is checked next.
  check_at timestamptz NOT NULL,
  -- Goes up with every decision of the operator, so that a check that began before cannot undo it.
  revision integer NOT NULL DEFAULT 0,
  -- The entities of the last chain that was valid, from this one up to the subordinate of this server.
  path jsonb NOT NULL DEFAULT '[]',
  -- What its metadata says: its name, its public keys and their thumbprints.
  name text,
  keys jsonb NOT NULL DEFAULT '[]',
  key_thumbprints jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (role, entity_id),
  CHECK ((refusal IS NULL) = (verified_until IS NOT NULL AND lapses_as IS NOT NULL))
);
CREATE INDEX enrolments_check_at ON enrolments (check_at);

-- The entity that vouches for the merchant; null for a merchant that the operator verified itself.
ALTER TABLE merchants ADD COLUMN federation_entity_id text;
CREATE INDEX merchants_federation_entity_id ON merchants (federation_entity_id) WHERE federation_entity_id IS NOT NULL;

-- Entities that are verified, until the given time.
CREATE VIEW verified_enrolments AS
  SELECT role, entity_id, since, verified_until FROM enrolments WHERE refusal IS NULL;

CREATE OR REPLACE VIEW merchant_profiles AS
  SELECT id, merchant_audience, business_name, country, verification_status, connected_account_id, max_application_fee_bps,
         min_age, accepts_currency, accepts_rail, verified_at, federation_entity_id
    FROM merchants;
