import { LRUCache } from 'lru-cache'
import type { Client, ReplayKey } from '../../base/core/call'
import { type Database, type Queryable, type Transaction } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import { type Row, rowOf } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import type { ClientJwk } from '../../base/protocol/jwk'

type ClientRow = Row<
  'Client',
  | 'id'
  | 'kind'
  | 'tenant_id'
  | 'principal_id'
  | 'name'
  | 'purpose'
  | 'redirect_uris'
  | 'grant_types'
  | 'scope'
  | 'jwks',
  { kind: 'agent' | 'wallet'; redirect_uris: string[]; grant_types: string[]; scope: string[]; jwks: ClientJwk[] }
>

const CLIENTS_MAX = 5_000
/** The longest time in the cache, since erasure removes an agent's metadata. */
const CLIENTS_CACHED_MILLISECONDS = 600_000
/** Cached registrations, which otherwise never change. Whether a client is active is always read from the database. */
const caches = new WeakMap<Database, LRUCache<string, Client>>()

/** Finds a client as registered, revoked or not; null when there is none. */
export async function findClient(db: Database, clientId: string): Promise<Client | null> {
  const cache = caches.get(db) ?? new LRUCache<string, Client>({ max: CLIENTS_MAX, ttl: CLIENTS_CACHED_MILLISECONDS })
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

/** Removes clients from this process's cache; those of other processes expire within ten minutes. */
export function forgetClients(db: Database, clientIds: readonly string[]): void {
  for (const id of clientIds) caches.get(db)?.delete(id)
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

/** Returns SQL that consumes the replay keys of a query, `(key, expires_at)`, and returns those that were fresh. */
export const insertReplayKeysSql = (selected: Sql): Sql =>
  sql`INSERT INTO replay_keys (key, expires_at) ${selected} ON CONFLICT DO NOTHING RETURNING key`

/** Returns SQL that consumes replay keys inside a larger statement and returns those that were fresh. */
export const consumeReplayKeysSql = (keys: readonly ReplayKey[], condition = sql`true`): Sql =>
  insertReplayKeysSql(
    sql`SELECT key, expires_at FROM ${sql.rows('k', { key: 'text', expires_at: 'timestamptz' }, keys.map(replayRowOf))}
         WHERE ${condition}`,
  )

const replayRowOf = ({ key, expiresAt }: ReplayKey) => ({ key, expires_at: expiresAt })

export interface Admission {
  /** Whether the client is not revoked and its person not erased. */
  readonly active: boolean
  /** The replay keys that had not been used before. */
  readonly fresh: readonly string[]
}

/** Reads whether the client is active and consumes the replay keys, in one statement. */
export async function admitClient(db: Queryable, clientId: string, keys: readonly ReplayKey[]): Promise<Admission> {
  const [row] = await db.query<Admission>(
    sql`WITH active AS (
       SELECT 1 FROM clients c LEFT JOIN principal_profiles p ON p.id = c.principal_id
        WHERE c.id = ${clientId} AND c.revoked_at IS NULL AND NOT coalesce(p.erased, false)),
     fresh AS (${consumeReplayKeysSql(keys, sql`EXISTS (SELECT 1 FROM active)`)})
     SELECT EXISTS (SELECT 1 FROM active) AS active, coalesce((SELECT array_agg(key) FROM fresh), '{}') AS fresh`,
  )
  return row ?? { active: false, fresh: [] }
}

/** Whether the client has not been revoked. */
export async function isActiveClient(db: Queryable, clientId: string): Promise<boolean> {
  const rows = await db.query(sql`SELECT 1 AS one FROM clients WHERE id = ${clientId} AND revoked_at IS NULL`)
  return rows.length === 1
}

export type RegistrationRow = Row<
  'Client',
  'id' | 'principal_id' | 'metadata' | 'created_at',
  { metadata: Record<string, unknown> }
>

/** Finds the agent whose registration access token this is (RFC 7592). */
export async function findRegistration(
  db: Database,
  clientId: string,
  tokenHash: string,
): Promise<RegistrationRow | null> {
  const found = await db.prisma.client.findFirst({
    select: { id: true, principal_id: true, metadata: true, created_at: true },
    where: { id: clientId, registration_token_hash: tokenHash, revoked_at: null, kind: 'agent' },
  })
  return found === null ? null : rowOf<RegistrationRow>(found)
}

export interface NewClient {
  readonly client: Client
  readonly metadata: Readonly<Record<string, unknown>>
  readonly registrationTokenHash: string | null
  /** The tail: the last characters of its first key's thumbprint; null without a key. */
  readonly keyTail: string | null
  readonly now: Date
}

/** Stores a wallet client, which is its own tenant, unless its id is taken. */
export async function insertWalletClient(
  db: Queryable,
  { client, metadata, now }: Pick<NewClient, 'client' | 'metadata' | 'now'>,
): Promise<void> {
  await db.query(
    sql`INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
     VALUES (${client.id}, 'wallet', ${client.id}, ${client.name}, '[]', '[]', ${JSON.stringify(client.scope)}::jsonb,
             ${JSON.stringify(client.jwks)}::jsonb, ${JSON.stringify(metadata)}::jsonb, ${now}) ON CONFLICT (id) DO NOTHING`,
  )
}

/** Sets the time since when an agent is paused; null resumes it. The caller must have locked the agent. */
export async function updatePausedAt(tx: Transaction, clientId: string, since: Date | null): Promise<void> {
  await tx.query(sql`UPDATE clients SET paused_at = ${since}::timestamptz WHERE id = ${clientId}`)
}

/** Sets the given name of an agent; null restores its own. The caller must have locked the agent. */
export async function updateGivenName(tx: Transaction, clientId: string, name: string | null): Promise<void> {
  await tx.query(sql`UPDATE clients SET given_name = ${name} WHERE id = ${clientId}`)
}

type LockedAgent = Row<'Client', 'revoked_at' | 'paused_at' | 'given_name'>

/**
 * Locks the person's agent until the commit, so that changes of it are serialised; returns null when it is not theirs.
 */
export async function lockAgent(
  tx: Transaction,
  { principalId, clientId }: { readonly principalId: string; readonly clientId: string },
): Promise<LockedAgent | null> {
  const [row] = await tx.query<LockedAgent>(
    sql`SELECT revoked_at, paused_at, given_name FROM clients WHERE id = ${clientId} AND principal_id = ${principalId} AND kind = 'agent' FOR UPDATE`,
  )
  return row ?? null
}

/** Revokes a client. The caller must also revoke its token families, and with them its mandates. */
export async function revokeClient(tx: Transaction, clientId: string, now: Date): Promise<void> {
  await tx.query(sql`UPDATE clients SET revoked_at = ${now} WHERE id = ${clientId}`)
}

/** Returns SQL that stores when clients last got a token. `tokens` has the columns `client_id` and `at`. */
export const noteLastTokensSql = (tokens: Sql): Sql =>
  sql`UPDATE clients c SET last_token_at = greatest(c.last_token_at, newest.at)
        FROM (SELECT client_id, max(at) AS at FROM ${tokens} AS token GROUP BY client_id) AS newest
       WHERE c.id = newest.client_id`

/** Returns a SQL expression for when a client last got a token, among the tokens that have been deleted. */
export const notedTokenSql = (clientId: Sql): Sql => sql`(SELECT last_token_at FROM clients WHERE id = ${clientId})`

/** Deletes replay keys whose token or proof has expired. */
export function sweepReplayKeys(db: Database, now: Date): Promise<number> {
  return countSwept(
    db,
    sql`DELETE FROM replay_keys WHERE key IN (SELECT key FROM replay_keys WHERE ${oldestSql(sql`expires_at`, sweptBefore('replayKeys', now))})`,
  )
}

/**
 * Returns a SQL expression for a text that changes with the person's agents and setup tokens, also when a setup token
 * expires; part of the portal's revision.
 */
export const agentsRevisionSql = (principalId: string, now: Date): Sql =>
  sql`concat_ws('|',
     (SELECT concat_ws(',', count(*), count(consumed_at), count(cancelled_at), count(*) FILTER (WHERE expires_at > ${now}))
        FROM setup_tokens WHERE principal_id = ${principalId}),
     (SELECT concat_ws(',', count(*), count(revoked_at), count(paused_at), max(paused_at), md5(string_agg(given_name, ',' ORDER BY id)))
        FROM clients WHERE principal_id = ${principalId}))`
