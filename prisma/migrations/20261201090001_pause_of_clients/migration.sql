-- A charge begins under a lock on the client's row, and a pause must be read from that same row.
CREATE OR REPLACE VIEW active_clients AS
  SELECT id, kind, principal_id, tenant_id, name, paused_at FROM clients WHERE revoked_at IS NULL;
