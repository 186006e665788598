-- A request that a person made in the portal: who is asked, what for, and what the answer is about.
ALTER TABLE presentation_requests
  ADD COLUMN principal_id text REFERENCES principals (id),
  ADD COLUMN purpose text CHECK (purpose IN ('age', 'approval')),
  ADD COLUMN subject_id text,
  ADD CHECK ((principal_id IS NULL) = (purpose IS NULL));
CREATE INDEX presentation_requests_principal ON presentation_requests (principal_id);
