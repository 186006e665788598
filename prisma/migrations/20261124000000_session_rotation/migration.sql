-- Which of a session's cookies counts: each rotation makes the next one, and the one before lasts a moment longer.
ALTER TABLE portal_sessions ADD COLUMN generation integer NOT NULL DEFAULT 0;
-- Null until the first rotation.
ALTER TABLE portal_sessions ADD COLUMN rotated_at timestamptz;
