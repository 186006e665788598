-- People, their operators and their agents ------------------------------------------------------------

CREATE TABLE principals (
  id text PRIMARY KEY,
  tenant_id text NOT NULL,
  email text,
  display_name text,
  approval_rule text NOT NULL DEFAULT 'new_merchants' CHECK (approval_rule IN ('every_purchase', 'new_merchants', 'above_limits')),
  magic_link_gate boolean NOT NULL DEFAULT false,
  erased boolean NOT NULL DEFAULT false,
  processing_restricted boolean NOT NULL DEFAULT false,
  marketing_objected boolean NOT NULL DEFAULT false,
  processor_customer_id text,
  created_at timestamptz NOT NULL
);
CREATE INDEX principals_tenant ON principals (tenant_id);
CREATE UNIQUE INDEX principals_email ON principals (tenant_id, lower(email)) WHERE email IS NOT NULL;

CREATE TABLE clients (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('agent', 'wallet')),
  tenant_id text NOT NULL,
  principal_id text REFERENCES principals (id),
  name text NOT NULL,
  purpose text,
  redirect_uris jsonb NOT NULL,
  grant_types jsonb NOT NULL,
  scope jsonb NOT NULL,
  jwks jsonb NOT NULL,
  metadata jsonb NOT NULL,
  registration_token_hash text UNIQUE,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz,
  CHECK ((kind = 'agent') = (principal_id IS NOT NULL)),
  CHECK (kind = 'agent' OR tenant_id = id)
);
CREATE INDEX clients_principal ON clients (principal_id, created_at);
ALTER TABLE principals ADD CONSTRAINT principals_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES clients (id);

CREATE TABLE setup_tokens (
  token_hash text PRIMARY KEY,
  id text NOT NULL UNIQUE,
  principal_id text NOT NULL REFERENCES principals (id),
  tenant_id text NOT NULL REFERENCES clients (id),
  scope jsonb,
  name text,
  purpose text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  consumed_by text,
  cancelled_at timestamptz
);
CREATE INDEX setup_tokens_principal ON setup_tokens (principal_id, created_at);

