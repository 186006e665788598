-- A place of the status list is given again once its mandate has ended; a mandate without a place needs none any more.
ALTER TABLE mandates ALTER COLUMN status_index DROP NOT NULL;
CREATE INDEX mandates_places ON mandates (expires_at) WHERE status_index IS NOT NULL;
-- Counted every minute.
ALTER TABLE status_lists ADD COLUMN places_used integer NOT NULL DEFAULT 0;
