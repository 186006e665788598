/**
 * Storage of the peer: one row per record, prepared statements, committed before the answer, without a cache. It
 * follows the peer's own guide for adapters, and is as durable as Countersign's.
 */
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Pool } from 'pg'

export const PEER_SCHEMA = `
  CREATE TABLE peer_records (
    kind text NOT NULL,
    id text NOT NULL,
    payload jsonb NOT NULL,
    grant_id text,
    user_code text,
    uid text,
    expires_at timestamptz,
    consumed_at timestamptz,
    PRIMARY KEY (kind, id));
  CREATE INDEX peer_records_grant ON peer_records (grant_id, kind) WHERE grant_id IS NOT NULL;
  CREATE INDEX peer_records_user_code ON peer_records (user_code, kind) WHERE user_code IS NOT NULL;
  CREATE INDEX peer_records_uid ON peer_records (uid, kind) WHERE uid IS NOT NULL;
  CREATE INDEX peer_records_expiry ON peer_records (expires_at)`

interface Row {
  payload: AdapterPayload
  consumed_at: Date | null
}

const find = (column: string) =>
  `SELECT payload, consumed_at FROM peer_records
    WHERE kind = $1 AND ${column} = $2 AND (expires_at IS NULL OR expires_at > now())`

const statements = {
  upsert: `INSERT INTO peer_records (kind, id, payload, grant_id, user_code, uid, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
           ON CONFLICT (kind, id) DO UPDATE
             SET payload = excluded.payload, grant_id = excluded.grant_id, user_code = excluded.user_code,
                 uid = excluded.uid, expires_at = excluded.expires_at`,
  find: find('id'),
  findByUserCode: find('user_code'),
  findByUid: find('uid'),
  consume: 'UPDATE peer_records SET consumed_at = now() WHERE kind = $1 AND id = $2',
  destroy: 'DELETE FROM peer_records WHERE kind = $1 AND id = $2',
  revokeByGrantId: 'DELETE FROM peer_records WHERE kind = $1 AND grant_id = $2',
}

export class PostgresAdapter implements Adapter {
  constructor(
    private readonly pool: Pool,
    private readonly kind: string,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const { grantId = null, userCode = null, uid = null } = payload
    await this.#run('upsert', [id, JSON.stringify(payload), grantId, userCode, uid, expiresIn ?? null])
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return this.#read('find', id)
  }

  findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#read('findByUserCode', userCode)
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#read('findByUid', uid)
  }

  async consume(id: string): Promise<void> {
    await this.#run('consume', [id])
  }

  async destroy(id: string): Promise<void> {
    await this.#run('destroy', [id])
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#run('revokeByGrantId', [grantId])
  }

  async #read(name: 'find' | 'findByUserCode' | 'findByUid', value: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.#run(name, [value])
    if (row === undefined) return undefined
    return row.consumed_at === null ? row.payload : { ...row.payload, consumed: row.consumed_at }
  }

  async #run(name: keyof typeof statements, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({ name, text: statements[name], values: [this.kind, ...values] })
    return rows
  }
}
