-- What people asked for by their rights, and what became of it. Ten of a kind a day are counted here.
CREATE TABLE privacy_requests (
  id            text PRIMARY KEY,
  principal_id  text NOT NULL REFERENCES principals (id),
  kind          text NOT NULL,
  result        text NOT NULL,
  requested_at  timestamptz NOT NULL,
  completed_at  timestamptz
);

CREATE INDEX privacy_requests_principal ON privacy_requests (principal_id, kind, requested_at);

-- Answers to requests with an Idempotency-Key, which is stored as a hash; without an answer the request is running.
CREATE TABLE privacy_replies (
  principal_id  text NOT NULL REFERENCES principals (id),
  kind          text NOT NULL,
  key_hash      text NOT NULL,
  body_digest   text NOT NULL,
  sealed_reply  text,
  lease_until   timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL,
  PRIMARY KEY (principal_id, kind, key_hash)
);

CREATE INDEX privacy_replies_expiry ON privacy_replies (expires_at);
