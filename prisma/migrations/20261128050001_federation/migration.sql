-- OpenID Federation 1.0: the entities that this server, as a trust anchor, vouches for.
CREATE TABLE federation_subordinates (
  entity_id text PRIMARY KEY,
  -- A revoked entity stays, so that its name cannot be taken again.
  status text NOT NULL CHECK (status IN ('active', 'suspended', 'revoked')),
  entity_types jsonb NOT NULL,
  jwks jsonb NOT NULL,
  metadata jsonb,
  metadata_policy jsonb,
  constraints jsonb,
  -- The marks that it may hold.
  trust_mark_ids jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- One row for each mark that was ever issued, written by its first issuance.
CREATE TABLE federation_trust_marks (
  sub text NOT NULL REFERENCES federation_subordinates (entity_id),
  trust_mark_id text NOT NULL,
  issued_at timestamptz NOT NULL,
  -- When the newest mark that was signed expires.
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  -- Goes up when a revoked mark is reinstated: marks that were signed under an older one stay inactive.
  generation integer NOT NULL CHECK (generation > 0),
  PRIMARY KEY (sub, trust_mark_id)
);
