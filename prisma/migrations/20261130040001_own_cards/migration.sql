-- A card that is bound to one agent: nothing else is charged to it, and the agent pays with nothing else.
ALTER TABLE card_mandates ADD COLUMN agent_client_id text REFERENCES clients (id);
ALTER TABLE card_mandates ADD CONSTRAINT card_mandates_bound_check
  CHECK (agent_client_id IS NULL OR (status = 'active' AND NOT is_default));
CREATE UNIQUE INDEX card_mandates_agent ON card_mandates (agent_client_id) WHERE agent_client_id IS NOT NULL;

CREATE OR REPLACE VIEW chargeable_cards AS
  SELECT id, principal_id, is_default, brand, last4, agent_client_id FROM card_mandates WHERE status = 'active';
