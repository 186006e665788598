import type { Client, ReplayKey } from '../core/call'
import type { Database, Queryable } from '../core/platform'
import type { WireLimits } from '../limits/contract'
import type { ClientJwk } from '../protocol/jwk'

interface ClientRow {
  id: string
  kind: 'agent' | 'wallet'
  tenant_id: string
  principal_id: string | null
  name: string
  purpose: string | null
  redirect_uris: string[]
  grant_types: string[]
  scope: string[]
  jwks: ClientJwk[]
}

const CLIENT_CACHE_SIZE = 5_000
/** A registration never changes, so it is kept; whether the client still lives is asked of the database each time. */
const caches = new WeakMap<Database, Map<string, Client>>()

/** The client as registered, revoked or not; null when there is none. */
export async function findClient(db: Database, clientId: string): Promise<Client | null> {
  const cache = caches.get(db) ?? new Map<string, Client>()
  caches.set(db, cache)
  const known = cache.get(clientId)
  if (known !== undefined) return known
  const [row] = await db.query<ClientRow>(
    `SELECT id, kind, tenant_id, principal_id, name, purpose, redirect_uris, grant_types, scope, jwks
       FROM clients WHERE id = $1`,
    [clientId],
  )
  if (row === undefined) return null
  const client = toClient(row)
  if (cache.size >= CLIENT_CACHE_SIZE) cache.clear()
  cache.set(clientId, client)
  return client
}

function toClient(row: ClientRow): Client {
  return {
    id: row.id,
    kind: row.kind,
    tenantId: row.tenant_id,
    principalId: row.principal_id,
    name: row.name,
    purpose: row.purpose,
    redirectUris: row.redirect_uris,
    grantTypes: row.grant_types,
    scope: row.scope,
    jwks: row.jwks,
  }
}

/** SQL that consumes replay keys inside a larger statement; `$keys` and `$until` are the two array parameters. */
export const consumeReplayKeysSql = (keys: string, until: string, condition = 'true') =>
  `INSERT INTO replay_keys (key, expires_at)
     SELECT k, e FROM unnest(${keys}::text[], ${until}::timestamptz[]) AS t (k, e) WHERE ${condition}
   ON CONFLICT DO NOTHING RETURNING key`

export interface Admission {
  /** Not revoked, and its principal not erased. */
  readonly live: boolean
  /** The replay keys that nobody had used before. */
  readonly fresh: readonly string[]
}

/** Asks whether the client lives and consumes the replay keys, in one statement. */
export async function admitClient(db: Queryable, clientId: string, keys: readonly ReplayKey[]): Promise<Admission> {
  const [row] = await db.query<Admission>(
    `WITH live AS (
       SELECT 1 FROM clients c LEFT JOIN principals p ON p.id = c.principal_id
        WHERE c.id = $1 AND c.revoked_at IS NULL AND NOT coalesce(p.erased, false)),
     fresh AS (${consumeReplayKeysSql('$2', '$3', 'EXISTS (SELECT 1 FROM live)')})
     SELECT EXISTS (SELECT 1 FROM live) AS live, coalesce((SELECT array_agg(key) FROM fresh), '{}') AS fresh`,
    [clientId, keys.map((key) => key.key), keys.map((key) => key.expiresAt)],
  )
  return row ?? { live: false, fresh: [] }
}

/** Whether the client has not been revoked. */
export async function isLivingClient(db: Queryable, clientId: string): Promise<boolean> {
  const rows = await db.query('SELECT 1 AS one FROM clients WHERE id = $1 AND revoked_at IS NULL', [clientId])
  return rows.length === 1
}

export interface NewClient {
  readonly client: Client
  readonly metadata: Readonly<Record<string, unknown>>
  readonly registrationTokenHash: string | null
  readonly now: Date
}

const insertClientSql = (source: string) =>
  `INSERT INTO clients (id, kind, tenant_id, principal_id, name, purpose, redirect_uris, grant_types, scope, jwks, metadata,
                        registration_token_hash, created_at)
     ${source}`

/** Stores a wallet client, which is its own tenant. */
export async function insertWalletClient(db: Queryable, { client, metadata, now }: NewClient): Promise<void> {
  await db.query(
    insertClientSql(`VALUES ($1, 'wallet', $1, NULL, $2, NULL, '[]', '[]', $3::jsonb, $4::jsonb, $5::jsonb, NULL, $6)
     ON CONFLICT (id) DO NOTHING`),
    [client.id, client.name, JSON.stringify(client.scope), JSON.stringify(client.jwks), JSON.stringify(metadata), now],
  )
}

