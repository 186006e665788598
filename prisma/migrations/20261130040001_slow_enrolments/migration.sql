-- Whether the entity was slow to answer when it was last checked: such entities are checked apart from all others.
ALTER TABLE enrolments ADD COLUMN is_slow boolean NOT NULL DEFAULT false;
