-- Sign-ins are listed newest first, and kept for thirty days after their sessions.
DROP INDEX portal_sessions_principal;
CREATE INDEX portal_sessions_principal ON portal_sessions (principal_id, created_at DESC);
