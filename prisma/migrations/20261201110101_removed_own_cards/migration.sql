-- A removed card stays bound to its agent until the person chooses another for it, so that no other card takes its place
-- by itself. Such a card has no id in the view: its agent pays with none.
ALTER TABLE card_mandates DROP CONSTRAINT card_mandates_bound_check;
ALTER TABLE card_mandates ADD CONSTRAINT card_mandates_bound_check CHECK (agent_client_id IS NULL OR NOT is_default);

CREATE OR REPLACE VIEW chargeable_cards AS
  SELECT CASE WHEN status = 'active' THEN id END AS id, principal_id, is_default, brand, last4, agent_client_id
    FROM card_mandates WHERE status = 'active' OR agent_client_id IS NOT NULL;