/**
 * Consumes the setup token and stores the agent that it binds, in one statement, so one token can never make two
 * clients. Returns whether this call won.
 */
export async function consumeSetupToken(db: Queryable, tokenHash: string, fresh: NewClient): Promise<boolean> {
  const { client, metadata, registrationTokenHash, now } = fresh
  const rows = await db.query<{ id: string }>(
    `WITH token AS (
       UPDATE setup_tokens SET consumed_at = $2, consumed_by = $3
        WHERE token_hash = $1 AND consumed_at IS NULL AND cancelled_at IS NULL AND expires_at > $2
          AND NOT EXISTS (SELECT 1 FROM principals p WHERE p.id = setup_tokens.principal_id AND (p.erased OR p.processing_restricted))
       RETURNING principal_id, tenant_id)
     ${insertClientSql(`SELECT $3, 'agent', tenant_id, principal_id, $4, $5, $6::jsonb, $7::jsonb, $8::jsonb, $9::jsonb, $10::jsonb, $11, $2 FROM token`)}
     RETURNING id`,
    [
      tokenHash,
      now,
      client.id,
      client.name,
      client.purpose,
      JSON.stringify(client.redirectUris),
      JSON.stringify(client.grantTypes),
      JSON.stringify(client.scope),
      JSON.stringify(client.jwks),
      JSON.stringify(metadata),
      registrationTokenHash,
    ],
  )
  return rows.length === 1
}

export interface SetupTokenRow {
  id: string
  principal_id: string
  tenant_id: string
  scope: string[] | null
  name: string | null
  purpose: string | null
  limits: WireLimits | null
  created_at: Date
  expires_at: Date
  consumed_at: Date | null
  consumed_by: string | null
  cancelled_at: Date | null
}

const setupTokenColumns = `id, principal_id, tenant_id, scope, name, purpose, limits, created_at, expires_at, consumed_at,
  consumed_by, cancelled_at`

export async function findSetupToken(db: Queryable, tokenHash: string): Promise<SetupTokenRow | null> {
  const [row] = await db.query<SetupTokenRow>(
    `SELECT ${setupTokenColumns}
       FROM setup_tokens WHERE token_hash = $1`,
    [tokenHash],
  )
  return row ?? null
}

export interface NewSetupToken {
  readonly tokenHash: string
  readonly id: string
  readonly principalId: string
  readonly tenantId: string
  readonly scope: readonly string[] | null
  readonly name: string | null
  readonly purpose: string | null
  readonly limits: WireLimits | null
  readonly now: Date
  readonly expiresAt: Date
}

export async function insertSetupToken(db: Queryable, token: NewSetupToken): Promise<void> {
  await db.query(
    `INSERT INTO setup_tokens (token_hash, id, principal_id, tenant_id, scope, name, purpose, limits, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5::jsonb, $6, $7, $8::jsonb, $9, $10)`,
    [
      token.tokenHash,
      token.id,
      token.principalId,
      token.tenantId,
      token.scope === null ? null : JSON.stringify(token.scope),
      token.name,
      token.purpose,
      token.limits === null ? null : JSON.stringify(token.limits),
      token.now,
      token.expiresAt,
    ],
  )
}

/** The principal's setup token by its public id, for the portal's connect page. */
export async function findSetupTokenById(
  db: Queryable,
  id: string,
  principalId: string,
): Promise<SetupTokenRow | null> {
  const [row] = await db.query<SetupTokenRow>(
    `SELECT ${setupTokenColumns}
       FROM setup_tokens WHERE id = $1 AND principal_id = $2`,
    [id, principalId],
  )
  return row ?? null
}

export async function cancelSetupTokenRow(db: Queryable, id: string, principalId: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    `UPDATE setup_tokens SET cancelled_at = $3
      WHERE id = $1 AND principal_id = $2 AND consumed_at IS NULL AND cancelled_at IS NULL RETURNING id`,
    [id, principalId, now],
  )
  return rows.length === 1
}

export interface RegistrationRow {
  id: string
  principal_id: string
  metadata: Record<string, unknown>
  created_at: Date
}

/** The agent client that a registration access token manages (RFC 7592). */
export async function findRegistration(
  db: Queryable,
  clientId: string,
  tokenHash: string,
): Promise<RegistrationRow | null> {
  const [row] = await db.query<RegistrationRow>(
    `SELECT id, principal_id, metadata, created_at FROM clients
      WHERE id = $1 AND registration_token_hash = $2 AND revoked_at IS NULL AND kind = 'agent'`,
    [clientId, tokenHash],
  )
  return row ?? null
}
