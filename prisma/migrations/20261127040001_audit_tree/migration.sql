-- A Merkle tree over each chain (RFC 9162). Its leaves are the entries; stored are the roots of its complete subtrees of
-- 2^8, 2^16, … leaves, written when a checkpoint is signed, so that appending an entry writes nothing more than the entry.
CREATE TABLE audit_nodes (
  tenant_id text NOT NULL,
  -- The subtree has 2^height leaves and is number `position` of that height, counted from 0.
  height integer NOT NULL CHECK (height > 0),
  position bigint NOT NULL CHECK (position >= 0),
  hash text NOT NULL,
  PRIMARY KEY (tenant_id, height, position)
);

CREATE OR REPLACE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER audit_nodes_append_only BEFORE UPDATE OR DELETE ON audit_nodes
  FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_nodes_no_truncate BEFORE TRUNCATE ON audit_nodes
  FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

-- The same head as a C2SP checkpoint. Checkpoints of before state no tree; the next one that is signed does.
ALTER TABLE audit_checkpoints ADD COLUMN note text;
