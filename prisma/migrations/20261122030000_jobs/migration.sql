-- Work that a transaction leaves behind: written with the change that causes it, done afterwards by whichever process
-- takes it first.
CREATE TABLE jobs (
  id text PRIMARY KEY,
  -- The order in which jobs were written.
  seq bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  -- Names the event: it is worked on once.
  key text NOT NULL UNIQUE,
  -- JSON with references only; what is personal stays sealed where they lead.
  payload text NOT NULL,
  -- Jobs about the same thing are done one after the other.
  aggregate text,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'done', 'dead')),
  attempts integer NOT NULL DEFAULT 0,
  run_at timestamptz NOT NULL,
  -- Until then a process works on it.
  lease_until timestamptz,
  last_error text,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  CHECK ((state = 'queued') = (finished_at IS NULL))
);
CREATE INDEX jobs_due ON jobs (run_at, seq) WHERE state = 'queued';
CREATE INDEX jobs_aggregate ON jobs (aggregate, seq) WHERE state = 'queued' AND aggregate IS NOT NULL;
CREATE INDEX jobs_done ON jobs (finished_at) WHERE state = 'done';
CREATE INDEX jobs_dead ON jobs (created_at) WHERE state = 'dead';

-- Messages that were not delivered yet, or were given up.
INSERT INTO jobs (id, kind, key, payload, state, run_at, created_at, finished_at)
SELECT id, 'deliver_message', 'message:' || id, jsonb_build_object('message_id', id)::text, state, next_attempt_at,
       created_at, CASE state WHEN 'dead' THEN next_attempt_at END
  FROM messages WHERE state <> 'sent' ORDER BY created_at, id;

DROP INDEX messages_queue;
ALTER TABLE messages DROP COLUMN state, DROP COLUMN attempts, DROP COLUMN next_attempt_at;
