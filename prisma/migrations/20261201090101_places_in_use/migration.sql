-- A statement that looks for a place by its number must not be offered this index, which `IS NOT NULL` allowed: with statistics of a
-- time when few mandates had a place it looked cheap, and each token then read the mandates of the last hour.
CREATE INDEX mandates_places_in_use ON mandates (expires_at) WHERE status_index >= 0;
DROP INDEX mandates_places;