CREATE TABLE portal_sessions (
  id text PRIMARY KEY,
  principal_id text NOT NULL REFERENCES principals (id),
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX portal_sessions_principal ON portal_sessions (principal_id);

CREATE TABLE sign_in_tokens (
  token_hash text PRIMARY KEY,
  principal_id text NOT NULL REFERENCES principals (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz
);

-- Authorization ---------------------------------------------------------------------------------------

-- Identifiers that may be used once: SHA-256 over kind, owner and jti.
CREATE TABLE replay_keys (
  key text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX replay_keys_expiry ON replay_keys (expires_at);

CREATE TABLE consents (
  authorization_id text PRIMARY KEY,
  approval_handle text NOT NULL UNIQUE,
  principal_id text NOT NULL REFERENCES principals (id),
  client_id text NOT NULL REFERENCES clients (id),
  kind text NOT NULL CHECK (kind IN ('payment', 'wallet')),
  consent_mode text NOT NULL CHECK (consent_mode IN ('dashboard', 'scan')),
  match_code text NOT NULL,
  merchant_audience text,
  merchant_name text,
  amount_minor bigint CHECK (amount_minor > 0),
  currency text,
  line_items jsonb,
  offer_id text,
  scope jsonb NOT NULL,
  first_purchase_at_merchant boolean NOT NULL,
  limit_bump_id text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'declined')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_via text,
  mandate_id text,
  CHECK ((status = 'pending') = (decided_at IS NULL)),
  CHECK (kind = 'wallet' OR (merchant_audience IS NOT NULL AND amount_minor IS NOT NULL AND currency IS NOT NULL))
);
CREATE INDEX consents_principal ON consents (principal_id, created_at DESC);

-- What a person approved once and need not be asked again: a merchant for an agent, or a wallet scope set.
CREATE TABLE remembered_approvals (
  principal_id text NOT NULL REFERENCES principals (id),
  client_id text NOT NULL REFERENCES clients (id),
  subject text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (client_id, subject)
);
CREATE INDEX remembered_approvals_principal ON remembered_approvals (principal_id);

CREATE TABLE pushed_requests (
  handle_hash text PRIMARY KEY,
  client_id text NOT NULL REFERENCES clients (id),
  principal_id text NOT NULL REFERENCES principals (id),
  jkt text NOT NULL,
  dpop_jwk jsonb NOT NULL,
  redirect_uri text NOT NULL,
  state text,
  code_challenge text NOT NULL,
  scope jsonb NOT NULL,
  resources jsonb NOT NULL,
  authorization_details jsonb NOT NULL,
  decision text NOT NULL CHECK (decision IN ('approved', 'consent', 'access_denied', 'setup_required')),
  authorization_id text REFERENCES consents (authorization_id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CHECK ((decision = 'consent') = (authorization_id IS NOT NULL))
);
CREATE INDEX pushed_requests_expiry ON pushed_requests (expires_at);

CREATE TABLE token_families (
  id text PRIMARY KEY,
  client_id text NOT NULL REFERENCES clients (id),
  principal_id text NOT NULL REFERENCES principals (id),
  tenant_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('payment', 'wallet')),
  jkt text NOT NULL,
  scope jsonb NOT NULL,
  resources jsonb NOT NULL,
  authorization_details jsonb NOT NULL,
  mandate_id text,
  auth_time timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoked_reason text
);
CREATE INDEX token_families_client ON token_families (client_id, created_at);

CREATE TABLE authorization_codes (
  code_hash text PRIMARY KEY,
  client_id text NOT NULL REFERENCES clients (id),
  principal_id text NOT NULL REFERENCES principals (id),
  jkt text NOT NULL,
  dpop_jwk jsonb NOT NULL,
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL,
  scope jsonb NOT NULL,
  resources jsonb NOT NULL,
  authorization_details jsonb NOT NULL,
  authorization_id text,
  auth_time timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  redeemed_at timestamptz,
  family_id text
);
CREATE INDEX authorization_codes_expiry ON authorization_codes (expires_at);

CREATE TABLE refresh_tokens (
  token_hash text PRIMARY KEY,
  family_id text NOT NULL REFERENCES token_families (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  rotated_at timestamptz
);
CREATE INDEX refresh_tokens_family ON refresh_tokens (family_id);

-- Answers of the token endpoint to requests with an Idempotency-Key, sealed; without an answer the request is running.
CREATE TABLE idempotent_replies (
  client_id text NOT NULL REFERENCES clients (id),
  idempotency_key text NOT NULL,
  body_digest text NOT NULL,
  jkt text NOT NULL,
  family_id text,
  sealed_reply text,
  lease_until timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (client_id, idempotency_key)
);
CREATE INDEX idempotent_replies_expiry ON idempotent_replies (expires_at);

CREATE TABLE mandates (
  id text PRIMARY KEY,
  family_id text NOT NULL REFERENCES token_families (id),
  client_id text NOT NULL REFERENCES clients (id),
  principal_id text NOT NULL REFERENCES principals (id),
  tenant_id text NOT NULL,
  merchant_audience text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  offer_id text,
  offer_digest text,
  jkt text NOT NULL,
  status_index integer NOT NULL UNIQUE CHECK (status_index >= 0),
  issued_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX mandates_revoked ON mandates (status_index) WHERE revoked_at IS NOT NULL;
CREATE INDEX mandates_family ON mandates (family_id);
CREATE INDEX mandates_principal ON mandates (principal_id, issued_at);

-- The published list's version; moves with every revocation.
CREATE TABLE status_lists (
  id text PRIMARY KEY,
  version bigint NOT NULL
);
INSERT INTO status_lists (id, version) VALUES ('1', 1);

-- Money -----------------------------------------------------------------------------------------------

CREATE TABLE wallet_limits (
  principal_id text PRIMARY KEY REFERENCES principals (id),
  daily_cap_minor bigint CHECK (daily_cap_minor >= 0),
  currency text,
  single_txn_cap_minor bigint CHECK (single_txn_cap_minor >= 0),
  velocity_count integer CHECK (velocity_count >= 0),
  velocity_window_seconds integer CHECK (velocity_window_seconds > 0),
  updated_at timestamptz NOT NULL
);

CREATE TABLE limit_bumps (
  id text PRIMARY KEY,
  principal_id text NOT NULL REFERENCES principals (id),
  agent_client_id text NOT NULL REFERENCES clients (id),
  merchant_audience text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('daily_cap', 'single_txn_cap', 'velocity')),
  day date NOT NULL,
  currency text NOT NULL,
  current_minor bigint NOT NULL,
  requested_minor bigint NOT NULL,
  mandate_id text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'declined', 'expired')),
  -- The settlement that took the grant.
  used_by text,
  -- The bump that names this one to the person, when one purchase exceeds several limits.
  opened_with text REFERENCES limit_bumps (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  decided_at timestamptz
);
CREATE UNIQUE INDEX limit_bumps_open ON limit_bumps (agent_client_id, merchant_audience, kind, day, current_minor, requested_minor) WHERE status = 'pending';
CREATE INDEX limit_bumps_used ON limit_bumps (used_by) WHERE used_by IS NOT NULL;
CREATE INDEX limit_bumps_companions ON limit_bumps (opened_with) WHERE opened_with IS NOT NULL;
CREATE INDEX limit_bumps_principal ON limit_bumps (principal_id, created_at DESC);

-- Money of the day that is spent or held by settlements in flight.
CREATE TABLE spend_counters (
  principal_id text NOT NULL REFERENCES principals (id),
  day date NOT NULL,
  currency text NOT NULL,
  reserved_minor bigint NOT NULL DEFAULT 0 CHECK (reserved_minor >= 0),
  spent_minor bigint NOT NULL DEFAULT 0 CHECK (spent_minor >= 0),
  PRIMARY KEY (principal_id, day, currency)
);

CREATE TABLE card_mandates (
  id text PRIMARY KEY,
  principal_id text NOT NULL REFERENCES principals (id),
  setup_intent_id text NOT NULL UNIQUE,
  customer_id text NOT NULL,
  payment_method_id text NOT NULL,
  brand text NOT NULL,
  last4 text NOT NULL,
  exp_month integer NOT NULL,
  exp_year integer NOT NULL,
  is_default boolean NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'removed')),
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX card_mandates_default ON card_mandates (principal_id) WHERE is_default AND status = 'active';
CREATE INDEX card_mandates_principal ON card_mandates (principal_id);

CREATE TABLE settlements (
  id text PRIMARY KEY,
  client_id text NOT NULL REFERENCES clients (id),
  principal_id text NOT NULL REFERENCES principals (id),
  tenant_id text NOT NULL,
  mandate_id text NOT NULL REFERENCES mandates (id),
  idempotency_key text NOT NULL,
  request_digest text NOT NULL,
  state text NOT NULL CHECK (state IN ('reserved', 'submitting', 'succeeded', 'failed', 'unknown')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  merchant_audience text NOT NULL,
  connected_account_id text,
  application_fee_minor bigint NOT NULL CHECK (application_fee_minor >= 0 AND application_fee_minor <= amount_minor),
  card_id text NOT NULL REFERENCES card_mandates (id),
  payment_intent_id text UNIQUE,
  failure_code text,
  limit_bump_id text,
  day date NOT NULL,
  -- The final answer, byte for byte.
  response text,
  reserved_at timestamptz NOT NULL,
  settled_at timestamptz,
  -- Until then the process that reserved it works on it; afterwards the resolver may.
  lease_until timestamptz NOT NULL,
  UNIQUE (client_id, idempotency_key),
  CHECK ((state IN ('succeeded', 'failed')) = (response IS NOT NULL))
);
CREATE UNIQUE INDEX settlements_mandate ON settlements (mandate_id) WHERE state <> 'failed';
CREATE INDEX settlements_velocity ON settlements (principal_id, reserved_at) WHERE state <> 'failed';
CREATE INDEX settlements_unresolved ON settlements (lease_until) WHERE state IN ('reserved', 'submitting', 'unknown');

CREATE TABLE payments (
  payment_intent_id text PRIMARY KEY,
  settlement_id text NOT NULL UNIQUE REFERENCES settlements (id),
  principal_id text NOT NULL REFERENCES principals (id),
  tenant_id text NOT NULL,
  client_id text NOT NULL REFERENCES clients (id),
  mandate_id text NOT NULL UNIQUE REFERENCES mandates (id),
  merchant_audience text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  status text NOT NULL CHECK (status IN ('succeeded', 'disputed_pending', 'disputed_won', 'disputed_lost')),
  processed_at timestamptz NOT NULL,
  receipt_jws text NOT NULL
);
CREATE INDEX payments_principal ON payments (principal_id, processed_at DESC, payment_intent_id);

CREATE TABLE webhook_events (
  event_id text PRIMARY KEY,
  type text NOT NULL,
  received_at timestamptz NOT NULL
);

-- Audit -----------------------------------------------------------------------------------------------

CREATE TABLE audit_heads (
  tenant_id text PRIMARY KEY,
  seq bigint NOT NULL CHECK (seq >= 0),
  entry_hash text NOT NULL,
  ts timestamptz NOT NULL
);

CREATE TABLE audit_entries (
  tenant_id text NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  ts timestamptz NOT NULL,
  event text NOT NULL,
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  principal_id text,
  -- The payload exactly as hashed.
  payload text NOT NULL,
  prev_hash text NOT NULL,
  entry_hash text NOT NULL,
  PRIMARY KEY (tenant_id, seq)
);
CREATE INDEX audit_entries_principal ON audit_entries (principal_id, ts DESC);

CREATE TABLE audit_checkpoints (
  tenant_id text NOT NULL,
  seq bigint NOT NULL,
  jws text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, seq)
);

CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are append-only';
END $$;
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_entries_no_truncate BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

-- Merchants and their rules ---------------------------------------------------------------------------

CREATE TABLE merchants (
  id text PRIMARY KEY,
  merchant_audience text NOT NULL UNIQUE,
  business_name text NOT NULL,
  country text NOT NULL CHECK (length(country) = 2),
  accepts_currency jsonb NOT NULL,
  accepts_rail jsonb NOT NULL,
  verification_status text NOT NULL CHECK (verification_status IN ('verified', 'pending', 'suspended')),
  verified_at timestamptz,
  connected_account_id text,
  created_at timestamptz NOT NULL
);

CREATE TABLE merchant_gates (
  tenant_id text NOT NULL REFERENCES clients (id),
  merchant_audience text NOT NULL,
  allow_list_required boolean NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, merchant_audience)
);

