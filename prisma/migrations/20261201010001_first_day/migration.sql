-- When the person left the set-up of the first day: signing in no longer leads there.
ALTER TABLE principals ADD COLUMN setup_left_at timestamptz;
