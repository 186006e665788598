-- Cards that a settlement was or is charged to: such a card stays without personal data when its person is erased.
CREATE VIEW charged_cards AS SELECT DISTINCT card_id FROM settlements;

-- Erasure looks for a person's messages.
CREATE INDEX messages_principal ON messages (principal_id);