CREATE TABLE merchant_rules (
  tenant_id text NOT NULL REFERENCES clients (id),
  merchant_audience text NOT NULL,
  client_id text NOT NULL REFERENCES clients (id),
  verdict text NOT NULL CHECK (verdict IN ('allow', 'deny')),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, merchant_audience, client_id)
);

-- Operation -------------------------------------------------------------------------------------------

CREATE TABLE signing_keys (
  kid text PRIMARY KEY,
  purpose text NOT NULL,
  state text NOT NULL CHECK (state IN ('next', 'current', 'retired', 'blocked')),
  public_jwk jsonb NOT NULL,
  sealed_private_key text NOT NULL,
  created_at timestamptz NOT NULL,
  activated_at timestamptz,
  retired_at timestamptz
);
CREATE UNIQUE INDEX signing_keys_current ON signing_keys (purpose) WHERE state = 'current';
CREATE UNIQUE INDEX signing_keys_next ON signing_keys (purpose) WHERE state = 'next';

CREATE TABLE switch_overrides (
  name text PRIMARY KEY,
  enabled boolean NOT NULL,
  updated_at timestamptz NOT NULL
);

-- Quotas of requests when there is no Redis. Losing them in a crash is harmless, so they are not logged.
CREATE UNLOGGED TABLE rate_limits (
  key text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  -- Milliseconds since 1970.
  expire bigint
);

