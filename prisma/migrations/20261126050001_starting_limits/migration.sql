-- Limits that a new person starts with.
ALTER TABLE limit_changes DROP CONSTRAINT limit_changes_kind_check;
ALTER TABLE limit_changes ADD CONSTRAINT limit_changes_kind_check
  CHECK (kind IN ('start', 'save', 'freeze', 'restore', 'undo', 'connect'));
