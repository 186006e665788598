-- The failed charges of an agent, to refuse more of them.
CREATE INDEX settlements_failed ON settlements (client_id, reserved_at) WHERE state = 'failed';