-- Messages to people, written in the transaction that causes them and delivered afterwards.
CREATE TABLE messages (
  id text PRIMARY KEY,
  event_key text UNIQUE,
  principal_id text REFERENCES principals (id),
  channel text NOT NULL CHECK (channel IN ('email', 'rcs')),
  -- Recipient, subject, text, links and data: links may be capabilities, and the rest is personal.
  sealed_content text NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'dead')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  sent_at timestamptz
);
CREATE INDEX messages_queue ON messages (next_attempt_at) WHERE state = 'queued';
CREATE INDEX messages_recent ON messages (created_at DESC);

-- Sandbox only ----------------------------------------------------------------------------------------

CREATE TABLE sandbox_processor_intents (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('setup', 'payment')),
  idempotency_key text NOT NULL UNIQUE,
  customer_id text NOT NULL,
  principal_id text,
  settlement_id text,
  payment_method_id text,
  amount_minor bigint,
  currency text,
  connected_account_id text,
  application_fee_minor bigint,
  client_secret text,
  status text NOT NULL,
  failure_code text,
  -- From then on the intent tells its outcome; until then it is in processing.
  decides_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX sandbox_processor_intents_settlement ON sandbox_processor_intents (settlement_id);

CREATE TABLE sandbox_processor_cards (
  payment_method_id text PRIMARY KEY,
  customer_id text NOT NULL,
  behaviour text NOT NULL,
  brand text NOT NULL,
  last4 text NOT NULL,
  exp_month integer NOT NULL,
  exp_year integer NOT NULL,
  created_at timestamptz NOT NULL
);

-- The sandbox processor's ledger: one row per captured charge.
CREATE TABLE sandbox_processor_charges (
  id text PRIMARY KEY,
  payment_intent_id text NOT NULL UNIQUE,
  settlement_id text NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX sandbox_processor_charges_settlement ON sandbox_processor_charges (settlement_id);

CREATE TABLE sandbox_processor_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  body text NOT NULL,
  deliveries_left integer NOT NULL,
  next_attempt_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL
);
CREATE INDEX sandbox_processor_events_due ON sandbox_processor_events (next_attempt_at) WHERE deliveries_left > 0;

CREATE TABLE sandbox_merchant_keys (
  merchant_id text PRIMARY KEY,
  public_jwk jsonb NOT NULL,
  sealed_private_key text NOT NULL
);

CREATE TABLE sandbox_merchant_nonces (
  nonce_hash text PRIMARY KEY,
  merchant_audience text,
  expires_at timestamptz NOT NULL
);

CREATE TABLE sandbox_orders (
  order_id text PRIMARY KEY,
  merchant_id text NOT NULL,
  idempotency_key text NOT NULL,
  mandate_id text NOT NULL,
  request_digest text NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  line_items jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('awaiting_settlement', 'paid')),
  receipt_jws text,
  created_at timestamptz NOT NULL,
  paid_at timestamptz,
  UNIQUE (merchant_id, mandate_id),
  UNIQUE (merchant_id, idempotency_key)
);
