import { LRUCache } from 'lru-cache'
import type { Client, ReplayKey } from '../../base/core/call'
import type { Database, Queryable, Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import type { ClientJwk } from '../../base/protocol/jwk'
import type { WireLimits } from '../../wallet/limits/contract'

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

const CLIENTS_KEPT = 5_000
/** A registration never changes, so it is kept; whether the client still lives is asked of the database each time. */
const caches = new WeakMap<Database, LRUCache<string, Client>>()

/** The client as registered, revoked or not; null when there is none. */
export async function findClient(db: Database, clientId: string): Promise<Client | null> {
  const cache = caches.get(db) ?? new LRUCache<string, Client>({ max: CLIENTS_KEPT })
  caches.set(db, cache)
  const known = cache.get(clientId)
  if (known !== undefined) return known
  const [row] = await db.query<ClientRow>(
    sql`SELECT id, kind, tenant_id, principal_id, name, purpose, redirect_uris, grant_types, scope, jwks
       FROM clients WHERE id = ${clientId}`,
  )
  if (row === undefined) return null
  const client = toClient(row)
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

/** SQL that consumes replay keys inside a larger statement, and returns those that were fresh. */
export const consumeReplayKeysSql = (keys: readonly ReplayKey[], condition = sql`true`) =>
  sql`INSERT INTO replay_keys (key, expires_at)
     SELECT key, expires_at FROM ${sql.rows('k', { key: 'text', expires_at: 'timestamptz' }, keys.map(replayRowOf))} WHERE ${condition}
   ON CONFLICT DO NOTHING RETURNING key`

const replayRowOf = ({ key, expiresAt }: ReplayKey) => ({ key, expires_at: expiresAt })

export interface Admission {
  /** Not revoked, and its principal not erased. */
  readonly live: boolean
  /** The replay keys that nobody had used before. */
  readonly fresh: readonly string[]
}

/** Asks whether the client lives and consumes the replay keys, in one statement. */
export async function admitClient(db: Queryable, clientId: string, keys: readonly ReplayKey[]): Promise<Admission> {
  const [row] = await db.query<Admission>(
    sql`WITH live AS (
       SELECT 1 FROM clients c LEFT JOIN principals p ON p.id = c.principal_id
        WHERE c.id = ${clientId} AND c.revoked_at IS NULL AND NOT coalesce(p.erased, false)),
     fresh AS (${consumeReplayKeysSql(keys, sql`EXISTS (SELECT 1 FROM live)`)})
     SELECT EXISTS (SELECT 1 FROM live) AS live, coalesce((SELECT array_agg(key) FROM fresh), '{}') AS fresh`,
  )
  return row ?? { live: false, fresh: [] }
}

/** Whether the client has not been revoked. */
export async function isLivingClient(db: Queryable, clientId: string): Promise<boolean> {
  const rows = await db.query(sql`SELECT 1 AS one FROM clients WHERE id = ${clientId} AND revoked_at IS NULL`)
  return rows.length === 1
}

export interface NewClient {
  readonly client: Client
  readonly metadata: Readonly<Record<string, unknown>>
  readonly registrationTokenHash: string | null
  readonly now: Date
}

const clientColumns = sql`id, kind, tenant_id, principal_id, name, purpose, redirect_uris, grant_types, scope, jwks, metadata,
  registration_token_hash, created_at`

/** Stores a wallet client, which is its own tenant. */
export async function insertWalletClient(db: Queryable, { client, metadata, now }: NewClient): Promise<void> {
  await db.query(
    sql`INSERT INTO clients (${clientColumns})
     VALUES (${client.id}, 'wallet', ${client.id}, NULL, ${client.name}, NULL, '[]', '[]', ${JSON.stringify(client.scope)}::jsonb,
             ${JSON.stringify(client.jwks)}::jsonb, ${JSON.stringify(metadata)}::jsonb, NULL, ${now})
     ON CONFLICT (id) DO NOTHING`,
  )
}

/**
 * Consumes the setup token and stores the agent that it binds, in one statement, so one token can never make two
 * clients. Returns whether this call won.
 */
export async function consumeSetupToken(db: Queryable, tokenHash: string, fresh: NewClient): Promise<boolean> {
  const { client, metadata, registrationTokenHash, now } = fresh
  const rows = await db.query<{ id: string }>(
    sql`WITH token AS (
       UPDATE setup_tokens SET consumed_at = ${now}, consumed_by = ${client.id}
        WHERE token_hash = ${tokenHash} AND consumed_at IS NULL AND cancelled_at IS NULL AND expires_at > ${now}
          AND NOT EXISTS (SELECT 1 FROM principals p WHERE p.id = setup_tokens.principal_id AND (p.erased OR p.processing_restricted))
       RETURNING principal_id, tenant_id)
     INSERT INTO clients (${clientColumns})
     SELECT ${client.id}, 'agent', tenant_id, principal_id, ${client.name}, ${client.purpose}, ${JSON.stringify(client.redirectUris)}::jsonb,
            ${JSON.stringify(client.grantTypes)}::jsonb, ${JSON.stringify(client.scope)}::jsonb, ${JSON.stringify(client.jwks)}::jsonb,
            ${JSON.stringify(metadata)}::jsonb, ${registrationTokenHash}, ${now} FROM token
     RETURNING id`,
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

const setupTokenColumns = sql`id, principal_id, tenant_id, scope, name, purpose, limits, created_at, expires_at, consumed_at,
  consumed_by, cancelled_at`

export async function findSetupToken(db: Queryable, tokenHash: string): Promise<SetupTokenRow | null> {
  const [row] = await db.query<SetupTokenRow>(
    sql`SELECT ${setupTokenColumns}
       FROM setup_tokens WHERE token_hash = ${tokenHash}`,
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
    sql`INSERT INTO setup_tokens (token_hash, id, principal_id, tenant_id, scope, name, purpose, limits, created_at, expires_at)
     VALUES (${token.tokenHash}, ${token.id}, ${token.principalId}, ${token.tenantId}, ${token.scope === null ? null : JSON.stringify(token.scope)}::jsonb, ${token.name}, ${token.purpose}, ${token.limits === null ? null : JSON.stringify(token.limits)}::jsonb, ${token.now}, ${token.expiresAt})`,
  )
}

/** The principal's setup token by its public id, for the portal's connect page. */
export async function findSetupTokenById(
  db: Queryable,
  id: string,
  principalId: string,
): Promise<SetupTokenRow | null> {
  const [row] = await db.query<SetupTokenRow>(
    sql`SELECT ${setupTokenColumns}
       FROM setup_tokens WHERE id = ${id} AND principal_id = ${principalId}`,
  )
  return row ?? null
}

export async function cancelSetupTokenRow(db: Queryable, id: string, principalId: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE setup_tokens SET cancelled_at = ${now}
      WHERE id = ${id} AND principal_id = ${principalId} AND consumed_at IS NULL AND cancelled_at IS NULL RETURNING id`,
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
    sql`SELECT id, principal_id, metadata, created_at FROM clients
      WHERE id = ${clientId} AND registration_token_hash = ${tokenHash} AND revoked_at IS NULL AND kind = 'agent'`,
  )
  return row ?? null
}

/** Locks the person's agent until the commit, so that two changes of it come one after the other; null when it is not theirs. */
export async function lockAgent(
  tx: Transaction,
  { principalId, clientId }: { readonly principalId: string; readonly clientId: string },
): Promise<Row<'Client', 'revoked_at'> | null> {
  const [row] = await tx.query<Row<'Client', 'revoked_at'>>(
    sql`SELECT revoked_at FROM clients WHERE id = ${clientId} AND principal_id = ${principalId} AND kind = 'agent' FOR UPDATE`,
  )
  return row ?? null
}

/** Ends a client for good. What it holds ends with its token families, which the caller revokes. */
export async function revokeClient(tx: Transaction, clientId: string, now: Date): Promise<void> {
  await tx.query(sql`UPDATE clients SET revoked_at = ${now} WHERE id = ${clientId}`)
}

const SWEPT_AT_ONCE = 5_000

/** Deletes replay keys whose token or proof has expired. */
export async function sweepReplayKeys(db: Database, now: Date): Promise<void> {
  await db.query(
    sql`DELETE FROM replay_keys WHERE key IN (SELECT key FROM replay_keys WHERE expires_at < ${now} ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE})`,
  )
}

/**
 * Changes with the person's agents and the setup tokens for new ones, also when a pause or a token ends: a text, as an
 * expression of a larger statement.
 */
export const agentsRevisionSql = (principalId: string, now: Date): Sql =>
  sql`concat_ws('|',
     (SELECT concat_ws(',', count(*), count(consumed_at), count(cancelled_at), count(*) FILTER (WHERE expires_at > ${now}))
        FROM setup_tokens WHERE principal_id = ${principalId}),
     (SELECT concat_ws(',', count(*), count(revoked_at), max(muted_until), count(*) FILTER (WHERE muted_until > ${now}))
        FROM clients WHERE principal_id = ${principalId}))`
